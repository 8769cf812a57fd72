//! Filters that can be built, sized from what is wanted: banks and tables as the gateware has them.
//!
//! The smallest filter is searched for with the laws that `plan` predicts by, then planned like any other, so that its plan meets the wants.

mod cells;
mod recycling;
mod sliding;

pub use cells::Amounts;
pub(crate) use sliding::window_memory_bits;

use super::{CountMin, Counting, Recycling, Sheet, SizeError, Sliding, Static};
use crate::forecast::{item_clocks, Line};
use crate::Filter;
use bloomline_spec::{spec_key, FilterKind, FilterSpec, Hashing, Layout, WindowTable};
use bloomline_theory::sizing::TO_THE_BIT;
use serde::Serialize;
use std::path::PathBuf;

/// The numbers of hashes that a search tries, in words.
const TRIED: &str = "1 to 16 hashes, or as many as given";

/// What a sized specification says besides its sizes.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// Name of the filter.
    pub name: String,
    /// Lines of `[key]`, as TOML.
    pub key: String,
    /// Further tables, as TOML: `[target]`, `[card]`, `[packet]`.
    pub tables: String,
}

impl Default for Form {
    fn default() -> Form {
        Form {
            name: "sized".to_owned(),
            key: "bits = 104".to_owned(),
            tables: String::new(),
        }
    }
}

/// What is wanted of a filter of one kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Wants {
    /// Of a recycling filter.
    Recycling(Recycling),
    /// Of a static filter.
    Static(Static),
    /// Of a counting filter.
    Counting(Counting),
    /// Of a Count-Min sketch.
    CountMin(CountMin, Amounts),
    /// Of a sliding-window filter.
    Sliding(Sliding),
}

impl Wants {
    /// The papers' numbers.
    ///
    /// # Errors
    /// [`SizeError`].
    pub fn sheet(self) -> Result<Sheet, SizeError> {
        let given = self.arguments();
        let sheet = match self {
            Wants::Recycling(wants) => wants.sheet(),
            Wants::Static(wants) => wants.sheet(),
            Wants::Counting(wants) => wants.sheet(),
            Wants::CountMin(wants, _) => wants.sheet(),
            Wants::Sliding(wants) => wants.sheet(),
        };
        sheet.map_err(|error| error.of_argument(&given))
    }

    /// The option, as on the command line, that asks for what no paper has.
    pub fn of_gateware_alone(&self) -> Option<&'static str> {
        match self {
            Wants::Counting(wants) if wants.window => Some("--window"),
            Wants::Sliding(wants) if wants.table == WindowTable::Cuckoo => Some("--table"),
            _ => None,
        }
    }

    /// The smallest filter that can be built.
    ///
    /// # Errors
    /// [`SizeError`].
    pub fn built(self, form: &Form) -> Result<Built, SizeError> {
        let (options, given) = (self.options(), self.arguments());
        let built = match self {
            Wants::Recycling(wants) => wants.built(form),
            Wants::Static(wants) => wants.built(form),
            Wants::Counting(wants) => wants.built(form),
            Wants::CountMin(wants, amounts) => wants.built(form, &amounts),
            Wants::Sliding(wants) => wants.built(form),
        };
        built.map_err(|error| error.naming(options).of_argument(&given))
    }

    /// Keys of a specification that an option of `size` asks for as they are.
    fn options(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Wants::Recycling(_) => &[
                ("filter.hashes", "--hashes"),
                ("filter.recycle.phases", "--phases"),
                ("filter.recycle.threshold", "--threshold"),
            ],
            Wants::Static(_) => &[("filter.hashes", "--hashes"), ("filter.items", "--items")],
            Wants::Counting(_) => &[
                ("filter.hashes", "--hashes"),
                ("filter.items", "--insertions"),
                ("filter.counting.threshold", "--threshold"),
                ("filter.counting.window", "--window"),
            ],
            Wants::CountMin(..) => &[
                ("filter.copies", "--copies"),
                ("filter.count-min.amount_bits", "--amount-bits"),
                ("filter.items", "--total"),
            ],
            Wants::Sliding(_) => &[
                ("filter.sliding.generations", "--generations"),
                ("filter.sliding.slack", "--slack"),
                ("filter.sliding.target_fpr", "--rate"),
                ("filter.sliding.window", "--window"),
            ],
        }
    }
}

/// A filter that can be built and meets what is wanted of it.
///
/// Serialises as the object of its sheet, with the specification's text as `specification`.
#[derive(Debug, Serialize)]
pub struct Built {
    #[serde(flatten)]
    sheet: Sheet,
    specification: String,
    #[serde(skip)]
    filter: Filter,
}

impl Built {
    /// Its numbers, with the paper's beside them.
    pub fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    /// Its specification, commented; `plan`, `emit` and `verify` take it as it is.
    pub fn specification(&self) -> &str {
        &self.specification
    }

    /// The same, complete and planned.
    pub fn filter(&self) -> &Filter {
        &self.filter
    }

