//! `serve`, from the outside: a card of an example in Verilator, its clients other processes.

use crate::serve_support::{tools, ModelDevice, Serving};
use bloomline_driver::{open, Device, Item, Limits, Transport, Verdict};
use bloomline_model::RecyclingFilter;
use bloomline_spec::registers::{address, RecyclingCounter, MAGIC};
use bloomline_spec::{
    CellOperation, FilterSpec, HalfRole, Key, Operation, RecyclingGeometry, RegisterMap,
    VerdictFlags,
};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const WITHIN: Duration = Duration::from_secs(5);
/// Of an access bit by bit, on a computer that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);
/// Clocks in which a refresh has covered every word of the example.
const CLOCKS_TO_COVER: u64 = 100_000;

/// The small filter of the command's tests, of two phases.
fn geometry() -> RecyclingGeometry {
    let spec =
        FilterSpec::from_toml(crate::common::BASE, Path::new("tiny.toml")).expect("it parses");
    let sizing = spec.validate().expect("it is valid");
    let geometry = sizing.with_threshold(20_000).expect("its own threshold");
    assert_eq!(geometry.phases(), 2);
    geometry
}

/// The same on a card with a UART: 10 clocks a bit of a clock that is slow enough to be simulated in real time.
fn card_text() -> String {
    let filter = crate::common::BASE;
    format!("{filter}[target]\nclock_hz = 200_000\n[card]\nuart_baud = 20_000\n")
}

/// Every register of the map, by name.
fn registers(device: &mut impl Transport) -> Vec<(&'static str, u32)> {
    RegisterMap::of(geometry())
        .registers()
        .map(|register| {
            let read = device.read(register.offset, WITHIN);
            (register.name, read.expect("it answers"))
        })
        .collect()
}

#[test]
fn what_is_sent_before_the_card_is_there_is_lost_and_harms_nobody() {
    let folder = crate::common::folder(&card_text());
    let link = folder.path().join("card");
    let talk = || {
        let start = Instant::now();
        while !link.is_symlink() {
            assert!(start.elapsed() < PATIENCE, "it makes no link");
            std::thread::sleep(Duration::from_millis(1));
        }
        let reads = [2, 1, 0, 0, 0, 0].repeat(20);
        std::fs::File::options()
            .write(true)
            .open(&link)
            .and_then(|mut terminal| terminal.write_all(&reads[..117]))
            .expect("the terminal takes bytes");
    };
    let arguments = ["tiny.toml", "--pty", "card"];
    let serving = Serving::start_and(folder.path(), &arguments, talk);
    let url = serving.url.replacen("card", &link.display().to_string(), 1);
    let mut client = open(&url, PATIENCE).expect("it answers");
    for _ in 0..20 {
        assert_eq!(
            client.read(address::MAGIC, PATIENCE).expect("it answers"),
            MAGIC
        );
    }
    drop(client);
    // A byte too many, and behind it more than the card's queue holds; then more reads than could be answered in minutes: the next
    // client is answered all the same.
    let long_read = [2, 200, 0, 0, 0, 0];
    let too_many = [&[7], &long_read.repeat(3)[..], &[1; 99]].concat();
    for bytes in [too_many, long_read.repeat(2000)] {
        std::fs::File::options()
            .write(true)
            .open(&link)
            .and_then(|mut terminal| terminal.write_all(&bytes))
            .expect("the terminal takes bytes");
        let mut client = open(&url, PATIENCE).expect("it answers");
        let magic = client.read(address::MAGIC, PATIENCE).expect("it answers");
        assert_eq!(magic, MAGIC);
    }
    assert!(serving.interrupt().success());
}

