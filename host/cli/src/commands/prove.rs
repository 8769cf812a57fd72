use crate::output::{Ending, Output};
use crate::resolve::Filter;
use anyhow::Context;
use bloomline_assurance::formal::{self, Gateware, Proof, Property, Settings, Verdict, PROPERTIES};
use bloomline_spec::{
    CellGeometry, FilterKind, FilterSpec, Geometry, Layout, SlidingGeometry, Validated,
};
use bloomline_toolchain::Toolchain;
use comfy_table::{presets, Table};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Arguments of `prove`.
#[derive(Debug, clap::Args)]
pub struct Cmd {
    /// Specification (TOML)
    spec: PathBuf,
    /// Only this property (may be given several times)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Depth in clocks in place of each property's own
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Most seconds for one property
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,
    /// Prove the specification's structure at a small geometry: 2 hashes, the smallest memories, 8-bit keys, 1 tag bit; a packet path as specified
    #[arg(long)]
    reduced: bool,
    /// Keep each property's files, with the waveform of a failure, in this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// What is printed.
#[derive(Serialize)]
struct Report {
    filter: String,
    reduced: bool,
    hashes: u32,
    /// Of one memory: a bank, an array's half, a front table's lane.
    words: u64,
    key_bits: u32,
    tag_bits: u32,
    proofs: Vec<Proof>,
    not_attempted: Vec<NotAttempted>,
}

/// A property that the solver cannot manage at this geometry.
#[derive(Serialize)]
struct NotAttempted {
    property: &'static str,
    why: String,
}

impl Cmd {
    /// Proves, printing each result on stderr as it comes and the table at the end.
    pub fn run(self, output: Output) -> anyhow::Result<Ending> {
        let full = Gateware::from(Filter::load(&self.spec)?);
        let properties = selected(&self.only, &full, &self.spec)?;
        let reduced = match self.reduced {
            true => Some(reduced(&full, &self.spec)?),
            false => None,
        };
        let gateware = reduced.as_ref().unwrap_or(&full);
        let toolchain = Toolchain::discover()?;
        formal::install(&toolchain, &|progress| eprintln!("{progress}"))?;
        let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
        let folder = self.out.as_deref().unwrap_or(temporary.path());
        let settings = Settings {
            depth: self.depth,
            timeout_seconds: self.timeout,
        };
        let mut report = Report {
            filter: gateware.common().name().into(),
            reduced: self.reduced,
            hashes: gateware.common().hashes(),
            words: gateware.words(),
            key_bits: gateware.common().key_bits(),
            tag_bits: gateware.common().tag_bits(),
            proofs: Vec::new(),
            not_attempted: Vec::new(),
        };
        for property in properties {
            // what a reduced filter has not, a path for packets, is proved as specified
            let gateware = match property.concerns(gateware) {
                true => gateware,
                false => &full,
            };
            let place = folder.join(property.name);
            let verilog = property.verilog(gateware)?;
            eprintln!("{}: {}", property.name, property.claim);
            match formal::prove(&toolchain, gateware, &verilog, property, settings, &place) {
                Ok(proof) => report.proofs.push(proof),
                Err(error) if error.is_of_geometry() && self.only.is_empty() => {
                    report.not_attempted.push(NotAttempted {
                        property: property.name,
                        why: error.to_string(),
                    });
                }
                Err(error) => return Err(error.into()),
            }
        }
        output.result(&report, || table(&report))?;
        let good = |proof: &Proof| matches!(proof.verdict, Verdict::Holds | Verdict::Reached);
        Ok(match report.proofs.iter().all(good) {
            true => Ending::Good,
            false => Ending::CheckFailed,
        })
    }
}

/// The properties of these names; all that concern `gateware` when there is none.
fn selected(
    names: &[String],
    gateware: &Gateware,
    file: &Path,
) -> anyhow::Result<Vec<&'static Property>> {
    let concerned = || {
        PROPERTIES
            .iter()
            .filter(|property| property.concerns(gateware))
    };
    if names.is_empty() {
        return Ok(concerned().collect());
    }
    let find = |name: &String| {
        concerned()
            .find(|property| property.name == name)
            .with_context(|| {
                let known: Vec<&str> = concerned().map(|property| property.name).collect();
                let known = known.join(", ");
                match PROPERTIES.iter().find(|property| property.name == name) {
                    Some(property) => format!(
                        "--only {name}: it is about {}, which {} has not; add that, or prove one of {known}",
                        property.about(),
                        file.display()
                    ),
                    None => format!("--only {name}: no such property; there are {known}"),
                }
            })
    };
    names.iter().map(find).collect()
}

