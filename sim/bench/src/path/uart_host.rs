//! UART host of a packet-path testbench: reads and writes of single words in LiteX's uartbone.

use super::host::{Access, Answer};
use super::pins::{shows, UartPins};
use crate::filter::{PinReader, PinWriter};
use bloomline_spec::registers::RESPONSE_OKAY;
use bloomline_spec::Uart;

/// Commands of uartbone.
const WRITE: u8 = 1;
const READ: u8 = 2;
/// Bytes of the longer of a write and of a read with its answer, of ten bits each.
const ACCESS_BYTES: u64 = 10;
const BYTE_BITS: u64 = 10;
/// Clocks after the last bit of a write in which it is made.
const WRITE_CLOCKS: u64 = 100;

/// The host's end of the line. The bridge answers no write and tells no response: each counts as good.
#[derive(Debug)]
pub(super) struct UartHost {
    pins: UartPins,
    uart: Uart,
    writer: PinWriter,
    reader: PinReader,
    access: Option<Access>,
    answer: Vec<u8>,
    /// Clocks since a write was sent.
    silent: u64,
}

impl UartHost {
    pub fn new(pins: UartPins, uart: Uart) -> UartHost {
        UartHost {
            pins,
            uart,
            writer: PinWriter::new(uart.clocks_per_bit, 0.0),
            reader: PinReader::new(uart.clocks_per_bit),
            access: None,
            answer: Vec::new(),
            silent: 0,
        }
    }

    pub fn is_idle(&self) -> bool {
        self.access.is_none()
    }

    pub fn begin(&mut self, access: Access) {
        let command = match access.write {
            Some(_) => WRITE,
            None => READ,
        };
        self.writer.bytes(&[command, 1]);
        self.writer.bytes(&(access.address / 4).to_be_bytes());
        if let Some(value) = access.write {
            self.writer.bytes(&value.to_be_bytes());
        }
        self.access = Some(access);
        self.answer.clear();
        self.silent = 0;
    }

    pub fn reset(&mut self) {
        *self = UartHost::new(self.pins, self.uart);
    }

    pub fn drive(&mut self, inputs: &mut [u64]) {
        inputs[self.pins.rx] = self.writer.clock().into();
    }

    pub fn clock(&mut self, outputs: &[u64]) -> Option<Answer> {
        self.answer
            .extend(self.reader.clock(shows(outputs, self.pins.tx)));
        let access = self.access?;
        let data = match access.write {
            None => u32::from_be_bytes(*self.answer.first_chunk()?),
            Some(_) => {
                self.silent += u64::from(self.writer.at_rest());
                if self.silent < WRITE_CLOCKS {
                    return None;
                }
                0
            }
        };
        self.access = None;
        Some(Answer {
            access,
            data,
            response: RESPONSE_OKAY,
        })
    }

    /// Clocks that an access takes of the line.
    pub fn line_clocks(&self) -> u64 {
        ACCESS_BYTES * BYTE_BITS * u64::from(self.uart.clocks_per_bit)
    }
}
