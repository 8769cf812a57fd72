//! Expansion of a campaign description into units.

use crate::description::{Description, Kind, Runs, Values, MOST_UNITS};
use crate::error::CampaignError;
use crate::folder::read;
use crate::unit::{hash, Unit};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Units, and the files that they need in the campaign's folder.
pub(crate) struct Expanded {
    pub units: Vec<Unit>,
    /// By the path within the folder.
    pub files: BTreeMap<String, Kept>,
}

/// A file that is copied into the campaign.
pub(crate) struct Kept {
    pub content: Vec<u8>,
    pub executable: bool,
}

/// Rules of the command that a description must keep. They are the command's own: this crate knows neither its options nor its files.
#[derive(Clone, Copy)]
pub struct Checks<'a> {
    /// Whether the text of a specification is one.
    pub specification: &'a dyn Fn(&str) -> Result<(), String>,
    /// Whether the command takes these words, the first of which stands for its executable.
    pub arguments: &'a dyn Fn(&[String]) -> Result<(), String>,
    /// Whether an option can read its file: the option, the file, and what follows the file's name (`:COLUMN`).
    pub input: &'a dyn Fn(&str, &Path, &str) -> Result<(), String>,
}

impl std::fmt::Debug for Checks<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checks").finish_non_exhaustive()
    }
}

/// Keys of a specification with the values that they are given.
type Point = Vec<(String, toml::Value)>;

struct Expander<'a> {
    path: &'a Path,
    /// Hash of the command's executable.
    executable: &'a str,
    checks: Checks<'a>,
    files: BTreeMap<String, Kept>,
    units: Vec<Unit>,
    /// The group of each unit, as a place in `groups`.
    group_of: Vec<usize>,
    groups: Vec<Group>,
    /// Places in `groups` by what the units of a group have in common: all but the seed.
    places: HashMap<String, usize>,
}

/// Units that differ by their seeds alone.
struct Group {
    /// Kind, specification, board or property, and the values of swept keys.
    name: String,
    /// What else tells it from a group of the same name: options, path of the specification, environment, source tree.
    details: [String; 4],
}

/// Expands every table of `runs`; the files are read beside the description at `path`.
///
/// # Errors
/// [`CampaignError::Runs`] with the rule that is broken, [`CampaignError::File`].
pub(crate) fn expand(
    description: &Description,
    path: &Path,
    executable: &str,
    checks: Checks,
) -> Result<Expanded, CampaignError> {
    let mut expander = Expander {
        path,
        executable,
        checks,
        files: BTreeMap::new(),
        units: Vec::new(),
        group_of: Vec::new(),
        groups: Vec::new(),
        places: HashMap::new(),
    };
    for (index, runs) in description.runs.iter().enumerate() {
        expander.runs(runs).map_err(|problem| CampaignError::Runs {
            path: path.to_owned(),
            index,
            problem,
        })?;
    }
    let names = distinct(&expander.groups);
    for (unit, group) in expander.units.iter_mut().zip(&expander.group_of) {
        unit.group.clone_from(&names[*group]);
    }
    let mut places = BTreeMap::new();
    for unit in &expander.units {
        if places.insert(&unit.id, ()).is_some() {
            let seed = unit.seed.map(|seed| format!(" with seed {seed}"));
            let problem = format!(
                "{}{} is there twice; take one of the two out{}",
                unit.group,
                seed.as_deref().unwrap_or_default(),
                if seed.is_some() {
                    ", or give it another seed"
                } else {
                    ""
                }
            );
            return Err(CampaignError::Form {
                path: path.to_owned(),
                problem,
            });
        }
    }
    Ok(Expanded {
        units: expander.units,
        files: expander.files,
    })
}

