//! Fuzzing of a bridge's input: after any bytes it still answers a plain read.
#![no_main]

use bloomline_driver::packet::Packet;
use bloomline_driver::serve::{Bridge, EtherboneResponder, Responder, UartResponder};
use bloomline_driver::{Transport, TransportError, Within};
use libfuzzer_sys::fuzz_target;
use std::time::{Duration, Instant};

const WITHIN: Duration = Duration::from_secs(1);
const MAGIC: u32 = 0x424C_4D4C;

/// 64 registers that keep what is written, but the first.
struct Memory([u32; 64]);

impl Memory {
    fn place(&mut self, address: u32) -> Result<&mut u32, TransportError> {
        let place = self.0.get_mut(address as usize / 4);
        place.ok_or(TransportError::NoRegister { address })
    }
}

impl Transport for Memory {
    fn read(&mut self, address: u32, _within: Within) -> Result<u32, TransportError> {
        self.place(address).copied()
    }

    fn write(&mut self, address: u32, value: u32, _within: Within) -> Result<(), TransportError> {
        if address < 4 {
            return Err(TransportError::Refused { address });
        }
        *self.place(address)? = value;
        Ok(())
    }
}

fn bridge() -> Bridge<Memory> {
    let mut memory = Memory([0; 64]);
    memory.0[0] = MAGIC;
    Bridge::new(memory, WITHIN)
}

fuzz_target!(|bytes: &[u8]| {
    let start = Instant::now();
    let mut uart = UartResponder::new(bridge());
    uart.answer(bytes, start);
    // longer than a command may take
    let later = start + Duration::from_secs(1);
    assert_eq!(uart.answer(&[2, 1, 0, 0, 0, 0], later), MAGIC.to_be_bytes());

    let mut etherbone = EtherboneResponder::new(bridge());
    etherbone.answer(bytes, start);
    let read = Packet {
        reads: Some((7, vec![0])),
        ..Packet::default()
    };
    let answer = etherbone.answer(&read.encode(), later);
    assert!(answer.ends_with(&MAGIC.to_be_bytes()), "{answer:?}");
});
