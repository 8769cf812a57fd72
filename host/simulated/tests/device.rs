//! Claims about simulated cards: as transports, with traffic beside the accesses, and served to other programs.

use bloomline_bench::lockstep::Simulator;
use bloomline_bench::verilator::Initial;
use bloomline_driver::serve::{Bridge, EtherboneResponder, UartResponder};
use bloomline_driver::{
    conformance, open, Design, Device, Limits, Line, Shared, Transport, TransportError,
};
use bloomline_model::RecyclingFilter;
use bloomline_simulated::device::{bind_udp, serve, CardError, Clocked, SimulatedCard, Terminal};
use bloomline_spec::registers::{address, field, RecyclingCounter, MAGIC};
use bloomline_spec::{
    CardSection, FilterSpec, Key, Operation, RecyclingGeometry, RegisterMap, TargetSection,
    VerdictFlags, CELL_EXAMPLES, EXAMPLES, SLIDING_EXAMPLES,
};
use bloomline_toolchain::{Program, Toolchain};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const WITHIN: Duration = Duration::from_secs(1);
const ACCESS: Duration = Duration::from_millis(50);

/// The one-hit filter, with a threshold that a few thousand keys reach several times.
fn geometry() -> RecyclingGeometry {
    let (file, text) = EXAMPLES[0];
    let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
    let sizing = spec.validate().expect("an example");
    sizing.with_threshold(2_000).expect("a legal threshold")
}

/// The same with keys of 40 bits in a card of its own; with a UART it has 10 clocks a bit of a clock of 1 MHz, about what is
/// simulated in real time.
fn on_a_card(uart: bool) -> RecyclingGeometry {
    let (file, text) = EXAMPLES[0];
    let mut spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
    spec.key.bits = Some(40);
    spec.target = Some(TargetSection {
        clock_hz: 1_000_000,
        ..TargetSection::default()
    });
    spec.card = Some(CardSection {
        uart_baud: uart.then_some(100_000),
    });
    let sizing = spec.validate().expect("it is legal");
    sizing.with_threshold(500).expect("a legal threshold")
}

/// Makes items through the item port and compares their verdicts with the model's.
fn items_go_through_the_port(link: &mut impl Transport, geometry: &RecyclingGeometry, items: u32) {
    let mut model = RecyclingFilter::new(geometry);
    let mut sequence = 0;
    for item in 0..items {
        let key = Key::from_integer(u128::from(item * 7919 % 600) << 8, 40).expect("it fits");
        let operation = Operation::ALL[item as usize % 7 % 3];
        let code = operation.code().into();
        link.write(address::ITEM_OPERATION, code, WITHIN)
            .expect("it answers");
        for (place, word) in (0..).zip(key.words_32()) {
            link.write(address::ITEM_KEY + 4 * place, word, WITHIN)
                .expect("it answers");
        }
        let mut result = u32::MAX;
        while result >> field::ITEM_BUSY & 1 == 1 {
            result = link.read(address::ITEM_RESULT, WITHIN).expect("it answers");
        }
        let outcome = model.apply(&key, operation);
        let flags = VerdictFlags {
            in_active: outcome.in_active,
            in_frozen: outcome.in_frozen,
            tripped: outcome.tripped,
        };
        let verdict = match operation.has_verdict() {
            true => flags.to_bits().into(),
            false => 0,
        };
        sequence = (sequence + 1) % 128;
        assert_eq!(
            result,
            sequence << field::ITEM_SEQUENCE | verdict,
            "item {item}"
        );
    }
    let bits = link.read(address::BITS_ACTIVE, WITHIN).expect("it answers");
    assert_eq!(u64::from(bits), model.bits_active());
    assert!(items < 1000 || model.recycles() > 2, "{}", model.recycles());
}

fn simulate(design: impl Into<Design>) -> SimulatedCard {
    let toolchain = Toolchain::discover().expect("a tools folder");
    // As a claim in Verilator, as a quick test in the built-in simulator.
    let simulator = match std::env::var_os("BLOOMLINE_SOAK") {
        Some(_) => {
            toolchain
                .find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))
                .expect("Verilator");
            Simulator::Verilator(&toolchain)
        }
        None => Simulator::BuiltIn,
    };
    SimulatedCard::build(design, simulator, Initial::Random(7)).expect("it is built and runs")
}

fn card() -> SimulatedCard {
    simulate(geometry())
}

