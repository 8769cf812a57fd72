//! Transport to the registers of the device at a URL, for every command that takes one, and the simulated card behind `sim:`.

use crate::activity::Installing;
use crate::tools_folder::toolchain;
use anyhow::Context;
use bloomline_bench::lockstep::Simulator;
use bloomline_bench::verilator::Initial;
use bloomline_driver::{open, Checking, Design, Limits, OpenError, Transport, Url, Within};
use bloomline_simulated::device::SimulatedCard;
use bloomline_simulated::linecard::ServedLineCard;
use bloomline_toolchain::Program;
use bloomline_toolkit::Filter;
use clap::ValueEnum;
use std::path::Path;
use std::time::Duration;

/// What a simulated card runs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum CardSimulator {
    /// The built-in simulator; begins at once, needs nothing but Rust
    BuiltIn,
    /// The built-in simulator compiled to machine code; for a command that was built with `--features jit`
    Jit,
    /// Verilator, the pinned one: faster once it has compiled the card, which takes from 10 s to a minute
    Verilator,
}

impl CardSimulator {
    /// What answers soonest. An access over a UART takes some 600,000 clocks at the usual rate, so a card with one is for Verilator where that is
    /// installed: what it compiles is kept for the next command.
    fn for_design(design: &Design) -> Self {
        let uart = design
            .common()
            .card()
            .is_some_and(|card| card.uart.is_some());
        let installed = || toolchain().is_ok_and(|tools| tools.find(Program::Verilator).is_ok());
        match uart {
            _ if cfg!(feature = "jit") => Self::Jit,
            true if installed() => Self::Verilator,
            _ => Self::BuiltIn,
        }
    }
}

/// Every scheme of a URL, with that of the command's own.
const SCHEMES: &str = "sim:, uart:, etherbone:, pcie:";

/// Opens the device that `url` names: `sim:` and the path of a specification, which is a card of that filter in a simulator,
/// fresh out of its reset; or what [`open`] takes. `within` is the time that a bridge has to say what it can do, where the URL
/// leaves that open.
///
/// # Errors
/// Those of [`open`]; those of the specification and of building its simulation.
pub fn open_device(url: &str, within: Within) -> anyhow::Result<Box<dyn Transport + Send>> {
    let Some(spec) = url.strip_prefix("sim:") else {
        let link = open(url, within).map_err(with_every_scheme)?;
        if let Some(checking @ (Checking::Agree | Checking::None)) = link.checking() {
            note!(
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
    note!("note: {url} starts a new, just reset card for each command; use `bloomline serve {spec}` to keep one running");
    let card = simulate(filter.design(), None);
    let card = card.with_context(|| url.to_owned())?;
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

/// A card of this design, fresh out of its reset, in a simulator or in what [answers soonest](CardSimulator::for_design). Installs Verilator where
/// that is asked for and is nowhere.
///
/// # Errors
/// That a tool is missing, or those of the simulation.
pub fn simulate(
    design: &Design,
    simulator: Option<CardSimulator>,
) -> anyhow::Result<SimulatedCard> {
    let choice = simulator.unwrap_or_else(|| CardSimulator::for_design(design));
    with_simulator(choice, |simulator| {
        Ok(SimulatedCard::build(design, simulator, Initial::Random(1))?)
    })
}

/// A line card of this design, fresh out of its reset, reached through the Ethernet pins of its host port.
///
/// # Errors
/// That it has no host port; as [`simulate`].
pub fn simulate_host_port(
    design: &Design,
    simulator: Option<CardSimulator>,
) -> anyhow::Result<ServedLineCard> {
    let choice = simulator.unwrap_or_else(|| CardSimulator::for_design(design));
    with_simulator(choice, |simulator| {
        Ok(ServedLineCard::build(
            design,
            simulator,
            Initial::Random(1),
        )?)
    })
}

/// Says which simulator it is, and installs what it needs.
fn with_simulator<T>(
    choice: CardSimulator,
    build: impl FnOnce(Simulator<'_>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let name = choice.to_possible_value();
    note!(
        "simulator: {}",
        name.as_ref().map_or("", |name| name.get_name())
    );
    match choice {
        CardSimulator::BuiltIn => build(Simulator::BuiltIn),
        CardSimulator::Jit => build(Simulator::Jit),
        CardSimulator::Verilator => {
            let toolchain = toolchain()?;
            let installing = Installing::default();
            toolchain.find_or_install(Program::Verilator, &|progress| installing.show(progress))?;
            build(Simulator::Verilator(&toolchain))
        }
    }
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
