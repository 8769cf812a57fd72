use crate::activity::{Activity, Installing};
use crate::output::{Ending, Output};
use crate::tools_folder::toolchain;
use anyhow::Context;
use bloomline_assurance::formal::{self, Proof, Property, Settings, Verdict, PROPERTIES};
use bloomline_spec::Design;
use bloomline_toolkit::Filter;
use bloomline_verify::text::things;
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
        let filter = Filter::read(&self.spec)?;
        let full = filter.design();
        let properties = selected(&self.only, full, &self.spec)?;
        let reduced = match self.reduced {
            true => Some(formal::reduced(full)?),
            false => None,
        };
        let gateware = reduced.as_ref().unwrap_or(full);
        let toolchain = toolchain()?;
        let installing = Installing::default();
        formal::install(&toolchain, &|progress| installing.show(progress))?;
        let temporary = tempfile::tempdir().context("cannot make a temporary folder")?;
        let folder = self.out.as_deref().unwrap_or(temporary.path());
        let settings = Settings {
            depth: self.depth,
            timeout_seconds: self.timeout,
        };
        let mut report = Report {
            filter: gateware.name().into(),
            reduced: self.reduced,
            hashes: gateware.hashes(),
            words: gateware.words_per_memory(),
            key_bits: gateware.key_bits(),
            tag_bits: gateware.tag_bits(),
            proofs: Vec::new(),
            not_attempted: Vec::new(),
        };
        for property in properties {
            // what a reduced filter has not, a path for packets, is proved as specified
            let gateware = match property.concerns(gateware) {
                true => gateware,
                false => full,
            };
            let place = folder.join(property.name);
            let verilog = property.verilog(gateware)?;
            let activity = Activity::begin(format!("{}: {}", property.name, property.claim));
            match formal::prove(&toolchain, gateware, &verilog, property, settings, &place) {
                Ok(proof) => {
                    activity.end(&format!("{}, {:.0} s", proof.verdict, proof.seconds));
                    report.proofs.push(proof);
                }
                Err(error) if error.is_of_geometry() && self.only.is_empty() => {
                    activity.end("not attempted");
                    report.not_attempted.push(NotAttempted {
                        property: property.name,
                        why: error.to_string(),
                    });
                }
                Err(error) => return Err(error.into()),
            }
        }
        output.result(&report, || table(&report, self.timeout))?;
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
    gateware: &Design,
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

fn table(report: &Report, timeout_seconds: u32) -> String {
    let mut table = Table::new();
    table
        .load_preset(presets::NOTHING)
        .set_header(["property", "method", "result", "seconds"]);
    for proof in &report.proofs {
        let mut result = match (proof.verdict, proof.clocks, proof.failed.as_slice()) {
            (Verdict::Open, Some(clocks), []) => format!("open, {clocks} clocks searched"),
            (verdict, Some(clocks), []) => format!("{verdict}, {clocks} clocks"),
            (verdict, None, []) => verdict.to_string(),
            (verdict, _, failed) => format!("{verdict}: {}", failed.join(", ")),
        };
        if proof.timed_out {
            result += &format!("; no time left after {timeout_seconds} s, raise --timeout");
        }
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
        "{}{}: {} hashes, memories of {} words, keys of {} bits, tags of {}\n{}",
        report.filter,
        if report.reduced {
            " REDUCED, not the geometry of the specification"
        } else {
            ""
        },
        report.hashes,
        report.words,
        report.key_bits,
        things(report.tag_bits.into(), "bit"),
        table.trim_fmt()
    );
    for missing in &report.not_attempted {
        text.push('\n');
        text.push_str(&missing.why);
    }
    text
}
