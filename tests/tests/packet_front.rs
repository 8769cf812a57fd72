//! The front end of a packet path, clock by clock: each beat comes out the promised clocks after it went in, and with a frame's last beat its class, key
//! and header, by the model's parse; with gaps between beats or none, and resets in the middle of frames.
//!
//! `BLOOMLINE_SOAK=50` runs 50 times the clocks.

use bloomline_bench::path::{FrameMaker, FrameMix, OfferedFrame};
use bloomline_hdl::packet::{parser_clocks, Beat, Front, KeyLayout};
use bloomline_model::{frame_digest, parse_opening};
use bloomline_spec::{
    Common, FilterSpec, FrameClass, Key, KeySource, PacketFields, TUNNEL_DATA_BITS,
};
use bloomline_tests::{runs, soak, NamedPins};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::VecDeque;
use std::path::Path;

/// Register MAX_FRAME.
const MAX_FRAME: usize = 400;

fn common(data_bits: u32, source: &str, more: &str) -> Common {
    let text = format!(
        "name = \"sample\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 4096\nhashes = 2\nhashing = \"double\"\n\
         [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 100\n[key]\nsource = \"{source}\"\n\
         [card]\n[packet]\ntrusted_keys = true\ndata_bits = {data_bits}\n{more}\n"
    );
    let geometry = FilterSpec::from_toml(&text, Path::new("sample.toml"))
        .and_then(|spec| spec.validate())
        .and_then(|sizing| sizing.with_threshold(100))
        .unwrap_or_else(|error| panic!("{error}"));
    Common::clone(&geometry)
}

/// What the front end says of a frame with its last beat.
#[derive(Debug, PartialEq)]
struct Said {
    class: u64,
    keyed: bool,
    bytes: u64,
    /// Version 6, word that the header begins with, and of IPv4 what a mark adds its DSCP to.
    header: Option<(bool, u64, u64)>,
    key: Option<Key>,
}

fn expected(frame: &OfferedFrame, common: &Common) -> Said {
    let (format, bytes) = (common.key_format(), &frame.bytes);
    let source = format.packet_source();
    let tunnels = common.packet().expect("has a path").tunnels();
    let parsed = parse_opening(bytes, tunnels);
    let class = if frame.bad {
        Some(FrameClass::Bad)
    } else if bytes.len() > MAX_FRAME {
        Some(FrameClass::Oversize)
    } else {
        parsed.class(source)
    };
    let mask = common.packet().expect("has a path").mask_hops();
    let fields = PacketFields {
        frame_digest: (source == KeySource::FrameDigest)
            .then(|| frame_digest(bytes, &parsed, mask)),
        ..parsed.fields()
    };
    let key = match class {
        Some(_) => None,
        None => format.of_packet(&fields).expect("is as wide as the key"),
    };
    let header = parsed.header.map(|header| {
        let half = |at: usize| u32::from(bytes[at]) << 8 | u32::from(bytes[at + 1]);
        let q = header.offset;
        let sum = (!half(q + 10) & 0xFFFF) + (!(half(q) & 0xFC) & 0xFFFF);
        let adjust = if header.version == 4 {
            (sum & 0xFFFF) + (sum >> 16)
        } else {
            0
        };
        let place = (q as u64 - 2) / 4;
        (header.version == 6, place, u64::from(adjust & 0xFFFF))
    });
    Said {
        class: class.map_or(0, |class| class as u64),
        keyed: class.is_none(),
        bytes: bytes.len() as u64,
        header,
        key,
    }
}

fn said(front: &NamedPins, key_bits: u32) -> Said {
    let six = front.is_high("six");
    let adjust = if six { 0 } else { front.get("adjust") };
    Said {
        class: front.get("class_"),
        keyed: front.is_high("keyed"),
        bytes: front.get("bytes"),
        header: front
            .is_high("is_ip")
            .then(|| (six, front.get("ip_place"), adjust)),
        key: front
            .is_high("keyed")
            .then(|| Key::from_words(front.words("key"), key_bits).expect("no bit above the key")),
    }
}

/// A beat that went in: the bytes, and with the last of a frame what is said of that.
type Sent = (Vec<u8>, Option<Said>);

