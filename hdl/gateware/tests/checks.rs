//! Checks of frames and messages: CRC-32 and CRC-64.

use bloomline_hdl::card::{register_after, Crc32Step};
use bloomline_hdl::packet::{crc64_back, crc64_on};
use bloomline_language::wires::UInt;
use rust_hdl::prelude::*;

#[test]
fn the_check_of_nine_digits_is_the_catalogued_one() {
    // CRC-32/ISO-HDLC of "123456789" in the CRC catalogue
    assert_eq!(!register_after(b"123456789"), 0xCBF4_3926);
}

#[test]
fn the_block_steps_as_the_function() {
    let mut step = Crc32Step::default();
    step.connect_all();
    let mut register = u32::MAX;
    for byte in 0..=255u8 {
        step.crc.next = UInt::new(register.into(), 32);
        step.data.next = UInt::new(byte.into(), 8);
        for _ in 0..4 {
            step.update_all();
        }
        let expected = (0..8).fold(register ^ u32::from(byte), |bits, _| {
            bits >> 1 ^ if bits & 1 == 1 { 0xEDB8_8320 } else { 0 }
        });
        assert_eq!(step.stepped.val(), expected);
        register = expected;
    }
}

#[test]
fn the_check_of_nine_digits_under_crc_64_is_the_catalogued_one() {
    // CRC-64/XZ of "123456789" in the CRC catalogue
    let register = b"123456789".iter().fold(u64::MAX, |register, &byte| {
        crc64_on(register ^ u64::from(byte), 1)
    });
    assert_eq!(!register, 0x995D_C9BB_DF19_39FA);
}

#[test]
fn going_back_undoes_going_on() {
    for bit in 0..64 {
        for bytes in [1, 2, 4, 8, 16, 32] {
            assert_eq!(crc64_back(crc64_on(1 << bit, bytes), bytes), 1 << bit);
        }
    }
}
