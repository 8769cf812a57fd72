use super::ClaimsError;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// How much of each claim is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// As the page's figures were made: hours for some claims.
    Full,
    /// One pass of every check at its own size: what a change must pass.
    Once,
}

/// A row of the page "How we know".
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its name, for `--only`.
    pub name: String,
    /// The heading it stands under.
    pub section: String,
    /// What is claimed.
    pub says: String,
    /// Tests: a package and how their names begin, `PACKAGE BEGIN`.
    #[serde(default)]
    pub tests: Vec<String>,
    /// Commands, each a program and its arguments; `bloomline` is the one of this tree.
    #[serde(default)]
    pub runs: Vec<Vec<String>>,
    /// Environment of the checks at full strength, on top of `BLOOMLINE_SOAK=1`.
    #[serde(default)]
    pub full: BTreeMap<String, String>,
    /// Estimated time of one pass, its checks one after the other on a quiet machine, in seconds.
    pub seconds: f64,
    /// The same at full strength; as one pass where it is not given.
    pub full_seconds: Option<f64>,
    /// Parts of the paths of files of which it tells something; a change of one of them runs it early.
    #[serde(default)]
    pub about: Vec<String>,
}

impl Claim {
    /// Estimated time of its checks one after the other on a quiet machine, in seconds.
    pub fn estimate_seconds(&self, strength: Strength) -> f64 {
        match strength {
            Strength::Once => self.seconds,
            Strength::Full => self.full_seconds.unwrap_or(self.seconds),
        }
    }

    /// Environment variables of its checks.
    pub fn settings(&self, strength: Strength) -> BTreeMap<String, String> {
        let mut settings = BTreeMap::from([("BLOOMLINE_SOAK".to_owned(), "1".to_owned())]);
        if strength == Strength::Full {
            settings.extend(self.full.clone());
        }
        settings
    }

    /// Whether it tells something of one of these files.
    pub fn is_about(&self, files: &[String]) -> bool {
        files
            .iter()
            .any(|file| self.about.iter().any(|part| file.contains(part)))
    }
}

/// All claims.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Tests that are no claim although `cargo test` leaves them out: parts that other tests start.
    #[serde(default)]
    pub parts_of_tests: Vec<String>,
    /// The claims, in the page's order.
    #[serde(rename = "claim")]
    pub claims: Vec<Claim>,
}

impl Table {
    /// The table of this source tree.
    ///
    /// # Errors
    /// When it is not one: see [`Table::parse`].
    pub fn load() -> Result<Self, ClaimsError> {
        Self::parse(include_str!("../../claims.toml"))
    }

    /// A table from TOML.
    ///
    /// # Errors
    /// When keys are wrong, a name is given twice, or a claim has no check or no estimate.
    pub fn parse(text: &str) -> Result<Self, ClaimsError> {
        let table: Self =
            toml::from_str(text).map_err(|error| ClaimsError::Table(error.to_string()))?;
        let mut names = BTreeSet::new();
        for claim in &table.claims {
            let told = |what: &str| ClaimsError::Table(format!("claim {:?}: {what}", claim.name));
            if !names.insert(&claim.name) {
                return Err(told("the name is given twice"));
            }
            if claim.tests.is_empty() && claim.runs.is_empty() {
                return Err(told("it has neither `tests` nor `runs`"));
            }
            if claim.runs.iter().any(Vec::is_empty) {
                return Err(told("a run has no program"));
            }
            if let Some(test) = claim.tests.iter().find(|test| !test.contains(' ')) {
                return Err(told(&format!(
                    "{test:?} is no package and beginning of a test's name"
                )));
            }
            let estimates = [Some(claim.seconds), claim.full_seconds];
            if estimates
                .into_iter()
                .flatten()
                .any(|s| !s.is_finite() || s <= 0.0)
            {
                return Err(told("an estimate is no positive number of seconds"));
            }
        }
        Ok(table)
    }

    /// The claims of the names `only`, or all where there are none, without those of the names `except`; in the table's order.
    ///
    /// # Errors
    /// When a name is none of a claim.
    pub fn chosen(&self, only: &[String], except: &[String]) -> Result<Vec<Claim>, ClaimsError> {
        self.check_names("--only", only)?;
        self.check_names("--except", except)?;
        let chosen = self.claims.iter().filter(|claim| {
            (only.is_empty() || only.contains(&claim.name)) && !except.contains(&claim.name)
        });
        Ok(chosen.cloned().collect())
    }

    fn check_names(&self, option: &str, names: &[String]) -> Result<(), ClaimsError> {
        let known = |name: &&String| self.claims.iter().any(|claim| claim.name == **name);
        let Some(name) = names.iter().find(|name| !known(name)) else {
            return Ok(());
        };
        let near = self
            .claims
            .iter()
            .map(|claim| claim.name.as_str())
            .filter(|other| other.contains(name.as_str()) || name.contains(other))
            .collect::<Vec<_>>();
        let hint = match near.as_slice() {
            [] => "`--list` names them all".to_owned(),
            near => format!("perhaps {}", near.join(", ")),
        };
        Err(ClaimsError::Usage(format!(
            "{option} {name}: no claim has this name; {hint}"
        )))
    }
}