/// The groups' names, made distinct: groups of one name get the details by which they differ.
fn distinct(groups: &[Group]) -> Vec<String> {
    let mut alike: HashMap<&str, Vec<usize>> = HashMap::new();
    for (place, group) in groups.iter().enumerate() {
        alike.entry(&group.name).or_default().push(place);
    }
    let mut used = HashSet::new();
    let mut names = Vec::with_capacity(groups.len());
    for group in groups {
        let others = &alike[group.name.as_str()];
        let mut name = group.name.clone();
        for (index, detail) in group.details.iter().enumerate() {
            let differs = |other: &usize| groups[*other].details[index] != *detail;
            if !detail.is_empty() && others.iter().any(differs) {
                name += &format!(" {}", short(detail));
            }
        }
        let numbered = (2..).map(|number| format!("{name} ({number})"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        let free = candidates.find(|candidate| used.insert(candidate.clone()));
        names.push(free.unwrap_or(name));
    }
    names
}

/// The arguments of a command, of its files their names alone.
fn arguments(runs: &Runs) -> String {
    let shown = runs.command.iter().skip(1).map(|argument| {
        let file = runs.files.iter().find(|file| *file == Path::new(argument));
        file.and_then(|file| file.file_name())
            .map_or(argument.into(), |name| name.to_string_lossy())
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// A text on one line, cut where it is long.
fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST_DETAIL) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

/// Most characters of options that a group's name shows.
const MOST_DETAIL: usize = 80;

impl Expander<'_> {
    fn beside(&self, file: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(file)
    }

    /// Copies a file into the campaign; its path there.
    fn keep(&mut self, name: &Path, content: Vec<u8>, executable: bool) -> String {
        let last = name.file_name().unwrap_or_default().to_string_lossy();
        let place = format!("files/{}/{last}", hash(&content));
        let kept = Kept {
            content,
            executable,
        };
        self.files.entry(place.clone()).or_insert(kept).executable |= executable;
        format!("{{folder}}/{place}")
    }

    fn read(&self, key: &str, file: &Path) -> Result<Vec<u8>, String> {
        let path = self.beside(file);
        read(&path).map_err(|error| {
            format!(
                "{key}: {}: {error}; name a file, as seen from the description",
                path.display()
            )
        })
    }

    fn runs(&mut self, runs: &Runs) -> Result<(), String> {
        check(runs)?;
        let mut options = match runs.kind {
            Kind::Command => runs.command.clone(),
            _ => runs.options.clone(),
        };
        for file in &runs.files {
            let content = self.read("files", file)?;
            let executable = std::fs::metadata(self.beside(file))
                .is_ok_and(|found| found.permissions().mode() & 0o111 != 0);
            let kept = self.keep(file, content, executable);
            let program = options.first().filter(|_| runs.kind == Kind::Command);
            let is_program = program.is_some_and(|word| names_file(word, file) == Some(("", "")));
            if is_program && !executable {
                return Err(format!(
                    "command: {} is not executable; say `chmod +x` of it",
                    file.display()
                ));
            }
            let mut found = false;
            for option in &mut options {
                if let Some((before, column)) = names_file(option, file) {
                    *option = format!("{before}{kept}{column}");
                    found = true;
                }
            }
            if !found {
                return Err(format!(
                    "files: {}: no option names it; name it as it stands here, or take it out",
                    file.display()
                ));
            }
        }
        if let (Kind::Command, Some(program)) = (runs.kind, options.first()) {
            if program.contains('/') && !program.starts_with(['/', '{']) {
                return Err(format!(
                    "command: {program}: a unit runs in the campaign's folder, where this is not; add it to files, or give its absolute path"
                ));
            }
        }
        for (option, value) in inputs(runs) {
            for file in &runs.files {
                if let Some(("", behind)) = names_file(value, file) {
                    (self.checks.input)(option, &self.beside(file), behind)
                        .map_err(|problem| format!("options: {option}: {problem}"))?;
                }
            }
        }
        let spec = match &runs.spec {
            None => None,
            Some(file) => {
                let text = String::from_utf8(self.read("spec", file)?)
                    .map_err(|_| format!("spec: {}: is not UTF-8", file.display()))?;
                Some((file.clone(), text))
            }
        };
        let seeds = seeds(runs.seeds.as_ref())?;
        let calls = runs.boards.len().max(runs.only.len()).max(1);
        let points = runs
            .sweep
            .values()
            .map(|values| values.list().map_or(0, |list| list.len()));
        let units = points.fold(seeds.len() * calls, usize::saturating_mul);
        if units.saturating_add(self.units.len()) > MOST_UNITS {
            return Err(format!(
                "seeds, sweep and boards make {units} units; a campaign may have {MOST_UNITS}: divide it"
            ));
        }
        let mut checked = false;
        for (point, values) in sweep(&runs.sweep)? {
            let (name, specification) = match &spec {
                None => (None, None),
                Some((file, text)) => {
                    let text =
                        set(text, &values).map_err(|e| format!("spec: {}: {e}", file.display()))?;
                    (self.checks.specification)(&text).map_err(|problem| match &point {
                        Some(point) => format!("spec: {} with {point}: {problem}", file.display()),
                        None => format!("spec: {}: {problem}", file.display()),
                    })?;
                    let name = file.file_stem().unwrap_or_default().to_string_lossy();
                    (
                        Some(name.into_owned()),
                        Some(self.keep(file, text.into_bytes(), false)),
                    )
                }
            };
            for (label, arguments) in verbs(runs, specification.as_deref()) {
                let parts = [
                    Some(runs.kind.word().to_owned()),
                    name.clone(),
                    label,
                    point.clone(),
                ];
                let group = parts.into_iter().flatten().filter(|part| !part.is_empty());
                let group = group.collect::<Vec<_>>().join(" ");
                let mut command = arguments;
                let placed = specification.as_deref().unwrap_or_default();
                command.extend(options.iter().map(|word| match runs.kind {
                    Kind::Command => word.replace("{spec}", placed),
                    _ => word.clone(),
                }));
                // Swept values, boards and names change no option: one unit stands for all.
                if !std::mem::replace(&mut checked, true) {
                    self.arguments(runs, &command, &seeds)?;
                }
                for seed in &seeds {
                    self.unit(runs, &group, *seed, &command)?;
                }
            }
        }
        Ok(())
    }

    /// Checks a unit's words by the command's own rules, without a seed and with the least and the greatest of the seeds.
    fn arguments(
        &self,
        runs: &Runs,
        without_seed: &[String],
        seeds: &[Option<u64>],
    ) -> Result<(), String> {
        if matches!(runs.kind, Kind::Claims | Kind::Command) {
            return Ok(());
        }
        (self.checks.arguments)(without_seed).map_err(|problem| format!("options: {problem}"))?;
        for seed in [seeds.iter().min(), seeds.iter().max()] {
            if let Some(seed) = seed.copied().flatten() {
                let seed = ["--seed".to_owned(), seed.to_string()];
                (self.checks.arguments)(&[without_seed, &seed].concat())
                    .map_err(|problem| format!("seeds: {problem}"))?;
            }
        }
        Ok(())
    }

    fn unit(
        &mut self,
        runs: &Runs,
        group: &str,
        seed: Option<u64>,
        without_seed: &[String],
    ) -> Result<(), String> {
        let mut command = without_seed.to_vec();
        match (runs.kind, seed) {
            (Kind::Verify | Kind::Build, Some(seed)) => {
                command.extend(["--seed".into(), seed.to_string()]);
            }
            (Kind::Command, Some(seed)) => {
                for argument in &mut command {
                    *argument = argument.replace("{seed}", &seed.to_string());
                }
            }
            _ => {}
        }
        let (program, tree) = match (runs.kind, &runs.tree) {
            (Kind::Claims, Some(tree)) => {
                let root = self.beside(tree);
                let root = root
                    .canonicalize()
                    .map_err(|e| format!("tree: {}: {e}", root.display()))?;
                (commit(&root)?, Some(root.to_string_lossy().into_owned()))
            }
            (Kind::Command, _) => (program_hash(&command[0]), None),
            _ => (self.executable.to_owned(), None),
        };
        let common = serde_json::json!([runs.kind, program, without_seed, runs.environment, tree]);
        let group = match self.places.entry(common.to_string()) {
            Entry::Occupied(place) => *place.get(),
            Entry::Vacant(place) => {
                let variables = runs.environment.iter();
                let variables = variables.map(|(name, value)| format!("{name}={value}"));
                let path = |path: &Option<PathBuf>| {
                    let path = path.as_ref().map(|path| path.to_string_lossy());
                    path.unwrap_or_default().into_owned()
                };
                self.groups.push(Group {
                    name: group.to_owned(),
                    details: [
                        match runs.kind {
                            Kind::Command => arguments(runs),
                            _ => runs.options.join(" "),
                        },
                        path(&runs.spec),
                        variables.collect::<Vec<_>>().join(" "),
                        path(&runs.tree),
                    ],
                });
                *place.insert(self.groups.len() - 1)
            }
        };
        let again = |_: &&(&str, &str)| self.group_of.contains(&group);
        if let Some((option, _)) = inputs(runs).first().filter(again) {
            return Err(format!(
                "seeds: {option} gives the keys, so all seeds would be the same data and be counted several times; leave seeds out, or sweep \"hash.seed\" for other hash functions"
            ));
        }
        self.group_of.push(group);
        // The content of every file is in its path, and what a program depends on in its hash.
        let identity = serde_json::json!([
            crate::unit::FORMAT,
            runs.kind,
            program,
            command,
            runs.environment,
            tool_overrides(),
        ]);
        self.units.push(Unit {
            id: hash(identity.to_string()),
            kind: runs.kind,
            // Named when all groups are known.
            group: String::new(),
            seed,
            command,
            environment: runs.environment.clone(),
            tree,
            // Checked before.
            seconds: runs.seconds.unwrap_or_default(),
            memory_mb: runs.memory_mb,
        });
        Ok(())
    }
}

/// Variables that put another program in a pinned tool's place, by name and value.
fn tool_overrides() -> BTreeMap<String, String> {
    std::env::vars()
        .filter(|(name, _)| name.starts_with("BLOOMLINE_") && name != "BLOOMLINE_TOOLS")
        .collect()
}

/// The hash of a program's file; its name where that cannot be read, as of a program on `PATH`.
fn program_hash(program: &str) -> String {
    std::fs::read(program).map_or_else(|_| program.to_owned(), hash)
}

/// The commit of a source tree without changes.
fn commit(tree: &Path) -> Result<String, String> {
    let git = |arguments: &[&str]| -> Result<String, String> {
        let output = std::process::Command::new("git")
            .arg("-C")
            .arg(tree)
            .args(arguments)
            .output()
            .map_err(|error| format!("tree: git cannot be started: {error}"))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
            false => Err(format!(
                "tree: {}: {}",
                tree.display(),
                String::from_utf8_lossy(&output.stderr).trim()
            )),
        }
    };
    if !git(&["status", "--porcelain"])?.is_empty() {
        return Err(format!(
            "tree: {}: has changes that are not committed, so results could not be named; commit them first",
            tree.display()
        ));
    }
    git(&["rev-parse", "HEAD"])
}

/// Where an argument names a file, alone, as `FILE:COLUMN` or as `--option=FILE`: what stands before and behind it.
fn names_file<'a>(argument: &'a str, file: &Path) -> Option<(&'a str, &'a str)> {
    let plain = |text: &'a str| text.strip_prefix("./").unwrap_or(text);
    let named = file.strip_prefix(".").unwrap_or(file).to_string_lossy();
    let behind = |value: &'a str| {
        let rest = plain(value).strip_prefix(&*named)?;
        (rest.is_empty() || rest.starts_with(':')).then_some(rest)
    };
    if let Some(rest) = behind(argument) {
        return Some(("", rest));
    }
    let (option, value) = argument.split_once('=')?;
    let before = &argument[..=option.len()];
    Some((before, behind(value)?)).filter(|_| option.starts_with('-'))
}

