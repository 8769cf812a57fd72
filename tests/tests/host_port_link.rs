//! The driver's own `etherbone:` transport, and LiteX's, at the emitted line card in Verilator: ARP, ping and register accesses over its RGMII pins.

#[path = "../../host/driver/tests/common/litex.rs"]
mod litex;

use bloomline_bench::verilator::Initial;
use bloomline_driver::mailbox::{Record, Request, RECORD, RECORD_WORDS, REQUEST};
use bloomline_driver::packet::Packet;
use bloomline_driver::serve::{serve, FaultRates, Faults, Medium, Responder, Simulated, UdpServer};
use bloomline_driver::{
    conformance, open, Checking, Device, Etherbone, EtherboneCarrier, Limits, Transport,
};
use bloomline_simulated::linecard::{HostPeer, LineFrame, ServedLineCard};
use bloomline_spec::host_port::HostAddress;
use bloomline_spec::registers::{address, MAGIC, MAP_VERSION};
use bloomline_spec::RecyclingGeometry;
use bloomline_tests::{runs, simulator, soak, CardGeometry, PathSample};
use etherparse::{NetSlice, SlicedPacket, TransportSlice};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// For one access: the card is simulated, and the machine may be busy.
const WITHIN: Duration = Duration::from_secs(60);
const VALUE: u32 = 201;
const PEER: HostPeer = HostPeer {
    mac: [0x02, 0, 0, 0, 0, 7],
    ip: [10, 0, 0, 7],
    port: 4321,
};
/// Bytes of preamble and start.
const PREAMBLE: usize = 8;
/// Clocks in which an answer has come.
const ANSWERED_WITHIN: u64 = 3_000;

fn geometry() -> RecyclingGeometry {
    match PathSample::with_host_at(0).line_card() {
        CardGeometry::Recycling(geometry) => geometry,
        other => panic!("{other:?}"),
    }
}

fn served() -> ServedLineCard {
    ServedLineCard::build(&geometry().into(), simulator(), Initial::Random(3))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// The card behind a line on which now and then a frame is damaged, as its FCS shows.
struct Damaging {
    card: ServedLineCard,
    /// Datagrams that came, and how many of them damaged.
    counts: [u64; 2],
}

impl Responder for Damaging {
    fn answer(&mut self, bytes: &[u8], now: Instant) -> Vec<u8> {
        self.counts[0] += 1;
        if !self.counts[0].is_multiple_of(DAMAGE) {
            return self.card.answer(bytes, now);
        }
        self.counts[1] += 1;
        let card = self.card.host().address;
        let mut frame = LineFrame::good(&PEER.datagram(&card, bytes));
        let place = PREAMBLE + (self.counts[1] as usize * 5) % (frame.line.len() - PREAMBLE);
        frame.line[place].data ^= 0x10;
        let answer = self.card.exchange(&frame, ANSWERED_WITHIN);
        assert_eq!(answer.expect("it runs"), None, "byte {place}");
        Vec::new()
    }
}

/// The card whose host port asks for tags, without a secret.
fn tagged() -> (RecyclingGeometry, ServedLineCard) {
    let geometry = match PathSample::TAGGED.line_card() {
        CardGeometry::Recycling(geometry) => geometry,
        other => panic!("{other:?}"),
    };
    let card = ServedLineCard::build(&geometry.clone().into(), simulator(), Initial::Random(3));
    (geometry, card.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
#[ignore = "a claim"]
fn a_port_with_tags_obeys_who_has_the_key_and_nobody_else() {
    let (geometry, mut card) = tagged();
    let folder = tempfile::tempdir().expect("a folder");
    let key = |name: &str, secret: u128| {
        let file = folder.path().join(name);
        std::fs::write(&file, format!("{secret:032x}\n")).expect("a file");
        file.display().to_string()
    };
    let (right, wrong) = (key("right", 7 << 100 | 9), key("wrong", 7 << 100 | 8));
    let refused = |port: u16, parameter: &str| {
        let url = format!("etherbone:127.0.0.1:{port}?timeout_ms=2000{parameter}");
        let error = open(&url, WITHIN).err();
        error.expect("nobody without the key is let in").to_string()
    };
    let card_without_key = Arc::new(Mutex::new(card));
    at_a_port_of(&card_without_key, |port| {
        let told = refused(port, &format!("&key={right}"));
        assert!(told.contains("no secret is loaded"), "{told}");
    });
    card = Arc::try_unwrap(card_without_key)
        .ok()
        .and_then(|card| card.into_inner().ok())
        .expect("nobody else has it");
    card.load_key(&geometry.clone().into(), 7 << 100 | 9)
        .expect("it runs");
    let card = Arc::new(Mutex::new(card));
    at_a_port_of(&card, |port| {
        let told = refused(port, "");
        assert!(told.contains("?key=FILE"), "{told}");
        let url = format!("etherbone:127.0.0.1:{port}?key={right}");
        let mut link = open(&url, WITHIN).expect("the key is right");
        conformance::check(&mut link, &geometry, WITHIN).expect("the suite holds");
        let threshold = link.read(address::THRESHOLD, WITHIN).expect("it answers");
        // With another key, without one, and plainly, nothing is written.
        let url = format!("etherbone:127.0.0.1:{port}?key={wrong}");
        let mut other = open(&url, WITHIN).expect("it answers");
        let late = Duration::from_millis(300);
        assert!(other.write(address::THRESHOLD, 99, late).is_err());
        let told = other.read(address::THRESHOLD, Duration::from_secs(2)).err();
        let told = told.expect("nothing is read").to_string();
        assert!(told.contains("under this secret"), "{told}");
        let url = format!("etherbone:127.0.0.1:{port}?check=none");
        let mut plain = open(&url, WITHIN).expect("it opens");
        let _ = plain.write(address::THRESHOLD, 98, late);
        let url = format!("etherbone:127.0.0.1:{port}?check=mailbox");
        let mut untagged = open(&url, WITHIN).expect("it opens");
        assert!(untagged.write(address::THRESHOLD, 97, late).is_err());
        let read = link.read(address::THRESHOLD, WITHIN).expect("it answers");
        assert_eq!(read, threshold);
        // What was recorded is worth nothing afterwards.
        let count = record(&mut card.lock().expect("no panic")).count;
        let request = Request {
            tag: 77,
            write: true,
            address: address::THRESHOLD,
            data: 50,
            expect: count,
        };
        let packet = Packet {
            writes: Some((REQUEST, request.encode_with_tag(7 << 100 | 9).to_vec())),
            ..Packet::default()
        };
        for data in [50, 60] {
            let mut card = card.lock().expect("no panic");
            card.answer(&packet.encode(), Instant::now());
            drop(card);
            let read = link.read(address::THRESHOLD, WITHIN).expect("it answers");
            assert_eq!(read, data);
            link.write(address::THRESHOLD, 60, WITHIN)
                .expect("it answers");
        }
    });
}

/// Tells the serving thread to end, also when the test fails.
struct EndServing<'a>(&'a AtomicBool);

impl Drop for EndServing<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `test` with a UDP port at which the card answers.
fn at_a_port(test: impl FnOnce(u16)) {
    at_a_port_of(&Arc::new(Mutex::new(served())), test);
}

fn at_a_port_of(card: &Arc<Mutex<ServedLineCard>>, test: impl FnOnce(u16)) {
    let mut responder = Arc::clone(card);
    let mut line = UdpServer::bind("127.0.0.1:0").expect("a free port");
    let port = line.address().expect("it is bound").port();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let serving = scope.spawn(|| serve(&mut line, &mut responder, &stop));
        let ends = EndServing(&stop);
        test(port);
        drop(ends);
        let served = serving.join().expect("the server does not panic");
        served.expect("the port stays open");
    });
}

