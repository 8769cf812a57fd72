//! Attack on a filter whose seed is known. The unkeyed families are linear in the key, but for the S-boxes
//! behind their first layer: keys that differ by an element of that layer's kernel are one key to the filter. A keyed hash
//! does not see such keys as special.

use bloomline_bench::filter::{emitted_design, ModelReference, Traffic, TrafficItem};
use bloomline_bench::lockstep::{Bench, Simulator};
use bloomline_bench::path::write_capture;
use bloomline_bench::verilator::Initial;
use bloomline_driver::{Device, Limits};
use bloomline_model::{CellFilter, RecyclingFilter};
use bloomline_simulated::device::SimulatedCard;
use bloomline_simulated::replay::{ethernet_frames, replay, ReplayFrames, ReplayPlan};
use bloomline_spec::registers::RecyclingCounter;
use bloomline_spec::{
    CellGeometry, CellOperation, Common, Design, FilterSpec, HashUnit, Key, Operation,
};
use bloomline_tests::{simulation, Sample};
use bloomline_theory::two_hash::PartitionedDoubleHashing;
use bloomline_verify::stats::Verdict;
use etherparse::{IpNumber, PacketBuilder, SlicedPacket};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::Cell;
use std::collections::HashSet;
use std::path::Path;

const KEY_BITS: u32 = 104;
const HASHES: u32 = 4;
const RANGE: u64 = 1024;
/// Members of a filter: it is a quarter full.
const MEMBERS: usize = 290;
/// Forged keys that are asked for, a filter.
const FORGED: usize = 500;
const FILTERS: u64 = 300;

