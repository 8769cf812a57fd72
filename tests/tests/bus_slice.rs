//! Register slice of an AXI4-Lite bus: each channel holds one transfer, whatever both sides do.

use bloomline_hdl::bus::BusSlice;
use bloomline_language::emit::{verilog, Options};
use bloomline_tests::faults::{with_fault, FaultTable};
use bloomline_tests::{runs, NamedPins};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use rust_hdl::prelude::Block;

const ADDRESS_BITS: u32 = 11;

/// A channel: the ports of the side that offers and of the other, `valid` and `ready` of both, and what travels with its bits.
struct Channel {
    offers: &'static str,
    taken: &'static str,
    name: &'static str,
    carries: &'static [(&'static str, u32)],
}

const CHANNELS: [Channel; 5] = [
    Channel {
        offers: "host_",
        taken: "",
        name: "aw",
        carries: &[("addr", ADDRESS_BITS)],
    },
    Channel {
        offers: "host_",
        taken: "",
        name: "w",
        carries: &[("data", 32), ("strb", 4)],
    },
    Channel {
        offers: "",
        taken: "host_",
        name: "b",
        carries: &[("resp", 2)],
    },
    Channel {
        offers: "host_",
        taken: "",
        name: "ar",
        carries: &[("addr", ADDRESS_BITS)],
    },
    Channel {
        offers: "",
        taken: "host_",
        name: "r",
        carries: &[("data", 32), ("resp", 2)],
    },
];

/// The first clock and port that differ from one place a channel, and how many transfers came through.
fn compare(text: String, seed: u64, clocks: u64) -> Result<[u64; 5], String> {
    let mut pins = NamedPins::of_text(text, "bus_slice");
    let mut random = SmallRng::seed_from_u64(seed);
    let mut held: [Option<Vec<u64>>; 5] = Default::default();
    let mut moved = [0; 5];
    let (mut offering, mut taking) = (0.5, 0.5);
    for clock in 0..clocks {
        if clock % 64 == 0 {
            [offering, taking] = [(); 2].map(|()| [0.1, 0.5, 1.0][random.random_range(0..3)]);
        }
        let reset = random.random_bool(0.01);
        pins.set("reset", reset);
        let mut offers = Vec::new();
        for channel in &CHANNELS {
            let Channel {
                offers: from,
                taken: to,
                name,
                carries,
            } = channel;
            let valid = random.random_bool(offering);
            let ready = random.random_bool(taking);
            let payload: Vec<u64> = carries
                .iter()
                .map(|(_, bits)| random.random_range(0..1u64 << bits))
                .collect();
            pins.set(&format!("{from}{name}valid"), valid);
            pins.set(&format!("{to}{name}ready"), ready);
            for ((field, _), value) in carries.iter().zip(&payload) {
                pins.set(&format!("{from}{name}{field}"), *value);
            }
            offers.push((valid, ready, payload));
        }
        pins.clock();
        for (i, (channel, (valid, ready, payload))) in CHANNELS.iter().zip(offers).enumerate() {
            let Channel {
                offers: from,
                taken: to,
                name,
                carries,
            } = channel;
            let expect = |port: String, expected: u64| match pins.get(&port) {
                got if got == expected => Ok(()),
                got => Err(format!(
                    "clock {clock}: {port} is {got:#x}, not {expected:#x}"
                )),
            };
            expect(format!("{to}{name}valid"), held[i].is_some().into())?;
            expect(format!("{from}{name}ready"), held[i].is_none().into())?;
            for ((field, _), value) in carries.iter().zip(held[i].iter().flatten()) {
                expect(format!("{to}{name}{field}"), *value)?;
            }
            held[i] = match held[i].take() {
                _ if reset => None,
                None => valid.then_some(payload),
                Some(transfer) => {
                    moved[i] += u64::from(ready);
                    (!ready).then_some(transfer)
                }
            };
        }
    }
    Ok(moved)
}

fn text() -> String {
    let mut block = BusSlice::new(ADDRESS_BITS as usize);
    block.connect_all();
    let emitted = verilog(&block, "bus_slice", &Options::default());
    emitted.expect("can be printed").text()
}

#[test]
fn every_channel_holds_one_transfer_and_no_path_goes_through() {
    for seed in 0..runs(2, 20) {
        let moved =
            compare(text(), seed, 5_000).unwrap_or_else(|told| panic!("seed {seed}: {told}"));
        assert!(moved.iter().all(|&moved| moved > 500), "{moved:?}");
    }
}

#[test]
fn every_fault_of_the_slice_is_caught() {
    for fault in FaultTable::load("bus_slice.channels").faults {
        let told = compare(with_fault(&text(), &fault), 1, 5_000);
        println!("{}: {told:?}", fault.name);
        assert!(told.is_err(), "not caught: {}", fault.name);
    }
}
