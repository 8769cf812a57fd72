//! The packet path, without a card, against a plain reading of packet.md: frames in, items and verdicts, frames out.

use bloomline_hdl::packet::{parser_clocks, PacketPath, PATH_CLOCKS};
use bloomline_hdl::wires::{sim::NativeSim, UInt, Wide};
use bloomline_spec::{Common, FilterSpec, KeySource, Packet, RegisterMap, Validated};
use rand::{rngs::StdRng, Rng, SeedableRng};
use std::collections::{HashSet, VecDeque};
use std::path::Path;

/// The example with other beats, key and policies; a threshold in place of `auto`.
fn geometry(data_bits: u32, source: &str, more: &str) -> bloomline_spec::Geometry {
    let text = format!(
        "name = \"sample\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 4096\nhashes = 2\nhashing = \"double\"\n\
         [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 100\n[key]\nsource = \"{source}\"\n\
         [card]\n[packet]\ndata_bits = {data_bits}\nbuffer_bytes = 4096\nmax_frame_bytes = 400\n{more}\n\
         [packet.policy]\nunseen = \"mark:8\"\nother = \"mark:1\"\ntruncated = \"mark:63\"\nmalformed = \"pass\"\ntoo-deep = \"pass\"\nbad = \"mark:5\"\noversize = \"mark:7\"\n"
    );
    match FilterSpec::from_toml(&text, Path::new("sample.toml")).and_then(|s| s.resolve()) {
        Ok(Validated::Recycling(sizing)) => sizing.with_threshold(100).expect("fits"),
        other => panic!("{other:?}"),
    }
}

/// What the contract says of a frame.
#[derive(Debug, Default, Clone, PartialEq)]
struct Reading {
    class: u8,
    /// Byte of the IP header and version, where the parse ended with IP.
    ip: Option<(usize, u8)>,
    key: Vec<u8>,
    /// Bytes that count as 0 in the digest.
    hops: Vec<usize>,
}

enum End {
    NoIp,
    Ip,
    Truncated,
    Malformed,
    TooDeep,
}

/// The parser of packet.md, word by word.
fn parse(f: &[u8], r: &mut Reading, tuple: &mut Tuple) -> End {
    fn word(f: &[u8], p: usize, e: Option<usize>) -> Result<u32, End> {
        if p + 4 > 126 {
            return Err(End::TooDeep);
        }
        if p + 4 > f.len() {
            return Err(End::Truncated);
        }
        if e.is_some_and(|e| p + 4 > e) {
            return Err(End::Malformed);
        }
        Ok(u32::from_be_bytes([f[p], f[p + 1], f[p + 2], f[p + 3]]))
    }
    let mut inner = || -> Result<End, End> {
        let mut ty = word(f, 10, None)? & 0xFFFF;
        let mut p = 14;
        let version = loop {
            match ty {
                0x8100 | 0x88A8 | 0x9100 => {
                    ty = word(f, p, None)? & 0xFFFF;
                    p += 4;
                }
                0x8847 | 0x8848 => {
                    while word(f, p, None)? & 0x100 == 0 {
                        p += 4;
                    }
                    p += 4;
                    match word(f, p, None)? >> 28 {
                        v @ (4 | 6) => break v,
                        _ => return Ok(End::NoIp),
                    }
                }
                0x0800 => break 4,
                0x86DD => break 6,
                _ => return Ok(End::NoIp),
            }
        };
        let q = p;
        let w = word(f, q, None)?;
        if w >> 28 != version {
            return Err(End::Malformed);
        }
        let (e, mut next, mut fragment) = if version == 4 {
            let (h, t) = ((w >> 24 & 15) as usize, (w & 0xFFFF) as usize);
            if h < 5 || t < 4 * h {
                return Err(End::Malformed);
            }
            let e = q + t;
            let fragment = word(f, q + 4, Some(e))? & 0x1FFF != 0;
            let next = word(f, q + 8, Some(e))? >> 16 & 0xFF;
            r.hops = vec![q + 8, q + 10, q + 11];
            for i in [12, 16] {
                tuple
                    .addresses
                    .extend(word(f, q + i, Some(e))?.to_be_bytes());
            }
            p = q + 4 * h;
            (e, next, fragment)
        } else {
            let w = word(f, q + 4, None)?;
            r.hops = vec![q + 7];
            let e = q + 40 + (w >> 16) as usize;
            for i in (8..40).step_by(4) {
                tuple
                    .addresses
                    .extend(word(f, q + i, Some(e))?.to_be_bytes());
            }
            p = q + 40;
            (e, w >> 8 & 0xFF, false)
        };
        r.ip = Some((q, version as u8));
        tuple.six = version == 6;
        let mut first = true;
        loop {
            tuple.next = next as u8;
            if fragment {
                break;
            }
            let length = |w: u32| match next {
                51 => 4 * ((w >> 16 & 0xFF) as usize + 2),
                44 => 8,
                _ => 8 * ((w >> 16 & 0xFF) as usize + 1),
            };
            match (next, version) {
                (0, 6) if !first => return Err(End::Malformed),
                (0 | 43 | 60 | 44, 6) | (51, _) => {
                    let w = word(f, p, Some(e))?;
                    if p + length(w) > e {
                        return Err(End::Malformed);
                    }
                    fragment = next == 44 && w & 0xFFF8 != 0;
                    p += length(w);
                    next = w >> 24;
                }
                (6 | 17 | 33 | 132 | 136, _) => {
                    tuple.ports = word(f, p, Some(e))?.to_be_bytes();
                    break;
                }
                _ => break,
            }
            first = false;
        }
        r.key = vec![e as u8];
        tuple.end = e;
        Ok(End::Ip)
    };
    match inner() {
        Ok(end) | Err(end) => end,
    }
}

