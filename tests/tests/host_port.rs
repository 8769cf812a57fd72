//! The host port is its model: every frame, answer, access and event, with all that can be wrong around it.

use bloomline_bench::lockstep::{Running, Simulation};
use bloomline_bench::verilator::Initial;
use bloomline_driver::packet::Packet;
use bloomline_simulated::linecard::HostPeer;
use bloomline_tests::{
    host_design, is_quick, runs, simulation, tagged_host_design, HostBeat, HostBench, HostInputs,
    HostOutputs, HostTally, HOST_CARD,
};

const CLOCKS: u64 = 300_000;
const PEER: HostPeer = HostPeer {
    mac: [0x02, 0, 0, 0, 0, 7],
    ip: [10, 0, 0, 7],
    port: 4321,
};

fn host_port() -> Simulation {
    simulation(&host_design(&[]))
}

#[test]
fn frames_answers_accesses_and_events_are_the_models() {
    let simulation = host_port();
    let mut sum = HostTally::default();
    for seed in 0..runs(1, 6) {
        let mut sim = simulation.open(Initial::Random(seed)).expect("opens");
        let tally = HostBench::new(&mut sim, 0, seed)
            .run(CLOCKS)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        println!("seed {seed}: {tally:?}");
        sum.passed += tally.passed;
        sum.missed += tally.missed;
        sum.refused += tally.refused;
        sum.silent += tally.silent;
        sum.accesses += tally.accesses;
        sum.late += tally.late;
        sum.stuck += tally.stuck;
        sum.lane_frames += tally.lane_frames;
        sum.resets += tally.resets;
        for (all, answers) in sum.answers.iter_mut().zip(tally.answers) {
            *all += answers;
        }
    }
    // a run that tests nothing fails
    let [arp, echo, datagrams] = sum.answers;
    let rare = [sum.missed, sum.late, sum.stuck, sum.resets, arp, sum.silent];
    let [least_rare, least] = if is_quick() { [2, 30] } else { [20, 200] };
    assert!(rare.iter().all(|&count| count > least_rare), "{sum:?}");
    let usual = [
        sum.passed,
        sum.refused,
        echo,
        datagrams,
        sum.accesses,
        sum.lane_frames,
    ];
    assert!(usual.iter().all(|&count| count > least), "{sum:?}");
}

#[test]
fn a_port_with_tags_makes_the_models_accesses_and_no_other() {
    let simulation = simulation(&tagged_host_design(&[]));
    let mut sum = HostTally::default();
    for seed in 0..runs(1, 6) {
        let mut sim = simulation.open(Initial::Random(seed)).expect("opens");
        let tally = HostBench::tagged(&mut sim, 0, seed)
            .run(CLOCKS)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        println!("seed {seed}: {tally:?}");
        sum.accesses += tally.accesses;
        sum.silent += tally.silent;
        sum.resets += tally.resets;
        for (all, answers) in sum.answers.iter_mut().zip(tally.answers) {
            *all += answers;
        }
    }
    // a run that tests nothing fails
    let least = if is_quick() { 10 } else { 100 };
    let [_, _, datagrams] = sum.answers;
    assert!(sum.accesses > least && datagrams > 3 * least, "{sum:?}");
    assert!(sum.silent > least / 5 && sum.resets > least / 5, "{sum:?}");
}

/// A clock with these inputs.
fn clock(sim: &mut Running, inputs: HostInputs) -> HostOutputs {
    let mut words = vec![0; HostOutputs::WORDS];
    sim.step(&inputs.pack(0), &mut words).expect("runs");
    HostOutputs::unpack(&words)
}

fn open(simulation: &Simulation) -> Running {
    let mut sim = simulation.open(Initial::Random(1)).expect("opens");
    let reset = HostInputs {
        reset: true,
        ..HostInputs::default()
    };
    clock(&mut sim, reset);
    sim
}

fn beat(frame: &[u8], place: usize) -> Option<HostBeat> {
    let data = *frame.get(place)?;
    Some(HostBeat {
        data,
        last: place + 1 == frame.len(),
        user: false,
    })
}

