//! Transport to the registers of the device at a URL, for every command that takes one, and the simulated card behind `sim:`.

use crate::activity::Installing;
use crate::tools_folder::toolchain;
use anyhow::Context;
use bloomline_bench::verilator::Initial;
use bloomline_driver::{open, Checking, Design, Limits, OpenError, Transport, Url, Within};
use bloomline_simulated::device::SimulatedCard;
use bloomline_simulated::linecard::ServedLineCard;
use bloomline_toolchain::{Program, Toolchain};
use bloomline_toolkit::Filter;
use std::path::Path;
use std::time::Duration;

/// Every scheme of a URL, with that of the command's own.
const SCHEMES: &str = "sim:, uart:, etherbone:, pcie:";

/// Opens the device that `url` names: `sim:` and the path of a specification, which is a card of that filter in Verilator,
/// fresh out of its reset; or what [`open`] takes. `within` is the time that a bridge has to say what it can do, where the URL
/// leaves that open.
///
/// # Errors
/// Those of [`open`]; those of the specification and of building its simulation.
pub fn open_device(url: &str, within: Within) -> anyhow::Result<Box<dyn Transport + Send>> {
    let Some(spec) = url.strip_prefix("sim:") else {
        let link = open(url, within).map_err(with_every_scheme)?;
        if let Some(checking @ (Checking::Agree | Checking::None)) = link.checking() {
            eprintln!(
                "warning: {url}: `check={checking}`: {}",
                what_is_lost(checking)
            );
        }
        return Ok(link);
    };
    if spec.is_empty() {
        return Err(OpenError::Place {
            url: url.to_owned(),
            expected: "the path of a specification",
            got: String::new(),
            example: "sim:filter.toml",
        }
        .into());
    }
    let filter = Filter::read(Path::new(spec))?;
    eprintln!("note: {url} is a card fresh out of its reset each time; `bloomline serve {spec}` keeps one running");
    let card = simulate(filter.design()).with_context(|| url.to_owned())?;
    Ok(Box::new(card))
}

/// What a link that does not go by the bridge's mailbox cannot promise.
fn what_is_lost(checking: Checking) -> &'static str {
    match checking {
        Checking::Mailbox => "nothing",
        Checking::Agree => "a damaged write may change another register, and damage that repeats goes unseen",
        Checking::None => {
            "damaged answers are believed; a write that the network doubles or delays is carried out twice or late"
        }
    }
}

/// How long a simulated card may take for an access: it runs as fast as this machine has time for it.
const SIMULATED_ACCESS: Duration = Duration::from_secs(60);

/// How long to wait for the device that `url` names.
pub fn limits_of(url: &str) -> Limits {
    if url.starts_with("sim:") {
        return Limits {
            access: SIMULATED_ACCESS,
            command: 5 * SIMULATED_ACCESS,
        };
    }
    Url::parse(url).map_or_else(|_| Limits::default(), |url| url.limits())
}

/// A card of this design, fresh out of its reset. Installs Verilator if it is nowhere.
///
/// # Errors
/// That a tool is missing, or those of building the simulation.
pub fn simulate(design: &Design) -> anyhow::Result<SimulatedCard> {
    let card = SimulatedCard::build(design, &with_verilator()?, Initial::Random(1))?;
    Ok(card)
}

/// A line card of this design, fresh out of its reset, reached through the Ethernet pins of its host port.
///
/// # Errors
/// That it has no host port; as [`simulate`].
pub fn simulate_host_port(design: &Design) -> anyhow::Result<ServedLineCard> {
    let card = ServedLineCard::build(design, &with_verilator()?, Initial::Random(1))?;
    Ok(card)
}

fn with_verilator() -> anyhow::Result<Toolchain> {
    let toolchain = toolchain()?;
    let installing = Installing::default();
    toolchain.find_or_install(Program::Verilator, &|progress| installing.show(progress))?;
    Ok(toolchain)
}

fn with_every_scheme(error: OpenError) -> OpenError {
    match error {
        OpenError::Scheme { url, scheme, .. } => OpenError::Scheme {
            url,
            scheme,
            schemes: SCHEMES,
        },
        other => other,
    }
}
