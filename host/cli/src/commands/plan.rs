use crate::numbers;
use crate::output::{wrapped, Ending, Output, COLUMNS};
use crate::written_file::{may_write, Format};
use anyhow::{bail, Context};
use bloomline_build::{Family as BoardFamily, KnownBoard};
use bloomline_spec::Key;
use bloomline_toolkit::forecast::{AreaFit, Family};
use bloomline_toolkit::plan::{
    self, references, CacheLoad, ChosenKeys, Page, Part, PartSize, Summary,
};
use bloomline_toolkit::Filter;
use bloomline_verify::Keys;
use comfy_table::{presets, CellAlignment, ContentArrangement, Table};
use std::panic::resume_unwind;
use std::path::PathBuf;

/// Arguments of `plan`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification (TOML)
    spec: PathBuf,
    /// Also every number, the alternatives, the formulas and the papers they come from
    #[arg(long)]
    explain: bool,
    /// Also other structures that forget by age (age-partitioned, stable, cuckoo and more), in the same memory at the same rate
    #[arg(long)]
    compare: bool,
    /// Also the lookup tables, flip-flops and block RAMs that the filter is expected to take on three families of FPGAs
    #[arg(long)]
    area: bool,
    /// The same, and its share of a board's part; the board by its name or by the path of a board.toml of your own
    #[arg(long, value_name = "NAME")]
    board: Option<String>,
    /// Write a page with curves: rate, cycle and memory against each other, the specification's point marked
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also the rate of this seed on the keys of a table's column, in random order (static and recycling filters)
    #[arg(long, value_name = "FILE:COLUMN", conflicts_with = "varying")]
    keys: Option<String>,
    /// Also the rate of this seed on all keys that differ in the set bits of MASK alone, such as a block of addresses
    #[arg(long, value_name = "MASK")]
    varying: Option<String>,
    /// With --keys or --varying: also the rate of N other seeds
    #[arg(long, value_name = "N", value_parser = numbers::count)]
    seeds: Option<u64>,
    /// Also the hit ratio of a cache that uses this filter to store an object on its second request; its capacity in objects, with --sizes in bytes
    #[arg(long, value_name = "N", value_parser = numbers::count, requires = "requests")]
    cache: Option<u64>,
    /// Requests by a Zipf law with exponent S over U keys (S = 0: all alike): false positives over all arrivals, and requests to the cache
    #[arg(long, value_name = "S,U", group = "requests")]
    zipf: Option<String>,
    /// Requests to the cache as recorded: a column with their objects
    #[arg(
        long,
        value_name = "FILE:COLUMN",
        group = "requests",
        requires = "cache"
    )]
    trace: Option<String>,
    /// Column of the same table with the bytes of each request
    // that a trace is required alone lets --zipf by, which excludes it
    #[arg(
        long,
        value_name = "COLUMN",
        requires = "trace",
        conflicts_with = "zipf"
    )]
    sizes: Option<String>,
}