#[test]
fn an_answer_waits_for_the_frame_under_way_and_for_no_other() {
    let simulation = host_port();
    // frames of the other lane lie back to back for ever
    for length in [7, 60, 200, 350] {
        let mut sim = open(&simulation);
        let frame = PEER.echo(&HOST_CARD, 1, &[0xEE; 20]);
        let lane = vec![0xAA; length];
        let (mut came, mut lane_place, mut left) = (0, 0, Vec::new());
        let mut begun_since = Vec::new();
        for now in 0..2000 {
            let inputs = HostInputs {
                s_rx: beat(&frame, came),
                m_rx_ready: true,
                s_tx: beat(&lane, lane_place),
                m_tx_ready: true,
                ..HostInputs::default()
            };
            let outputs = clock(&mut sim, inputs);
            came += usize::from(outputs.s_rx_ready && inputs.s_rx.is_some());
            if outputs.s_tx_ready {
                if lane_place == 0 && came == frame.len() && left.is_empty() {
                    begun_since.push(now);
                }
                lane_place = (lane_place + 1) % lane.len();
            } else if let Some(beat) = outputs.m_tx {
                left.push(beat.data);
            }
        }
        assert_eq!(left.len(), frame.len(), "length {length}");
        assert_eq!(&left[..6], &PEER.mac, "length {length}");
        // what began in the few clocks of judging and summing up was under way
        let late = begun_since.iter().filter(|&&now| now > frame.len() + 10);
        assert_eq!(late.count(), 0, "length {length}: {begun_since:?}");
    }
}

#[test]
fn a_frame_that_passes_is_six_clocks_late_and_one_that_is_taken_costs_none() {
    let simulation = host_port();
    let mut sim = open(&simulation);
    let ours = PEER.datagram(&HOST_CARD, &[0; 30]);
    for length in [1, 5, 6, 7, 60, 1500] {
        let frame: Vec<u8> = (0..length).map(|i| i as u8).collect();
        let (mut came, mut taken, mut out) = (0, 0, Vec::new());
        let mut clocks = 0;
        while out.len() < length {
            clocks += 1;
            let whose = if taken < ours.len() { &ours } else { &frame };
            let place = if taken < ours.len() { taken } else { came };
            let inputs = HostInputs {
                s_rx: beat(whose, place),
                m_rx_ready: true,
                ..HostInputs::default()
            };
            let outputs = clock(&mut sim, inputs);
            if inputs.s_rx.is_some() && outputs.s_rx_ready {
                if taken < ours.len() {
                    taken += 1;
                } else {
                    came += 1;
                }
            }
            out.extend(outputs.m_rx.map(|beat| beat.data));
            assert!(clocks < 10_000, "length {length}");
        }
        assert_eq!(out, frame);
        let extra = clocks - ours.len() - length;
        assert_eq!(extra, length.min(6), "length {length}");
    }
}

/// Clocks from the last beat of `frame` to each access, from each response to the next access, and from the last of these to the answer on a free line.
fn clocks_of(simulation: &Simulation, frame: &[u8]) -> Vec<usize> {
    let mut sim = open(simulation);
    let (mut came, mut since, mut clocks) = (0, None, Vec::new());
    let mut answered = None;
    for now in 0..1000 {
        let inputs = HostInputs {
            s_rx: beat(frame, came),
            m_rx_ready: true,
            m_tx_ready: true,
            awready: true,
            wready: true,
            arready: true,
            b: (answered == Some(true)).then_some(0),
            r: (answered == Some(false)).then_some((0, 1)),
            ..HostInputs::default()
        };
        let outputs = clock(&mut sim, inputs);
        if answered.take().is_some() {
            since = Some(now);
        }
        if inputs.s_rx.is_some() && outputs.s_rx_ready {
            came += 1;
            if came == frame.len() {
                since = Some(now);
            }
        }
        let begins = outputs.aw.is_some() || outputs.ar.is_some();
        if begins {
            answered = Some(outputs.aw.is_some());
        }
        if begins || outputs.m_tx.is_some() {
            clocks.push(now - since.expect("a frame came"));
        }
        if outputs.m_tx.is_some() {
            return clocks;
        }
    }
    panic!("no answer: {clocks:?}");
}

#[test]
fn clocks_from_frames_to_accesses_and_answers_are_the_pages() {
    let simulation = host_port();
    let card = &HOST_CARD;
    assert_eq!(clocks_of(&simulation, &PEER.arp(card, [0xFF; 6])), [9]);
    assert_eq!(clocks_of(&simulation, &PEER.echo(card, 1, &[7; 5])), [9]);
    let probe = Packet {
        probe: true,
        ..Packet::default()
    };
    let datagram = |packet: Packet| PEER.datagram(card, &packet.encode());
    assert_eq!(clocks_of(&simulation, &datagram(probe)), [12]);
    let reads = Packet {
        reads: Some((1, vec![0, 4, 8])),
        ..Packet::default()
    };
    assert_eq!(clocks_of(&simulation, &datagram(reads)), [17, 22, 22, 23]);
    let both = Packet {
        writes: Some((8, vec![1, 2])),
        reads: Some((1, vec![0])),
        ..Packet::default()
    };
    // between the writes and the first read the base of the answer is looked at
    assert_eq!(clocks_of(&simulation, &datagram(both)), [17, 22, 25, 23]);
}