impl From<Filter> for Gateware {
    fn from(filter: Filter) -> Gateware {
        match filter {
            Filter::Recycling(resolved) => resolved.geometry.into(),
            Filter::Cells(resolved) => resolved.geometry.into(),
            Filter::Sliding(resolved) => resolved.geometry.into(),
        }
    }
}

/// The smallest gateware with the structure of `full`, in a card if that has one.
fn reduced(full: &Gateware, file: &Path) -> anyhow::Result<Gateware> {
    let filter = match full {
        Gateware::Recycling(geometry) => reduced_recycling(geometry),
        Gateware::Cells(geometry) => reduced_cells(geometry),
        Gateware::Sliding(geometry) => reduced_sliding(geometry),
    };
    let common = full.common();
    let text = format!(
        "name = \"{}\"\n{filter}[key]\nbits = 8\ntag_bits = 1\n[hash]\nfamily = \"{}\"\nseed = {}\n{}",
        common.name(),
        common.family(),
        common.seed(),
        common.card().map_or("", |_| "[card]\n")
    );
    Ok(match FilterSpec::from_toml(&text, file)?.resolve()? {
        Validated::Recycling(sizing) => sizing.with_threshold(REDUCED_THRESHOLD)?.into(),
        Validated::Cells(geometry) => geometry.into(),
        Validated::Sliding(geometry) => geometry.into(),
    })
}

/// A threshold that is legal in either layout.
const REDUCED_THRESHOLD: u64 = 200;

/// The phases, condition, retention, layout and hashing of a recycling filter.
fn reduced_recycling(full: &Geometry) -> String {
    format!(
        "[filter]\nkind = \"recycling\"\nlayout = \"{}\"\nmemory_bits = {}\nhashes = 2\nhashing = \"{}\"\ndistinct = {}\naccept_two_hash_floor = true\n\
         [filter.recycle]\nphases = {}\non = \"{}\"\nthreshold = {REDUCED_THRESHOLD}\nretain = {}\n",
        full.layout(), 256 * full.phases(), full.hashing(), full.distinct(), full.phases(), full.recycle_on(), full.retain()
    )
}

/// The kind, layout, hashing and update of a filter of cells.
fn reduced_cells(full: &CellGeometry) -> String {
    let section = match full.kind() {
        FilterKind::Counting => "[filter.counting]\ncounter_bits = 2\nthreshold = 2\n",
        FilterKind::CountMin => {
            "[filter.count-min]\ncounter_bits = 8\namount_bits = 2\nthreshold = 5\n"
        }
        _ => "",
    };
    let banks = match full.layout() {
        Layout::Partitioned => 2,
        Layout::Shared => 1,
    };
    format!(
        "[filter]\nkind = \"{}\"\nlayout = \"{}\"\nmemory_bits = {}\nhashes = 2\nhashing = \"{}\"\ndistinct = {}\nconservative = {}\n\
         accept_two_hash_floor = true\nitems = 20\n{section}",
        full.kind(), full.layout(), 256 * banks, full.hashing(), full.distinct(), full.conservative()
    )
}

/// The hashing of a sliding-window filter.
fn reduced_sliding(full: &SlidingGeometry) -> String {
    format!(
        "[filter]\nkind = \"sliding\"\nmemory_bits = 280\nhashes = 2\nhashing = \"{}\"\n[filter.sliding]\nwindow = 16\nslack = 16\n\
         target_fpr = 0.5\ngenerations = 1\ngeneration_bits = 3\nbucket_cells = 2\nstore_cells = 2\nback_buckets = 4\nfront_buckets = 16\naccept_overflow = true\n",
        full.hashing()
    )
}

fn table(report: &Report) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_header(["property", "method", "result", "seconds"]);
    for proof in &report.proofs {
        let result = match (proof.verdict, proof.clocks, proof.failed.as_slice()) {
            (Verdict::Open, Some(clocks), []) => format!("open, {clocks} clocks searched"),
            (verdict, Some(clocks), []) => format!("{verdict}, {clocks} clocks"),
            (verdict, None, []) => verdict.to_string(),
            (verdict, _, failed) => format!("{verdict}: {}", failed.join(", ")),
        };
        table.add_row([
            proof.property,
            &proof.method.to_string(),
            &result,
            &format!("{:.1}", proof.seconds),
        ]);
    }
    for missing in &report.not_attempted {
        table.add_row([missing.property, "-", "NOT ATTEMPTED", "-"]);
    }
    let mut text = format!(
        "{}{}: {} hashes, memories of {} words, keys of {} bits, tags of {} bits\n{}",
        report.filter,
        if report.reduced {
            " REDUCED, not the geometry of the specification"
        } else {
            ""
        },
        report.hashes,
        report.words,
        report.key_bits,
        report.tag_bits,
        table.trim_fmt()
    );
    for missing in &report.not_attempted {
        text.push('\n');
        text.push_str(&missing.why);
    }
    text
}