#[test]
fn a_card_of_a_recycling_filter_passes_the_suite_of_transports() {
    let mut card = card();
    conformance::check(&mut card, &geometry(), WITHIN).expect("a perfect link");
    let first = Shared::new(card);
    conformance::check_two_clients(
        &mut first.clone(),
        &mut first.clone(),
        &geometry(),
        WITHIN,
        20,
    )
    .expect("two clients");
}

#[test]
fn a_card_of_every_other_kind_has_the_registers_of_its_map() {
    for &(file, text) in CELL_EXAMPLES {
        let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
        let Ok(Design::Cells(geometry)) = spec.design() else {
            panic!("{file} is of cells");
        };
        let map = RegisterMap::of(&geometry);
        conformance::check_registers(&mut simulate(&geometry), &map, WITHIN)
            .unwrap_or_else(|error| panic!("{file}: {error}"));
    }
    let (file, text) = SLIDING_EXAMPLES[0];
    let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
    let geometry = spec.sliding().expect("an example");
    let map = RegisterMap::of(&geometry);
    conformance::check_registers(&mut simulate(&geometry), &map, WITHIN).expect("window");
}

#[test]
fn traffic_runs_beside_register_accesses_and_every_verdict_is_the_models() {
    let geometry = geometry();
    let mut card = card();
    let mut model = RecyclingFilter::new(&geometry);
    let keys = (0..6000u32).map(|place| (place * 7919) % 3500);
    let mut expected = Vec::new();
    for (tag, key) in keys.enumerate() {
        let operation = Operation::ALL[tag % 7 % 3];
        let key = Key::from_integer(key.into(), geometry.key_bits()).expect("it fits");
        card.offer(&key, operation.code().into(), tag as u64)
            .expect("a key of the right width");
        let outcome = model.apply(&key, operation);
        if operation.has_verdict() {
            let flags = VerdictFlags {
                in_active: outcome.in_active,
                in_frozen: outcome.in_frozen,
                tripped: outcome.tripped,
            };
            expected.push((tag as u64, u64::from(flags.to_bits())));
        }
        // Accesses while items wait: some are taken meanwhile.
        if tag % 16 == 0 {
            assert_eq!(
                card.read(address::MAGIC, WITHIN).expect("it answers"),
                MAGIC
            );
            card.write(address::MAX_AGE, 0, WITHIN).expect("it answers");
        }
    }
    assert!(card.waiting() > 0, "accesses and items share the clocks");
    while card.waiting() > 0 {
        card.run(100).expect("the model runs");
    }
    card.run(400).expect("the model runs");
    let got: Vec<(u64, u64)> = std::iter::from_fn(|| card.take_verdict())
        .map(|verdict| (verdict.tag, verdict.bits))
        .collect();
    assert_eq!(got, expected);
    assert!(model.recycles() > 2, "{}", model.recycles());
    let device = Device::identify(&mut card, &geometry, Limits::default()).expect("known");
    assert_eq!(
        device.bits_active().expect("it answers"),
        model.bits_active()
    );
    assert_eq!(
        device.bits_frozen().expect("it answers"),
        model.bits_frozen()
    );
    let counters = device.counters().expect("it answers");
    assert_eq!(counters.get(RecyclingCounter::Items), Some(6000));
    assert_eq!(
        counters.get(RecyclingCounter::Recycles),
        Some(model.recycles())
    );

    let narrow = Key::from_integer(1, geometry.key_bits() - 1).expect("it fits");
    let refused = card.offer(&narrow, 2, 0);
    assert!(
        matches!(
            refused,
            Err(CardError::KeyWidth {
                expected: 104,
                got: 103,
                ..
            })
        ),
        "{refused:?}"
    );
}