fn design(text: &str) -> Design {
    let spec = FilterSpec::from_toml(text, Path::new("attacked.toml"));
    spec.and_then(|spec| spec.design())
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A static filter whose seed everybody knows.
fn filter(family: &str, seed: u64) -> CellGeometry {
    let text = format!(
        "name = \"attacked\"\n[filter]\nkind = \"static\"\nmemory_bits = {}\nhashes = {HASHES}\nitems = {MEMBERS}\n\
         accept_two_hash_floor = true\n[key]\nbits = {KEY_BITS}\n[hash]\nfamily = \"{family}\"\nseed = {seed}\n\
         [card]\n",
        RANGE * u64::from(HASHES)
    );
    match design(&text) {
        Design::Cells(geometry) => geometry,
        other => panic!("{other:?}"),
    }
}

/// A line card that marks the frames of flows it has not seen, with constants that everybody knows.
fn line_card(family: &str) -> Design {
    let trusted = !matches!(family, "siphash");
    design(&format!(
        "name = \"attacked\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 131072\nhashes = 4\nhashing = \"double\"\n\
         [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 10000\n\
         [key]\nsource = \"ipv4-5tuple\"\n[hash]\nfamily = \"{family}\"\n[target]\nclock_hz = 125_000_000\n\
         [card]\nuart_baud = 1_000_000\n[packet]\nports = \"rgmii\"\ndata_bits = 8\nbuffer_bytes = 16384\n\
         trusted_keys = {trusted}\n[packet.policy]\nunseen = \"mark:8\"\n"
    ))
}

/// A frame of the flow of this 5-tuple.
fn frame(flow: u128) -> Vec<u8> {
    let [a, b, c, d, e, f, g, h, ports @ .., protocol, _, _, _] = flow.to_le_bytes();
    assert_eq!(IpNumber(protocol), IpNumber::UDP);
    let ports = [0, 2].map(|at| u16::from_be_bytes([ports[at], ports[at + 1]]));
    let builder = PacketBuilder::ethernet2([2; 6], [4; 6])
        .ipv4([a, b, c, d], [e, f, g, h], 64)
        .udp(ports[0], ports[1]);
    let mut frame = Vec::new();
    builder
        .write(&mut frame, &[0; 18])
        .expect("writes to memory");
    frame
}

/// The 5-tuple of a frame of UDP, and whether it is marked with class selector 1.
fn flow_and_mark(frame: &[u8]) -> (u128, bool) {
    let sliced = SlicedPacket::from_ethernet(frame).expect("whole");
    let (Some(etherparse::NetSlice::Ipv4(ip)), Some(etherparse::TransportSlice::Udp(udp))) =
        (&sliced.net, &sliced.transport)
    else {
        panic!("{sliced:?}")
    };
    let mut flow = [0; 16];
    flow[..4].copy_from_slice(&ip.header().source());
    flow[4..8].copy_from_slice(&ip.header().destination());
    flow[8..10].copy_from_slice(&udp.source_port().to_be_bytes());
    flow[10..12].copy_from_slice(&udp.destination_port().to_be_bytes());
    flow[12] = ip.header().protocol().0;
    (u128::from_le_bytes(flow), ip.header().dcp().value() == 8)
}

/// For each key bit what its flip does to all that the filter goes on with, from the public constants: to the positions (plain
/// H3), or to the bits before the S-boxes.
fn images(common: &Common) -> Vec<u128> {
    let image = |bit: usize| {
        let mut shift = 0;
        let mut image = 0;
        for unit in &common.hash().units {
            let (row, width) = match unit {
                HashUnit::H3(unit) => {
                    let width = common.index_bits();
                    (unit.rows[bit] & ((1 << width) - 1), width)
                }
                HashUnit::Sbox(unit) => (unit.rows[bit], 64),
                HashUnit::Sip(_) => panic!("a keyed hash has no public constants"),
            };
            image |= u128::from(row) << shift;
            shift += width;
        }
        assert!(shift <= 128);
        image
    };
    (0..common.key_bits() as usize).map(image).collect()
}

/// A basis of the sets of key bits whose images cancel.
fn kernel(images: &[u128]) -> Vec<u128> {
    let mut reduced: Vec<(u128, u128)> = Vec::new();
    let mut kernel = Vec::new();
    for (bit, &image) in images.iter().enumerate() {
        let (mut image, mut bits) = (image, 1_u128 << bit);
        for &(other, its_bits) in &reduced {
            if image ^ other < image {
                image ^= other;
                bits ^= its_bits;
            }
        }
        if image == 0 {
            kernel.push(bits);
        } else {
            reduced.push((image, bits));
            // Largest first, so that one pass reduces by every leading bit.
            reduced.sort_by_key(|&(image, _)| std::cmp::Reverse(image));
        }
    }
    kernel
}

/// A key that is another one, but not to the filter.
fn forge(random: &mut ChaCha8Rng, kernel: &[u128], key: u128) -> u128 {
    loop {
        let difference = kernel
            .iter()
            .filter(|_| random.random())
            .fold(0, |sum, bits| sum ^ bits);
        if difference != 0 {
            return key ^ difference;
        }
    }
}

fn key(value: u128) -> Key {
    Key::from_integer(value, KEY_BITS).expect("cut to its width")
}

fn random_key(random: &mut ChaCha8Rng) -> u128 {
    random.random::<u128>() >> (128 - KEY_BITS)
}

/// Share of `asked` that a filter of `members` takes for members.
fn false_positives(geometry: &CellGeometry, secret: u128, members: &[u128], asked: &[u128]) -> f64 {
    let mut filter = CellFilter::new(geometry);
    filter.set_secret(secret);
    for &member in members {
        filter.apply(&key(member), CellOperation::Insert, 1);
    }
    let seen = |asked: &&u128| {
        filter
            .apply(&key(**asked), CellOperation::Query, 1)
            .verdict
            .seen
    };
    asked.iter().filter(seen).count() as f64 / asked.len() as f64
}

/// Mean of the samples and its standard error.
fn mean(samples: &[f64]) -> (f64, f64) {
    let count = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / count;
    let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (variance / count).sqrt())
}

