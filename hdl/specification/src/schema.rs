//! The JSON Schema of a specification, made from [`KEYS`], for editors that check TOML.

use crate::key_table::{KeyType, Presence, SpecKey, KEYS};
use crate::values::FilterKind;
use serde_json::{json, Map, Value};

/// JSON Schema (draft 7) of a specification: types, ranges, words, required keys, and which tables a kind of filter takes.
/// Rules between values (a partition is a power of two) are not in it; `plan` checks those.
pub fn json_schema() -> Value {
    let mut root = table_schema("");
    root.insert(
        "$schema".into(),
        "http://json-schema.org/draft-07/schema#".into(),
    );
    root.insert("title".into(), "Bloomline filter specification".into());
    root.insert(
        "description".into(),
        "Made by `bloomline schema`; `bloomline explain KEY` says more".into(),
    );
    Value::Object(root)
}

fn table_schema(table: &str) -> Map<String, Value> {
    let inside = || KEYS.iter().filter(|key| key.table() == table);
    let properties: Map<String, Value> = inside()
        .map(|key| (key.word().to_owned(), key_schema(key)))
        .collect();
    let required: Vec<&str> = inside()
        .filter(|key| key.presence == Presence::Required && key.kinds.is_empty())
        .map(SpecKey::word)
        .collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("additionalProperties".into(), false.into());
    schema.insert("properties".into(), properties.into());
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    let by_kind: Vec<Value> = FilterKind::ALL
        .iter()
        .map(|kind| (kind, of_kind(inside(), *kind)))
        .filter(|(_, then)| then != &json!({}))
        .map(|(kind, then)| {
            json!({
                "if": { "properties": { "kind": { "const": kind.word() } }, "required": ["kind"] },
                "then": then,
            })
        })
        .collect();
    if !by_kind.is_empty() {
        schema.insert("allOf".into(), by_kind.into());
    }
    schema
}

/// The keys that belong to some kinds: this one requires its own and takes no other's.
fn of_kind<'a>(keys: impl Iterator<Item = &'a SpecKey>, kind: FilterKind) -> Value {
    let (own, others): (Vec<&SpecKey>, Vec<&SpecKey>) = keys
        .filter(|key| !key.kinds.is_empty())
        .partition(|key| key.kinds.contains(&kind));
    let mut then = Map::new();
    let required: Vec<&str> = own
        .iter()
        .filter(|key| key.presence == Presence::Required)
        .map(|key| key.word())
        .collect();
    if !required.is_empty() {
        then.insert("required".into(), required.into());
    }
    let refused: Map<String, Value> = others
        .iter()
        .map(|key| (key.word().to_owned(), false.into()))
        .collect();
    if !refused.is_empty() {
        then.insert("properties".into(), refused.into());
    }
    then.into()
}

fn key_schema(key: &SpecKey) -> Value {
    let mut schema = match key.value {
        KeyType::Table => table_schema(key.path),
        value => match value_schema(value) {
            Value::Object(schema) => schema,
            other => unreachable!("a schema is an object, not {other}"),
        },
    };
    let sentences = [key.meaning, key.rule, key.effect];
    let text: Vec<&str> = sentences.into_iter().filter(|s| !s.is_empty()).collect();
    schema.insert("description".into(), text.join(". ").into());
    if let Presence::Default(value) = key.presence {
        schema.insert("default".into(), toml_value(value));
    }
    if !key.example.is_empty() {
        schema.insert("examples".into(), vec![toml_value(key.example)].into());
    }
    schema.into()
}

fn value_schema(value: KeyType) -> Value {
    match value {
        KeyType::Table => json!({ "type": "object" }),
        KeyType::Identifier => {
            json!({ "type": "string", "pattern": "^[a-z_][a-z0-9_]{0,63}$" })
        }
        KeyType::Word(words) => json!({ "enum": words() }),
        KeyType::Words(words) => {
            json!({ "type": "array", "items": { "enum": words() }, "uniqueItems": true })
        }
        KeyType::Integer(least, u64::MAX) => json!({ "type": "integer", "minimum": least }),
        KeyType::Integer(least, most) => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        KeyType::OneOf(values) => json!({ "enum": values }),
        KeyType::RateBelow(most) => {
            json!({ "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": most })
        }
        KeyType::RateUpTo(most) => {
            json!({ "type": "number", "exclusiveMinimum": 0, "maximum": most })
        }
        KeyType::Flag => json!({ "type": "boolean" }),
        KeyType::AutoOrInteger => {
            json!({ "anyOf": [{ "const": "auto" }, { "type": "integer", "minimum": 0 }] })
        }
        KeyType::AutoOrOneOf(values) => {
            let values = values.iter().map(|&value| json!(value));
            json!({ "enum": std::iter::once(json!("auto")).chain(values).collect::<Vec<_>>() })
        }
        KeyType::Part => json!({ "type": "string" }),
        KeyType::NoneOrOneOf(values) => {
            let values = values.iter().map(|&value| json!(value));
            json!({ "enum": std::iter::once(json!("none")).chain(values).collect::<Vec<_>>() })
        }
        KeyType::Policy => {
            json!({ "type": "string", "pattern": "^(pass|drop|mark:([0-9]|[1-5][0-9]|6[0-3]))$" })
        }
        KeyType::Mac => {
            json!({ "type": "string", "pattern": "^[0-9a-fA-F][02468aceACE](:[0-9a-fA-F]{2}){5}$" })
        }
        KeyType::Ipv4 => {
            json!({ "type": "string", "pattern": "^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])([.]|$)){4}$" })
        }
    }
}

/// A value of the table; what is written there is valid JSON too.
fn toml_value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| unreachable!("{text}: {error}"))
}