#[test]
fn the_drivers_transport_passes_its_conformance_suite() {
    let geometry = geometry();
    at_a_port(|port| {
        let url = format!("etherbone:127.0.0.1:{port}?check=mailbox");
        let mut first = open(&url, WITHIN).expect("it answers");
        conformance::check(&mut first, &geometry, WITHIN).expect("the suite holds");
        let mut second = open(&url, WITHIN).expect("it answers");
        conformance::check_two_clients(
            &mut first,
            &mut second,
            &geometry,
            WITHIN,
            runs(5, 20) as u32,
        )
        .expect("the suite holds");
        let plain = format!("etherbone:127.0.0.1:{port}?check=none");
        let mut plain = open(&plain, WITHIN).expect("it answers");
        plain
            .write(address::THRESHOLD, VALUE, WITHIN)
            .expect("it answers");
        let read = plain.read(address::THRESHOLD, WITHIN).expect("it answers");
        assert_eq!(read, VALUE);
        let device = Device::identify(first, &geometry, Limits::default()).expect("it is ours");
        assert_eq!(device.bits_active().expect("it answers"), 0);
    });
}

/// Three of ten datagrams are lost, late or doubled.
const RATES: FaultRates = FaultRates {
    drop: 80_000,
    flip: 0,
    delay: 100_000,
    duplicate: 100_000,
    longest_delay: Duration::from_millis(500),
};
/// Of so many frames one comes damaged to the card, which its FCS shows.
const DAMAGE: u64 = 13;
const ACCESSES: u32 = 1000;

