//! Campaign description as the user writes it: runs with seeds and sweeps.

use crate::error::CampaignError;
use bloomline_spec::files;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a unit does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// `bloomline verify`: gateware against model and theory.
    Verify,
    /// `bloomline build`: a bitstream, with area and clock.
    Build,
    /// `bloomline prove`: properties of the emitted Verilog.
    Prove,
    /// `bloomline figures`: experiments of the papers.
    Figures,
    /// A row of `tests/claims.toml` in a source tree: mutation, soft errors, soak, fuzzing and every other claim.
    Claims,
    /// Any program. What it prints is the result, read as JSON where it is.
    Command,
}

impl Kind {
    /// Its word in a description.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Verify => "verify",
            Kind::Build => "build",
            Kind::Prove => "prove",
            Kind::Figures => "figures",
            Kind::Claims => "claims",
            Kind::Command => "command",
        }
    }
}

/// A description of a campaign.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "the description of a campaign")]
pub(crate) struct Description {
    /// Name, which the batch system shows.
    pub name: String,
    /// Runs; each becomes one unit or many.
    pub runs: Vec<Runs>,
}

/// Runs of one kind. Seeds, boards, names and swept keys are combined in all ways.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table [[runs]]")]
pub(crate) struct Runs {
    pub kind: Kind,
    /// Specification, relative to the description.
    pub spec: Option<PathBuf>,
    /// Further arguments of the verb.
    #[serde(default)]
    pub options: Vec<String>,
    /// Seeds.
    pub seeds: Option<Values>,
    /// Keys of the specification, `filter.hashes` for example, with their values.
    #[serde(default)]
    pub sweep: BTreeMap<String, Values>,
    /// Boards of `build`.
    #[serde(default)]
    pub boards: Vec<String>,
    /// Properties of `prove`, figures of `figures` or rows of `claims`.
    #[serde(default)]
    pub only: Vec<String>,
    /// The program of `command` and its arguments; `{seed}` stands for the seed, `{spec}` for the specification.
    #[serde(default)]
    pub command: Vec<String>,
    /// Environment variables of the unit.
    #[serde(default)]
    pub environment: BTreeMap<String, String>,
    /// Files that options or the command name, relative to the description. They are copied into the campaign.
    #[serde(default)]
    pub files: Vec<PathBuf>,
    /// Root of the source tree of `claims`, relative to the description.
    pub tree: Option<PathBuf>,
    /// Estimated seconds of one unit on one core; required, by a message of its own.
    pub seconds: Option<f64>,
    /// Estimated memory of one unit, in megabytes.
    #[serde(default = "default_memory")]
    pub memory_mb: u64,
}

fn default_memory() -> u64 {
    1000
}

/// Values to go through.
#[derive(Debug, Clone, Deserialize)]
#[serde(
    untagged,
    expecting = "must be a list, or { from, to } of whole numbers, with step or times if wanted"
)]
pub(crate) enum Values {
    /// These.
    List(Vec<toml::Value>),
    /// Whole numbers `from`, `from + step`, .. or `from`, `from * times`, .. up to `to`.
    Range(Range),
}

/// A range of whole numbers.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Range {
    from: i64,
    to: i64,
    step: Option<i64>,
    times: Option<i64>,
}

impl Values {
    /// The values in order.
    ///
    /// # Errors
    /// The rule that they break.
    pub fn list(&self) -> Result<Vec<toml::Value>, String> {
        let range = match self {
            Values::List(values) if values.is_empty() => return Err("is empty".into()),
            Values::List(values) => return Ok(values.clone()),
            Values::Range(range) => *range,
        };
        let Range {
            from,
            to,
            step,
            times,
        } = range;
        if from > to {
            return Err(format!("from = {from} is above to = {to}"));
        }
        let next: Box<dyn Fn(i64) -> Option<i64>> = match (step, times) {
            (Some(_), Some(_)) => return Err("has step and times; give one of them".into()),
            (None, Some(times)) if times < 2 || from < 1 => {
                return Err(format!(
                    "times = {times} from {from}: times must be at least 2 and from at least 1"
                ))
            }
            (None, Some(times)) => Box::new(move |value| value.checked_mul(times)),
            (step, None) => {
                let step = step.unwrap_or(1);
                if step < 1 {
                    return Err(format!("step = {step}: must be at least 1"));
                }
                Box::new(move |value| value.checked_add(step))
            }
        };
        let values = std::iter::successors(Some(from), |value| next(*value));
        let list: Vec<toml::Value> = values
            .take_while(|value| *value <= to)
            .take(MOST_UNITS + 1)
            .map(toml::Value::Integer)
            .collect();
        match list.len() > MOST_UNITS {
            true => Err(format!(
                "from = {from}, to = {to}: are more than {MOST_UNITS} values, the units that a campaign may have; divide it"
            )),
            false => Ok(list),
        }
    }
}

/// Keys of a table of runs, which some write above the first of them.
const KEYS_OF_RUNS: [&str; 13] = [
    "kind",
    "spec",
    "options",
    "seeds",
    "sweep",
    "boards",
    "only",
    "command",
    "environment",
    "files",
    "tree",
    "seconds",
    "memory_mb",
];

/// Most units of a campaign: what plans, submits and merges them holds all of them.
pub(crate) const MOST_UNITS: usize = 1_000_000;

impl Description {
    /// Reads a description.
    ///
    /// # Errors
    /// [`CampaignError::File`], and [`CampaignError::Form`] with line and column.
    pub fn read(path: &Path) -> Result<Description, CampaignError> {
        let next = "name the description of a campaign (TOML)";
        let text =
            files::text(path, files::MOST_TEXT_BYTES).map_err(CampaignError::file(path, next))?;
        let form = |problem: String| CampaignError::Form {
            path: path.to_owned(),
            problem,
        };
        let description: Description = toml::from_str(&text).map_err(|error| {
            let problem = error.to_string().trim_end().to_owned();
            let key = KEYS_OF_RUNS.iter().find(|key| {
                problem.contains(&format!("unknown field `{key}`, expected `name` or `runs`"))
            });
            form(match key {
                Some(key) => {
                    format!("{problem}\n{key} belongs to runs; write it below a line [[runs]]")
                }
                None => problem,
            })
        })?;
        legal_name(&description.name).map_err(form)?;
        if description.runs.is_empty() {
            return Err(form("runs: is empty; add a table [[runs]]".into()));
        }
        Ok(description)
    }
}

/// Refuses the name of a campaign that a batch system's script could not hold.
pub(crate) fn legal_name(name: &str) -> Result<(), String> {
    let legal = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    match !name.is_empty() && name.chars().all(legal) {
        true => Ok(()),
        false => Err(format!(
            "name = {name:?}: must be letters, digits, `-`, `_` and `.`"
        )),
    }
}
