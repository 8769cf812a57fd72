//! Claims about the codecs, and that random bytes are survived at both ends.

use crate::common::{geometry, Fake};
use bloomline_driver::mailbox::{Record, Request, RECORD, RECORD_WORDS, REQUEST, REQUEST_WORDS};
use bloomline_driver::packet::{Packet, LARGEST, LONGEST};
use bloomline_driver::serve::{Bridge, EtherboneResponder, Responder, UartResponder};
use bloomline_driver::{
    uartbone, Checking, Etherbone, EtherboneCarrier, Line, Transport, TransportError, Uart,
    UartCarrier, Url,
};
use bloomline_spec::registers::{address, MAGIC};
use bloomline_spec::SplitMix64;
use proptest::prelude::*;
use std::io;
use std::time::{Duration, Instant};

fn bridge() -> Bridge<Fake> {
    Bridge::new(Fake::new(&geometry()), Duration::from_millis(1))
}

fn bursts() -> impl Strategy<Value = Option<(u32, Vec<u32>)>> {
    let words = prop::collection::vec(any::<u32>(), 1..=LONGEST);
    prop::option::of((any::<u32>(), words))
}

fn packets() -> impl Strategy<Value = Packet> {
    (bursts(), bursts()).prop_map(|(writes, reads)| Packet {
        writes,
        reads,
        ..Packet::default()
    })
}