impl Cmd {
    /// Predicts and prints.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let filter = Filter::read(&self.spec)?;
        let chosen = self.chosen_keys(&filter)?;
        let load = self.load()?;
        if let Some(page) = &self.html {
            let keys = match &chosen {
                Some(ChosenKeys::Of(Keys::Column { file, .. })) => Some(file.as_path()),
                _ => None,
            };
            let trace = match &load {
                Some(CacheLoad::Trace { file, .. }) => Some(file.as_path()),
                _ => None,
            };
            let inputs: Vec<_> = [Some(self.spec.as_path()), keys, trace]
                .into_iter()
                .flatten()
                .collect();
            may_write("--html", page, Format::Html, &inputs)?;
        }
        let part = self.board.as_deref().map(part_of).transpose();
        let with_area = self.area || self.board.is_some();
        // beside each other: both take a moment, and the area the memory, which the first thread gets with fewer calls of the system
        let (plan, area) = std::thread::scope(|scope| {
            let plan = scope.spawn(|| filter.plan().map_err(anyhow::Error::from));
            let area = with_area.then(|| filter.area().map_err(anyhow::Error::from));
            let plan = plan.join().unwrap_or_else(|panic| resume_unwind(panic));
            (plan, area)
        });
        let mut plan = plan?;
        let comparison = match self.compare {
            true => Some(filter.compare()?),
            false => None,
        };
        let on_keys = match chosen {
            Some(chosen) => Some(filter.on_keys(&chosen, self.seeds.unwrap_or(0))?),
            None => None,
        };
        let caching = match (self.cache, load) {
            (Some(capacity), Some(load)) => Some(filter.caching(capacity, &load)?),
            _ => None,
        };
        let by_arrivals = match &self.zipf {
            Some(law) => {
                let rates = filter.fpr_by_arrivals(&super::size::parse_zipf(law)?);
                match self.cache {
                    // with so few keys that the filter never recycles a cache has its hits all the same
                    Some(_) => rates.ok(),
                    None => Some(rates?),
                }
            }
            None => None,
        };
        let part = part?;
        if let Some(area) = area {
            plan.add_area(&AreaFit::built_in()?, &area?, part.as_ref());
        }
        for warning in filter.warnings() {
            note!("warning: {warning}");
        }
        if let Some(page) = &self.html {
            filter.write_plan(page, comparison.as_ref())?;
            note!("page: {}", page.display());
        }
        if let Some(comparison) = &comparison {
            plan.add(comparison);
        }
        if let Some(on_keys) = &on_keys {
            plan.add_keys(on_keys);
        }
        if let Some(by_arrivals) = &by_arrivals {
            plan.add_by_arrivals(by_arrivals);
        }
        if let Some(caching) = &caching {
            plan.add_caching(caching);
        }
        output.result(&plan, || {
            let six = six_lines(plan.summary());
            if self.explain {
                let page = printed(plan.page());
                let papers = wrapped(&references(&page));
                return match papers.trim() {
                    "" => format!("{six}\n{page}"),
                    _ => format!("{six}\n{page}\nReferences\n\n{papers}"),
                };
            }
            let spec = self.spec.display();
            let mut more = format!(
                "Every number, alternatives and formulas: bloomline plan {spec} --explain\n"
            );
            if !with_area {
                more += &format!(
                    "Lookup tables, flip-flops and block RAMs: bloomline plan {spec} --area\n"
                );
            }
            let mut added = comparison.map_or_else(String::new, |it| printed(&it.page()));
            added += &on_keys.map_or_else(String::new, |it| printed(&it.page()));
            added += &by_arrivals.map_or_else(String::new, |it| printed(&it.page()));
            added += &caching.map_or_else(String::new, |it| printed(&it.page()));
            format!("{six}{}{added}\n{more}", wrapped(plan.page().brief()))
        })?;
        Ok(Ending::Good)
    }

    /// The requests to a cache.
    fn load(&self) -> anyhow::Result<Option<CacheLoad>> {
        if let Some(trace) = &self.trace {
            let (file, column) = crate::table::column("--trace", trace)?;
            let sizes = self.sizes.clone();
            return Ok(Some(CacheLoad::Trace {
                file,
                column,
                sizes,
            }));
        }
        let law = self.zipf.as_deref().map(super::size::parse_zipf);
        Ok(law.transpose()?.map(CacheLoad::Law))
    }

    /// The keys to judge the seed by.
    fn chosen_keys(&self, filter: &Filter) -> anyhow::Result<Option<ChosenKeys>> {
        if let Some(keys) = &self.keys {
            let (file, column) = crate::table::column("--keys", keys)?;
            return Ok(Some(ChosenKeys::Of(Keys::Column { file, column })));
        }
        let Some(mask) = &self.varying else {
            if self.seeds.is_some() {
                bail!("--seeds: compares seeds on given keys; add --keys FILE:COLUMN or --varying MASK");
            }
            return Ok(None);
        };
        let key_bits = filter.design().key_bits();
        let mask = Key::from_text(mask, key_bits).with_context(|| format!("--varying {mask}"))?;
        if !(0..key_bits).any(|bit| mask.bit(bit)) {
            bail!("--varying 0: no bit varies; set those that do, for example 0xffff for the lowest 16");
        }
        Ok(Some(ChosenKeys::Varying(mask)))
    }
}

/// The part of a board.
fn part_of(board: &str) -> anyhow::Result<PartSize> {
    Ok(match KnownBoard::load(board)? {
        KnownBoard::Fpga(known) if known.family == BoardFamily::Ecp5 => PartSize {
            name: known.part.name,
            family: Family::Ecp5,
            lookup_tables: known.part.lut4,
            flip_flops: known.part.ff,
            block_rams: known.part.bram,
        },
        KnownBoard::Fpga(known) => bail!(
            "--board {board}: the area is not estimated for the family of its part, {}; build it with \
             `bloomline build SPEC --board {board}`, which reports what it takes",
            known.part.name
        ),
        KnownBoard::OpenNic(known) => {
            let part = known.part(None)?;
            PartSize {
                name: part.name.clone(),
                family: Family::UltraScalePlus,
                lookup_tables: part.lut,
                flip_flops: part.ff,
                block_rams: part.bram36,
            }
        }
    })
}

/// The six lines, broken under their own beginnings.
fn six_lines(summary: &Summary) -> String {
    const NAME_COLUMNS: usize = 12;
    let room = usize::from(COLUMNS) - NAME_COLUMNS;
    let mut text = String::new();
    for (name, line) in summary.lines() {
        let mut column = NAME_COLUMNS;
        text += &format!("{name:<NAME_COLUMNS$}");
        for (place, word) in line.split(' ').enumerate() {
            let width = word.chars().count();
            if place > 0 && column + 1 + width > NAME_COLUMNS + room {
                text += &format!("\n{:NAME_COLUMNS$}", "");
                column = NAME_COLUMNS;
            } else if place > 0 {
                text.push(' ');
                column += 1;
            }
            text += word;
            column += width;
        }
        text.push('\n');
    }
    text
}

/// A page in columns.
fn printed(page: &Page) -> String {
    let parts = page.parts().iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Table(columns) => table(columns),
    });
    wrapped(&parts.collect::<String>())
}

fn table(columns: &plan::Table) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_width(COLUMNS)
        .set_header(&columns.header);
    if columns.numbers {
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.add_rows(&columns.rows);
    table.trim_fmt()
}