#[test]
fn keys_forged_from_public_constants_pass_for_members_and_a_keyed_hash_does_not_see_them() {
    let predicted = PartitionedDoubleHashing::new(RANGE, HASHES)
        .expect("in the law's domain")
        .rate(MEMBERS as f64);
    for family in ["h3", "h3-sbox"] {
        let mut attacked = Vec::new();
        let mut keyed = Vec::new();
        let mut strangers = Vec::new();
        for seed in 0..FILTERS {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            let public = filter(family, seed);
            let kernel = kernel(&images(&public));
            assert!(kernel.len() >= 40, "{family}: {}", kernel.len());
            let members: Vec<u128> = (0..MEMBERS).map(|_| random_key(&mut random)).collect();
            let forged: Vec<u128> = (0..FORGED)
                .map(|_| {
                    let member = members[random.random_range(0..MEMBERS)];
                    forge(&mut random, &kernel, member)
                })
                .collect();
            let fresh: Vec<u128> = (0..FORGED).map(|_| random_key(&mut random)).collect();
            attacked.push(false_positives(&public, 0, &members, &forged));
            strangers.push(false_positives(&public, 0, &members, &fresh));
            let secret = random.random();
            keyed.push(false_positives(
                &filter("siphash", seed),
                secret,
                &members,
                &forged,
            ));
        }
        let (attacked, _) = mean(&attacked);
        println!("{family}: predicted {predicted:.5}, forged keys {attacked:.5}");
        assert!(attacked > 10.0 * predicted, "{family}: {attacked}");
        assert_eq!(attacked, 1.0, "{family}: every forged key passes");
        // 99% for the family of four intervals, two-sided: |z| < 3.02. Seeds are 0 to FILTERS - 1.
        for (what, samples) in [("siphash", keyed), ("fresh keys", strangers)] {
            let (rate, error) = mean(&samples);
            let z = (rate - predicted) / error;
            println!("{family}, {what}: {rate:.5}, z {z:.2}");
            assert!(z.abs() < 3.02, "{family}, {what}: {rate:.5}, z {z:.2}");
        }
    }
}

#[test]
fn keys_forged_under_a_leaked_secret_pass_until_the_recycle_behind_a_rekey_and_not_after_it() {
    let geometry = Sample {
        hashing: "independent",
        family: "siphash",
        partition_bits: 1024,
        threshold: 1024,
        ..Sample::BASE
    }
    .geometry();
    let (mut seen, mut expected, mut variance) = (0, 0.0, 0.0);
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut filter = RecyclingFilter::new(&geometry);
        filter.set_secret(random.random());
        let ask = |filter: &mut RecyclingFilter, value| {
            filter.apply(&key(value), Operation::Query).seen()
        };
        let insert_some = |filter: &mut RecyclingFilter, random: &mut ChaCha8Rng| {
            for _ in 0..200 {
                filter.apply(&key(random_key(random)), Operation::Insert);
            }
        };
        insert_some(&mut filter, &mut random);
        // Who knows the secret looks for keys that pass at home.
        let forged: Vec<u128> = std::iter::repeat_with(|| random_key(&mut random))
            .filter(|&value| ask(&mut filter, value))
            .take(50)
            .collect();
        filter.rekey(random.random());
        insert_some(&mut filter, &mut random);
        assert!(
            forged.iter().all(|&value| ask(&mut filter, value)),
            "the frozen half is under the leaked secret still"
        );
        filter.recycle();
        let probability = filter.probability_seen();
        for value in forged {
            seen += u32::from(ask(&mut filter, value));
            expected += probability;
            variance += probability * (1.0 - probability);
        }
    }
    // 99%, two-sided; seeds are 0 to 39.
    let z = (f64::from(seen) - expected) / variance.sqrt();
    println!("{seen} of 2000 forged keys seen, {expected:.2} expected, z {z:.2}");
    assert!(z.abs() < 2.576, "z {z:.2}");
}