/// Options of `verify` whose value is a file of keys or frames.
const INPUTS: [&str; 3] = ["--keys", "--pcap", "--pcap-back"];

/// Options whose value is a file or folder that a unit writes.
const OUTPUTS: [&str; 4] = ["--out", "--report", "--waves", "--write-pcap"];

/// The options of `verify` that name input files, with their values.
fn inputs(runs: &Runs) -> Vec<(&str, &str)> {
    match runs.kind {
        Kind::Verify => given(runs, &INPUTS),
        _ => vec![],
    }
}

/// Those of these options that are given, with their values.
fn given<'a>(runs: &'a Runs, names: &[&str]) -> Vec<(&'a str, &'a str)> {
    let next = runs.options.iter().skip(1).map(String::as_str);
    let with_next = runs.options.iter().zip(next.chain([""]));
    with_next
        .filter_map(|(option, next)| {
            let (option, value) = option.split_once('=').unwrap_or((option, next));
            names.contains(&option).then_some((option, value))
        })
        .collect()
}

/// The rules of a table of runs that do not depend on files.
fn check(runs: &Runs) -> Result<(), String> {
    let word = runs.kind.word();
    let needs_spec = matches!(runs.kind, Kind::Verify | Kind::Build | Kind::Prove);
    let of_command = runs.kind == Kind::Command;
    let names_spec = runs.command.iter().any(|part| part.contains("{spec}"));
    match (needs_spec, &runs.spec) {
        (true, None) => return Err(format!("kind = \"{word}\" needs spec = \"FILE.toml\"")),
        (false, Some(_)) if !of_command => return Err(format!("spec: kind = \"{word}\" has none")),
        (false, None) if names_spec => {
            return Err("command: {spec} needs spec = \"FILE.toml\"".into())
        }
        (false, Some(_)) if !names_spec => {
            return Err("spec: no argument of command has {spec}".into())
        }
        (false, None) if of_command && !runs.sweep.is_empty() => {
            return Err("sweep: needs spec = \"FILE.toml\", and {spec} in command".into())
        }
        _ => {}
    }
    let allowed =
        |given: bool, key: &str, kinds: &[Kind]| match given && !kinds.contains(&runs.kind) {
            false => Ok(()),
            true => {
                let kinds: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
                let (last, others) = kinds.split_last().unwrap_or((&"", &[]));
                let kinds = match others {
                    [] => format!("{last} has"),
                    _ => format!("{} and {last} have", others.join(", ")),
                };
                Err(format!("{key}: kind = \"{word}\" has none; only {kinds}"))
            }
        };
    let spec_kinds = [Kind::Verify, Kind::Build, Kind::Prove, Kind::Command];
    allowed(!runs.sweep.is_empty(), "sweep", &spec_kinds)?;
    allowed(!runs.boards.is_empty(), "boards", &[Kind::Build])?;
    allowed(
        !runs.only.is_empty(),
        "only",
        &[Kind::Prove, Kind::Figures, Kind::Claims],
    )?;
    allowed(!runs.command.is_empty(), "command", &[Kind::Command])?;
    allowed(runs.tree.is_some(), "tree", &[Kind::Claims])?;
    allowed(
        runs.seeds.is_some(),
        "seeds",
        &[Kind::Verify, Kind::Build, Kind::Command],
    )?;
    for (option, value) in inputs(runs) {
        let mut files = runs.files.iter();
        if !files.any(|file| names_file(value, file).is_some_and(|(before, _)| before.is_empty())) {
            return Err(format!(
                "options: {option} {value}: the file is not in files, so results would not be repeated when its content changes; add files = [\"FILE\"]"
            ));
        }
    }
    for (option, value) in given(runs, &OUTPUTS) {
        if !value.contains("{out}") {
            return Err(format!(
                "options: {option} {value}: units would overwrite each other's; give {option} {{out}}/NAME, which is in a folder of the unit's own"
            ));
        }
    }
    match runs.kind {
        Kind::Build if runs.boards.is_empty() => {
            Err("kind = \"build\" needs boards = [\"NAME\"]".into())
        }
        Kind::Claims if runs.tree.is_none() => {
            Err("kind = \"claims\" needs tree = \"FOLDER\", the root of a source tree".into())
        }
        Kind::Claims | Kind::Figures if runs.only.is_empty() => {
            Err(format!("kind = \"{word}\" needs only = [\"NAME\"]"))
        }
        Kind::Command if runs.command.is_empty() => {
            Err("kind = \"command\" needs command = [\"PROGRAM\", \"ARGUMENT\"]".into())
        }
        Kind::Command
            if runs.seeds.is_some() && !runs.command.iter().any(|part| part.contains("{seed}")) =>
        {
            Err("command: no argument has {seed}, so all seeds would be the same run".into())
        }
        _ if runs.seconds.is_none() => Err(
            "seconds is missing: the estimated seconds of one unit on one core; write seconds = 4"
                .into(),
        ),
        _ if !runs
            .seconds
            .is_some_and(|seconds| seconds > 0.0 && seconds.is_finite()) =>
        {
            let seconds = runs.seconds.unwrap_or_default();
            Err(format!("seconds = {seconds}: must be above 0"))
        }
        _ if runs.memory_mb == 0 => Err("memory_mb = 0: must be at least 1".into()),
        _ if runs
            .options
            .iter()
            .map(|option| {
                option
                    .split_once('=')
                    .map_or(option.as_str(), |(name, _)| name)
            })
            .any(|option| option == "--seed" || option == "--json") =>
        {
            Err("options: --seed and --json are added by the campaign; use seeds".into())
        }
        _ => Ok(()),
    }
}