/// Each clock as the model says; how many frames of each class came to their end.
fn every_clock(
    data_bits: u32,
    source: &str,
    more: &str,
    clocks: u64,
    seed: u64,
) -> [u64; FrameClass::COUNT] {
    let common = common(data_bits, source, more);
    let packet = common.packet().expect("has a path");
    let layout = KeyLayout::of(common.key_format().packet_source());
    let front = Front::new(
        Beat::of(&packet),
        &layout,
        source == "frame-digest",
        packet.mask_hops(),
        packet.tunnels(),
    );
    let mut front = NamedPins::of_block(front, "front");
    front.set("max_frame", MAX_FRAME as u64);
    // the stream's own register stands in front of it
    let latency = parser_clocks(&common).expect("has a path") as usize - 1;
    let bytes = packet.beat_bytes() as usize;
    let mut rng = SmallRng::seed_from_u64(seed);
    let mix = FrameMix {
        flows: 20,
        plain: 0.2,
        tunnelled: if packet.tunnels().is_empty() {
            0.0
        } else {
            0.8
        },
        damaged: 0.4,
        bad: 0.05,
        tiny: 0.05,
        longest: 500,
        long: 0.25,
        numbered: false,
    };
    let mut maker = FrameMaker::new(mix, seed);
    let mut under_way: VecDeque<Option<Sent>> = (0..latency).map(|_| None).collect();
    let (mut frame, mut at) = (maker.make(), 0);
    let mut classes = [0; FrameClass::COUNT];
    let mut gaps = 0.0;
    for clock in 0..clocks * soak() {
        if clock % 500 == 0 {
            gaps = [0.0, 0.1, 0.7][rng.random_range(0..3)];
        }
        let reset = clock < 2 || rng.random_bool(0.003);
        let sends = !rng.random_bool(gaps);
        let end = (at + bytes).min(frame.bytes.len());
        let last = end == frame.bytes.len();
        let beat = &frame.bytes[at..end];
        let mut words = [0; 1];
        for (i, byte) in beat.iter().enumerate() {
            words[0] |= u64::from(*byte) << (8 * i);
        }
        front.set("reset", reset);
        front.set("valid", sends);
        front.set("last", last);
        front.set("bad", last && frame.bad);
        front.set("most", beat.len() as u64 - 1);
        front.set_words("data", &words);
        front.clock();

        let place = || format!("{data_bits} {source}, seed {seed}, clock {clock}");
        let due = under_way.pop_front().expect("as many as clocks of latency");
        assert_eq!(front.is_high("valid_out"), due.is_some(), "{}", place());
        // the proofs of the buffer rest on this
        let last_is_a_beat = front.is_high("valid_out") || !front.is_high("last_out");
        assert!(last_is_a_beat, "{}", place());
        if let Some((beat, ended)) = due {
            assert_eq!(front.is_high("last_out"), ended.is_some(), "{}", place());
            assert_eq!(
                front.get("most_out") as usize,
                beat.len() - 1,
                "{}",
                place()
            );
            let out = front.words("data_out")[0].to_le_bytes();
            assert_eq!(out[..beat.len()], beat, "{}", place());
            if let Some(ended) = ended {
                assert_eq!(said(&front, common.key_bits()), ended, "{}", place());
                classes[ended.class as usize] += 1;
            }
        }
        let sent = (sends && !reset).then(|| {
            let ended = last.then(|| expected(&frame, &common));
            (beat.to_vec(), ended)
        });
        if reset {
            under_way.iter_mut().for_each(|beat| *beat = None);
            at = 0;
        } else if sends {
            at = end;
        }
        under_way.push_back(sent);
        if reset || (sends && last) {
            (frame, at) = (maker.make(), 0);
        }
    }
    println!("{data_bits} {source} {more}: classes {classes:?}");
    classes
}

#[test]
fn class_key_and_header_of_a_frame_come_with_its_last_beat_and_no_clock_differs() {
    let sources = [
        "ipv4-5tuple",
        "ipv6-5tuple",
        "src-ip",
        "dst-ip",
        "src-ip6",
        "dst-ip6",
    ];
    for (i, source) in sources.iter().enumerate() {
        let classes = every_clock(64, source, "", 12_000, 40 + i as u64);
        for &class in FrameClass::ALL {
            let count = classes[class as usize];
            assert_eq!(count == 0, class == FrameClass::Seen, "{source}, {class}");
        }
    }
    every_clock(8, "ipv4-5tuple", "", 20_000, 50);
    for mask in [true, false] {
        let more = format!("mask_hops = {mask}");
        every_clock(64, "frame-digest", &more, 12_000, 51);
        every_clock(8, "frame-digest", &more, 10_000, 52);
    }
}

/// Sets of tunnels that are opened, and keys for them.
const OPENED: [(&str, &str); 7] = [
    (
        "ipv4-5tuple",
        r#"tunnels = ["vxlan", "gre", "ip-in-ip", "gtp-u"]"#,
    ),
    (
        "ipv6-5tuple",
        r#"tunnels = ["gtp-u", "ip-in-ip", "gre", "vxlan"]"#,
    ),
    ("src-ip", r#"tunnels = ["vxlan"]"#),
    ("dst-ip", r#"tunnels = ["gre"]"#),
    ("src-ip6", r#"tunnels = ["ip-in-ip"]"#),
    ("dst-ip6", r#"tunnels = ["gtp-u"]"#),
    ("ipv4-5tuple", r#"tunnels = ["vxlan", "gtp-u"]"#),
];

#[test]
fn class_and_key_of_what_tunnels_hold_come_with_the_last_beat_and_no_clock_differs() {
    for data_bits in TUNNEL_DATA_BITS {
        for (i, (source, tunnels)) in OPENED.iter().enumerate() {
            let clocks = if data_bits == 8 { 25_000 } else { 12_000 };
            let clocks = runs(clocks / 2, clocks);
            every_clock(data_bits, source, tunnels, clocks, 60 + i as u64);
        }
    }
}

#[test]
fn the_parser_takes_the_clocks_that_the_contract_says() {
    for (source, clocks) in [("ipv4-5tuple", [8, 11, 36]), ("frame-digest", [8, 13, 41])] {
        for (data_bits, clocks) in [8, 64, 512].into_iter().zip(clocks) {
            let common = common(data_bits, source, "");
            assert_eq!(parser_clocks(&common), Some(clocks), "{data_bits} {source}");
        }
    }
    for (data_bits, clocks) in TUNNEL_DATA_BITS.into_iter().zip([13, 24]) {
        let common = common(data_bits, "ipv4-5tuple", OPENED[0].1);
        assert_eq!(parser_clocks(&common), Some(clocks), "{data_bits}, tunnels");
    }
}
