//! A card in this process: the emitted filter in a simulator, reached as a real card is.
//!
//! ```text
//!  Device, conformance, any client of the driver          keys, verdicts
//!            |                                                  |
//!        Transport                                        offer, take_verdict
//!            |                                                  |
//!            +--- AXI4-Lite or UART ---  SimulatedCard  --- AXI4-Stream
//!                                             |
//!                                       simulator: pins, clock by clock
//!
//!  Terminal, UdpServer -- serve --+-- bridge in software -- SimulatedCard       other programs, by `uart:` and `etherbone:`
//!                                 +-- UartPins: the bridge in the gateware of a card with a UART
//! ```
//!
//! [`SimulatedCard`] is a [`Transport`](bloomline_driver::Transport); [`serve`] lets other programs have it, over a
//! pseudo-terminal ([`Terminal`]) or UDP. Here meet the driver, which knows nothing of simulations, and the testbenches, which know
//! nothing of registers.
//!
//! ```
//! use bloomline_simulated::device::SimulatedCard;
//! use bloomline_bench::lockstep::Simulator;
//! use bloomline_bench::verilator::Initial;
//! use bloomline_driver::{Device, Limits};
//! use bloomline_spec::{FilterSpec, Key, EXAMPLES};
//! use std::path::Path;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let (file, text) = EXAMPLES[0];
//! let geometry = FilterSpec::from_toml(text, Path::new(file))?.validate()?.with_threshold(30_000)?;
//! let mut card = SimulatedCard::build(&geometry, Simulator::BuiltIn, Initial::Random(1))?;
//!
//! let key = Key::from_integer(42, geometry.key_bits())?;
//! card.offer(&key, 2, 7)?;
//! card.offer(&key, 2, 8)?;
//! card.run(200)?;
//! let verdicts: Vec<_> = std::iter::from_fn(|| card.take_verdict()).collect();
//! assert_eq!([verdicts[0].tag, verdicts[1].tag], [7, 8]);
//! assert_eq!([verdicts[0].bits & 1, verdicts[1].bits & 1], [0, 1], "seen the second time");
//!
//! let device = Device::identify(&mut card, &geometry, Limits::default())?;
//! assert_eq!(device.bits_active()?, u64::from(geometry.hashes()));
//! # Ok(())
//! # }
//! ```

mod axi;
mod card;
mod clocked;
mod error;
mod pins;
mod serve;
mod terminal;
mod uart;
mod uart_commands;

pub use axi::CLOCKS_A_SECOND;
pub(crate) use card::emitted;
pub use card::SimulatedCard;
pub use clocked::Clocked;
pub use error::CardError;
pub use pins::Verdict;
pub use serve::{bind_udp, serve};
pub use terminal::Terminal;
pub use uart::UartPins;
