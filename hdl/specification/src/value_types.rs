//! Types of the values of a specification, checked against [`KEYS`] before it is read: what serde would take for a table or say of a type is
//! not what the reference of the keys promises.

use crate::key_table::{KeyType, Presence, SpecKey, KEYS};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Most characters of a value that a message shows.
const SHOWN_CHARACTERS: usize = 60;

/// The first value that is not of its key's type: where it stands, and the message about it. A text that is no TOML has none.
pub(crate) fn wrong_type(text: &str) -> Option<(Range<usize>, String)> {
    let root = DeTable::parse(text).ok()?;
    let wrong = KEYS.iter().filter_map(|key| {
        let (span, value) = value_of(root.get_ref(), key.path)?;
        (!fits(key.value, value)).then(|| (span.clone(), message(text, key, span, value)))
    });
    // that of a table stands before those of its keys, which have none then
    wrong.min_by_key(|(span, _)| span.start)
}

/// The message about a required key, without which serde says that a field of this name is missing.
pub(crate) fn missing(text: &str, word: &str) -> Option<String> {
    let root = DeTable::parse(text).ok()?;
    let is_there = |path: &str| path.is_empty() || value_of(root.get_ref(), path).is_some();
    let key = KEYS.iter().find(|key| {
        // whether a kind needs a table is a rule
        let required =
            key.presence == Presence::Required && (key.kinds.is_empty() || !key.is_table());
        required && key.word() == word && is_there(key.table()) && !is_there(key.path)
    })?;
    let add = match key.value {
        KeyType::Table => format!("add the table [{}]", key.path),
        _ => format!("add for example `{} = {}`", key.word(), key.example),
    };
    Some(format!("{}: is missing; {add}; {}", key.path, more(key)))
}

/// The message about a key or a word that there is not, from what serde says of it: at this byte of the text, with these instead.
pub(crate) fn unknown(
    text: &str,
    at: usize,
    instead: &[&str],
    meant: Option<&str>,
) -> Option<String> {
    let root = DeTable::parse(text).ok()?;
    let (path, is_key) = path_at(root.get_ref(), "", at)?;
    let table = path.rsplit_once('.').map_or("", |(table, _)| table);
    let mut message = match is_key {
        true if table.is_empty() => {
            format!("{path}: no such key; there are {}", instead.join(", "))
        }
        true => format!("{path}: no such key; [{table}] has {}", instead.join(", ")),
        false => {
            let value = text.get(at..)?.split('"').nth(1)?;
            let words: Vec<String> = instead.iter().map(|word| format!("\"{word}\"")).collect();
            let rule = match &words[..] {
                [first, second] => format!("{first} or {second}"),
                words => format!("one of {}", words.join(", ")),
            };
            format!("{path} = \"{value}\": must be {rule}")
        }
    };
    if let Some(meant) = meant {
        message += &match is_key {
            true => format!("; did you mean `{meant}`?"),
            false => format!("; did you mean \"{meant}\"?"),
        };
    } else if let Some(key) = KEYS
        .iter()
        .find(|key| key.path == if is_key { table } else { &path })
    {
        message += &format!("; {}", more(key));
    }
    Some(message)
}

/// The key that begins at this byte, or whose value is there; and whether it is the former.
fn path_at(table: &DeTable, prefix: &str, at: usize) -> Option<(String, bool)> {
    table.iter().find_map(|(word, value)| {
        let path = match prefix {
            "" => word.get_ref().to_string(),
            prefix => format!("{prefix}.{}", word.get_ref()),
        };
        match value.get_ref() {
            _ if word.span().start == at => Some((path, true)),
            DeValue::Table(inner) => path_at(inner, &path, at),
            _ => value.span().contains(&at).then_some((path, false)),
        }
    })
}

fn more(key: &SpecKey) -> String {
    format!("`bloomline explain {}` says more", key.path)
}

fn value_of<'a, 'i>(root: &'a DeTable<'i>, path: &str) -> Option<(Range<usize>, &'a DeValue<'i>)> {
    let mut table = root;
    let mut words = path.split('.').peekable();
    loop {
        let found = table.get(words.next()?)?;
        match (words.peek(), found.get_ref()) {
            (None, value) => return Some((found.span(), value)),
            (Some(_), DeValue::Table(inner)) => table = inner,
            _ => return None,
        }
    }
}

/// Whether a value is of a type; ranges and words are checked later.
fn fits(wanted: KeyType, value: &DeValue) -> bool {
    let number = match value {
        DeValue::Integer(integer) => u64::from_str_radix(integer.as_str(), integer.radix()).ok(),
        _ => None,
    };
    let is = |word: &str| value.as_str() == Some(word);
    match wanted {
        KeyType::Table => value.is_table(),
        KeyType::Flag => value.is_bool(),
        KeyType::Integer(..) | KeyType::OneOf(_) => number.is_some(),
        KeyType::RateBelow(_) | KeyType::RateUpTo(_) => value.is_float() || value.is_integer(),
        KeyType::AutoOrInteger | KeyType::AutoOrOneOf(_) => number.is_some() || is("auto"),
        KeyType::NoneOrOneOf(listed) => {
            number.is_some_and(|number| listed.contains(&number)) || is("none")
        }
        KeyType::Words(_) => {
            let words = value.as_array();
            words.is_some_and(|words| words.iter().all(|word| word.get_ref().is_str()))
        }
        KeyType::Identifier
        | KeyType::Word(_)
        | KeyType::Part
        | KeyType::Policy
        | KeyType::Mac
        | KeyType::Ipv4 => value.is_str(),
    }
}

fn message(text: &str, key: &SpecKey, span: Range<usize>, value: &DeValue) -> String {
    let written = text
        .get(span)
        .filter(|written| !written.contains('\n') && written.chars().count() <= SHOWN_CHARACTERS);
    let shown = match (value, written) {
        (DeValue::Array(_), Some(written)) if !written.starts_with("[[") => written,
        (DeValue::Array(_), _) => "[...]",
        (DeValue::Table(_), _) => "{...}",
        (_, written) => written.unwrap_or("..."),
    };
    let is = match value {
        DeValue::Array(_) => "is an array; ",
        DeValue::Table(_) => "is a table; ",
        _ => "",
    };
    let (path, more) = (key.path, more(key));
    match key.value {
        KeyType::Table => {
            let is = if is.is_empty() { "is no table; " } else { is };
            format!("{path} = {shown}: {is}write it as the table [{path}]; {more}")
        }
        wanted => {
            let must = match wanted {
                KeyType::Integer(_, u64::MAX) => format!("an {wanted} to 2^64 - 1"),
                KeyType::Integer(..) | KeyType::OneOf(_) => format!("an {wanted}"),
                KeyType::AutoOrInteger => format!("{wanted} from 0 to 2^64 - 1"),
                KeyType::RateBelow(_) | KeyType::RateUpTo(_) | KeyType::Words(_) => {
                    format!("a {wanted}")
                }
                KeyType::Word(_) => format!("one of {wanted}"),
                _ => wanted.to_string(),
            };
            let example = key.example;
            format!("{path} = {shown}: {is}must be {must}; for example {example}; {more}")
        }
    }
}
