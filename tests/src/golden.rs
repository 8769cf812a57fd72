//! Golden Verilog by block: what every example prints, byte for byte, held in `tests/golden`.
//!
//! | file | what |
//! |---|---|
//! | `onehit.v` | one whole example, to be read |
//! | `blocks/<module>.v` | the text of a module that is not like a longer one; `<module>.<example>.v` where a block has several |
//! | `<example>.list` | every module of an example: its name, the SHA-256 of its text, and the file that holds it |
//!
//! A module of which three lines in four stand in a text that is kept, but for numbers, names with numbers and the length of sums, is held by its
//! hash alone. Longer modules come first, since a block with an option shows what it is without.

use crate::EmittedText;
use bloomline_hdl::host_port::host_port_verilog;
use bloomline_hdl::mac::mac_loop_verilog;
use bloomline_language::emit::Emitted;
use bloomline_spec::host_port::HostAuth;
use bloomline_spec::{all_examples, FilterSpec};
use sha2::{Digest, Sha256};
use similar::TextDiff;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, OnceLock};

/// The golden examples; the first is kept whole.
pub const GOLDEN: [&str; 13] = [
    "onehit",
    "flows",
    "members",
    "hotkeys",
    "heavy",
    "tally",
    "trending",
    "window",
    "admit",
    "inline",
    "host_port",
    "mac_loop",
    "linecard",
];

/// What stands in a list in place of a module's name, for the example's whole text.
const WHOLE: &str = "(whole)";

/// The specification of an example.
///
/// # Panics
/// When there is none of this name.
pub fn example_spec(name: &str) -> FilterSpec {
    let (file, text) = all_examples()
        .find(|(file, _)| *file == format!("examples/{name}.toml"))
        .unwrap_or_else(|| panic!("no example {name}"));
    FilterSpec::from_toml(text, Path::new(file)).expect("an example reads")
}

/// What a golden example, or another one, prints: printed once.
///
/// # Panics
/// When there is none of this name.
pub fn printed_example(name: &str) -> &'static Emitted {
    static PRINTED: LazyLock<HashMap<String, OnceLock<Emitted>>> = LazyLock::new(|| {
        let files = all_examples().map(|(file, _)| {
            let stem = Path::new(file).file_stem().unwrap_or_default();
            stem.to_string_lossy().into_owned()
        });
        let golden = GOLDEN.iter().map(|&name| name.to_owned());
        let names = files.chain(golden);
        names.map(|name| (name, OnceLock::new())).collect()
    });
    let printed = PRINTED.get(name);
    let printed = printed.unwrap_or_else(|| panic!("no example {name}"));
    printed.get_or_init(|| {
        let bits = crate::HOST_BUS_BITS;
        match name {
            "host_port" => host_port_verilog(&crate::HOST_CARD, HostAuth::None, bits, ""),
            "mac_loop" => mac_loop_verilog(""),
            _ => return EmittedText::emitted(&example_spec(name)),
        }
        .expect("can be printed")
    })
}

/// Folder of the golden files.
pub fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden")
}

/// Golden files, by their paths in the folder.
pub type GoldenFiles = BTreeMap<String, String>;

/// Hashes of the lines of a text, [`masked`], in rising order; a line that stands there twice is there twice.
type Lines = Vec<u64>;

/// A module of an example.
#[derive(Debug, Clone)]
struct Module {
    name: String,
    text: String,
    hash: String,
    lines: OnceLock<Lines>,
}

impl Module {
    fn new(name: &str, text: String) -> Module {
        Module {
            name: name.to_owned(),
            hash: hash(&text),
            text,
            lines: OnceLock::new(),
        }
    }

    fn lines(&self) -> &Lines {
        self.lines.get_or_init(|| {
            let masked = self.text.lines().map(|line| masked(line, &self.name));
            let hash = |line: String| {
                let mut hasher = DefaultHasher::new();
                line.hash(&mut hasher);
                hasher.finish()
            };
            let mut lines: Lines = masked.filter(|line| !line.is_empty()).map(hash).collect();
            lines.sort_unstable();
            lines
        })
    }
}