#[derive(Default)]
struct Tuple {
    six: bool,
    addresses: Vec<u8>,
    ports: [u8; 4],
    next: u8,
    end: usize,
}

fn crc64(bytes: &[u8]) -> u64 {
    !bytes.iter().fold(u64::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u64::from(byte), |c, _| {
            c >> 1 ^ if c & 1 == 1 { 0xC96C_5795_D787_0F42 } else { 0 }
        })
    })
}

fn read(f: &[u8], bad: bool, source: KeySource, packet: &Packet) -> Reading {
    let mut r = Reading::default();
    let mut t = Tuple::default();
    let end = parse(f, &mut r, &mut t);
    if !matches!(end, End::Ip) {
        r.ip = None;
    }
    let six = matches!(
        source,
        KeySource::Ipv6FiveTuple | KeySource::SrcIp6 | KeySource::DstIp6
    );
    r.class = match end {
        End::NoIp => 2,
        End::Ip if f.len() < t.end => 3,
        End::Ip if t.six != six => 2,
        End::Ip => 0,
        End::Truncated => 3,
        End::Malformed => 4,
        End::TooDeep => 5,
    };
    if source == KeySource::FrameDigest {
        let mut masked = f.to_vec();
        if packet.mask_hops() {
            r.hops.iter().for_each(|&i| masked[i] = 0);
        }
        r.class = 0;
        r.key = crc64(&masked).to_le_bytes().to_vec();
    } else {
        let half = t.addresses.len() / 2;
        let mut tuple = t.addresses.clone();
        tuple.extend(t.ports);
        tuple.push(t.next);
        r.key = match source {
            KeySource::SrcIp | KeySource::SrcIp6 => t.addresses[..half].to_vec(),
            KeySource::DstIp | KeySource::DstIp6 => t.addresses[half..].to_vec(),
            _ => tuple,
        };
    }
    if f.len() > packet.max_frame_bytes() as usize {
        r.class = 6;
    }
    if bad {
        r.class = 7;
    }
    r
}

/// The frame with its DSCP replaced.
fn mark(f: &[u8], ip: Option<(usize, u8)>, dscp: u16) -> Vec<u8> {
    let mut out = f.to_vec();
    let Some((q, version)) = ip else { return out };
    let half = |i: usize| u16::from_be_bytes([f[i], f[i + 1]]);
    let m = half(q);
    if version == 6 {
        let new = m & !0x0FC0 | dscp << 6;
        out[q..q + 2].copy_from_slice(&new.to_be_bytes());
    } else {
        let new = m & !0x00FC | dscp << 2;
        let mut s = u32::from(!half(q + 10)) + u32::from(!m) + u32::from(new);
        for _ in 0..2 {
            s = (s & 0xFFFF) + (s >> 16);
        }
        out[q..q + 2].copy_from_slice(&new.to_be_bytes());
        out[q + 10..q + 12].copy_from_slice(&(!(s as u16)).to_be_bytes());
    }
    out
}