#[test]
#[ignore = "a claim"]
fn each_access_is_made_once_where_datagrams_are_lost_doubled_late_and_damaged() {
    let medium = Medium::Datagrams {
        latency: Duration::from_micros(100),
    };
    for seed in 0..soak() {
        let faults = Faults::new(seed, RATES);
        let counts = faults.counts();
        let mut card = Damaging {
            card: served(),
            counts: [0; 2],
        };
        let before = record(&mut card.card).count;
        let line = Simulated::new(card, medium, faults);
        let mut link = Etherbone::new(EtherboneCarrier::new(line), 0, Checking::Mailbox);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let within = Duration::from_secs(600);
        let mut value = geometry().threshold() as u32;
        for i in 0..ACCESSES {
            if rng.random() {
                value = rng.random_range(8..200);
                link.write(address::THRESHOLD, value, within)
                    .unwrap_or_else(|error| panic!("seed {seed}, access {i}: {error}"));
            } else {
                let read = link
                    .read(address::THRESHOLD, within)
                    .unwrap_or_else(|error| panic!("seed {seed}, access {i}: {error}"));
                assert_eq!(read, value, "seed {seed}, access {i}");
            }
        }
        let harm = counts.each();
        let card = link.carrier_mut().line_mut().responder_mut();
        let [lost, _, late, doubled] = harm;
        let all = [lost, late, doubled, card.counts[1]];
        println!("seed {seed}: lost, late, doubled, damaged: {all:?}");
        assert!(all.iter().all(|&count| count > 50), "{all:?}");
        assert_eq!(
            record(&mut card.card).count - before,
            ACCESSES,
            "seed {seed}"
        );
    }
}

/// What the card's mailbox says of the last access.
fn record(card: &mut ServedLineCard) -> Record {
    let addresses = (0..RECORD_WORDS as u32).map(|i| RECORD + 4 * i).collect();
    let packet = Packet {
        reads: Some((9, addresses)),
        ..Packet::default()
    };
    let answer = card.answer(&packet.encode(), Instant::now());
    let (_, words) = Packet::decode(&answer)
        .and_then(|packet| packet.writes)
        .expect("it answers reads");
    Record::decode(&words.try_into().expect("five words")).expect("it is a record")
}

/// The frame that comes back for a frame, or for what stands on a line.
fn exchange(card: &mut ServedLineCard, line: &LineFrame) -> Option<Vec<u8>> {
    card.exchange(line, ANSWERED_WITHIN).expect("it runs")
}

#[test]
fn arp_and_ping_are_answered_at_the_pins_as_another_parser_reads_them() {
    let mut card = served();
    let own = card.host().address;
    let answer = exchange(&mut card, &LineFrame::good(&PEER.arp(&own, [0xFF; 6])));
    let answer = answer.expect("ARP is answered");
    assert_eq!(answer.len(), 60);
    let packet = SlicedPacket::from_ethernet(&answer).expect("a frame");
    let Some(NetSlice::Arp(arp)) = &packet.net else {
        panic!("{packet:?}")
    };
    assert_eq!(answer[..12], *[PEER.mac, own.mac].as_flattened());
    assert_eq!(arp.operation(), etherparse::ArpOperation::REPLY);
    assert_eq!(
        [arp.sender_hw_addr(), arp.sender_protocol_addr()],
        [&own.mac[..], &own.ip]
    );
    assert_eq!(
        [arp.target_hw_addr(), arp.target_protocol_addr()],
        [&PEER.mac[..], &PEER.ip]
    );
    let data: Vec<u8> = (0..55).collect();
    let ping = PEER.echo(&own, 77, &data);
    let answer = exchange(&mut card, &LineFrame::good(&ping)).expect("ping is answered");
    let packet = SlicedPacket::from_ethernet(&answer).expect("a frame");
    let Some(TransportSlice::Icmpv4(icmp)) = &packet.transport else {
        panic!("{packet:?}")
    };
    let check = icmp.icmp_type().calc_checksum(icmp.payload());
    assert_eq!(check, icmp.checksum(), "{packet:?}");
    assert_eq!(icmp.payload(), data);
    assert_eq!(icmp.type_u8(), 0);
    // to another address nothing is said
    let other = HostAddress {
        ip: [10, 0, 0, 3],
        ..own
    };
    for frame in [PEER.arp(&other, [0xFF; 6]), PEER.echo(&other, 77, &data)] {
        assert_eq!(exchange(&mut card, &LineFrame::good(&frame)), None);
    }
    // nor to a frame of which one bit behind the preamble is wrong, the FCS as it was
    let whole = LineFrame::good(&ping);
    for place in [PREAMBLE, 20, 50, whole.line.len() - 1] {
        let mut damaged = whole.clone();
        damaged.line[place].data ^= 8;
        assert_eq!(exchange(&mut card, &damaged), None, "byte {place}");
    }
    assert!(exchange(&mut card, &whole).is_some());
}

#[test]
#[ignore = "a claim"]
fn litex_over_udp_reaches_the_registers() {
    let Some(python) = litex::python() else {
        return;
    };
    at_a_port(|port| {
        let (register, value) = (address::THRESHOLD.to_string(), VALUE.to_string());
        let printed = litex::run(
            Command::new(python)
                .arg(litex::script("udp_host.py"))
                .args([&port.to_string(), &register, &value]),
        );
        let read = litex::numbers(&printed.expect("the host ends well"));
        let hash = geometry().geometry_hash();
        let identification = [
            MAGIC,
            MAP_VERSION,
            hash as u32,
            (hash >> 32) as u32,
            address::FILTER,
        ];
        assert_eq!(read[..3], [1, MAGIC, VALUE]);
        assert_eq!(read[3..], identification);
    });
}