proptest! {
    #[test]
    fn every_request_comes_back_from_its_words(
        tag: u16, write: bool, address: u32, data: u32, expect: u32,
    ) {
        let request = Request { tag, write, address, data, expect };
        prop_assert_eq!(Request::decode(&request.encode()), Some(request));
    }

    #[test]
    fn every_record_comes_back_from_its_words(
        tag: u16, write: bool, response in 0u32..4, count: u32, address: u32, data: u32,
    ) {
        let record = Record { tag, write, response, count, address, data };
        prop_assert_eq!(Record::decode(&record.encode()), Some(record));
    }

    #[test]
    fn random_words_are_no_request_and_no_record(
        request: [u32; REQUEST_WORDS], record: [u32; RECORD_WORDS],
    ) {
        prop_assert_eq!(Request::decode(&request), None);
        prop_assert_eq!(Record::decode(&record), None);
    }

    #[test]
    fn every_packet_comes_back_from_its_bytes(packet in packets()) {
        let bytes = packet.encode();
        prop_assert!(bytes.len() <= LARGEST);
        prop_assert_eq!(Packet::decode(&bytes), Some(packet));
    }

    #[test]
    fn a_packet_that_is_cut_anywhere_is_none(packet in packets(), cut: prop::sample::Index) {
        let bytes = packet.encode();
        let shorter = &bytes[..cut.index(bytes.len())];
        // Eight bytes of head and an empty record are the least that says anything.
        if packet.writes.is_some() || packet.reads.is_some() {
            prop_assert_eq!(Packet::decode(shorter), None);
        }
    }

    #[test]
    fn a_write_and_a_read_command_reach_the_words_they_name(
        words in prop::collection::vec(any::<u32>(), 1..=255),
        first in 0u32..1 << 20,
    ) {
        let mut memory = UartResponder::new(Bridge::plain(Memory::default(), Duration::from_secs(1)));
        let mut bytes = Vec::new();
        uartbone::write_command(4 * first, &words, &mut bytes);
        uartbone::read_command(4 * first, words.len(), &mut bytes);
        let mut read = vec![0; words.len()];
        let answer = memory.answer(&bytes, Instant::now());
        prop_assert_eq!(answer.len(), 4 * words.len());
        uartbone::decode_answer(&answer, &mut read);
        prop_assert_eq!(read, words);
    }

    #[test]
    fn any_text_is_a_url_or_a_typed_error(text in "(uart|etherbone|pcie|x|):?[ -~]{0,40}") {
        if let Err(error) = Url::parse(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

/// Registers everywhere.
#[derive(Default)]
struct Memory(std::collections::HashMap<u32, u32>);

impl Transport for Memory {
    fn read(&mut self, address: u32, _: Duration) -> Result<u32, TransportError> {
        Ok(self.0.get(&address).copied().unwrap_or(0))
    }
    fn write(&mut self, address: u32, value: u32, _: Duration) -> Result<(), TransportError> {
        self.0.insert(address, value);
        Ok(())
    }
}

fn noise(random: &mut SplitMix64, length: usize) -> Vec<u8> {
    (0..length).map(|_| random.next_word() as u8).collect()
}

#[test]
fn bridges_survive_noise_and_answer_after_it() {
    let (mut uart, mut etherbone) = (
        UartResponder::new(bridge()),
        EtherboneResponder::new(bridge()),
    );
    let mut random = SplitMix64::new(17);
    let mut now = Instant::now();
    for round in 0..20_000 {
        now += Duration::from_millis(round % 40);
        let length = (random.next_word() % 80) as usize;
        let bytes = noise(&mut random, length);
        uart.answer(&bytes, now);
        etherbone.answer(&bytes, now);
        // Noise with the head of a packet, to come further in.
        let mut packet = Packet::default().encode();
        packet.truncate(8);
        packet.extend([0, 0x0F]);
        packet.extend(&bytes);
        etherbone.answer(&packet, now);
    }
    now += Duration::from_secs(1);
    let mut read = Vec::new();
    uartbone::read_command(address::MAGIC, 1, &mut read);
    assert_eq!(uart.answer(&read, now), MAGIC.to_be_bytes());
    let read = Packet {
        reads: Some((9, vec![address::MAGIC])),
        ..Packet::default()
    };
    let answer = Packet::decode(&etherbone.answer(&read.encode(), now)).expect("a packet");
    assert_eq!(answer.writes, Some((9, vec![MAGIC])));
}

#[test]
fn a_probe_is_answered_as_litex_expects() {
    let probe = Packet {
        probe: true,
        ..Packet::default()
    };
    assert_eq!(
        probe.encode(),
        [0x4E, 0x6F, 0x11, 0x44, 0, 0, 0, 0, 0, 0, 0, 0]
    );
    let answer = EtherboneResponder::new(bridge()).answer(&probe.encode(), Instant::now());
    assert!(Packet::decode(&answer).expect("a packet").probe_reply);
}

#[test]
fn a_request_is_carried_out_once_however_often_it_comes() {
    let mut bridge = Bridge::new(Fake::new(&geometry()), Duration::from_millis(1));
    let request = Request {
        tag: 5,
        write: true,
        address: address::CONTROL,
        data: 1,
        expect: 0,
    };
    for _ in 0..3 {
        for (address, word) in (REQUEST..).step_by(4).zip(request.encode()) {
            bridge.write(address, word);
        }
    }
    assert_eq!(bridge.device_mut().writes, [(address::CONTROL, 1)]);
    let mut place = 0;
    let record = [0; RECORD_WORDS].map(|_: u32| {
        place += 4;
        bridge
            .read(RECORD + place - 4)
            .expect("the mailbox answers")
    });
    assert!(Record::decode(&record).expect("a record").answers(&request));
}

/// A line that answers everything with noise.
struct Noise(SplitMix64, Instant);

impl Line for Noise {
    fn now(&self) -> Instant {
        self.1
    }
    fn send(&mut self, _: &[u8], _: Instant) -> io::Result<()> {
        Ok(())
    }
    fn receive(&mut self, buffer: &mut [u8], until: Instant) -> io::Result<usize> {
        if self.0.next_word().is_multiple_of(4) {
            self.1 = self.1.max(until);
            return Ok(0);
        }
        let most = (self.0.next_word() % 30) as usize;
        let bytes = noise(&mut self.0, most.min(buffer.len()));
        buffer[..bytes.len()].copy_from_slice(&bytes);
        self.1 += Duration::from_micros(100);
        Ok(bytes.len())
    }
}

#[test]
fn hosts_take_noise_for_no_answer_and_give_up_in_time() {
    let within = Duration::from_secs(1);
    // What one look at the line may take beyond the deadline, by the clock of `Noise`.
    let look = Duration::from_millis(1);
    let mut uart = Uart::new(
        UartCarrier::new(Noise(SplitMix64::new(1), Instant::now()), 115_200),
        0,
        Checking::Mailbox,
    );
    let mut etherbone = Etherbone::new(
        EtherboneCarrier::new(Noise(SplitMix64::new(2), Instant::now())),
        0,
        Checking::Mailbox,
    );
    for _ in 0..200 {
        let start = uart.carrier().line().now();
        let read = uart.read(address::MAGIC, within);
        assert!(
            matches!(read, Err(TransportError::Timeout { .. })),
            "{read:?}"
        );
        assert!(uart.carrier().line().now() - start <= within + look);
        let start = etherbone.carrier().line().now();
        let write = etherbone.write(address::MAX_AGE, 1, within);
        assert!(
            matches!(
                write,
                Err(TransportError::Timeout { .. } | TransportError::Unknown { .. })
            ),
            "{write:?}"
        );
        assert!(etherbone.carrier().line().now() - start <= within + look);
    }
}