/// A frame that has a bit of everything the parser knows, mostly right.
fn random_frame(rng: &mut StdRng) -> Vec<u8> {
    let mut f: Vec<u8> = (0..12).map(|_| rng.random()).collect();
    let push16 = |f: &mut Vec<u8>, x: u16| f.extend(x.to_be_bytes());
    let six = rng.random_bool(0.5);
    let ip_type = if six { 0x86DD } else { 0x0800 };
    for _ in 0..[0, 0, 0, 1, 2, 5][rng.random_range(0..6)] {
        push16(&mut f, [0x8100, 0x88A8, 0x9100][rng.random_range(0..3)]);
        push16(&mut f, rng.random());
    }
    match rng.random_range(0..10) {
        0 => {
            push16(&mut f, [0x8847, 0x8848][rng.random_range(0..2)]);
            for last in [false, rng.random(), true] {
                let label: u32 = rng.random::<u32>() & !0x100 | u32::from(last) << 8;
                f.extend(label.to_be_bytes());
                if last {
                    break;
                }
            }
        }
        1 => push16(&mut f, rng.random()),
        _ => push16(&mut f, ip_type),
    }
    let mut body: Vec<u8> = Vec::new();
    let kinds: [u8; 10] = [6, 17, 33, 132, 136, 47, 58, 51, 44, 60];
    let mut next: u8 = kinds[rng.random_range(0..10)];
    if six && rng.random_bool(0.2) {
        next = [0, 43][rng.random_range(0..2)];
    }
    let first = next;
    for _ in 0..3 {
        let following = if rng.random_bool(0.05) {
            0
        } else {
            kinds[rng.random_range(0..10)]
        };
        let units: u8 = [0, 0, 1, 2, 7, 60][rng.random_range(0..6)];
        let length = match (six, next) {
            (true, 0 | 43 | 60) => 8 * (usize::from(units) + 1),
            (true, 44) => 8,
            (_, 51) => 4 * (usize::from(units) + 2),
            _ => break,
        };
        let mut header: Vec<u8> = (0..length).map(|_| rng.random()).collect();
        header[0] = following;
        header[1] = units;
        if next == 44 && rng.random_bool(0.7) {
            header[2] = 0;
            header[3] &= 7;
        }
        body.extend(header);
        next = following;
    }
    body.extend((0..rng.random_range(0..40)).map(|_| rng.random::<u8>()));
    let wrong = rng.random_bool(0.15);
    if six {
        let mut length = body.len() as u16;
        if wrong {
            length = length
                .wrapping_add(rng.random_range(0..40))
                .wrapping_sub(20);
        }
        let version: u8 = if rng.random_bool(0.03) {
            rng.random()
        } else {
            0x60 | rng.random::<u8>() & 15
        };
        f.extend([version, rng.random(), rng.random(), rng.random()]);
        push16(&mut f, length);
        f.extend([first, rng.random()]);
        // few addresses, so that keys come again
        f.extend([rng.random_range(0..3); 32]);
    } else {
        let options = [0, 0, 1, 3, 10][rng.random_range(0..5)];
        let mut length = (20 + 4 * options + body.len()) as u16;
        if wrong {
            length = length
                .wrapping_add(rng.random_range(0..40))
                .wrapping_sub(20);
        }
        let version: u8 = if rng.random_bool(0.03) {
            rng.random()
        } else {
            0x45 + options as u8
        };
        f.extend([version, rng.random()]);
        push16(&mut f, length);
        push16(&mut f, rng.random());
        push16(
            &mut f,
            if rng.random_bool(0.2) {
                rng.random()
            } else {
                0x4000
            },
        );
        f.extend([rng.random(), first]);
        push16(&mut f, [rng.random(), 0, 0xFFFF][rng.random_range(0..3)]);
        f.extend([rng.random_range(0..3); 8]);
        f.extend((0..4 * options).map(|_| rng.random::<u8>()));
    }
    f.extend(body);
    match rng.random_range(0..12) {
        0 => f.truncate(rng.random_range(1..=f.len())),
        1 => f.truncate(rng.random_range(1..20)),
        2 => f.extend((0..rng.random_range(0..400)).map(|_| rng.random::<u8>())),
        3 | 4 => f.resize(f.len().max(60), 0),
        _ => {}
    }
    f
}

