//! Tests of a card's UART as a host sees it, byte for byte: uartbone, the mailbox as the driver encodes it, items.

use bloomline_driver::mailbox::{Record, Request, RECORD, REQUEST};
use bloomline_hdl::card_verilog;
use bloomline_spec::registers::{address, field, RecyclingCounter, MAGIC};
use bloomline_spec::FilterSpec;
use bloomline_tests::{NamedPins, Sample};
use std::path::Path;

/// Clocks of a bit.
const BIT: usize = 8;
/// Clocks after which a command is dropped: 100 ms of a clock of 80 kHz.
const TIMEOUT: usize = 8_000;

/// A small card, and what came over its line.
struct Host {
    card: NamedPins,
    line: Vec<bool>,
    read_to: usize,
}

impl Host {
    fn new() -> Host {
        let text = format!(
            "{}[target]\nclock_hz = 80_000\n[card]\nuart_baud = 10_000\n",
            Sample::BASE.toml()
        );
        let geometry = FilterSpec::from_toml(&text, Path::new("card.toml"))
            .and_then(|spec| spec.validate())
            .and_then(|sizing| sizing.with_threshold(256))
            .expect("is legal");
        let text = card_verilog(&geometry, "").expect("can be printed").text();
        let mut card = NamedPins::of_text(text, "sample_card");
        card.set("m_verdict_tready", true);
        let mut host = Host {
            card,
            line: Vec::new(),
            read_to: 0,
        };
        host.wait(100);
        host
    }

    fn clock(&mut self, level: bool) {
        self.card.set("uart_rx", level);
        self.card.clock();
        self.line.push(self.card.is_high("uart_tx"));
    }

    fn wait(&mut self, clocks: usize) {
        (0..clocks).for_each(|_| self.clock(true));
    }

    fn send(&mut self, bytes: &[u8]) {
        for byte in bytes {
            for bit in 0..10 {
                let level = match bit {
                    0 => false,
                    1..=8 => byte >> (bit - 1) & 1 == 1,
                    _ => true,
                };
                (0..BIT).for_each(|_| self.clock(level));
            }
        }
    }

    /// The next bytes from the card, which has some time for them.
    fn answer(&mut self, count: usize) -> Vec<u8> {
        self.wait((count + 3) * 10 * BIT);
        let mut bytes = Vec::new();
        while let Some(edge) = self.line[self.read_to..].iter().position(|level| !level) {
            let start = self.read_to + edge;
            let level = |bit: usize| self.line.get(start + BIT / 2 + BIT * bit).copied();
            let byte = (1..9).fold(0, |byte, bit| {
                byte | u8::from(level(bit) == Some(true)) << (bit - 1)
            });
            assert_eq!(level(9), Some(true), "a stop bit");
            bytes.push(byte);
            self.read_to = start + 10 * BIT;
        }
        assert_eq!(bytes.len(), count, "{bytes:x?}");
        bytes
    }

    fn header(command: u8, words: usize, address: u32) -> Vec<u8> {
        [&[command, words as u8], &(address / 4).to_be_bytes()[..]].concat()
    }

    fn write(&mut self, address: u32, words: &[u32]) {
        let mut bytes = Host::header(1, words.len(), address);
        bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        self.send(&bytes);
    }

    fn read<const N: usize>(&mut self, address: u32) -> [u32; N] {
        self.send(&Host::header(2, N, address));
        let bytes = self.answer(4 * N);
        std::array::from_fn(|i| {
            u32::from_be_bytes(bytes[4 * i..4 * i + 4].try_into().expect("four bytes"))
        })
    }

    fn record(&mut self) -> Record {
        Record::decode(&self.read(RECORD)).expect("a record with its check")
    }
}

