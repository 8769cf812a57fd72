use bloomline_bench::lockstep::SimulatorError;
use bloomline_hdl::emit::EmitError;
use bloomline_spec::registers::address;
use std::io;
use std::path::PathBuf;

/// Why a card cannot be simulated or served.
#[derive(Debug, thiserror::Error)]
pub enum CardError {
    /// The gateware cannot be printed.
    #[error(transparent)]
    Emit(#[from] EmitError),
    /// The simulator does not take the design, or the simulation has ended.
    #[error(transparent)]
    Simulator(#[from] SimulatorError),
    /// The card has no stream of items: frames bring them.
    #[error("{name}: [packet] puts this card between streams of frames or Ethernet ports, so it has no stream of items; insert and query over its registers (the item port)")]
    NoItemStream {
        /// The filter.
        name: String,
    },
    /// The filter does not take items after its reset.
    #[error("{name}: STATUS (0x{:03X}) is 0x{status:08X} after a reset and {clocks} clocks, expected bit 0 (running); verify the filter (`bloomline verify`)", address::STATUS)]
    NotRunning {
        /// The filter.
        name: String,
        /// Clocks that it had.
        clocks: u64,
        /// What STATUS read as.
        status: u32,
    },
    /// STATUS gives an error.
    #[error("{name}: reading STATUS (0x{:03X}) after a reset: {source}; verify the filter (`bloomline verify`)", address::STATUS)]
    NoStatus {
        /// The filter.
        name: String,
        /// The access.
        source: bloomline_driver::TransportError,
    },
    /// A key is not as wide as the filter's keys.
    #[error("{name}: a key of {got} bits, expected {expected} (key.bits of the specification); make the key that wide")]
    KeyWidth {
        /// The filter.
        name: String,
        /// Width of its keys.
        expected: u32,
        /// Width of the key.
        got: u32,
    },
    /// The operating system gives no pseudo-terminal.
    #[error("no pseudo-terminal can be had: {source}; is /dev/pts mounted and not full (`cat /proc/sys/kernel/pty/nr`)?")]
    NoTerminal {
        /// What it said.
        source: io::Error,
    },
    /// Where the link to the pseudo-terminal should go there is something.
    #[error("{}: exists already, and is not overwritten unless it is a link to a pseudo-terminal that is gone; remove it or choose another path for the link", path.display())]
    LinkExists {
        /// Where it should go.
        path: PathBuf,
    },
    /// The link to the pseudo-terminal cannot be made for another reason.
    #[error("{}: the link to {terminal} cannot be made: {source}; choose a path in a folder that exists and that you may write", path.display())]
    Link {
        /// Where it should go.
        path: PathBuf,
        /// The pseudo-terminal's device file.
        terminal: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// Another program listens there.
    #[error("{address}: another program has this UDP port (`ss -ulnp` names it); choose another, or 0 for any that is free")]
    PortInUse {
        /// Address and port.
        address: String,
    },
    /// The address cannot be listened at for another reason.
    #[error("{address}: cannot listen there: {source}; give an address of this computer and a port, for example 127.0.0.1:1234")]
    Bind {
        /// Address and port.
        address: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// The line to the clients failed.
    #[error("the line to the clients failed: {source}; serve again")]
    Line {
        /// What the operating system said.
        source: io::Error,
    },
}