#[test]
#[ignore = "a claim"]
fn forged_keys_break_the_emitted_filter_with_plain_h3_and_not_the_one_with_siphash() {
    let sample = |family| Sample {
        hashing: "independent",
        family,
        partition_bits: 1024,
        threshold: 1024,
        ..Sample::BASE
    };
    let public = sample("h3").geometry();
    let kernel = kernel(&images(&public));
    let mut random = ChaCha8Rng::seed_from_u64(1);
    // Forged keys are new to the filter, one and all: a filter of first sights has to call none of them seen.
    let honest: Vec<u128> = (0..200).map(|_| random_key(&mut random)).collect();
    let forged: Vec<u128> = (0..4_000)
        .map(|_| forge(&mut random, &kernel, honest[199]))
        .collect();
    let stream = || honest.iter().chain(&forged).copied();
    let mut rates = Vec::new();
    for family in ["h3", "siphash"] {
        let geometry = sample(family).geometry();
        let mut filter = RecyclingFilter::new(&geometry);
        let (mut seen, mut expected, mut variance, mut seen_of_forged) = (0, 0.0, 0.0, 0);
        for (place, value) in stream().enumerate() {
            let probability = filter.probability_seen();
            let outcome = filter.apply(&key(value), Operation::TestAndInsert);
            seen += u64::from(outcome.seen());
            if place >= honest.len() {
                seen_of_forged += u32::from(outcome.seen());
                expected += probability;
                variance += probability * (1.0 - probability);
            }
        }
        let (design, _) = emitted_design(&geometry).expect("emit");
        let bench = Bench::new(simulation(&design));
        let counted = Cell::new(0);
        let make = |_| {
            let items = stream()
                .map(|value| TrafficItem {
                    key: key(value),
                    operation: Operation::TestAndInsert,
                })
                .collect::<Vec<_>>();
            (
                ModelReference::new(&geometry),
                Traffic::new(&geometry, items.into_iter()),
            )
        };
        bench
            .run(1, Initial::Random(1), make, |clock| {
                let status = clock.reference.model.status();
                counted.set(status.counter(RecyclingCounter::Seen));
            })
            .unwrap_or_else(|error| panic!("{family}: {error}"));
        assert_eq!(counted.get(), seen, "{family}: the pipeline's verdicts");
        let rate = f64::from(seen_of_forged) / forged.len() as f64;
        println!(
            "{family}: {rate:.5} of the forged keys seen, {:.5} expected",
            expected / forged.len() as f64
        );
        rates.push(rate);
        if family == "siphash" {
            let z = (f64::from(seen_of_forged) - expected) / variance.sqrt();
            assert!(z.abs() < 2.576, "seed 1: z {z:.2}");
        }
    }
    assert!(rates[0] > 10.0 * rates[1], "{rates:?}");
}

/// Keys of other flows of UDP that are the flow of `key` to a hash with these constants.
fn forge_flows(random: &mut ChaCha8Rng, common: &Common, key: u128, count: usize) -> Vec<u128> {
    // the last byte is the protocol, which stays
    let kernel = kernel(&images(common)[..96]);
    assert!(kernel.len() >= 30, "{}", kernel.len());
    let mut forged = HashSet::new();
    while forged.len() < count {
        forged.insert(forge(random, &kernel, key));
    }
    forged.into_iter().collect()
}

