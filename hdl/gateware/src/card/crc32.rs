//! CRC-32 of IEEE 802.3, one byte per clock cycle.

use crate::hash::XorMatrix;
use crate::prelude::*;

/// Bits of the register.
const BITS: usize = 32;
/// The polynomial, least power highest.
const POLYNOMIAL: u32 = 0xEDB8_8320;

block! {
    /// The register after one more byte; combinational. The register starts as all ones and the check is its complement.
    pub struct Crc32Step {
        about: About = About::new(
            "crc32_step",
            "CRC-32 of IEEE 802.3: the register after one more byte.",
        ),
        pub crc: Bus<In> = Bus::new(BITS).doc("register before the byte"),
        pub data: Bus<In> = Bus::new(8).doc("the byte"),
        pub stepped: Bus<Out> = Bus::new(BITS).doc("register after it"),
        lowest: XorMatrix = XorMatrix::from_rows(
            "crc32_byte",
            "What the eight bits that leave the register leave in it.",
            &rows,
            BITS,
            0,
        ),
    }

    fn default() {
        let rows: Vec<u64> = (0..8).map(|bit| run_out(1 << bit).into()).collect();
    }
}

impl Logic for Crc32Step {
    #[hdl_gen]
    fn update(&mut self) {
        self.lowest.x.next = bits_wide(bits_to(self.crc.val(), 8) ^ self.data.val(), 8);
        self.stepped.next = bits_to(self.lowest.y.val(), 32) ^ (self.crc.val() >> 8);
    }
}

/// The register `bits` after eight shifts.
const fn run_out(mut bits: u32) -> u32 {
    let mut shifts = 0;
    while shifts < 8 {
        bits = bits >> 1 ^ if bits & 1 == 1 { POLYNOMIAL } else { 0 };
        shifts += 1;
    }
    bits
}

/// The register after `bytes`, from the start.
pub fn register_after(bytes: &[u8]) -> u32 {
    bytes.iter().fold(u32::MAX, |register, &byte| {
        run_out(register & 0xFF ^ u32::from(byte)) ^ register >> 8
    })
}