/// Clocks from an item to its verdict, of the filter that stands behind the path here.
const FILTER_CLOCKS: u64 = 9;

struct Bench {
    sim: NativeSim<PacketPath>,
    bytes: usize,
    items: VecDeque<(Vec<u8>, u64)>,
    keys: Vec<Vec<u8>>,
    seen: HashSet<Vec<u8>>,
    partial: Vec<u8>,
    out: Vec<Vec<u8>>,
    began: Vec<u64>,
    key_bytes: usize,
}

impl Bench {
    fn new(common: &Common, map: &RegisterMap) -> Self {
        let packet = common.packet().expect("has one");
        let block = map.block("packet_path").expect("has one");
        let path = PacketPath::new(common, &packet, block);
        let mut sim = NativeSim::new(path, |p| &mut p.clock).expect("settles");
        sim.block_mut().m_frame_tready.next = true;
        Bench {
            sim,
            bytes: packet.beat_bytes() as usize,
            items: VecDeque::new(),
            keys: Vec::new(),
            seen: HashSet::new(),
            partial: Vec::new(),
            out: Vec::new(),
            began: Vec::new(),
            key_bytes: common.key_bits() as usize / 8,
        }
    }

    /// A clock, with this beat offered; the filter takes `FILTER_CLOCKS`, and items as it is told.
    fn clock(&mut self, beat: Option<(&[u8], bool, bool)>, out_ready: bool, item_ready: bool) {
        let bytes = self.bytes;
        let now = self.sim.cycles();
        let due = self.items.front().filter(|i| i.1 <= now).cloned();
        {
            let b = self.sim.block_mut();
            b.s_frame_tvalid.next = beat.is_some();
            if let Some((data, last, bad)) = beat {
                b.s_frame_tdata.next = Wide::from_bytes(data, 8 * bytes);
                b.s_frame_tkeep.next = UInt::new((1u128 << data.len()) - 1, bytes);
                b.s_frame_tlast.next = last;
                b.s_frame_tuser.next = bad;
            }
            b.m_frame_tready.next = out_ready;
            b.item_tready.next = item_ready;
            b.verdict_tvalid.next = due.is_some();
            b.verdict_seen.next = due.as_ref().is_some_and(|i| self.seen.contains(&i.0));
        }
        self.sim.settle().expect("settles");
        let b = self.sim.block();
        assert!(b.s_frame_tready.val());
        if b.item_tvalid.val() && item_ready {
            let words = b.item_tdata.val();
            let key: Vec<u8> = words
                .words()
                .iter()
                .flat_map(|w| w.to_le_bytes())
                .take(self.key_bytes)
                .collect();
            self.items.push_back((key.clone(), now + FILTER_CLOCKS));
            self.keys.push(key);
        }
        if due.is_some() && b.verdict_tready.val() {
            let (key, _) = self.items.pop_front().expect("is due");
            self.seen.insert(key);
        }
        if b.m_frame_tvalid.val() {
            if self.partial.is_empty() && self.began.len() == self.out.len() {
                self.began.push(now);
            }
            if out_ready {
                let count = b.m_frame_tkeep.val().get().count_ones() as usize;
                let all: Vec<u8> = b
                    .m_frame_tdata
                    .val()
                    .words()
                    .iter()
                    .flat_map(|w| w.to_le_bytes())
                    .collect();
                assert!(all[count..].iter().all(|&x| x == 0), "bytes beyond tkeep");
                assert!(b.m_frame_tlast.val() || count == bytes);
                self.partial.extend(&all[..count]);
                let length = b.m_frame_tuser.val().get() as usize;
                assert!(self.partial.len() <= length);
                if b.m_frame_tlast.val() {
                    assert_eq!(self.partial.len(), length, "m_frame_tuser");
                    self.out.push(std::mem::take(&mut self.partial));
                }
            }
        } else {
            assert!(
                self.partial.is_empty(),
                "a frame that has begun leaves without a gap"
            );
        }
        self.sim.step().expect("steps");
    }

