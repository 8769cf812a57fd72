//! The model of the block RAM, against what yosys' description of the primitive says and a plain array.

use bloomline_bench::verilator::{
    BuildOptions, Design, Initial, Library, Port, Sim, VerilatorError,
};
use bloomline_tests::toolchain;
use bloomline_toolchain::Program;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The model's text.
pub const MODEL: &str = include_str!("dp16kd.v");

const MASK: u64 = (1 << 36) - 1;

/// What one clock does; everything off by default but the clock enables.
#[derive(Clone, Copy)]
struct Act {
    cea: bool,
    wea: bool,
    bytes: u64,
    write: (u64, u64),
    ceb: bool,
    oceb: bool,
    rstb: bool,
    read: u64,
}

impl Default for Act {
    fn default() -> Self {
        Self {
            cea: true,
            wea: false,
            bytes: 15,
            write: (0, 0),
            ceb: true,
            oceb: true,
            rstb: false,
            read: 0,
        }
    }
}

fn write(address: u64, data: u64) -> Act {
    Act {
        wea: true,
        write: (address, data),
        read: address ^ 1,
        ..Act::default()
    }
}

fn read(address: u64) -> Act {
    Act {
        read: address,
        ..Act::default()
    }
}

fn design() -> Design {
    let ports = [
        Port::input("cea", 1),
        Port::input("wea", 1),
        Port::input("byte_enable", 4),
        Port::input("write_address", 9),
        Port::input("write_data", 36),
        Port::input("ceb", 1),
        Port::input("oceb", 1),
        Port::input("rstb", 1),
        Port::input("read_address", 9),
        Port::output("latched", 36),
        Port::output("registered", 36),
    ];
    Design {
        top: "dp16kd_bench".into(),
        clock: Some("clock".into()),
        sources: vec![
            ("dp16kd.v".into(), MODEL.into()),
            (
                "dp16kd_bench.v".into(),
                include_str!("dp16kd_bench.v").into(),
            ),
        ],
        ports: ports.to_vec(),
    }
}

fn library(width: u32) -> Library {
    let toolchain = toolchain(&[Program::Verilator]);
    let options = BuildOptions {
        verilator_flags: vec![format!("-GWIDTH={width}")],
        ..BuildOptions::default()
    };
    Library::build(&toolchain, &design(), &options).unwrap_or_else(|error| panic!("{error}"))
}

fn open() -> Sim {
    library(36).open(Initial::Ones).expect("opens")
}

/// One clock; what both outputs showed before its edge.
fn step(sim: &mut Sim, act: Act) -> Result<[u64; 2], VerilatorError> {
    let inputs = [
        act.cea.into(),
        act.wea.into(),
        act.bytes,
        act.write.0,
        act.write.1,
        act.ceb.into(),
        act.oceb.into(),
        act.rstb.into(),
        act.read,
    ];
    let mut outputs = [0; 2];
    sim.step(&inputs, &mut outputs)?;
    Ok(outputs)
}

/// The outputs after the clocks of `acts`.
fn after(sim: &mut Sim, acts: &[Act]) -> [u64; 2] {
    for act in acts {
        step(sim, *act).expect("runs");
    }
    let idle = Act {
        ceb: false,
        oceb: false,
        ..Act::default()
    };
    step(sim, idle).expect("runs")
}

#[test]
fn block_ram_is_zero_at_the_start() {
    let mut sim = open();
    for address in 0..512 {
        assert_eq!(after(&mut sim, &[read(address)]), [0, 0], "word {address}");
    }
}

#[test]
fn block_ram_shows_a_word_one_clock_after_its_address_and_registered_two() {
    let mut sim = open();
    let (a, b) = (0x9_1234_5678, 0x6_edcb_a987);
    after(&mut sim, &[write(7, a), write(8, b)]);
    assert_eq!(after(&mut sim, &[read(7)])[0], a);
    assert_eq!(after(&mut sim, &[read(8), read(7)]), [a, b]);
    assert_eq!(after(&mut sim, &[read(7), read(7)]), [a, a]);
}

#[test]
fn block_ram_writes_nine_bits_for_each_byte_enable() {
    let mut sim = open();
    for bytes in 0..16 {
        let enabled: u64 = (0..4)
            .filter(|byte| bytes >> byte & 1 == 1)
            .map(|byte| 0x1ff << (9 * byte))
            .sum();
        let part = Act {
            bytes,
            ..write(100, MASK)
        };
        let seen = after(&mut sim, &[write(100, 0), part, read(100)])[0];
        assert_eq!(seen, enabled, "enables {bytes:04b}");
    }
}