fn seeds(values: Option<&Values>) -> Result<Vec<Option<u64>>, String> {
    let Some(values) = values else {
        return Ok(vec![None]);
    };
    let values = values
        .list()
        .map_err(|problem| format!("seeds: {problem}"))?;
    let seed = |value: &toml::Value| {
        let number = value
            .as_integer()
            .and_then(|number| u64::try_from(number).ok());
        number
            .map(Some)
            .ok_or_else(|| format!("seeds: {value}: must be a whole number from 0"))
    };
    no_two(&values).map_err(|problem| format!("seeds: {problem}"))?;
    values.iter().map(seed).collect()
}

/// Refuses a value that stands in a list twice.
fn no_two(values: &[toml::Value]) -> Result<(), String> {
    let mut seen = HashSet::new();
    match values.iter().find(|value| !seen.insert(value.to_string())) {
        Some(value) => Err(format!("{value} is there twice; take one of the two out")),
        None => Ok(()),
    }
}

/// All combinations of the swept keys' values, with a name each.
fn sweep(keys: &BTreeMap<String, Values>) -> Result<Vec<(Option<String>, Point)>, String> {
    let mut points: Vec<(String, Point)> = vec![(String::new(), vec![])];
    for (key, values) in keys {
        let values = values
            .list()
            .and_then(|values| no_two(&values).map(|()| values))
            .map_err(|problem| format!("sweep: {key}: {problem}"))?;
        let mut next = Vec::new();
        for (label, chosen) in &points {
            for value in &values {
                let label = format!("{label} {key}={value}");
                let mut chosen = chosen.clone();
                chosen.push((key.clone(), value.clone()));
                next.push((label.trim_start().to_owned(), chosen));
            }
        }
        points = next;
    }
    Ok(points
        .into_iter()
        .map(|(label, chosen)| (Some(label).filter(|label| !label.is_empty()), chosen))
        .collect())
}

