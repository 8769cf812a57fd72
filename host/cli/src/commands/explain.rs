use crate::output::{hanging, Ending, Output};
use anyhow::bail;
use bloomline_spec::{explained, reference_page, similar_keys, spec_key, SpecKey, KEYS};
use serde_json::{json, Value};

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Key or table, such as filter.hashes or packet.policy
    #[arg(value_name = "KEY", required_unless_present = "all")]
    key: Option<String>,
    /// Every key, as a page of Markdown
    #[arg(long, conflicts_with = "key")]
    all: bool,
}

impl Cmd {
    /// Prints what the table of keys says.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        match &self.key {
            None => output.result(&as_json(KEYS.iter()), reference_page)?,
            Some(word) => {
                let found = found(word)?;
                output.result(&as_json(found.iter().copied()), || {
                    let pages: Vec<String> = found.iter().map(|key| explained(key)).collect();
                    let lines = pages.join("\n");
                    lines
                        .lines()
                        .map(|line| hanging(line, indent(line)))
                        .collect()
                })?;
            }
        }
        Ok(Ending::Good)
    }
}

/// Where the text of a line begins: after the name of its property or key, which is in ASCII, and the spaces that follow.
fn indent(line: &str) -> usize {
    let Some((name, text)) = line.strip_prefix("  ").and_then(|it| it.split_once(' ')) else {
        return 0;
    };
    let spaces = text.len() - text.trim_start().len();
    "  ".len() + name.len() + " ".len() + spaces
}

/// The key of that name, or the keys of that name in several tables.
fn found(word: &str) -> anyhow::Result<Vec<&'static SpecKey>> {
    let word = word.trim_matches(['[', ']']);
    if let Some(key) = spec_key(word) {
        return Ok(vec![key]);
    }
    let same: Vec<&SpecKey> = KEYS.iter().filter(|key| key.word() == word).collect();
    if !same.is_empty() {
        return Ok(same);
    }
    let similar: Vec<&str> = similar_keys(word).iter().take(3).map(|k| k.path).collect();
    match similar.as_slice() {
        [] => bail!("explain {word}: no such key; `bloomline explain --all` lists every key"),
        keys => bail!(
            "explain {word}: no such key; did you mean {}? `bloomline explain --all` lists every key",
            keys.join(", ")
        ),
    }
}

fn as_json<'a>(keys: impl Iterator<Item = &'a SpecKey>) -> Value {
    let row = |key: &SpecKey| {
        json!({
            "key": key.path,
            "meaning": key.meaning,
            "type": key.value.to_string(),
            "unit": key.unit,
            "default": key.presence.to_string(),
            "kinds": key.kinds,
            "rule": key.rule,
            "effect": key.effect,
            "example": key.example,
        })
    };
    keys.map(row).collect()
}
