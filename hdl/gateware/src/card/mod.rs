//! The card around a filter: the item port, the bus to the registers, and the host's UART. Depends on `wires`, `pipeline`, `shared_array` and the register map;
//! nothing depends on it but what prints. `docs/card.md` is the contract.

mod bus_split;
mod byte_queue;
mod crc32;
mod item_port;
mod item_registers;
mod mailbox;
mod tops;
mod uart_bridge;
mod uart_receiver;
mod uart_transmitter;

pub use bus_split::BusSplit;
pub use byte_queue::ByteQueue;
pub use crc32::{register_after, Crc32Step};
pub use item_port::ItemPort;
pub use item_registers::ItemRegisters;
pub use mailbox::Mailbox;
pub(crate) use mailbox::MAILBOX;
pub use tops::{AxilCard, UartCard};
pub use uart_bridge::UartBridge;
pub use uart_receiver::UartReceiver;
pub use uart_transmitter::UartTransmitter;