    fn send(&mut self, frame: &[u8], bad: bool, rng: &mut StdRng, gaps: f64, stalls: f64) {
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

/// How many times its frames a test sends: the environment's `BLOOMLINE_SOAK`, or 1.
fn soak() -> usize {
    std::env::var("BLOOMLINE_SOAK").map_or(1, |text| text.parse().expect("a whole number"))
}

/// Frames of every kind go through as packet.md says.
fn frames_go_as_read(data_bits: u32, source: &str, more: &str, frames: usize, seed: u64) {
    let geometry = geometry(data_bits, source, more);
    let map = RegisterMap::for_geometry(&geometry);
    let packet = geometry.packet().expect("has one");
    let key_source = geometry.key_format().packet_source();
    let frames = frames * soak();
    let mut rng = StdRng::seed_from_u64(seed);
    let mut bench = Bench::new(&geometry, &map);
    let (mut expected, mut keys, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let mut classes = [0; 8];
    let dscp = [8, 0, 1, 63, 0, 0, 7, 5];
    for n in 0..frames {
        let frame = random_frame(&mut rng);
        let bad = rng.random_bool(0.05);
        let mut reading = read(&frame, bad, key_source, &packet);
        if reading.class == 0 {
            keys.push(reading.key.clone());
            if !seen.insert(reading.key.clone()) {
                reading.class = 1;
            }
        }
        classes[usize::from(reading.class)] += 1;
        let marks = ![1, 4, 5].contains(&reading.class);
        let ip = reading.ip.filter(|_| marks);
        expected.push((
            mark(&frame, ip, dscp[usize::from(reading.class)]),
            reading,
            frame.clone(),
        ));
        let gaps = [0.0, 0.3][n / 16 % 2];
        bench.send(&frame, bad, &mut rng, gaps, 0.1);
        for _ in 0..3 * frame.len() / bench.bytes / 8 {
            bench.clock(None, true, true);
        }
    }
    for _ in 0..2000 {
        bench.clock(None, true, true);
    }
    println!("{data_bits} {source}: classes {classes:?}");
    for (i, (got, want)) in bench.keys.iter().zip(&keys).enumerate() {
        assert_eq!(got, want, "seed {seed}, key {i}");
    }
    for (i, (got, want)) in bench.out.iter().zip(&expected).enumerate() {
        let place = got.iter().zip(&want.0).position(|(a, b)| a != b);
        assert!(got == &want.0, "seed {seed}, frame {i} of {} bytes, {} came, first difference at {place:?}: {:?}\n{:02x?}", want.2.len(), got.len(), want.1, want.2);
    }
    assert_eq!(
        (bench.keys.len(), bench.out.len()),
        (keys.len(), expected.len()),
        "seed {seed}"
    );
}

#[test]
fn a_byte_a_clock_goes_as_the_contract_reads() {
    frames_go_as_read(8, "ipv4-5tuple", "", 30, 1);
    frames_go_as_read(8, "dst-ip6", "", 15, 2);
}

#[test]
fn eight_bytes_a_clock_go_as_the_contract_reads() {
    for (i, source) in [
        "ipv4-5tuple",
        "ipv6-5tuple",
        "src-ip",
        "dst-ip",
        "src-ip6",
        "dst-ip6",
    ]
    .into_iter()
    .enumerate()
    {
        frames_go_as_read(64, source, "", 40, 10 + i as u64);
    }
}

#[test]
fn sixty_four_bytes_a_clock_go_as_the_contract_reads() {
    frames_go_as_read(512, "ipv4-5tuple", "", 50, 20);
    frames_go_as_read(512, "ipv6-5tuple", "", 25, 21);
}

#[test]
fn digests_are_those_of_the_frames_without_what_changes_from_hop_to_hop() {
    for data_bits in [8, 64, 512] {
        for mask in [true, false] {
            let frames = if data_bits == 8 { 12 } else { 40 };
            let more = format!("mask_hops = {mask}");
            frames_go_as_read(data_bits, "frame-digest", &more, frames, 30);
        }
    }
}

#[test]
fn a_frame_leaves_when_its_verdict_is_here_and_the_path_has_had_its_clocks() {
    for (data_bits, source) in [
        (8, "ipv4-5tuple"),
        (64, "ipv4-5tuple"),
        (512, "ipv4-5tuple"),
        (8, "frame-digest"),
        (64, "frame-digest"),
        (512, "frame-digest"),
    ] {
        let geometry = geometry(data_bits, source, "");
        let mut bench = Bench::new(&geometry, &RegisterMap::for_geometry(&geometry));
        let mut rng = StdRng::seed_from_u64(1);
        let mut frame = vec![0; 12];
        frame.extend([8, 0, 0x45, 0, 0, 28, 0, 0, 0, 0, 64, 17, 0, 0]);
        frame.resize(90, 1);
        bench.send(&frame, false, &mut rng, 0.0, 0.0);
        let last = bench.sim.cycles() - 1;
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
fn frames_without_a_place_for_their_keys_are_lost_whole_and_the_others_stay() {
    for data_bits in [8, 64, 512] {
        let geometry = geometry(data_bits, "ipv4-5tuple", "");
        let mut bench = Bench::new(&geometry, &RegisterMap::for_geometry(&geometry));
        let mut rng = StdRng::seed_from_u64(1);
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
        let mut bench = Bench::new(&geometry, &RegisterMap::for_geometry(&geometry));
        let mut rng = StdRng::seed_from_u64(1);
        bench.send(&[7; 5000], false, &mut rng, 0.0, 0.0);
        bench.send(&numbered(1), false, &mut rng, 0.0, 0.0);
        let frame = vec![9; 3 * bench.bytes];
        let beats: Vec<&[u8]> = frame.chunks(bench.bytes).collect();
        bench.clock(Some((beats[0], false, false)), true, true);
        for _ in 0..300 {
            bench.clock(None, true, true);
        }
        assert_eq!(bench.out.len(), 1, "{data_bits}");
        bench.sim.block_mut().reset.next = true;
        bench.sim.block_mut().s_frame_tvalid.next = false;
        for _ in 0..3 {
            bench.sim.step().expect("steps");
        }
        bench.sim.block_mut().reset.next = false;
        bench.sim.step().expect("steps");
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
    /// A write over AXI4-Lite at an address of the path's own 512 bytes; its response.
    fn write(&mut self, address: u128, value: u128) -> u128 {
        let b = self.sim.block_mut();
        (b.awvalid.next, b.wvalid.next, b.bready.next) = (true, true, true);
        b.awaddr.next = UInt::new(address, 9);
        b.wdata.next = UInt::new(value, 32);
        b.wstrb.next = UInt::new(15, 4);
        loop {
            self.clock(None, true, true);
            let b = self.sim.block_mut();
            if b.awready.val() {
                self.sim.step().expect("steps");
                let b = self.sim.block_mut();
                (b.awvalid.next, b.wvalid.next) = (false, false);
                assert!(b.bvalid.val());
                let response = b.bresp.val().get();
                self.sim.step().expect("steps");
                return response;
            }
        }
    }

    /// A read: value and response.
    fn read(&mut self, address: u128) -> (u128, u128) {
        let b = self.sim.block_mut();
        (b.arvalid.next, b.rready.next) = (true, true);
        b.araddr.next = UInt::new(address, 9);
        loop {
            self.clock(None, true, true);
            let b = self.sim.block_mut();
            if b.arready.val() {
                self.sim.step().expect("steps");
                self.sim.block_mut().arvalid.next = false;
            }
            let b = self.sim.block_mut();
            if b.rvalid.val() {
                let answer = (b.rdata.val().get(), b.rresp.val().get());
                self.sim.step().expect("steps");
                return answer;
            }
        }
    }
}

#[test]
fn policies_are_written_counters_are_read_and_nothing_else_answers() {
    let geometry = geometry(64, "ipv4-5tuple", "");
    let map = RegisterMap::for_geometry(&geometry);
    let mut bench = Bench::new(&geometry, &map);
    let mut rng = StdRng::seed_from_u64(1);
    for register in &map.block("packet_path").expect("has one").registers {
        let expected = u128::from(register.reset.unwrap_or(0));
        let got = bench.read(u128::from(register.offset - 0x200));
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
    let counters: Vec<u128> = (0..11).map(|i| bench.read(0x40 + 8 * i).0).collect();
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
