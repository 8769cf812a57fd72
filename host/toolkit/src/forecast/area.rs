//! Estimate of the area of a filter on three families of FPGAs.
//!
//! What the emitted text needs is counted ([`Census`]); a table of a few factors, fitted to syntheses by yosys, makes it what yosys gives.
//! `hdl/docs/area.md` says how it is made and how good it is.

use crate::{Error, Filter};
use bloomline_engine::{Census, Design, Fabric};
use bloomline_hdl::filter_verilog;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The fitted factors, and what they were fitted to.
const FIT: &str = include_str!("area.json");

/// The table of factors.
#[derive(Debug, Clone, Deserialize)]
pub struct AreaFit {
    /// Version of yosys that the factors were fitted to.
    pub yosys: String,
    /// Day of the fit.
    pub date: String,
    /// Command that fits.
    pub command: String,
    /// The factors of each family.
    pub families: Vec<Factors>,
}

/// What turns a census into an estimate for a family.
#[derive(Debug, Clone, Deserialize)]
pub struct Factors {
    /// The family.
    pub family: Family,
    /// Lookup tables for one of the census; yosys finds better logic than the text has.
    pub tables: f64,
    /// Lookup tables more for a gate of exclusive or, where there is less to find.
    pub exclusive_ors: f64,
    /// Largest relative error of the lookup tables that is stated.
    pub lookup_table_error: f64,
    /// The same where it is larger, by the kind of filter.
    pub larger_errors: BTreeMap<String, f64>,
    /// Largest relative error of the flip-flops that is stated.
    pub flip_flop_error: f64,
}

/// A family of FPGAs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Lattice ECP5.
    Ecp5,
    /// AMD 7 series.
    #[serde(rename = "7-series")]
    Series7,
    /// AMD UltraScale+.
    #[serde(rename = "ultrascale+")]
    UltraScalePlus,
}

impl Family {
    /// Every family.
    pub const ALL: [Family; 3] = [Family::Ecp5, Family::Series7, Family::UltraScalePlus];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Ecp5 => "Lattice ECP5",
            Family::Series7 => "AMD 7 series",
            Family::UltraScalePlus => "AMD UltraScale+",
        }
    }

    /// What its lookup tables are called.
    pub const fn lookup_table(self) -> &'static str {
        match self {
            Family::Ecp5 => "LUT4",
            Family::Series7 | Family::UltraScalePlus => "LUT6",
        }
    }

    /// What its block RAMs are called: those of 36 kbit, if it has them, and those of 18 kbit.
    pub const fn block_rams(self) -> [Option<&'static str>; 2] {
        match self {
            Family::Ecp5 => [None, Some("DP16KD")],
            Family::Series7 => [Some("RAMB36E1"), Some("RAMB18E1")],
            Family::UltraScalePlus => [Some("RAMB36E2"), Some("RAMB18E2")],
        }
    }

    const fn fabric(self) -> Fabric {
        match self {
            Family::Ecp5 => Fabric::Ecp5,
            Family::Series7 => Fabric::Series7,
            Family::UltraScalePlus => Fabric::UltraScalePlus,
        }
    }
}

/// An estimate of what yosys maps a filter to. Nothing is placed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct AreaEstimate {
    /// The family.
    pub family: Family,
    /// Lookup tables, those of carry chains, distributed RAM and shift registers among them.
    pub lookup_tables: u64,
    /// Largest relative error that is stated of them.
    pub lookup_table_error: f64,
    /// Flip-flops.
    pub flip_flops: u64,
    /// Largest relative error that is stated of them.
    pub flip_flop_error: f64,
    /// Block RAMs of 36 kbit, as yosys maps them.
    pub block_rams_36_kbit: u64,
    /// Block RAMs of 18 kbit, as yosys maps them.
    pub block_rams_18_kbit: u64,
}

impl AreaFit {
    /// The table that is built in.
    ///
    /// # Errors
    /// [`Error::AreaTable`] when its text is no such table.
    pub fn built_in() -> Result<AreaFit, Error> {
        serde_json::from_str(FIT).map_err(|source| Error::AreaTable { source })
    }
}

impl Factors {
    /// The estimate of a census.
    pub fn estimate(&self, census: &Census) -> AreaEstimate {
        let logic =
            self.tables * census.tables as f64 + self.exclusive_ors * census.exclusive_ors as f64;
        // carry chains of AMD's parts pass through tables that are counted already
        let carry = match self.family {
            Family::Ecp5 => census.carry_bits,
            Family::Series7 | Family::UltraScalePlus => 0,
        };
        let rest = carry + census.memory_tables + census.shift_tables;
        AreaEstimate {
            family: self.family,
            lookup_tables: logic.round() as u64 + rest,
            lookup_table_error: self.lookup_table_error,
            flip_flops: census.flip_flops,
            flip_flop_error: self.flip_flop_error,
            block_rams_36_kbit: census.block_rams.of_36_kbit,
            block_rams_18_kbit: census.block_rams.of_18_kbit,
        }
    }
}

/// What the text of a filter needs of each family.
///
/// # Errors
/// [`Error::Emit`], [`Error::AreaText`]: faults of the gateware or of the reader, not of the specification.
pub fn censuses(filter: &Filter) -> Result<[(Family, Census); 3], Error> {
    let design = filter.design();
    let text = filter_verilog(design, "")?.text();
    let name = design.name();
    let read = Design::read_for_census(&[(format!("{name}.v"), text)], name);
    let read = read.map_err(|source| Error::AreaText {
        file: filter.file().to_owned(),
        source,
    })?;
    let design = &read;
    let [ecp5, amd] = [Family::Ecp5.fabric(), Family::Series7.fabric()];
    Ok(std::thread::scope(|scope| {
        let ecp5 = scope.spawn(move || design.census(ecp5));
        let [series7, ultrascale] = design.census_of_both(amd, Family::UltraScalePlus.fabric());
        match ecp5.join() {
            Ok(ecp5) => [
                (Family::Ecp5, ecp5),
                (Family::Series7, series7),
                (Family::UltraScalePlus, ultrascale),
            ],
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }))
}

impl Filter {
    /// The area that yosys is expected to need for the filter alone, without card and packet path, on each family.
    ///
    /// # Errors
    /// As [`censuses`], and [`Error::AreaTable`].
    pub fn area(&self) -> Result<Vec<AreaEstimate>, Error> {
        let fit = AreaFit::built_in()?;
        let censuses = censuses(self)?;
        let of = |(family, census): &(Family, Census)| {
            let factors = fit.families.iter().find(|f| f.family == *family)?;
            let mut estimate = factors.estimate(census);
            if let Some(larger) = factors.larger_errors.get(&self.design().kind().to_string()) {
                estimate.lookup_table_error = *larger;
            }
            Some(estimate)
        };
        Ok(censuses.iter().filter_map(of).collect())
    }
}