#[test]
#[ignore = "a claim"]
fn a_served_card_keeps_what_was_set_through_clients_that_break_off_and_has_the_models_registers() {
    let folder = crate::common::folder(crate::common::BASE);
    let mut serving = Serving::start(folder.path(), &["tiny.toml", "--pty", "card"]);
    assert_eq!(serving.url, "uart:card");
    let url = format!("uart:{}", folder.path().join("card").display());
    let mut model = ModelDevice::new(&geometry());
    model.run(CLOCKS_TO_COVER);

    let mut client = open(&url, WITHIN).expect("it answers");
    for (register, value) in [
        (address::THRESHOLD, 12_345),
        (address::MAX_AGE, 0),
        (address::THRESHOLD, 54),
    ] {
        client.write(register, value, WITHIN).expect("it answers");
        model.write(register, value, WITHIN).expect("it answers");
    }
    drop(client);

    // Clients that are killed, at whatever they are doing, and one that leaves in the middle of a write.
    for milliseconds in [0, 2, 4, 8, 16, 32] {
        let mut stats = Command::new(env!("CARGO_BIN_EXE_bloomline"))
            .current_dir(folder.path())
            .args(["device", &url, "stats", "tiny.toml"])
            .stdout(Stdio::null())
            .spawn()
            .expect("the command starts");
        std::thread::sleep(Duration::from_millis(milliseconds));
        stats.kill().expect("it can be killed");
        stats.wait().expect("it ends");
    }
    let half_a_write = [1, 1, 0, 0, 0, (address::THRESHOLD / 4) as u8, 0, 0];
    std::fs::File::options()
        .write(true)
        .open(folder.path().join("card"))
        .and_then(|mut terminal| terminal.write_all(&half_a_write))
        .expect("the terminal takes bytes");

    let stats = crate::common::run(
        folder.path(),
        &["device", "uart:card", "stats", "tiny.toml", "--json"],
    );
    assert_eq!(stats.code, 0, "{}", stats.stderr);
    let stats: serde_json::Value = serde_json::from_str(&stats.stdout).expect("it is JSON");
    assert_eq!(stats["threshold"], 54);
    // The card's clock goes on while clients talk; a refresh covers every word meanwhile, as in the model.
    let covered = |device: &mut dyn Transport| {
        let status = device.read(address::STATUS, WITHIN).expect("it answers");
        status >> bloomline_spec::registers::field::STATUS_COVERED & 1 == 1
    };
    let mut client = open(&url, WITHIN).expect("it answers");
    for _ in 0..2000 {
        if covered(&mut client) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    model.run(CLOCKS_TO_COVER);
    assert_eq!(registers(&mut client), registers(&mut model));
    drop(client);

    // Both halves, word by word, and what they tell.
    let device = |arguments: &[&str]| -> serde_json::Value {
        let run = crate::common::run(
            folder.path(),
            &[&["device"], arguments, &["--json"]].concat(),
        );
        assert_eq!(run.code, 0, "{arguments:?}: {}", run.stderr);
        serde_json::from_str(&run.stdout).expect("it is JSON")
    };
    let taken = device(&["uart:card", "snapshot", "tiny.toml", "--out", "card.snap"]);
    assert_eq!(taken["words"], 4096);
    assert_eq!(taken["cycle"]["threshold"], 54);
    let estimate = device(&["-", "estimate", "card.snap"]);
    assert_eq!(estimate["either"]["keys"]["items"], 0);

    assert!(serving.is_alive());
    assert!(serving.interrupt().success());
    assert!(!folder.path().join("card").is_symlink());
}

#[test]
#[ignore = "a claim"]
fn random_keys_through_the_uart_of_a_served_card_get_the_models_verdicts_over_several_clients() {
    let folder = crate::common::folder(&card_text());
    let spec = FilterSpec::from_toml(&card_text(), Path::new("tiny.toml")).expect("it parses");
    let sizing = spec.validate().expect("it is valid");
    let geometry = sizing.with_threshold(20_000).expect("its own threshold");
    let mut model = RecyclingFilter::new(&geometry);
    model.set_threshold(100);
    let mut serving = Serving::start(folder.path(), &["tiny.toml", "--pty", "card"]);
    assert!(serving.url.starts_with("uart:card"), "{}", serving.url);
    let path = folder.path().join("card");
    let url = serving
        .url
        .replace("uart:card", &format!("uart:{}", path.display()));
    let limits = Limits {
        access: PATIENCE,
        command: PATIENCE,
    };

    let mut state: u64 = 1;
    let mut random = |below: u64| {
        // Knuth's MMIX generator; its high bits are the good ones.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for client in 0..3 {
        let mut link = open(&url, PATIENCE).expect("it answers");
        if client == 0 {
            link.write(address::THRESHOLD, 100, PATIENCE)
                .expect("it answers");
        }
        let device = Device::identify(link, &geometry, limits).expect("the card of this design");
        assert_eq!(device.threshold().expect("it answers"), 100);
        let items: Vec<Item> = (0..40)
            .map(|_| {
                let key = u128::from(random(150)) << 60 | 0xB10;
                let key = Key::from_integer(key, geometry.key_bits()).expect("it fits");
                let operations = [
                    CellOperation::Query,
                    CellOperation::Insert,
                    CellOperation::TestAndInsert,
                    CellOperation::TestAndInsert,
                ];
                Item::new(operations[random(4) as usize], key)
            })
            .collect();
        let verdicts = device.apply_all(&items, |_| {}).expect("it answers");
        for (place, (item, verdict)) in items.iter().zip(verdicts).enumerate() {
            let operation = Operation::from_code(item.operation.code());
            let outcome = model.apply(&item.key, operation);
            let expected = operation.has_verdict().then_some(VerdictFlags {
                in_active: outcome.in_active,
                in_frozen: outcome.in_frozen,
                tripped: outcome.tripped,
            });
            assert_eq!(
                verdict,
                expected.map(Verdict::Recycling),
                "client {client}, item {place}"
            );
        }
        // Then it leaves in the middle of an item, and of a command.
        let mut link = device.into_transport();
        link.write(address::ITEM_KEY, 7, PATIENCE)
            .expect("it answers");
        drop(link);
        std::fs::File::options()
            .write(true)
            .open(&path)
            .and_then(|mut terminal| terminal.write_all(&[1, 1, 0, 0, 0]))
            .expect("the terminal takes bytes");
    }
    assert!(model.recycles() > 1, "{}", model.recycles());
    let link = open(&url, PATIENCE).expect("it answers");
    let device = Device::identify(link, &geometry, limits).expect("the card of this design");
    // Words of both halves that hold a bit, and their neighbours.
    let words = geometry.words_per_bank() as u32;
    for (role, first) in [(HalfRole::Active, 0), (HalfRole::Frozen, 4 * words)] {
        let held = (0..words).find(|&word| model.word(role, 2, word) != 0);
        let held = held.expect("both halves hold something");
        for word in [held, (held + 1) % words] {
            let got = device.array_word(u64::from(first + 2 * words + word));
            let expected = model.word(role, 2, word);
            assert_eq!(got.expect("it answers"), expected, "{role:?} {word}");
        }
    }
    assert_eq!(
        device.bits_active().expect("it answers"),
        model.bits_active()
    );
    assert_eq!(
        device.bits_frozen().expect("it answers"),
        model.bits_frozen()
    );
    let counters = device.counters().expect("it answers");
    assert_eq!(counters.get(RecyclingCounter::Items), Some(120));
    assert_eq!(
        counters.get(RecyclingCounter::Recycles),
        Some(model.recycles())
    );
    assert!(serving.is_alive());
    assert!(serving.interrupt().success());
}

#[test]
fn what_is_wrong_ends_it_with_code_2_before_anything_is_built() {
    let folder = crate::common::folder(crate::common::BASE);
    std::fs::write(folder.path().join("taken"), "").expect("a file");
    let socket = std::net::UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let port = socket.local_addr().expect("it is bound").port().to_string();
    for (arguments, needle) in [
        (&["no.toml"][..], "no.toml: cannot read the specification"),
        (&["tiny.toml", "--pty", "taken"], "taken: exists already"),
        (&["tiny.toml", "--pty", "no/card"], "cannot be made"),
        (
            &["tiny.toml", "--udp", &port],
            "another program has this UDP port",
        ),
        (&["tiny.toml", "--udp", "here"], "here: cannot listen there"),
        (&["tiny.toml", "--udp", "0", "--pty"], "cannot be used with"),
    ] {
        let run = crate::common::run(folder.path(), &[&["serve"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stdout);
        assert!(run.stderr.contains(needle), "{needle}: {}", run.stderr);
        assert_eq!(run.stdout, "");
    }
    assert!(folder.path().join("taken").is_file(), "it is left alone");
    for (url, needle) in [
        ("sim:", "expected the path of a specification"),
        ("sim:no.toml", "no.toml: cannot read the specification"),
        ("x:1", "sim:, uart:, etherbone:, pcie:"),
    ] {
        let run = crate::common::run(folder.path(), &["device", url, "info"]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains(needle), "{needle}: {}", run.stderr);
    }
}

/// At the usual rate an access over a UART takes some 600,000 clocks: seconds in the built-in simulator.
#[test]
fn datagrams_to_a_card_with_a_uart_do_not_wait_for_its_bits() {
    let text = card_text()
        .replace("200_000", "125_000_000")
        .replace("20_000", "115_200");
    let folder = crate::common::folder(&text);
    let arguments = ["tiny.toml", "--udp", "0", "--simulator", "built-in"];
    let serving = Serving::start(folder.path(), &arguments);
    let design =
        bloomline_toolkit::Filter::from_text(Path::new("tiny.toml"), text).expect("it is valid");
    for arguments in [
        &["insert", "tiny.toml", "1", "2"][..],
        &["query", "tiny.toml", "1", "2", "3"],
        &["info"],
    ] {
        let run = crate::common::run(
            folder.path(),
            &[&["device", &serving.url], arguments].concat(),
        );
        assert_eq!(run.code, 0, "{}", run.stderr);
        match arguments[0] {
            "query" => assert_eq!(
                run.stdout,
                "0x1  seen, in the active half\n0x2  seen, in the active half\n0x3  not seen\n"
            ),
            "info" => {
                let hash = design.design().geometry_hash();
                assert!(
                    run.stdout.contains(&format!("{hash:016x}")),
                    "{}",
                    run.stdout
                );
            }
            _ => {}
        }
    }
    assert!(serving.interrupt().success());
}

#[test]
#[ignore = "a claim"]
fn a_specification_is_a_device_of_its_own() {
    let folder = crate::common::folder(crate::common::BASE);
    let tools = tools();
    let variables = [("BLOOMLINE_TOOLS", tools.to_str().expect("UTF-8"))];
    let arguments = ["device", "sim:tiny.toml", "info"];
    let run = crate::common::run_with(folder.path(), &arguments, &variables);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let hash = format!("geometry hash {:016x}", geometry().geometry_hash());
    assert!(run.stdout.starts_with(&hash), "{}", run.stdout);
    let arguments = ["device", "sim:tiny.toml", "stats", "tiny.toml"];
    let run = crate::common::run_with(folder.path(), &arguments, &variables);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("running"), "{}", run.stdout);
    for (arguments, told) in [
        (
            &["snapshot", "tiny.toml", "--out", "a.snap"][..],
            "frozen half",
        ),
        (&["estimate", "tiny.toml"], "either half"),
        (
            &["union", "a.snap", "--spec", "tiny.toml", "--out", "b.snap"],
            "frozen half",
        ),
    ] {
        let arguments = [&["device", "sim:tiny.toml"], arguments].concat();
        let run = crate::common::run_with(folder.path(), &arguments, &variables);
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.contains(told), "{}", run.stdout);
    }
}

#[test]
#[ignore = "a claim"]
fn litex_reads_and_writes_a_served_card_over_uart_and_udp() {
    let Some(python) = crate::litex::python() else {
        return;
    };
    let folder = crate::common::folder(crate::common::BASE);
    let register = address::THRESHOLD.to_string();
    for (at, script, value) in [
        (&["--pty"][..], "uart_host.py", 700),
        (&["--udp", "0"], "udp_host.py", 800),
    ] {
        let serving = Serving::start(folder.path(), &[&["tiny.toml"], at].concat());
        let place = match serving.url.strip_prefix("uart:") {
            Some(path) => path,
            None => serving.url.rsplit(':').next().expect("a port"),
        };
        let printed = crate::litex::run(
            Command::new(python)
                .arg(crate::litex::script(script))
                .args([place, &register, &u32::to_string(&value)]),
        );
        let mut read = crate::litex::numbers(&printed.expect("LiteX ends well"));
        if script == "udp_host.py" {
            assert_eq!(read.remove(0), 1, "the answer to its probe");
        }
        assert_eq!(read[..2], [MAGIC, value]);
        let hash = geometry().geometry_hash();
        assert_eq!(
            read[2..],
            [MAGIC, 1, hash as u32, (hash >> 32) as u32, address::FILTER]
        );
        assert!(serving.interrupt().success());
    }
}