/// Examples in the order of [`GOLDEN`], and what they print.
#[derive(Debug, Clone)]
pub struct GoldenTexts {
    /// Name of an example, its modules, and its whole text as the module [`WHOLE`] behind them.
    examples: Vec<(String, Vec<Module>)>,
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A line without its comment, and with `#` for every number and nothing for those that end a name; `own` is the name of its module.
/// A sum (exclusive or) of bits of `x` is written as one bit: the matrices of two hashes differ in nothing else.
fn masked(line: &str, own: &str) -> String {
    let code = line.split("//").next().unwrap_or_default();
    let mut masked = String::new();
    let mut left = code.trim();
    while let Some(first) = left.chars().next() {
        let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '\'';
        let length = match in_word(first) {
            true => left.find(|c| !in_word(c)).unwrap_or(left.len()),
            false => first.len_utf8(),
        };
        let (word, rest) = left.split_at(length);
        left = rest;
        if word == own {
            masked.push('M');
        } else if first.is_ascii_digit() {
            masked.push('#');
        } else if first != ' ' {
            masked.push_str(word.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_'));
        } else if !masked.ends_with(' ') {
            masked.push(' ');
        }
    }
    while masked.contains("x[#] ^ x[#]") || masked.contains("(x[#])") {
        masked = masked.replace("x[#] ^ x[#]", "x[#]");
        masked = masked.replace("(x[#])", "x[#]");
    }
    masked
}

/// Whether three lines in four of the first stand in the second.
fn is_like(lines: &Lines, kept: &Lines) -> bool {
    let all = lines.len();
    if 4 * kept.len() < 3 * all {
        return false;
    }
    let (mut common, mut behind) = (0, 0);
    for line in lines {
        while behind < kept.len() && kept[behind] < *line {
            behind += 1;
        }
        if kept.get(behind) == Some(line) {
            common += 1;
            behind += 1;
        }
    }
    4 * common >= 3 * all
}

impl GoldenTexts {
    /// Of all examples.
    pub fn of_examples() -> GoldenTexts {
        let examples = GOLDEN.iter().map(|&name| {
            let emitted = printed_example(name);
            let modules = emitted.modules.iter();
            let modules = modules.map(|module| Module::new(&module.name, module.text.clone()));
            let whole = Module::new(WHOLE, emitted.text());
            (name.to_owned(), modules.chain([whole]).collect())
        });
        GoldenTexts {
            examples: examples.collect(),
        }
    }

    /// With `from` replaced by `to` where it first stands in a module of an example.
    ///
    /// # Panics
    /// When it does not stand there.
    pub fn edited(&self, example: &str, module: &str, from: &str, to: &str) -> GoldenTexts {
        let mut edited = self.clone();
        let modules = edited.examples.iter_mut().find(|(name, _)| name == example);
        let (_, modules) = modules.expect("an example");
        let found = modules.iter_mut().find(|found| found.name == module);
        let found = found.expect("a module");
        assert!(found.text.contains(from), "{from}");
        let before = found.text.clone();
        let after = before.replacen(from, to, 1);
        *found = Module::new(module, after.clone());
        let whole = modules.last_mut().expect("the whole text");
        *whole = Module::new(WHOLE, whole.text.replacen(&before, &after, 1));
        edited
    }

    /// The golden files that hold them.
    pub fn files(&self) -> GoldenFiles {
        let mut files = GoldenFiles::new();
        let mut modules: Vec<(&str, &Module)> = Vec::new();
        for (example, of_example) in &self.examples {
            let of_example = of_example.iter().filter(|module| module.name != WHOLE);
            modules.extend(of_example.map(|module| (&example[..], module)));
        }
        // the example that is kept whole, then the longest
        modules.sort_by_key(|(example, module)| match *example == GOLDEN[0] {
            true => (0, Reverse(0)),
            false => (1, Reverse(module.lines().len())),
        });
        let mut file_of: HashMap<&str, String> = HashMap::new();
        let mut kept: Vec<(String, &Lines)> = Vec::new();
        for (example, module) in modules {
            if file_of.contains_key(&module.hash[..]) {
                continue;
            }
            let (name, lines) = (&module.name, module.lines());
            let like = kept.iter().find(|(_, kept)| is_like(lines, kept));
            let file = match like {
                _ if example == GOLDEN[0] => format!("{example}.v"),
                Some((file, _)) => {
                    file_of.insert(&module.hash, format!("like {file}"));
                    continue;
                }
                None if files.contains_key(&format!("blocks/{name}.v")) => {
                    format!("blocks/{name}.{example}.v")
                }
                None => format!("blocks/{name}.v"),
            };
            if example != GOLDEN[0] {
                files.insert(file.clone(), module.text.clone());
            }
            file_of.insert(&module.hash, file.clone());
            kept.push((file, lines));
        }
        for (example, modules) in &self.examples {
            let mut list = String::new();
            for Module {
                name, hash, text, ..
            } in modules
            {
                let held = match name == WHOLE {
                    true if example == GOLDEN[0] => {
                        files.insert(format!("{example}.v"), text.clone());
                        format!("{example}.v")
                    }
                    true => "-".into(),
                    false => file_of[&hash[..]].clone(),
                };
                list += &format!("{name} {hash} {held}\n");
            }
            files.insert(format!("{example}.list"), list);
        }
        files
    }

    /// In what the examples differ from golden files: nothing, or which modules of which examples, with a difference of every text that is kept.
    pub fn differences(&self, golden: &GoldenFiles) -> Vec<String> {
        let printed = self.files();
        let mut told = Vec::new();
        // by name, hash before and hash now: the examples
        let mut changed: BTreeMap<(&str, &str, &str), Vec<&str>> = BTreeMap::new();
        for (example, _) in &self.examples {
            let list = format!("{example}.list");
            let [before, now] = [golden, &printed].map(|files| entries(files, &list));
            let names: BTreeSet<&str> = before.keys().chain(now.keys()).copied().collect();
            for name in names {
                let [old, new] = [&before, &now].map(|list| list.get(name).copied().unwrap_or(""));
                if old != new {
                    changed.entry((name, old, new)).or_default().push(example);
                }
            }
        }
        let modules = self.examples.iter().flat_map(|(_, modules)| modules);
        let texts: HashMap<String, &str> = modules
            .map(|module| (module.hash.clone(), &module.text[..]))
            .collect();
        let before: HashMap<String, &str> = golden
            .values()
            .flat_map(|text| pieces(text))
            .map(|text| (hash(text), text))
            .collect();
        for ((name, old, new), examples) in changed {
            let examples = examples.join(", ");
            told.push(match (before.get(old), texts.get(new)) {
                _ if name == WHOLE => format!("{examples}: the text as a whole differs"),
                _ if old.is_empty() => format!("{examples}: module {name} is new"),
                _ if new.is_empty() => format!("{examples}: there is no module {name} any more"),
                (Some(old), Some(new)) => format!(
                    "{examples}: module {name} differs\n{}",
                    TextDiff::from_lines(*old, *new).unified_diff()
                ),
                _ => format!("{examples}: module {name} differs; its text before is not kept"),
            });
        }
        let files: BTreeSet<&String> = golden.keys().chain(printed.keys()).collect();
        for file in files {
            match (golden.get(file), printed.get(file)) {
                (Some(old), Some(new)) if old == new => {}
                (Some(_), Some(_)) => {
                    told.push(format!("golden/{file} is not what would be written now"))
                }
                (Some(_), None) => told.push(format!("golden/{file} would not be written now")),
                _ => told.push(format!("golden/{file} is not there")),
            }
        }
        told
    }

    /// Writes every module as a file `<example>/<module>.v`.
    ///
    /// # Errors
    /// Where a file cannot be written.
    pub fn write_modules(&self, folder: &Path) -> std::io::Result<()> {
        for (example, modules) in &self.examples {
            std::fs::create_dir_all(folder.join(example))?;
            for Module { name, text, .. } in modules.iter().filter(|module| module.name != WHOLE) {
                std::fs::write(folder.join(example).join(format!("{name}.v")), text)?;
            }
        }
        Ok(())
    }
}

/// Names of a list's modules and their hashes.
fn entries<'a>(files: &'a GoldenFiles, list: &str) -> BTreeMap<&'a str, &'a str> {
    let lines = files.get(list).map_or("", |text| &text[..]).lines();
    lines
        .filter_map(|line| {
            let mut words = line.split(' ');
            Some((words.next()?, words.next()?))
        })
        .collect()
}

/// A file of one module is its text; the modules of a whole example stand between empty lines.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = vec![text];
    let mut begin = 0;
    for (end, _) in text.match_indices("\nendmodule\n") {
        let end = end + "\nendmodule\n".len();
        pieces.push(&text[begin..end]);
        // the first module of a file stands behind its opening
        if let Some((opening, _)) = text[begin..end].split_once("*/\n\n") {
            pieces.push(&text[begin + opening.len() + "*/\n\n".len()..end]);
        }
        begin = (end + 1).min(text.len());
    }
    pieces
}

/// The golden files that there are.
///
/// # Errors
/// Where the folder or a file cannot be read.
pub fn read_golden(folder: &Path) -> std::io::Result<GoldenFiles> {
    let mut files = GoldenFiles::new();
    for part in ["", "blocks/"] {
        for entry in std::fs::read_dir(folder.join(part))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_file() {
                files.insert(format!("{part}{name}"), std::fs::read_to_string(&path)?);
            }
        }
    }
    Ok(files)
}

/// Writes golden files, and removes every other from the folder.
///
/// # Errors
/// Where the folder or a file cannot be written.
pub fn write_golden(folder: &Path, files: &GoldenFiles) -> std::io::Result<()> {
    std::fs::create_dir_all(folder.join("blocks"))?;
    for stale in read_golden(folder)?.keys() {
        if !files.contains_key(stale) {
            std::fs::remove_file(folder.join(stale))?;
        }
    }
    for (file, text) in files {
        std::fs::write(folder.join(file), text)?;
    }
    Ok(())
}