/// The specification with keys set; the same text where none is.
fn set(text: &str, values: &[(String, toml::Value)]) -> Result<String, String> {
    if values.is_empty() {
        return Ok(text.to_owned());
    }
    let mut spec: toml::Table = toml::from_str(text).map_err(|error| error.to_string())?;
    for (key, value) in values {
        let mut parts: Vec<&str> = key.split('.').collect();
        let last = parts.pop().unwrap_or_default();
        let mut table = &mut spec;
        for part in parts {
            let entry = table
                .entry(part)
                .or_insert_with(|| toml::Value::Table(toml::Table::new()));
            table = entry.as_table_mut().ok_or_else(|| {
                format!("sweep: {key}: {part} is no section of the specification")
            })?;
        }
        table.insert(last.to_owned(), value.clone());
    }
    toml::to_string(&spec).map_err(|error| error.to_string())
}

/// The calls of a table of runs, with what tells them apart.
fn verbs(runs: &Runs, spec: Option<&str>) -> Vec<(Option<String>, Vec<String>)> {
    let call = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let spec = spec.unwrap_or_default();
    let each = |names: &[String], command: &dyn Fn(&str) -> Vec<String>| {
        names
            .iter()
            .map(|name| (Some(name.clone()), command(name)))
            .collect()
    };
    match runs.kind {
        Kind::Verify => vec![(None, call(&["{bloomline}", "verify", spec, "--json"]))],
        Kind::Build => each(&runs.boards, &|board| {
            call(&[
                "{bloomline}",
                "build",
                spec,
                "--board",
                board,
                "--out",
                "{out}",
                "--netlists",
                "{folder}/netlists",
                "--json",
            ])
        }),
        Kind::Prove if runs.only.is_empty() => {
            vec![(None, call(&["{bloomline}", "prove", spec, "--json"]))]
        }
        Kind::Prove => each(&runs.only, &|name| {
            call(&["{bloomline}", "prove", spec, "--only", name, "--json"])
        }),
        Kind::Figures => each(&runs.only, &|name| {
            call(&[
                "{bloomline}",
                "figures",
                "--only",
                name,
                "--out",
                "{out}",
                "--json",
            ])
        }),
        Kind::Claims => each(&runs.only, &|name| {
            call(&[
                "cargo",
                "run",
                "--quiet",
                "--release",
                "-p",
                "bloomline-tests",
                "--bin",
                "claims",
                "--",
                "--fresh",
                "--only",
                name,
            ])
        }),
        Kind::Command => {
            let name = Path::new(&runs.command[0]).file_name().unwrap_or_default();
            vec![(Some(name.to_string_lossy().into_owned()), vec![])]
        }
    }
}
