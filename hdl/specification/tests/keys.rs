//! The table of keys is what the specification reads, and the JSON Schema made from it accepts and refuses what the specification does.

use crate::common::{Broken, BASE};
use bloomline_spec::{
    all_examples, json_schema, reference_page, similar_keys, spec_key, FilterSpec, KeyType,
    Presence, SpecError, SpecKey, KEYS,
};
use serde_json::{json, Value};
use std::collections::BTreeSet;
use std::path::Path;

/// The keys that a table of the specification reads, as its refusal of another key lists them.
fn read_keys(table: &str) -> BTreeSet<String> {
    let text = match table {
        "" => "no-such-key = 1".to_owned(),
        table => format!("[{table}]\nno-such-key = 1"),
    };
    let error = FilterSpec::from_toml(&text, Path::new("keys.toml")).expect_err("an unknown key");
    let SpecError::Syntax { message, .. } = error else {
        panic!("{error}")
    };
    let listed = message
        .split_once(" has ")
        .or_else(|| message.split_once(" there are "));
    let (_, listed) = listed.unwrap_or_else(|| panic!("{table}: {message}"));
    let listed = listed.split(';').next().unwrap_or(listed);
    listed.split(", ").map(str::to_owned).collect()
}

#[test]
fn every_key_that_the_specification_reads_is_in_the_table_and_no_other() {
    let tables = std::iter::once("").chain(KEYS.iter().filter(|k| k.is_table()).map(|k| k.path));
    for table in tables {
        let stated: BTreeSet<String> = KEYS
            .iter()
            .filter(|key| key.table() == table)
            .map(|key| key.word().to_owned())
            .collect();
        assert_eq!(stated, read_keys(table), "[{table}]");
    }
    let paths: BTreeSet<&str> = KEYS.iter().map(|key| key.path).collect();
    assert_eq!(paths.len(), KEYS.len(), "one row a key");
}

/// Puts a value at a dotted path, with the tables on the way.
fn put(spec: &mut Value, path: &str, value: Value) {
    let place = path.split('.').fold(spec, |at, word| &mut at[word]);
    *place = value;
}

fn example(key: &SpecKey) -> Value {
    serde_json::from_str(key.example).expect("the example is a value")
}

/// A specification with every table, and in each the required keys, all as in the table's examples.
fn full() -> Value {
    let mut spec = json!({});
    for key in KEYS {
        match (key.value, key.presence) {
            (KeyType::Table, _) => put(&mut spec, key.path, json!({})),
            (_, Presence::Required) => put(&mut spec, key.path, example(key)),
            _ => (),
        }
    }
    spec
}

fn reads(spec: &Value) -> Result<FilterSpec, String> {
    let text = toml::to_string(spec).map_err(|error| error.to_string())?;
    FilterSpec::from_toml(&text, Path::new("keys.toml")).map_err(|error| error.to_string())
}

#[test]
fn every_example_of_the_table_is_read_and_a_value_of_another_type_is_not() {
    for key in KEYS.iter().filter(|key| !key.is_table()) {
        let mut spec = full();
        put(&mut spec, key.path, example(key));
        reads(&spec).unwrap_or_else(|error| panic!("{}: {error}", key.path));
        assert_eq!(
            refused(&value_of(key.path), &example(key)),
            None,
            "{}",
            key.path
        );
        for wrong in [json!([1]), json!("no such word"), json!(1.5), json!(true)] {
            put(&mut spec, key.path, wrong.clone());
            if reads(&spec).is_err() {
                assert!(
                    refused(&value_of(key.path), &wrong).is_some(),
                    "{} = {wrong} is refused by the specification and not by the schema",
                    key.path
                );
            }
        }
    }
}

#[test]
fn required_keys_are_required_and_defaults_are_those_that_are_taken() {
    let spec = full();
    let read = reads(&spec).expect("all that is required");
    let taken: Value = toml::from_str(&read.to_toml()).expect("canonical text");
    for key in KEYS.iter().filter(|key| !key.is_table()) {
        let value = taken.pointer(&format!("/{}", key.path.replace('.', "/")));
        match key.presence {
            Presence::Required if key.kinds.is_empty() => {
                let mut without = spec.clone();
                let table = key.table().split('.').filter(|word| !word.is_empty());
                let table = table.fold(&mut without, |at, word| &mut at[word]);
                table.as_object_mut().expect("a table").remove(key.word());
                let error = reads(&without).expect_err(key.path);
                assert!(
                    error.contains(&format!("{}: is missing", key.path)),
                    "{error}"
                );
            }
            Presence::Required => (),
            Presence::Default(default) => {
                let default: Value = serde_json::from_str(default).expect("a value");
                assert_eq!(value, Some(&default), "{}", key.path);
            }
            Presence::Optional(_) => assert_eq!(value, None, "{}", key.path),
        }
    }
}

