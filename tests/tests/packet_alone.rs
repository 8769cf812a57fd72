//! The packet path by itself, clock by clock in the built-in simulator, around a filter that remembers every key and answers at a known
//! clock: frames in, items and verdicts, frames out, at every width and for every key, by the model's parse, digest and mark.
//!
//! `BLOOMLINE_SOAK=50` sends 50 times the frames.

use bloomline_bench::path::{FrameMaker, FrameMix, OfferedFrame};
use bloomline_hdl::packet::{parser_clocks, PacketPath, PATH_CLOCKS};
use bloomline_model::{frame_digest, parse, parse_opening, JudgedFrame};
use bloomline_spec::{
    Common, FilterSpec, FrameClass, Key, KeySource, PacketFields, RecyclingGeometry, RegisterMap,
    TUNNEL_DATA_BITS,
};
use bloomline_tests::{few, soak, NamedPins};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use std::collections::{HashSet, VecDeque};
use std::path::Path;

/// A small filter's path with these beats and this key, and a policy of its own for each class.
fn geometry(data_bits: u32, source: &str, more: &str) -> RecyclingGeometry {
    let more = format!("buffer_bytes = 4096\nmax_frame_bytes = 400\n{more}");
    geometry_of(data_bits, source, &more)
}

/// The same with buffer and longest frame as `more` says.
fn geometry_of(data_bits: u32, source: &str, more: &str) -> RecyclingGeometry {
    let text = format!(
        "name = \"sample\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 4096\nhashes = 2\nhashing = \"double\"\n\
         [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 100\n[key]\nsource = \"{source}\"\n\
         [card]\n[packet]\ntrusted_keys = true\ndata_bits = {data_bits}\n{more}\n\
         [packet.policy]\nunseen = \"mark:8\"\nother = \"mark:1\"\ntruncated = \"mark:63\"\nmalformed = \"pass\"\ntoo-deep = \"pass\"\nbad = \"mark:5\"\noversize = \"mark:7\"\n"
    );
    FilterSpec::from_toml(&text, Path::new("sample.toml"))
        .and_then(|spec| spec.validate())
        .and_then(|sizing| sizing.with_threshold(100))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// What a frame is, with the item that it sends, where the filter has seen the keys of `seen` and remembers this one.
fn judge(frame: &OfferedFrame, common: &Common, seen: &mut HashSet<Key>) -> JudgedFrame {
    let (packet, format) = (common.packet().expect("has one"), common.key_format());
    let (bytes, source) = (&frame.bytes, format.packet_source());
    let parsed = parse_opening(bytes, packet.tunnels());
    let by_itself = if frame.bad {
        Some(FrameClass::Bad)
    } else if bytes.len() > packet.max_frame_bytes() as usize {
        Some(FrameClass::Oversize)
    } else {
        parsed.class(source)
    };
    let digest = source == KeySource::FrameDigest;
    let fields = PacketFields {
        frame_digest: digest.then(|| frame_digest(bytes, &parsed, packet.mask_hops())),
        ..parsed.fields()
    };
    let key = match by_itself {
        Some(_) => None,
        None => format.of_packet(&fields).expect("is as wide as the key"),
    };
    let class = by_itself.unwrap_or_else(|| match seen.insert(key.expect("has one")) {
        true => FrameClass::Unseen,
        false => FrameClass::Seen,
    });
    JudgedFrame {
        class,
        key,
        header: parsed.header,
    }
}

/// A frame that came a hop further on: the bytes that this changes are others, checksums at the ends of their range among them.
fn a_hop_further(frame: &[u8], rng: &mut SmallRng) -> OfferedFrame {
    let mut bytes = frame.to_vec();
    if let Some(hops) = parse(frame).hops {
        bytes[hops.count] = rng.random();
        let checksum: u16 = [rng.random(), 0, u16::MAX][rng.random_range(0..3)];
        let place = &mut bytes[hops.checksum];
        place.copy_from_slice(&checksum.to_be_bytes()[..place.len()]);
    }
    OfferedFrame::good(bytes)
}

/// The bytes of a beat as words of 64 bits, the first byte lowest.
fn words(beat: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| {
        bytes
            .iter()
            .rev()
            .fold(0, |word, byte| word << 8 | u64::from(*byte))
    };
    beat.chunks(8).map(word).collect()
}

/// Clocks from an item to its verdict, of the filter that stands behind the path here.
const FILTER_CLOCKS: u64 = 9;

struct Bench {
    path: NamedPins,
    bytes: usize,
    items: VecDeque<(Key, u64)>,
    keys: Vec<Key>,
    seen: HashSet<Key>,
    partial: Vec<u8>,
    out: Vec<Vec<u8>>,
    began: Vec<u64>,
    key_bits: u32,
}

impl Bench {
    fn new(common: &Common, map: &RegisterMap) -> Self {
        let packet = common.packet().expect("has one");
        let block = map.block("packet_path").expect("has one");
        let path = PacketPath::new(common, &packet, block);
        Bench {
            path: NamedPins::of_block(path, "packet_path"),
            bytes: packet.beat_bytes() as usize,
            items: VecDeque::new(),
            keys: Vec::new(),
            seen: HashSet::new(),
            partial: Vec::new(),
            out: Vec::new(),
            began: Vec::new(),
            key_bits: common.key_bits(),
        }
    }

    /// A clock, with this beat offered; the filter takes `FILTER_CLOCKS`, and items as it is told.
    fn clock(&mut self, beat: Option<(&[u8], bool, bool)>, out_ready: bool, item_ready: bool) {
        let (bytes, path) = (self.bytes, &mut self.path);
        let now = path.cycles();
        let due = self.items.front().filter(|item| item.1 <= now).copied();
        path.set("s_frame_tvalid", beat.is_some());
        if let Some((data, last, bad)) = beat {
            path.set_words("s_frame_tdata", &words(data));
            path.set("s_frame_tkeep", u64::MAX >> (64 - data.len()));
            path.set("s_frame_tlast", last);
            path.set("s_frame_tuser", bad);
        }
        path.set("m_frame_tready", out_ready);
        path.set("item_tready", item_ready);
        path.set("verdict_tvalid", due.is_some());
        let seen = due.is_some_and(|(key, _)| self.seen.contains(&key));
        path.set("verdict_seen", seen);
        path.clock();
        assert!(path.is_high("s_frame_tready"));
        if path.is_high("item_tvalid") && item_ready {
            let key = Key::from_words(path.words("item_tdata"), self.key_bits);
            let key = key.expect("no bit above the key");
            self.items.push_back((key, now + FILTER_CLOCKS));
            self.keys.push(key);
        }
        if due.is_some() && path.is_high("verdict_tready") {
            let (key, _) = self.items.pop_front().expect("is due");
            self.seen.insert(key);
        }
        if path.is_high("m_frame_tvalid") {
            if self.partial.is_empty() && self.began.len() == self.out.len() {
                self.began.push(now);
            }
            if out_ready {
                let count = path.get("m_frame_tkeep").count_ones() as usize;
                let beat = path.words("m_frame_tdata");
                let all: Vec<u8> = beat.iter().flat_map(|w| w.to_le_bytes()).collect();
                assert!(all[count..].iter().all(|&x| x == 0), "bytes beyond tkeep");
                let last = path.is_high("m_frame_tlast");
                assert!(last || count == bytes);
                self.partial.extend(&all[..count]);
                let length = path.get("m_frame_tuser") as usize;
                if last {
                    let bytes = self.partial.len() % (1 << 16);
                    assert_eq!(bytes, length, "m_frame_tuser");
                    self.out.push(std::mem::take(&mut self.partial));
                }
            }
        } else {
            assert!(
                self.partial.is_empty(),
                "a frame that has begun leaves without a gap"
            );
        }
    }

    fn send(&mut self, frame: &[u8], bad: bool, rng: &mut SmallRng, gaps: f64, stalls: f64) {
        let beats: Vec<&[u8]> = frame.chunks(self.bytes).collect();
        for (i, beat) in beats.iter().enumerate() {
            while rng.random_bool(gaps) {
                self.clock(None, !rng.random_bool(stalls), !rng.random_bool(stalls));
            }
            let last = i + 1 == beats.len();
            self.clock(
                Some((beat, last, last && bad)),
                !rng.random_bool(stalls),
                !rng.random_bool(stalls),
            );
        }
    }
}

/// Frames of every kind go through as the model says; how many of each class there were.
fn frames_go_as_the_model_says(
    data_bits: u32,
    source: &str,
    more: &str,
    frames: usize,
    seed: u64,
) -> [u64; FrameClass::COUNT] {
    let geometry = geometry(data_bits, source, more);
    let map = RegisterMap::of(&geometry);
    let packet = geometry.packet().expect("has one");
    let frames = frames * soak() as usize;
    let mut rng = SmallRng::seed_from_u64(seed);
    let mix = FrameMix {
        flows: 20,
        plain: 0.4,
        tunnelled: if packet.tunnels().is_empty() {
            0.0
        } else {
            0.8
        },
        damaged: 0.4,
        bad: 0.05,
        tiny: 0.05,
        longest: 700,
        long: 0.25,
        numbered: false,
    };
    let mut maker = FrameMaker::new(mix, seed);
    let mut bench = Bench::new(&geometry, &map);
    let (mut came, mut seen) = (Vec::<(OfferedFrame, JudgedFrame)>::new(), HashSet::new());
    let mut classes = [0; FrameClass::COUNT];
    for n in 0..frames {
        let frame = match came.last() {
            Some((last, _)) if rng.random_bool(0.2) => a_hop_further(&last.bytes, &mut rng),
            _ => maker.make(),
        };
        let judged = judge(&frame, &geometry, &mut seen);
        classes[judged.class as usize] += 1;
        let gaps = [0.0, 0.3][n / 16 % 2];
        bench.send(&frame.bytes, frame.bad, &mut rng, gaps, 0.1);
        for _ in 0..3 * frame.bytes.len() / bench.bytes / 8 {
            bench.clock(None, true, true);
        }
        came.push((frame, judged));
    }
    for _ in 0..2000 {
        bench.clock(None, true, true);
    }
    println!("{data_bits} {source} {more}: classes {classes:?}");
    let keys: Vec<Key> = came.iter().filter_map(|(_, judged)| judged.key).collect();
    for (i, (got, want)) in bench.keys.iter().zip(&keys).enumerate() {
        assert_eq!(got, want, "seed {seed}, key {i}");
    }
    for (i, (got, (frame, judged))) in bench.out.iter().zip(&came).enumerate() {
        let want = judged.by(packet.policy(judged.class), &frame.bytes);
        let want = want.expect("no policy drops");
        let place = got.iter().zip(&want).position(|(a, b)| a != b);
        assert!(
            *got == want,
            "seed {seed}, frame {i}: {} bytes came of {}, first difference at {place:?}: {judged:?}\n{frame:02x?}",
            got.len(),
            want.len()
        );
    }
    assert_eq!(
        (bench.keys.len(), bench.out.len()),
        (keys.len(), came.len()),
        "seed {seed}"
    );
    classes
}

/// The sum over several runs; every class but those of `absent` occurs.
fn every_class_occurs(runs: &[[u64; FrameClass::COUNT]], absent: &[FrameClass]) {
    for &class in FrameClass::ALL {
        let count: u64 = runs.iter().map(|classes| classes[class as usize]).sum();
        assert_eq!(count == 0, absent.contains(&class), "{class}: {count}");
    }
}

#[test]
fn a_byte_a_clock_goes_as_the_model_says() {
    frames_go_as_the_model_says(8, "ipv4-5tuple", "", 30, 1);
    frames_go_as_the_model_says(8, "dst-ip6", "", 15, 2);
}

#[test]
fn eight_bytes_a_clock_go_as_the_model_says() {
    let sources = [
        "ipv4-5tuple",
        "ipv6-5tuple",
        "src-ip",
        "dst-ip",
        "src-ip6",
        "dst-ip6",
    ];
    let mut seed = 10;
    let runs = sources.map(|source| {
        seed += 1;
        frames_go_as_the_model_says(64, source, "", 40, seed)
    });
    every_class_occurs(&runs, &[]);
}

#[test]
fn sixty_four_bytes_a_clock_go_as_the_model_says() {
    let runs = [("ipv4-5tuple", 20), ("ipv6-5tuple", 21)]
        .map(|(source, seed)| frames_go_as_the_model_says(512, source, "", 200, seed));
    every_class_occurs(&runs, &[]);
}

#[test]
fn packets_in_tunnels_go_as_the_model_says() {
    let tunnels = r#"tunnels = ["vxlan", "gre", "ip-in-ip", "gtp-u"]"#;
    for data_bits in TUNNEL_DATA_BITS {
        let frames = if data_bits == 8 { 60 } else { 100 };
        let runs = [("ipv4-5tuple", 40), ("src-ip6", 41)].map(|(source, seed)| {
            frames_go_as_the_model_says(data_bits, source, tunnels, frames, seed)
        });
        every_class_occurs(&runs, &[]);
    }
}

#[test]
fn digests_are_those_of_the_frames_without_what_changes_from_hop_to_hop() {
    use FrameClass::{Malformed, Other, TooDeep, Truncated};
    for mask in few(&[true, false], 1) {
        let more = format!("mask_hops = {mask}");
        let runs = [(8, 12), (64, 40), (512, 40)].map(|(data_bits, frames)| {
            frames_go_as_the_model_says(data_bits, "frame-digest", &more, frames, 30)
        });
        every_class_occurs(&runs, &[Other, Truncated, Malformed, TooDeep]);
    }
}

#[test]
fn a_frame_leaves_when_its_verdict_is_here_and_the_path_has_had_its_clocks() {
    for (data_bits, source, more) in [
        (8, "ipv4-5tuple"),
        (64, "ipv4-5tuple"),
        (512, "ipv4-5tuple"),
        (8, "frame-digest"),
        (64, "frame-digest"),
        (512, "frame-digest"),
    ]
    .map(|(data_bits, source)| (data_bits, source, ""))
    .into_iter()
    .chain(TUNNEL_DATA_BITS.map(|data_bits| (data_bits, "ipv4-5tuple", "tunnels = [\"gre\"]")))
    {
        let geometry = geometry(data_bits, source, more);
        let mut bench = Bench::new(&geometry, &RegisterMap::of(&geometry));
        let mut rng = SmallRng::seed_from_u64(1);
        let mut frame = vec![0; 12];
        frame.extend([8, 0, 0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0]);
        frame.resize(90, 1);
        bench.send(&frame, false, &mut rng, 0.0, 0.0);
        let last = bench.path.cycles() - 1;
        for _ in 0..100 {
            bench.clock(None, true, true);
        }
        let parser = u64::from(parser_clocks(&geometry).expect("has a path"));
        let expected = last + u64::from(PATH_CLOCKS) + parser + FILTER_CLOCKS;
        assert_eq!(
            bench.began,
            [expected],
            "{data_bits} {source}, last byte in clock {last}"
        );
    }
}

/// A good IPv4 frame of 60 bytes with this source address.
fn numbered(n: u8) -> Vec<u8> {
    let mut frame = vec![0; 12];
    frame.extend([8, 0, 0x45, 0, 0, 46, 0, 0, 0, 0, 64, 17, 0, 0, n, 0, 0, 0]);
    frame.resize(60, n);
    frame
}

#[test]
fn no_frame_of_minimum_size_is_lost_behind_a_jumbo_frame() {
    for (data_bits, longest, jumbo) in [(64, 9018, 9014), (512, 9018, 9014)] {
        let more = format!("max_frame_bytes = {longest}\nbuffer_bytes = 16384");
        let geometry = geometry_of(data_bits, "ipv4-5tuple", &more);
        let mut bench = Bench::new(&geometry, &RegisterMap::of(&geometry));
        let mut rng = SmallRng::seed_from_u64(1);
        bench.send(&vec![7; jumbo], false, &mut rng, 0.0, 0.0);
        for n in 0..250 {
            bench.send(&numbered(n), false, &mut rng, 0.0, 0.0);
        }
        for _ in 0..2500 {
            bench.clock(None, true, true);
        }
        assert_eq!(bench.out.len(), 251, "{data_bits}");
    }
}

#[test]
fn a_frame_of_more_than_65_535_bytes_is_oversize_and_tells_the_lowest_bits_of_its_length() {
    let more = "max_frame_bytes = 65535\nbuffer_bytes = 131072";
    let geometry = geometry_of(512, "ipv4-5tuple", more);
    let mut bench = Bench::new(&geometry, &RegisterMap::of(&geometry));
    let mut rng = SmallRng::seed_from_u64(1);
    let lengths = [65_535, 65_536, 65_600, 131_072];
    for length in lengths {
        let mut frame = numbered(0);
        frame.resize(length, 0);
        bench.send(&frame, false, &mut rng, 0.0, 0.0);
        for _ in 0..2200 {
            bench.clock(None, true, true);
        }
    }
    let came: Vec<usize> = bench.out.iter().map(Vec::len).collect();
    assert_eq!(came, lengths);
    // 8 marks the unseen one, 7 oversize ones
    let marks: Vec<u8> = bench.out.iter().map(|frame| frame[15] >> 2).collect();
    assert_eq!(marks, [8, 7, 7, 7]);
}

#[test]
fn frames_without_a_place_for_their_keys_are_lost_whole_and_the_others_stay() {
    for data_bits in [8, 64, 512] {
        let geometry = geometry(data_bits, "ipv4-5tuple", "");
        let mut bench = Bench::new(&geometry, &RegisterMap::of(&geometry));
        let mut rng = SmallRng::seed_from_u64(1);
        for n in 0..40 {
            let frame = numbered(n);
            for (i, beat) in frame.chunks(bench.bytes).enumerate() {
                let last = (i + 1) * bench.bytes >= frame.len();
                bench.clock(Some((beat, last, false)), true, false);
            }
        }
        // the last frame's end is known before the filter takes anything again
        for _ in 0..64 {
            bench.clock(None, true, false);
        }
        for _ in 0..3000 {
            bench.clock(None, true, true);
        }
        // 32 in the key queue, one offered to the filter
        let came: Vec<u8> = bench.out.iter().map(|frame| frame[30]).collect();
        assert_eq!(came, (0..33).collect::<Vec<u8>>(), "{data_bits}");
        assert!(bench.out.iter().all(|frame| frame.len() == 60));
        bench.send(&numbered(99), false, &mut rng, 0.0, 0.0);
        for _ in 0..200 {
            bench.clock(None, true, true);
        }
        assert_eq!(bench.out.len(), 34);
    }
}

#[test]
fn a_frame_longer_than_the_buffer_and_one_that_a_reset_cuts_are_lost_and_the_next_one_is_not() {
    for data_bits in [8, 64, 512] {
        let geometry = geometry(data_bits, "ipv4-5tuple", "");
        let mut bench = Bench::new(&geometry, &RegisterMap::of(&geometry));
        let mut rng = SmallRng::seed_from_u64(1);
        bench.send(&[7; 5000], false, &mut rng, 0.0, 0.0);
        bench.send(&numbered(1), false, &mut rng, 0.0, 0.0);
        let frame = vec![9; 3 * bench.bytes];
        let beats: Vec<&[u8]> = frame.chunks(bench.bytes).collect();
        bench.clock(Some((beats[0], false, false)), true, true);
        for _ in 0..300 {
            bench.clock(None, true, true);
        }
        assert_eq!(bench.out.len(), 1, "{data_bits}");
        bench.path.set("reset", true);
        bench.path.set("s_frame_tvalid", false);
        for _ in 0..3 {
            bench.path.clock();
        }
        bench.path.set("reset", false);
        bench.path.clock();
        bench.clock(Some((beats[1], false, false)), true, true);
        bench.clock(Some((beats[2], true, false)), true, true);
        bench.send(&numbered(2), false, &mut rng, 0.0, 0.0);
        for _ in 0..300 {
            bench.clock(None, true, true);
        }
        let came: Vec<u8> = bench.out.iter().map(|frame| frame[30]).collect();
        assert_eq!(came, [1, 2], "{data_bits}");
    }
}

impl Bench {
    /// Clock cycles without a frame until an output of the path is 1; those of that cycle are shown.
    fn until(&mut self, output: &str) {
        for _ in 0..100 {
            self.clock(None, true, true);
            if self.path.is_high(output) {
                return;
            }
        }
        panic!("{output} does not come");
    }

    /// A write over AXI4-Lite at an address of the path's own 512 bytes; its response.
    fn write(&mut self, address: u64, value: u64) -> u64 {
        for (port, value) in [
            ("awaddr", address),
            ("wdata", value),
            ("wstrb", 15),
            ("awvalid", 1),
            ("wvalid", 1),
            ("bready", 1),
        ] {
            self.path.set(port, value);
        }
        self.until("awready");
        assert!(self.path.is_high("wready"), "address and data go together");
        self.path.set("awvalid", false);
        self.path.set("wvalid", false);
        self.until("bvalid");
        self.path.get("bresp")
    }

    /// A read: value and response.
    fn read(&mut self, address: u64) -> (u64, u64) {
        self.path.set("araddr", address);
        self.path.set("arvalid", true);
        self.path.set("rready", true);
        self.until("arready");
        self.path.set("arvalid", false);
        self.until("rvalid");
        (self.path.get("rdata"), self.path.get("rresp"))
    }
}

#[test]
fn policies_are_written_counters_are_read_and_nothing_else_answers() {
    let geometry = geometry(64, "ipv4-5tuple", "");
    let map = RegisterMap::of(&geometry);
    let mut bench = Bench::new(&geometry, &map);
    let mut rng = SmallRng::seed_from_u64(1);
    for register in &map.block("packet_path").expect("has one").registers {
        let expected = u64::from(register.reset.unwrap_or(0));
        let got = bench.read(u64::from(register.offset - 0x200));
        assert_eq!(got, (expected, 0), "{}", register.name);
    }
    bench.send(&numbered(1), false, &mut rng, 0.0, 0.0);
    bench.send(&numbered(2), false, &mut rng, 0.0, 0.0);
    bench.send(&numbered(1), true, &mut rng, 0.0, 0.0);
    for _ in 0..100 {
        bench.clock(None, true, true);
    }
    // unseen frames are dropped, and the bits that are always 0 are not kept
    assert_eq!(bench.write(0x20, 0x3FFD), 0);
    assert_eq!(bench.read(0x20), (0x3F01, 0));
    for _ in 0..100 {
        bench.clock(None, true, true);
    }
    bench.send(&numbered(3), false, &mut rng, 0.0, 0.0);
    bench.send(&numbered(1), false, &mut rng, 0.0, 0.0);
    for _ in 0..200 {
        bench.clock(None, true, true);
    }
    let counters: Vec<u64> = (0..11).map(|i| bench.read(0x40 + 8 * i).0).collect();
    // unseen, seen, .., bad; overflows, dropped, marked
    assert_eq!(counters, [3, 1, 0, 0, 0, 0, 0, 1, 0, 1, 3]);
    assert_eq!(bench.out.len(), 4);
    assert_eq!(bench.write(0x20, 0x4000), 2, "too wide");
    assert_eq!(bench.write(0x0C, 2), 2, "too wide");
    assert_eq!(bench.write(0x40, 0), 2, "a counter");
    assert_eq!(bench.write(0x14, 0), 3);
    assert_eq!(bench.read(0x98), (0, 3));
    assert_eq!(bench.read(0x100), (0, 3), "0x300");
    assert_eq!(bench.write(0x120, 0), 3, "0x320");
}