#[test]
#[ignore = "a claim"]
fn frames_of_forged_flows_leave_a_line_card_unmarked_and_with_a_keyed_hash_marked() {
    const FLOWS: usize = 200;
    for public in ["h3", "h3-sbox"] {
        let attacked = line_card(public);
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let udp = |random: &mut ChaCha8Rng| {
            (random_key(random) & ((1 << 96) - 1)) | u128::from(IpNumber::UDP.0) << 96
        };
        let known = udp(&mut random);
        let forged = forge_flows(&mut random, attacked.common(), known, FLOWS);
        let strangers: Vec<u128> = (0..FLOWS).map(|_| udp(&mut random)).collect();
        let folder = tempfile::tempdir().expect("a folder");
        let [comes, leaves] = ["comes.pcap", "leaves.pcap"].map(|name| folder.path().join(name));
        let flows = || {
            [known]
                .into_iter()
                .chain(forged.clone())
                .chain(strangers.clone())
        };
        let frames: Vec<Vec<u8>> = flows().map(frame).collect();
        let timed = frames.iter().enumerate();
        write_capture(
            &comes,
            1,
            timed.map(|(second, frame)| (second as u64, &frame[..])),
        )
        .expect("writes");
        for (family, of_forged) in [(public, 0..=0), ("siphash", FLOWS - 5..=FLOWS)] {
            let plan = ReplayPlan {
                seed: 5,
                keep: true,
                simulator: bloomline_verify::Simulator::Verilator,
            };
            let card = line_card(family);
            let sent = ReplayFrames::read([Some(comes.clone()), None], usize::MAX).expect("reads");
            let run = replay(&card, &sent, &plan, &|_| (), &|_, _| ())
                .unwrap_or_else(|error| panic!("{family}: {error}"));
            assert_eq!(run.verdict, Verdict::Pass, "{family}: {run:?}");
            run.write_capture(&card, &leaves).expect("writes");
            let read = ethernet_frames(&leaves, usize::MAX).expect("reads");
            assert_eq!(read.others, 0);
            let left: Vec<(u128, bool)> = read
                .frames
                .iter()
                .map(|frame| flow_and_mark(&frame.filled(0)))
                .collect();
            let same = left.iter().map(|(flow, _)| *flow).eq(flows());
            assert!(same, "{family}: every flow leaves in its turn");
            let marked = |frames: &[(u128, bool)]| frames.iter().filter(|(_, mark)| *mark).count();
            assert_eq!(marked(&left[..1]), 1, "{family}: the first flow is new");
            let (forged, strangers) = left[1..].split_at(FLOWS);
            println!(
                "constants of {public}, card with {family}: of {FLOWS} forged flows {} marked, of {FLOWS} others {}",
                marked(forged),
                marked(strangers)
            );
            assert!(
                of_forged.contains(&marked(forged)),
                "{family}: {}",
                marked(forged)
            );
            // one of a hundred is taken for seen in a full filter, and this one is nearly empty
            assert!(marked(strangers) >= FLOWS - 5, "{family}");
        }
    }
}

#[test]
#[ignore = "a claim"]
fn keys_forged_for_a_served_card_pass_until_it_has_a_secret_of_its_own() {
    const FORGED: usize = 200;
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let members: Vec<u128> = (0..MEMBERS).map(|_| random_key(&mut random)).collect();
    // how many of the keys a card takes for members, which has loaded them under this secret, if it is not the specification's
    let seen = |geometry: &CellGeometry, secret: Option<u128>, asked: &[u128]| {
        let card = SimulatedCard::build(geometry, Simulator::BuiltIn, Initial::Random(6));
        let card = card.unwrap_or_else(|error| panic!("{error}"));
        let device = Device::identify(card, geometry, Limits::default());
        let device = device.unwrap_or_else(|error| panic!("{error}"));
        if let Some(secret) = secret {
            device.clear_and_rekey(secret).expect("rekeys");
        }
        for &member in &members {
            device.insert(&key(member)).expect("inserts");
        }
        let verdicts = asked.iter().map(|&asked| device.query(&key(asked)));
        verdicts
            .filter(|verdict| verdict.as_ref().expect("answers").is_positive())
            .count()
    };
    for family in ["h3", "h3-sbox"] {
        let geometry = filter(family, 6);
        let kernel = kernel(&images(&geometry));
        let forged: Vec<u128> = (0..FORGED)
            .map(|_| forge(&mut random, &kernel, members[0]))
            .collect();
        let seen = seen(&geometry, None, &forged);
        println!("{family}: {seen} of {FORGED} forged keys seen");
        assert_eq!(seen, FORGED, "{family}");
    }
    // Who has the specification has its secret, too, and finds keys that pass at home.
    let geometry = filter("siphash", 6);
    let mut twin = CellFilter::new(&geometry);
    for &member in &members {
        twin.apply(&key(member), CellOperation::Insert, 1);
    }
    let forged: Vec<u128> = std::iter::repeat_with(|| random_key(&mut random))
        .filter(|&asked| {
            let outcome = twin.apply(&key(asked), CellOperation::Query, 1);
            outcome.verdict.seen
        })
        .take(FORGED)
        .collect();
    assert_eq!(seen(&geometry, None, &forged), FORGED);
    let rekeyed = seen(&geometry, Some(random.random()), &forged);
    println!(
        "siphash: with the specification's secret all {FORGED} seen, with one of its own {rekeyed}"
    );
    // 0.8 on average; more than 6 once in 10^5 seeds, and the seed is 6
    assert!(rekeyed <= 6, "{rekeyed}");
}