#[test]
fn registers_are_read_and_written_in_bursts() {
    let mut host = Host::new();
    assert_eq!(host.read(address::MAGIC), [MAGIC]);
    host.write(address::THRESHOLD, &[200, 7]);
    assert_eq!(host.read(address::THRESHOLD), [200, 7]);
    // the fixed address of commands 3 and 4
    let mut bytes = Host::header(3, 2, address::THRESHOLD);
    bytes.extend([0, 0, 0, 99, 0, 0, 0, 150]);
    host.send(&bytes);
    host.send(&Host::header(4, 2, address::THRESHOLD));
    assert_eq!(host.answer(8), [0, 0, 0, 150, 0, 0, 0, 150]);
    // no register, and no device
    assert_eq!(host.read(0x03C), [0]);
    assert_eq!(host.read(0x0100_0000), [0]);
}

#[test]
fn the_record_tells_of_the_last_access() {
    let mut host = Host::new();
    assert_eq!(host.record(), Record::default());
    host.write(address::THRESHOLD, &[200]);
    let written = Record {
        write: true,
        count: 1,
        address: address::THRESHOLD,
        data: 200,
        ..Record::default()
    };
    assert_eq!(host.record(), written);
    host.write(address::MAGIC, &[5]);
    let refused = Record {
        response: 2,
        count: 2,
        address: address::MAGIC,
        data: 5,
        ..written
    };
    assert_eq!(host.record(), refused);
    host.read::<1>(0x200);
    let outside = Record {
        write: false,
        response: 3,
        count: 3,
        address: 0x200,
        data: 0,
        tag: 0,
    };
    assert_eq!(host.record(), outside);
}

#[test]
fn a_request_is_carried_out_once_and_a_damaged_one_not_at_all() {
    let mut host = Host::new();
    let request = Request {
        tag: 0xBEE5,
        write: true,
        address: address::THRESHOLD,
        data: 123,
        expect: 0,
    };
    let mut damaged = request.encode();
    damaged[3] ^= 0x0100;
    host.write(REQUEST, &damaged);
    assert_eq!(host.record(), Record::default());
    host.write(REQUEST, &request.encode());
    let record = host.record();
    assert!(record.answers(&request), "{record:?}");
    host.write(REQUEST, &request.encode());
    assert_eq!(host.record(), record, "a copy does nothing");
    let read = Request {
        tag: 1,
        write: false,
        data: 0,
        expect: 1,
        ..request
    };
    host.write(REQUEST, &read.encode());
    let record = host.record();
    assert!(record.answers(&read) && record.data == 123, "{record:?}");
    let nowhere = Request {
        address: 0x9000_0000,
        expect: 2,
        ..read
    };
    host.write(REQUEST, &nowhere.encode());
    let record = host.record();
    assert!(
        record.answers(&nowhere) && record.response == 3,
        "{record:?}"
    );
}

#[test]
fn an_item_of_the_host_is_inserted_and_then_seen() {
    let mut host = Host::new();
    let item = |operation: u32| [operation, 0x0123_4567, 0x89AB_CDEF, 0xFEDC_BA98, 0x76];
    let result = |sequence: u32, verdict: u32| [sequence << field::ITEM_SEQUENCE | verdict];
    host.write(address::ITEM_OPERATION, &item(0));
    assert_eq!(host.read(address::ITEM_RESULT), result(1, 0));
    host.write(address::ITEM_OPERATION, &item(1));
    assert_eq!(host.read(address::ITEM_RESULT), result(2, 0));
    host.write(address::ITEM_OPERATION, &item(0));
    // seen, in the active half
    assert_eq!(host.read(address::ITEM_RESULT), result(3, 3));
    assert_eq!(host.read(address::ITEM_OPERATION), item(0));
    assert_eq!(host.read(RecyclingCounter::Items.address_lo()), [3, 0]);
}

#[test]
fn half_a_command_is_dropped_and_the_next_is_understood() {
    let mut host = Host::new();
    host.send(&[1, 1, 0, 0]);
    host.wait(TIMEOUT);
    assert_eq!(host.read(address::MAGIC), [MAGIC]);
    // a command that there is not is passed over with its length and address
    host.send(&Host::header(0x55, 3, 0x1234));
    assert_eq!(host.read(address::MAGIC), [MAGIC]);
}