    /// Plans the specification, and puts the numbers together: what was wanted, the sizes, what is predicted of them, the paper's.
    /// Where the memory was given, the filter is the best within it; else the smallest.
    fn new(
        spec: FilterSpec,
        wants: Sheet,
        memory_is_given: bool,
        predicted: &[&str],
        paper: Option<&Sheet>,
    ) -> Result<Built, SizeError> {
        let specification = commented(&spec, &wants);
        let filter = Filter::from_text(&spec.file, specification.clone())
            .map_err(|error| SizeError::Planned(Box::new(error)))?;
        let section = &spec.filter;
        let memory = match (memory_is_given, section.kind) {
            (true, _) => "best filter that fits in what was given".to_owned(),
            (false, FilterKind::Sliding) => {
                "smallest with the room for its scan that is chosen by default".to_owned()
            }
            (false, FilterKind::Recycling) => {
                let (functions, more) = match section.hashing {
                    Hashing::Independent => ("a hash function a bank", ""),
                    _ => ("two hash functions", "; --independent may take less"),
                };
                let searched = match section.memory_bits > TO_THE_BIT {
                    true => ", to 1 part in 4,096",
                    false => "",
                };
                let at = slower(&filter).unwrap_or("one item a clock".to_owned());
                format!("smallest at {at} with {functions}, {TRIED}{searched}{more}")
            }
            (false, _) if section.layout == Layout::Shared => {
                format!("smallest array of distinct positions, {TRIED}")
            }
            (false, _) => format!("smallest at one item a clock with {TRIED}"),
        };
        let mut sheet = wants
            .whole("memory_bits", section.memory_bits, "bits", &memory)
            .whole("hashes", section.hashes, "", "solved, or given");
        if let Some((banks, cells)) = banks(&filter) {
            let size = match cells.is_power_of_two() {
                true => "a power of two",
                false => "of any size: positions are scaled to it",
            };
            sheet = sheet
                .whole("banks", banks, "", "memories of their own")
                .whole("bank_cells", cells, "positions", size);
        }
        let is_slow = slower(&filter).is_some();
        for line in filter.lines() {
            if predicted.contains(&line.key) || (is_slow && line.key == "items_per_second") {
                sheet = sheet.line(line);
            }
        }
        if let Some(paper) = paper {
            for (own, key) in [
                ("memory_bits", "paper_memory_bits"),
                ("bits", "paper_memory_bits"),
                ("counters", "paper_counters"),
                ("hashes", "paper_hashes"),
                ("width", "paper_width"),
                ("depth", "paper_depth"),
                ("copies", "paper_copies"),
            ] {
                sheet = sheet.beside(key, paper, own);
            }
        }
        Ok(Built {
            sheet,
            specification,
            filter,
        })
    }
}

/// How often a recycling filter takes an item, where it is not in every clock cycle.
fn slower(filter: &Filter) -> Option<String> {
    let clocks = item_clocks(filter.design().recycling()?);
    (clocks > 1).then(|| format!("one item in {clocks} clocks"))
}

fn banks(filter: &Filter) -> Option<(u64, u64)> {
    let design = filter.design();
    if let Some(cells) = design.cells() {
        return Some((cells.banks().into(), cells.cells_per_bank()));
    }
    let geometry = design.recycling()?;
    let banks = geometry.phases() * geometry.banks();
    Some((banks.into(), geometry.partition_bits()))
}

impl Sheet {
    /// Adds a number of a plan.
    fn line(mut self, line: &Line) -> Sheet {
        self.rows.push(super::Row {
            key: line.key,
            value: line.value,
            unit: line.unit,
            formula: line.formula.clone(),
            accuracy: Some(line.accuracy),
            ln: line.ln,
            is_count: false,
        });
        self
    }

    /// Adds a number of another sheet under another name, if it has it.
    fn beside(mut self, key: &'static str, other: &Sheet, own: &str) -> Sheet {
        if let Some(row) = other.rows.iter().find(|row| row.key == own) {
            self.rows.push(super::Row { key, ..row.clone() });
        }
        self
    }
}

/// A specification with everything left open but for kind, memory and hashes.
fn specification(
    form: &Form,
    kind: FilterKind,
    memory_bits: u64,
    hashes: u32,
) -> Result<FilterSpec, SizeError> {
    let is_line = !form.name.contains(char::is_control);
    SizeError::unless(is_line, "name", &form.name, "without control characters")?;
    let memory = match kind.single_cells() {
        Some(_) => "[memory]\nerase = \"auto\"\n",
        None => "",
    };
    let text = format!(
        "name = \"sized\"\n[filter]\nkind = \"{kind}\"\nmemory_bits = {memory_bits}\nhashes = {hashes}\n[key]\n{}\n{memory}{}",
        form.key, form.tables
    );
    let file = PathBuf::from(format!("{}.toml", form.name));
    let mut spec = FilterSpec::from_toml(&text, &file)?;
    spec.name.clone_from(&form.name);
    Ok(spec)
}

/// The text of a specification with the meaning of each key behind it.
fn commented(spec: &FilterSpec, wants: &Sheet) -> String {
    let wanted: Vec<String> = wants
        .rows()
        .iter()
        .map(|row| format!("{} {}", row.key, crate::forecast::format_value(row.value)))
        .collect();
    let mut text = format!(
        "# {}.\n# Sized for {}.\n# A key explained: bloomline explain filter.hashes; all of them: bloomline explain --all\n\n",
        wants.title(),
        wanted.join(", "),
    );
    let mut table = String::new();
    for line in spec.to_toml().lines() {
        if let Some(name) = line
            .strip_prefix('[')
            .and_then(|rest| rest.strip_suffix(']'))
        {
            table = format!("{name}.");
        }
        let key = line.split(" = ").next().unwrap_or(line);
        let comment = spec_key(&format!("{table}{key}")).map(|row| row.meaning);
        text += &match comment {
            Some(meaning) if line.contains(" = ") => format!("{line:<32} # {meaning}"),
            _ => line.to_owned(),
        };
        text.push('\n');
    }
    text
}