#[test]
fn a_late_access_is_waited_for_by_the_next_and_a_deadline_is_clocks() {
    let mut card = card();
    let clock = Duration::from_micros(1);
    let read = card.read(address::MAGIC, clock);
    assert!(
        matches!(read, Err(TransportError::Timeout { .. })),
        "{read:?}"
    );
    let threshold = card.read(address::THRESHOLD, WITHIN);
    assert_eq!(threshold.expect("it answers"), 2_000, "not the magic");
    let write = card.write(address::THRESHOLD, 3_000, 2 * clock);
    assert!(
        matches!(write, Err(TransportError::Unknown { value: 3_000, .. })),
        "{write:?}"
    );
    let nothing = card.write(address::THRESHOLD, 4_000, Duration::ZERO);
    assert!(
        matches!(nothing, Err(TransportError::Timeout { .. })),
        "{nothing:?}"
    );
    let threshold = card.read(address::THRESHOLD, WITHIN);
    assert_eq!(
        threshold.expect("it answers"),
        3_000,
        "it was taken after all"
    );
    let start = card.clocks();
    let burst = card.burst(address::MAGIC, &mut [0; 5], 11 * clock);
    assert!(
        matches!(burst, Err(TransportError::Timeout { .. })),
        "{burst:?}"
    );
    assert_eq!(card.clocks() - start, 11);
    for address in [2, 0x100, u32::MAX - 3] {
        let read = card.read(address, WITHIN);
        assert!(
            matches!(read, Err(TransportError::NoRegister { .. })),
            "{read:?}"
        );
    }
    card.reset().expect("it comes back");
    let threshold = card.read(address::THRESHOLD, WITHIN);
    assert_eq!(threshold.expect("it answers"), 2_000);
}

/// Runs `clients` while `device` is served at `line`.
fn while_served<R>(
    mut line: impl Line,
    mut device: impl Clocked,
    clients: impl FnOnce() -> R + Send,
) -> R
where
    R: Send,
{
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let result = scope.spawn(|| {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(clients));
            stop.store(true, Ordering::Relaxed);
            result
        });
        serve(&mut line, &mut device, &stop).expect("neither line nor model fail");
        let result = result.join().expect("panics were caught");
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[test]
fn a_served_card_passes_the_suite_over_a_pseudo_terminal_and_survives_its_clients() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("card");
    let terminal = Terminal::open(Some(&link)).expect("a pseudo-terminal");
    let path = terminal.path();
    assert_eq!(path, link.display().to_string());
    let again = Terminal::open(Some(&link));
    assert!(
        matches!(again, Err(CardError::LinkExists { .. })),
        "{again:?}"
    );
    let nowhere = Terminal::open(Some(&folder.path().join("no/card")));
    assert!(
        matches!(nowhere, Err(CardError::Link { .. })),
        "{nowhere:?}"
    );

    let bridge = UartResponder::new(Bridge::new(card(), ACCESS));
    let url = format!("uart:{path}");
    while_served(terminal, bridge, || {
        let mut client = open(&url, WITHIN).expect("it answers");
        conformance::check(&mut client, &geometry(), WITHIN).expect("a good link");
        drop(client);
        // Clients that go in the middle: of a command, and before the answer.
        for bytes in [
            &[2, 1, 0][..],
            &[1, 4, 0, 0, 0, 21, 0, 0],
            &[2, 5, 0, 0, 0, 0],
        ] {
            let mut file = std::fs::File::options().read(true).write(true).open(&path);
            let file = file.as_mut().expect("it can be opened again");
            file.write_all(bytes).expect("it takes bytes");
            let mut client = open(&url, WITHIN).expect("it answers the next client");
            conformance::check(&mut client, &geometry(), WITHIN).expect("a good link");
        }
        // Answers that nobody read are gone a while later, also for a client that reads whatever there is.
        let mut file = std::fs::File::options().read(true).write(true).open(&path);
        let file = file.as_mut().expect("it can be opened again");
        file.write_all(&[2, 5, 0, 0, 0, 0]).expect("it takes bytes");
        thread::sleep(Duration::from_millis(1500));
        file.write_all(&[2, 1, 0, 0, 0, 1]).expect("it takes bytes");
        let mut answer = [0; 4];
        file.read_exact(&mut answer).expect("it answers");
        assert_eq!(answer, [0, 0, 0, 1], "the map's version, not the magic");
    });
    assert!(!link.is_symlink(), "the link goes with the terminal");
}

#[test]
fn a_card_with_an_item_port_takes_items_beside_those_of_its_stream() {
    let geometry = on_a_card(false);
    let mut card = simulate(&geometry);
    conformance::check(&mut card, &geometry, WITHIN).expect("a perfect link");
    items_go_through_the_port(&mut card, &geometry, 3000);
    // The stream's verdicts bear the stream's tags; the host's stay with the host.
    let key = Key::from_integer(5, 40).expect("it fits");
    for tag in 0..100 {
        card.offer(&key, 0, tag).expect("a key of the right width");
    }
    card.write(address::ITEM_OPERATION, 0, WITHIN)
        .expect("it answers");
    card.write(address::ITEM_KEY, 5, WITHIN)
        .expect("it answers");
    card.write(address::ITEM_KEY + 4, 0, WITHIN)
        .expect("it answers");
    card.run(400).expect("the model runs");
    let tags: Vec<u64> = std::iter::from_fn(|| card.take_verdict())
        .map(|verdict| verdict.tag)
        .collect();
    assert_eq!(tags, (0..100).collect::<Vec<_>>());
    let result = card.read(address::ITEM_RESULT, WITHIN).expect("it answers");
    assert_eq!(result >> field::ITEM_BUSY, 0);
}

