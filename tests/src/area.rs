//! Area by synthesis: what yosys maps a filter to, and what was recorded of it.

use crate::toolchain;
use bloomline_build::{synth_ecp5, Cells, Estimate, Family as BoardFamily};
use bloomline_hdl::filter_verilog;
use bloomline_toolchain::{run_yosys_script, Program};
use bloomline_toolkit::forecast::{AreaEstimate, Family};
use bloomline_toolkit::Filter;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// Recorded syntheses, a line a specification; the example `area` writes it.
const RECORDED: &str = include_str!("../area.jsonl");

/// What a netlist takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Synthesised {
    /// Lookup tables, those of carry chains, distributed RAM and shift registers among them.
    pub lookup_tables: u64,
    /// Flip-flops.
    pub flip_flops: u64,
    /// Block RAMs of 36 kbit.
    pub block_rams_36_kbit: u64,
    /// Block RAMs of 18 kbit.
    pub block_rams_18_kbit: u64,
}

/// A specification and its syntheses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaRecord {
    /// Seed that it is drawn from.
    pub seed: u64,
    /// Sort, as drawn.
    pub sort: String,
    /// Its text.
    pub specification: String,
    /// By the name of the family.
    pub families: BTreeMap<String, Synthesised>,
}

impl AreaRecord {
    /// Everything that is recorded.
    ///
    /// # Panics
    /// When the file is damaged.
    pub fn all() -> Vec<AreaRecord> {
        Self::read(RECORDED)
    }

    /// What is recorded in a text, a line each.
    ///
    /// # Panics
    /// When it is damaged.
    pub fn read(text: &str) -> Vec<AreaRecord> {
        let read = |line| serde_json::from_str(line).expect("a line of tests/area.jsonl");
        text.lines().map(read).collect()
    }

    /// The filter.
    ///
    /// # Panics
    /// When the specification is refused.
    pub fn filter(&self) -> Filter {
        Filter::from_text(Path::new("drawn.toml"), self.specification.clone())
            .unwrap_or_else(|error| panic!("seed {}: {error}", self.seed))
    }

    /// The syntheses beside what `estimates` says of them.
    pub fn pairs<'a>(
        &'a self,
        estimates: &'a [AreaEstimate],
    ) -> impl Iterator<Item = (&'a AreaEstimate, Synthesised)> {
        estimates
            .iter()
            .filter_map(|it| Some((it, *self.families.get(it.family.name())?)))
    }
}

impl Synthesised {
    /// Where an estimate is off by more than it says; block RAMs are exact.
    pub fn objection(&self, estimate: &AreaEstimate) -> Option<String> {
        let off = |estimated: u64, real: u64| (estimated as f64 / real as f64 - 1.0).abs();
        let tables = off(estimate.lookup_tables, self.lookup_tables);
        let flip_flops = off(estimate.flip_flops, self.flip_flops);
        let near = tables <= estimate.lookup_table_error && flip_flops <= estimate.flip_flop_error;
        let same = estimate.block_rams_36_kbit == self.block_rams_36_kbit
            && estimate.block_rams_18_kbit == self.block_rams_18_kbit;
        let family = estimate.family.name();
        (!near || !same).then(|| format!("{family}: estimated {estimate:?}, synthesised {self:?}"))
    }

    /// Complains of what [`Self::objection`] says.
    ///
    /// # Panics
    /// With `what` where there is something.
    pub fn holds(&self, estimate: &AreaEstimate, what: &str) {
        if let Some(objection) = self.objection(estimate) {
            panic!("{what}, {objection}");
        }
    }
}

/// yosys' command for a family.
fn synthesis(family: Family) -> String {
    match family {
        Family::Ecp5 => synth_ecp5(None),
        Family::Series7 => "synth_xilinx -family xc7 -flatten -noiopad -noclkbuf".into(),
        Family::UltraScalePlus => "synth_xilinx -family xcup -flatten -noiopad -noclkbuf".into(),
    }
}

/// Synthesises a filter in a folder, or takes what an earlier run left there for the same text.
///
/// # Panics
/// When yosys or the file system fails.
pub fn synthesised(filter: &Filter, family: Family, folder: &Path) -> Synthesised {
    let name = filter.design().name();
    let verilog = filter_verilog(filter.design(), "").expect("a text").text();
    let hash = crc32fast::hash((verilog.clone() + &synthesis(family)).as_bytes());
    let stem = format!("{hash:08x}-{family:?}").to_lowercase();
    let cells = folder.join(format!("{stem}.json"));
    if !cells.exists() {
        std::fs::create_dir_all(folder).expect("a folder");
        std::fs::write(folder.join(format!("{stem}.v")), verilog).expect("written");
        let script = format!(
            "read_verilog {stem}.v; {} -top {name}; tee -q -o {stem}.part stat -json",
            synthesis(family)
        );
        run_yosys_script(&toolchain(&[Program::Yosys]), folder, &script)
            .unwrap_or_else(|error| panic!("{stem}: {error}"));
        std::fs::rename(folder.join(format!("{stem}.part")), &cells).expect("renamed");
    }
    let cells = Cells::read(&cells).unwrap_or_else(|error| panic!("{error}"));
    if family == Family::Ecp5 {
        let [lookup_tables, flip_flops, block_rams_18_kbit] = BoardFamily::Ecp5.needed(&cells);
        return Synthesised {
            lookup_tables,
            flip_flops,
            block_rams_36_kbit: 0,
            block_rams_18_kbit,
        };
    }
    let taken = Estimate::of_cells(&cells).unwrap_or_else(|cell| panic!("{stem}: a cell {cell}"));
    let sum = |names: [&str; 2]| names.iter().map(|name| cells.count(name)).sum();
    Synthesised {
        lookup_tables: taken.lut,
        flip_flops: taken.ff,
        block_rams_36_kbit: sum(["RAMB36E1", "RAMB36E2"]),
        block_rams_18_kbit: sum(["RAMB18E1", "RAMB18E2"]),
    }
}
