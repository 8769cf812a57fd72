//! Cards in simulation, reached by the driver as real ones are.
//!
//! * [`device`]: the emitted card of a filter in Verilator as a [`Transport`](bloomline_driver::Transport), served to other programs.
//! * [`linecard`]: a line card frame by frame, from the pins of its PHYs and its UART.
//! * [`replay`]: captures through a packet path or a line card.

pub mod device;
pub mod linecard;
pub mod replay;