#[test]
#[ignore = "a claim"]
fn a_card_with_a_uart_is_reached_bit_by_bit_through_its_own_bridge() {
    let geometry = on_a_card(true);
    let mut card = simulate(&geometry);
    let clocks = card.clocks();
    conformance::check(&mut card, &geometry, WITHIN).expect("a perfect link");
    assert!(
        card.clocks() - clocks > 100_000,
        "every byte takes 100 clocks"
    );
    items_go_through_the_port(&mut card, &geometry, 300);
    let none = card.read(address::MAGIC, Duration::ZERO);
    assert!(
        matches!(none, Err(TransportError::Timeout { .. })),
        "{none:?}"
    );

    let terminal = Terminal::open(None).expect("a pseudo-terminal");
    let path = terminal.path();
    let url = format!("uart:{path}?baud=38400");
    card.reset().expect("it comes back");
    let pins = card.into_uart_pins().expect("it has a UART");
    while_served(terminal, pins, || {
        let mut client = open(&url, WITHIN).expect("it answers");
        conformance::check(&mut client, &geometry, 5 * WITHIN).expect("a good link");
        drop(client);
        for bytes in [
            &[2, 1, 0][..],
            &[1, 4, 0, 0, 0, 21, 0, 0],
            &[2, 5, 0, 0, 0, 0],
        ] {
            let mut file = std::fs::File::options().read(true).write(true).open(&path);
            let file = file.as_mut().expect("it can be opened again");
            file.write_all(bytes).expect("it takes bytes");
            let mut client = open(&url, 5 * WITHIN).expect("it answers the next client");
            let threshold = client.read(address::THRESHOLD, 5 * WITHIN);
            assert_eq!(threshold.expect("it answers"), 500);
        }
        let mut client = open(&url, 5 * WITHIN).expect("it answers");
        items_go_through_the_port(&mut client, &geometry, 100);
    });
}

#[test]
fn a_served_card_passes_the_suite_over_udp_with_two_hosts() {
    let line = bind_udp("127.0.0.1:0").expect("a free port");
    let address = line.address().expect("it is bound").to_string();
    let taken = bind_udp(&address);
    assert!(
        matches!(taken, Err(CardError::PortInUse { .. })),
        "{taken:?}"
    );
    let wrong = bind_udp("no address");
    assert!(matches!(wrong, Err(CardError::Bind { .. })), "{wrong:?}");

    let bridge = EtherboneResponder::new(Bridge::new(card(), ACCESS));
    let url = format!("etherbone:{address}");
    while_served(line, bridge, || {
        let mut first = open(&url, 5 * WITHIN).expect("it answers");
        let mut second = open(&url, 5 * WITHIN).expect("it answers");
        conformance::check(&mut first, &geometry(), 5 * WITHIN).expect("a good link");
        conformance::check_two_clients(&mut first, &mut second, &geometry(), 5 * WITHIN, 50)
            .expect("two hosts");
    });
}

#[test]
fn the_clock_of_a_served_card_goes_on_while_clients_talk() {
    let line = bind_udp("127.0.0.1:0").expect("a free port");
    let url = format!("etherbone:{}", line.address().expect("it is bound"));
    let bridge = EtherboneResponder::new(Bridge::new(card(), ACCESS));
    while_served(line, bridge, || {
        let mut client = open(&url, WITHIN).expect("it answers");
        let device = Device::identify(&mut client, geometry(), Limits::default());
        let device = device.expect("the filter of this geometry");
        let start = Instant::now();
        // A tick is 1024 clocks: a millisecond.
        device.set_max_age_ticks(20).expect("it answers");
        let mut recycles = 0;
        while recycles < 3 && start.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(50));
            recycles = device
                .counter(RecyclingCounter::Recycles)
                .expect("it answers");
        }
        let most = start.elapsed().as_millis() as u64 / 20 + 1;
        assert!((3..=most).contains(&recycles), "{recycles} of {most}");
    });
}