#[test]
fn block_ram_holds_without_its_enables() {
    let mut sim = open();
    after(&mut sim, &[write(1, 0x111), write(2, 0x222)]);
    let no_clock = Act {
        cea: false,
        ..write(1, MASK)
    };
    let no_write = Act {
        wea: false,
        ..write(1, MASK)
    };
    assert_eq!(after(&mut sim, &[no_clock, no_write, read(1)])[0], 0x111);
    let no_read = Act {
        ceb: false,
        ..read(2)
    };
    assert_eq!(after(&mut sim, &[read(1), no_read])[0], 0x111);
    let no_output = Act {
        oceb: false,
        ..read(2)
    };
    assert_eq!(
        after(&mut sim, &[read(1), read(1), no_output]),
        [0x222, 0x111]
    );
}

#[test]
fn block_ram_equals_an_array_but_where_a_read_meets_a_write() {
    const SEED: u64 = 1;
    const CLOCKS: u64 = 100_000;
    let mut rng = ChaCha8Rng::seed_from_u64(SEED);
    let mut sim = open();
    let (mut words, mut met) = (vec![0; 512], 0);
    // value and the bits that are promised
    let (mut latched, mut registered) = ((0, MASK), (0, MASK));
    for clock in 0..CLOCKS {
        let act = Act {
            cea: rng.random_bool(0.9),
            wea: rng.random_bool(0.6),
            bytes: rng.random_range(0..16),
            write: (rng.random_range(0..24) * 22, rng.random::<u64>() & MASK),
            ceb: rng.random_bool(0.9),
            oceb: rng.random_bool(0.9),
            rstb: false,
            read: rng.random_range(0..24) * 22,
        };
        let seen = step(&mut sim, act).expect("runs");
        for (name, seen, (value, promised)) in [
            ("latched", seen[0], latched),
            ("registered", seen[1], registered),
        ] {
            assert_eq!(
                (seen ^ value) & promised,
                0,
                "{name}, clock {clock}, seed {SEED}: {seen:09x} for {value:09x}"
            );
        }
        let enabled: u64 = match act.cea && act.wea {
            true => (0..4)
                .filter(|byte| act.bytes >> byte & 1 == 1)
                .map(|byte| 0x1ff << (9 * byte))
                .sum(),
            false => 0,
        };
        if act.oceb {
            registered = latched;
        }
        let (at, data) = act.write;
        if act.ceb {
            let meets = if at == act.read { enabled } else { 0 };
            latched = (words[act.read as usize], MASK & !meets);
            met += u32::from(meets != 0);
        }
        let word = &mut words[at as usize];
        *word = (*word & !enabled) | (data & enabled);
    }
    assert!(met > 1_000, "only {met} reads met a write");
}

#[test]
fn block_ram_promises_nothing_where_a_read_meets_a_write() {
    const TRIALS: u32 = 400;
    let (old, new) = (0x0_0000_ffff, 0xf_ffff_0000);
    let mut sim = open();
    let (mut was_old, mut was_new, mut was_neither) = (0, 0, 0);
    for _ in 0..TRIALS {
        let meeting = Act {
            read: 3,
            ..write(3, new)
        };
        match after(&mut sim, &[write(3, old), meeting])[0] {
            seen if seen == old => was_old += 1,
            seen if seen == new => was_new += 1,
            _ => was_neither += 1,
        }
        assert_eq!(
            after(&mut sim, &[read(3)])[0],
            new,
            "the write itself is sound"
        );
    }
    println!(
        "{TRIALS} reads that met a write: {was_old} old, {was_new} new, {was_neither} neither"
    );
    assert!(was_old.min(was_new).min(was_neither) > TRIALS / 8);
    let log = sim.take_log();
    assert_eq!(
        log.matches("a word was read while it was written").count(),
        2,
        "once for each of two blocks: {log}"
    );
}

#[test]
fn block_ram_refuses_what_is_not_modelled() {
    let mut odd = library(12).open(Initial::Zeros).expect("opens");
    let error = step(&mut odd, Act::default())
        .expect_err("12 bits are not modelled")
        .to_string();
    assert!(error.contains("width 12 is not modelled"), "{error}");
    let reset = Act {
        rstb: true,
        ..Act::default()
    };
    let error = step(&mut open(), reset)
        .expect_err("no output reset")
        .to_string();
    assert!(error.contains("RSTB"), "{error}");
}