/// The schema of a key's value.
fn value_of(path: &str) -> Value {
    let pointer = format!("/properties/{}", path.replace('.', "/properties/"));
    json_schema()
        .pointer(&pointer)
        .expect("in the schema")
        .clone()
}

/// Why a schema refuses a value; `None` if it accepts it. Knows the words of JSON Schema that [`json_schema`] uses, and no others.
fn refused(schema: &Value, value: &Value) -> Option<String> {
    let schema = match schema {
        Value::Bool(true) => return None,
        Value::Bool(false) => return Some(format!("{value} must not be given")),
        schema => schema.as_object().expect("a schema"),
    };
    let number = value.as_f64();
    let no = |rule: &Value| Some(format!("{value}: {rule}"));
    for (word, rule) in schema {
        let bound = rule.as_f64();
        let below = |limit: fn(f64, f64) -> bool| matches!((number, bound), (Some(number), Some(bound)) if limit(number, bound));
        let found = match word.as_str() {
            "type" => {
                let fits = match rule.as_str().expect("a type") {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "number" => value.is_number(),
                    "integer" => value.is_u64() || value.is_i64(),
                    other => panic!("type {other}"),
                };
                (!fits).then(|| format!("{value} is no {rule}"))
            }
            "enum" => match rule.as_array().expect("a list").contains(value) {
                true => None,
                false => no(rule),
            },
            "items" => {
                let items = value.as_array().into_iter().flatten();
                items.filter_map(|item| refused(rule, item)).next()
            }
            "uniqueItems" => {
                let items = value.as_array().map_or(&[][..], |items| items);
                let twice = |(at, item): (usize, &Value)| items[..at].contains(item);
                match items.iter().enumerate().any(twice) {
                    true => no(rule),
                    false => None,
                }
            }
            "const" => (rule != value).then(|| format!("{value} is not {rule}")),
            "minimum" if below(|n, bound| n < bound) => no(rule),
            "maximum" if below(|n, bound| n > bound) => no(rule),
            "exclusiveMinimum" if below(|n, bound| n <= bound) => no(rule),
            "exclusiveMaximum" if below(|n, bound| n >= bound) => no(rule),
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" => None,
            "pattern" => match (value.as_str(), rule.as_str()) {
                (Some(text), Some(pattern)) if !matches(pattern, text) => no(rule),
                _ => None,
            },
            "required" => rule.as_array().expect("a list").iter().find_map(|key| {
                let given = value.get(key.as_str().expect("a key")).is_some();
                (!given).then(|| format!("{key} is missing"))
            }),
            "properties" => rule
                .as_object()
                .expect("keys")
                .iter()
                .find_map(|(key, schema)| {
                    refused(schema, value.get(key)?).map(|why| format!("{key}: {why}"))
                }),
            "additionalProperties" => {
                assert_eq!(rule, &json!(false));
                let mut given = value.as_object().into_iter().flatten();
                let unknown = given.find(|(key, _)| schema["properties"].get(key).is_none());
                unknown.map(|(key, _)| format!("{key} is unknown"))
            }
            "anyOf" => {
                let any = rule.as_array().expect("a list").iter();
                let fits = any.clone().any(|schema| refused(schema, value).is_none());
                (!fits).then(|| format!("{value} fits none of {rule}"))
            }
            "allOf" => {
                let all = rule.as_array().expect("a list").iter();
                all.filter_map(|schema| refused(schema, value)).next()
            }
            "if" if refused(rule, value).is_none() => refused(&schema["then"], value),
            "if" | "then" | "$schema" | "title" | "description" | "default" | "examples" => None,
            other => panic!("the schema uses {other}, which this test does not know"),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// The patterns of the schema, written as code.
fn matches(pattern: &str, text: &str) -> bool {
    let parts = |separator| text.split(separator);
    match pattern {
        "^[a-z_][a-z0-9_]{0,63}$" => {
            let first = text.starts_with(|c: char| c == '_' || c.is_ascii_lowercase());
            let rest = |c: char| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit();
            first && text.chars().all(rest) && text.len() <= 64
        }
        "^(pass|drop|mark:([0-9]|[1-5][0-9]|6[0-3]))$" => match text.strip_prefix("mark:") {
            Some(dscp) => dscp
                .parse::<u8>()
                .is_ok_and(|n| n < 64 && n.to_string() == dscp),
            None => text == "pass" || text == "drop",
        },
        "^[0-9a-fA-F][02468aceACE](:[0-9a-fA-F]{2}){5}$" => {
            let single = text
                .chars()
                .nth(1)
                .is_some_and(|c| "02468aceACE".contains(c));
            let hex = |byte: &str| byte.len() == 2 && byte.chars().all(|c| c.is_ascii_hexdigit());
            single && parts(':').count() == 6 && parts(':').all(hex)
        }
        "^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])([.]|$)){4}$" => {
            text.parse::<std::net::Ipv4Addr>().is_ok()
        }
        other => panic!("the schema uses the pattern {other}, which this test does not know"),
    }
}

/// Why the schema refuses the text of a specification.
fn refused_text(text: &str) -> Option<String> {
    let value: Value = toml::from_str(text).ok()?;
    refused(&json_schema(), &value)
}

#[test]
fn the_schema_accepts_every_example_and_what_canonical_text_says_of_it() {
    for (file, text) in all_examples() {
        assert_eq!(refused_text(text), None, "{file}");
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        assert_eq!(refused_text(&spec.to_toml()), None, "{file}, canonical");
        assert!(
            text.starts_with("#:schema bloomline.schema.json\n"),
            "{file} names the schema"
        );
    }
    assert_eq!(refused_text(BASE), None);
}

/// Every bad specification of the other tests.
fn bad_specifications() -> impl Iterator<Item = Broken> {
    let pages = [
        crate::errors::bad(),
        crate::cells::broken_rules(),
        crate::shared_array::broken_rules(),
        crate::sliding::broken_rules(),
        crate::packet::broken(),
        crate::linecard::broken(),
        crate::linecard::broken_host(),
    ];
    pages.into_iter().flatten()
}

/// A bad specification is a matter of structure if the reader refuses it (a key, a type, a word), if one number is outside its range, or
/// if a table is there that its kind does not take, or missing. What the schema accepts is listed for review: rules between values,
/// powers of two, reserved words and addresses.
#[test]
fn the_schema_refuses_every_bad_specification_that_is_a_matter_of_structure() {
    let mut between_values = String::new();
    let mut refusals = 0;
    for Broken { name, text, error } in bad_specifications() {
        let syntax = matches!(error, SpecError::Syntax { .. });
        if syntax && toml::from_str::<Value>(&text).is_err() {
            continue; // no TOML at all
        }
        match refused_text(&text) {
            Some(_) => refusals += 1,
            None => {
                assert!(
                    !syntax,
                    "{name}: the reader says {error}, the schema accepts it"
                );
                let key = match error {
                    SpecError::Rule { key, .. } | SpecError::Unsupported { key, .. } => key,
                    error => panic!("{name}: {error}"),
                };
                between_values += &format!("{key}: {name}\n");
            }
        }
    }
    assert!(refusals > 60, "{refusals}");
    insta::assert_snapshot!(between_values);
}

#[test]
fn a_mistyped_key_is_found() {
    let first = |word: &str| similar_keys(word).first().map(|key| key.path);
    assert_eq!(first("filter.hases"), Some("filter.hashes"));
    assert_eq!(first("sede"), Some("hash.seed"));
    assert_eq!(first("count_min"), Some("filter.count-min"));
    assert_eq!(first("baud"), Some("card.uart_baud"));
    assert_eq!(first("colour"), None);
    assert!(spec_key("filter.hashes").is_some());
}

/// Compares with a file of the source tree; `BLOOMLINE_BLESS=1` writes it.
fn same_as_file(path: &str, made: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("BLOOMLINE_BLESS").is_some() {
        std::fs::write(&file, made).expect("the file");
    }
    let there = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(
        there == made,
        "{path} is not as made: BLOOMLINE_BLESS=1 cargo test -p bloomline-spec writes it again"
    );
}

#[test]
fn the_page_of_keys_and_the_schema_beside_the_examples_are_as_made() {
    same_as_file("../docs/keys.md", &reference_page());
    let schema = serde_json::to_string_pretty(&json_schema()).expect("JSON");
    same_as_file("examples/bloomline.schema.json", &format!("{schema}\n"));
}
