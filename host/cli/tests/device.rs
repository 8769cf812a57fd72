//! `device`, against a file with the layout of a card's registers, and against a card whose filter is the pipeline model,
//! reached over UDP.

use crate::card::Card;
use bloomline_driver::serve::Bridge;
use bloomline_driver::{Transport, TransportError, Within};
use bloomline_spec::registers::{address, field, RecyclingCounter};
use bloomline_spec::{FilterKind, FilterSpec, RecyclingGeometry, RegisterMap};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

const OFFSET: usize = 0x10_0000;
const URL: &str = "pcie:./bar?offset=0x100000";

fn geometry() -> RecyclingGeometry {
    geometry_of(crate::common::BASE)
}

fn geometry_of(text: &str) -> RecyclingGeometry {
    let spec = FilterSpec::from_toml(text, Path::new("tiny.toml")).expect("it parses");
    let sizing = spec.validate().expect("it is valid");
    sizing.with_threshold(20_000).expect("its own threshold")
}

/// A folder with the specification and a BAR whose registers have their reset values and `changed` ones.
fn bar(changed: &[(u32, u32)]) -> TempDir {
    bar_of(crate::common::BASE, changed)
}

fn bar_of(text: &str, changed: &[(u32, u32)]) -> TempDir {
    let folder = crate::common::folder(text);
    let mut bytes = vec![0; OFFSET + 4096];
    let mut put = |address: u32, value: u32| {
        let place = OFFSET + address as usize;
        bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
    };
    for register in RegisterMap::of(geometry_of(text)).registers() {
        put(register.offset, register.reset.unwrap_or(0));
    }
    for &(address, value) in changed {
        put(address, value);
    }
    std::fs::write(folder.path().join("bar"), bytes).expect("the file");
    folder
}

#[test]
fn info_tells_hash_and_blocks_without_a_specification() {
    let folder = bar(&[]);
    let run = crate::common::run(folder.path(), &["device", URL, "info"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let hash = format!("geometry hash {:016x}", geometry().geometry_hash());
    assert!(run.stdout.starts_with(&hash), "{}", run.stdout);
    for needle in ["0x040", "recycling filter", "0x080", "counters"] {
        assert!(run.stdout.contains(needle), "{needle}: {}", run.stdout);
    }
    let json = crate::common::run(folder.path(), &["device", URL, "info", "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!(json["blocks"][1]["type"], 2);
    assert_eq!(json["blocks"][1]["address"], address::COUNTERS);
}

#[test]
fn a_secret_that_goes_over_a_network_is_warned_of_once_it_is_about_to() {
    let card = Card::new(FilterKind::Static);
    let secret = card.folder.path().join("secret");
    std::fs::write(&secret, "0123456789abcdef0123456789abcdef").expect("a file");
    let warning = "load it over the UART";
    let loads: [&[&str]; 3] = [
        &["rekey", "tiny.toml"],
        &["rekey", "tiny.toml", "--from", "secret"],
        &["configure", "tiny.toml", "--rekey", "secret"],
    ];
    for verb in loads {
        let run = card.run(verb);
        assert_eq!(run.code, 0, "{verb:?}: {}", run.stderr);
        assert_eq!(run.stderr.matches(warning).count(), 1, "{}", run.stderr);
    }
    let none: [&[&str]; 4] = [
        &["rekey", "tiny.toml", "--from", "none"],
        &["configure", "tiny.toml", "--rekey", "none"],
        &["configure", "tiny.toml", "--max-age-ms", "5"],
        &["host-key", "tiny.toml", "card.key", "--new"],
    ];
    for verb in none {
        let error = card.refused(verb);
        assert!(!error.contains(warning), "{error}");
    }
    // Port 9 throws away what it gets, if anybody listens there.
    let nobody = [
        "device",
        "etherbone:127.0.0.1:9?timeout_ms=1",
        "rekey",
        "tiny.toml",
    ];
    let run = crate::common::run(card.folder.path(), &nobody);
    assert!(
        run.code == 2 && !run.stderr.contains(warning),
        "{}",
        run.stderr
    );
}

/// A card whose registers have their reset values, and that takes no host key.
struct NoKeyTaken(RegisterMap);

impl Transport for NoKeyTaken {
    fn read(&mut self, address: u32, _: Within) -> Result<u32, TransportError> {
        let register = self.0.at(address);
        let register = register.ok_or(TransportError::NoRegister { address })?;
        Ok(register.reset.unwrap_or(0))
    }

    fn write(&mut self, address: u32, _: u32, _: Within) -> Result<(), TransportError> {
        Err(TransportError::Refused { address })
    }
}

#[test]
fn the_key_in_force_is_kept_until_a_new_one_is_loaded() {
    let text = crate::serve_support::line_card()
        + "\n[packet.host]\nport = 0\nmac = \"02:00:00:00:00:01\"\nip = \"192.168.1.50\"\n";
    let map = crate::model::design(&text).register_map();
    let bridge = Bridge::new(NoKeyTaken(map), crate::model::LIMITS.access);
    let card = Card::serving(bridge, &text);
    let folder = card.folder.path();
    let first = "0123456789abcdef0123456789abcdef";
    std::fs::write(folder.join("card.key"), first).expect("a file");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    let forgotten = card.run(&["host-key", "tiny.toml", "--forget"]);
    assert!(!forgotten.stderr.contains("unencrypted"), "no key is sent");
    let verb = ["host-key", "tiny.toml", "card.key", "--new"];
    let error = card.refused(&verb);
    assert!(error.contains("unencrypted"), "{error}");
    let told = "card.key holds the new key, card.key.old the earlier one; the card has one of them";
    assert!(error.contains(told), "{error}");
    assert_eq!(read("card.key.old").trim(), first);
    let new = read("card.key");
    assert_ne!(new.trim(), first);
    let error = card.refused(&verb);
    assert!(error.contains("card.key.old: keeps the key"), "{error}");
    assert_eq!(
        (read("card.key.old").trim(), read("card.key")),
        (first, new)
    );
}

#[test]
fn no_key_is_made_for_a_card_that_takes_none() {
    let folder = bar(&[]);
    let verb = ["device", URL, "host-key", "tiny.toml", "card.key", "--new"];
    let run = crate::common::run(folder.path(), &verb);
    assert!(
        run.code == 2 && run.stderr.contains("no host port that asks for tags"),
        "{}",
        run.stderr
    );
    assert!(!folder.path().join("card.key").exists());
}

#[test]
fn what_the_specification_leaves_out_is_said_not_to_be_built_and_shown_as_no_zero() {
    let sections = "[memory]\nerase = \"spare-half\"\n[features]\ncounters = \"none\"\narray_access = false\nmax_age = false\n";
    let text = format!("{}{sections}", crate::common::BASE);
    let folder = bar_of(&text, &[(address::BITS_ACTIVE, 9)]);
    let run = |verb: &[&str]| {
        let run = crate::common::run(folder.path(), &[&["device", URL], verb].concat());
        (run.code, run.stdout + &run.stderr)
    };
    let told = |verb: &[&str], code: i32, parts: &[&str]| {
        let (got, text) = run(verb);
        assert_eq!(got, code, "{text}");
        for part in parts {
            assert!(text.contains(part), "{part}: {text}");
        }
        text
    };
    told(&["info"], 0, &["counters      not built"]);
    let all = "counters, array access, maximum age";
    let stats = told(
        &["stats", "tiny.toml"],
        0,
        &["not built", all, "bits_active"],
    );
    assert!(!stats.contains("items"), "{stats}");
    let watch = ["watch", "tiny.toml", "--samples", "1"];
    told(&watch, 0, &["counters not built"]);
    let prometheus = ["stats", "tiny.toml", "--format", "prometheus"];
    let page = told(&prometheus, 0, &["bits_set", "spare_half_empty"]);
    for absent in ["_total", "spare_epochs", "covered"] {
        assert!(!page.contains(absent), "{absent}: {page}");
    }
    let age = ["configure", "tiny.toml", "--max-age-ms", "5"];
    told(&age, 2, &["maximum age is not built", "features.max_age"]);
    let snapshot = ["snapshot", "tiny.toml", "--out", "x.snap"];
    told(&snapshot, 2, &["not built", "features.array_access"]);
    let plan = crate::common::run(folder.path(), &["plan", "tiny.toml"]).stdout;
    assert!(plan.contains("Features: no counters"), "{plan}");
    let key = crate::common::run(folder.path(), &["explain", "features.counters"]).stdout;
    assert!(key.contains("none") && key.contains("64"), "{key}");
}

#[test]
fn info_names_every_kind_and_the_item_port() {
    for (kind, name) in [
        (FilterKind::Recycling, "recycling filter"),
        (FilterKind::Static, "static filter"),
        (FilterKind::Counting, "counting filter"),
        (FilterKind::CountMin, "Count-Min sketch"),
        (FilterKind::Sliding, "sliding-window filter"),
    ] {
        let info = Card::new(kind).json(&["info"]);
        assert_eq!(info["blocks"][0]["name"], name);
        assert_eq!(info["blocks"][2]["name"], "item port");
    }
}

#[test]
fn stats_are_those_of_the_registers() {
    let items = RecyclingCounter::Items;
    let folder = bar(&[
        (
            address::STATUS,
            1 << field::STATUS_RUNNING | 5 << field::STATUS_EPOCH,
        ),
        (address::BITS_ACTIVE, 777),
        (items.address_lo(), 9),
        (items.address_hi(), 2),
    ]);
    let arguments = ["device", URL, "stats", "tiny.toml"];
    let json = crate::common::run(folder.path(), &[&arguments[..], &["--json"]].concat());
    assert_eq!(json.code, 0, "{}", json.stderr);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("it is JSON");
    assert_eq!(json["counters"]["items"], (2u64 << 32) + 9);
    assert_eq!(json["counters"]["seen"], 0);
    assert_eq!(json["bits_active"], 777);
    assert_eq!(json["halves"][0]["fill"], 777.0 / 65_536.0);
    assert_eq!(json["threshold"], 20_000);
    assert_eq!(json["running"], true);
    let text = crate::common::run(folder.path(), &arguments).stdout;
    assert!(text.contains("running, half 0 active, epoch 5"), "{text}");
    assert!(text.contains("8589934601"), "{text}");
    let page = [&arguments[..], &["--format", "prometheus"]].concat();
    insta::assert_snapshot!(crate::common::run(folder.path(), &page).stdout);
}

#[test]
fn what_is_no_device_or_another_is_refused_with_code_2() {
    let folder = bar(&[(address::GEOMETRY_HASH_LO, 1)]);
    for (arguments, needle) in [
        (
            ["device", "usb:1", "info"].to_vec(),
            "expected one of the schemes",
        ),
        (
            ["device", "uart:/dev/no-such", "info"].to_vec(),
            "no such device",
        ),
        (
            ["device", "pcie:./bar", "info"].to_vec(),
            "the device's magic is 0x00000000",
        ),
        (
            ["device", URL, "stats", "tiny.toml"].to_vec(),
            "geometry hash is",
        ),
        (["device", "-", "stats", "tiny.toml"].to_vec(), "no device"),
        (["device", "-", "info"].to_vec(), "no device"),
    ] {
        let run = crate::common::run(folder.path(), &arguments);
        assert_eq!(run.code, 2, "{}", run.stdout);
        assert!(run.stderr.contains(needle), "{}", run.stderr);
    }
}

#[test]
fn keys_are_inserted_and_found_and_others_are_not() {
    for &kind in FilterKind::ALL {
        let card = Card::new(kind);
        let inserted = card.json(&["insert", "tiny.toml", "7", "0xC0FFEE"]);
        assert_eq!(inserted["items"], 2, "{kind}");
        assert_eq!(inserted.get("verdicts"), None, "{kind}");
        let counts = matches!(kind, FilterKind::Counting | FilterKind::CountMin);
        if counts {
            card.json(&["configure", "tiny.toml", "--threshold", "1"]);
        }
        let found = card.json(&["query", "tiny.toml", "7", "8", "12648430"]);
        let positive = |place: usize| found["verdicts"][place]["positive"].clone();
        assert_eq!([positive(0), positive(1), positive(2)], [true, false, true]);
        assert_eq!(found["positive"], 2, "{kind}");
        assert_eq!(found["verdicts"][2]["key"], "0xc0ffee", "{kind}");
        let text = card.run(&["query", "tiny.toml", "7", "8"]).stdout;
        let expected = match counts {
            true => "0x7  once, reaches the threshold\n0x8  0 times\n",
            false if kind == FilterKind::Recycling => {
                "0x7  seen, in the active half\n0x8  not seen\n"
            }
            false => "0x7  seen\n0x8  not seen\n",
        };
        assert_eq!(text, expected, "{kind}");
        card.run(&["clear", "tiny.toml"]);
        assert_eq!(card.json(&["query", "tiny.toml", "7"])["positive"], 0);
    }
}

#[test]
fn counts_go_up_by_the_amount_and_down_by_removal() {
    let card = Card::new(FilterKind::CountMin);
    let add = ["insert", "tiny.toml", "9", "--amount", "500", "--test"];
    assert_eq!(card.json(&add)["verdicts"][0]["estimate"], 500);
    let error = card.refused(&["insert", "tiny.toml", "9", "--amount", "512"]);
    assert!(error.contains("at most 511"), "{error}");
    let error = card.refused(&["remove", "tiny.toml", "9"]);
    assert!(
        error.contains("a count-min filter has no operation to remove"),
        "{error}"
    );
    let card = Card::new(FilterKind::Counting);
    card.json(&["insert", "tiny.toml", "9", "9"]);
    assert_eq!(
        card.json(&["remove", "tiny.toml", "9"])["verdicts"][0]["estimate"],
        1
    );
}

#[test]
fn keys_come_from_a_column_and_from_stdin() {
    let card = Card::new(FilterKind::Static);
    let table = "time,lbn\n1,42\n2,0x2B\n3,44\n";
    std::fs::write(card.folder.path().join("t.csv"), table).expect("the table");
    let inserted = card.json(&["insert", "tiny.toml", "--keys", "t.csv:lbn"]);
    assert_eq!(inserted["items"], 3);
    let mut query = card.start(&["query", "tiny.toml", "-", "--json"]);
    let mut stdin = query.stdin.take().expect("a pipe");
    stdin
        .write_all("\u{feff}42\r\n43\r\n\r\n99\n".as_bytes())
        .expect("it reads");
    drop(stdin);
    let output = query.wait_with_output().expect("it ends");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!(
        (&found["items"], &found["positive"]),
        (&3.into(), &2.into())
    );
    let mut binary = card.start(&["query", "tiny.toml", "-"]);
    let mut stdin = binary.stdin.take().expect("a pipe");
    stdin.write_all(b"42\n\xff\xfe\n").expect("it reads");
    drop(stdin);
    let output = binary.wait_with_output().expect("it ends");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("stdin, line 2: is no text in UTF-8; give one key a line"),
        "{error}"
    );
}

#[test]
fn what_is_no_key_of_the_device_is_refused_with_code_2() {
    let card = Card::new(FilterKind::Static);
    std::fs::write(card.folder.path().join("t.csv"), "a\n1\n").expect("the table");
    for (arguments, needle) in [
        (
            &["query", "tiny.toml", "0x10000000000"][..],
            "does not fit a key of 40 bits",
        ),
        (&["query", "tiny.toml", "12x"], "is no key"),
        (&["query", "tiny.toml"], "required"),
        (&["query", "tiny.toml", "--keys", "t.csv"], "FILE:COLUMN"),
        (&["query", "tiny.toml", "--keys", "t.csv:b"], "b"),
        (&["query", "tiny.toml", "--keys", "none.csv:b"], "none.csv"),
        (&["query", "none.toml", "1"], "none.toml"),
    ] {
        let error = card.refused(arguments);
        assert!(error.contains(needle), "{arguments:?}: {error}");
    }
    assert_eq!(card.json(&["stats", "tiny.toml"])["counters"]["items"], 0);
}

#[test]
fn configure_sets_what_the_device_says_afterwards() {
    let card = Card::new(FilterKind::Recycling);
    let set = [
        "configure",
        "tiny.toml",
        "--threshold",
        "700",
        "--max-age-ms",
        "2",
    ];
    let configured = card.json(&set);
    assert_eq!(configured["threshold"], 700);
    let clock_hz = crate::model::alone(FilterKind::Recycling)
        .common()
        .clock_hz();
    assert_eq!(configured["max_age_ticks"], clock_hz * 2 / 1000 / 1024);
    assert_eq!(card.json(&["stats", "tiny.toml"])["threshold"], 700);
    for (arguments, needle) in [
        (
            &["configure", "tiny.toml", "--threshold", "3"][..],
            "must be from 4 to 4095",
        ),
        (&["configure", "tiny.toml"], "required"),
        (&["configure", "tiny.toml", "--rekey", "none"], "none"),
    ] {
        let error = card.refused(arguments);
        assert!(error.contains(needle), "{arguments:?}: {error}");
    }
    let secret = card.folder.path().join("secret");
    std::fs::write(&secret, "0123456789abcdef0123456789ABCDEF\n").expect("the secret");
    for rekey in [
        &["configure", "tiny.toml", "--rekey", "secret"][..],
        &["rekey", "tiny.toml"],
    ] {
        let error = card.refused(rekey);
        assert!(error.contains("has no secret of the hash"), "{error}");
        assert!(!error.contains("unencrypted"), "nothing was sent: {error}");
    }

    let card = Card::new(FilterKind::Static);
    card.json(&["insert", "tiny.toml", "5"]);
    std::fs::write(
        card.folder.path().join("secret"),
        "00112233445566778899aabbccddeeff",
    )
    .expect("the secret");
    let rekey = ["configure", "tiny.toml", "--rekey", "secret"];
    let configured = card.json(&rekey);
    assert_eq!(
        (&configured["rekeyed"], &configured["emptied"]),
        (&true.into(), &true.into())
    );
    let told = card.run(&rekey).stdout;
    assert!(told.contains("and the filter is empty"), "{told}");
    assert_eq!(
        card.json(&["query", "tiny.toml", "5"])["positive"],
        0,
        "it was emptied"
    );
    std::fs::write(card.folder.path().join("secret"), "xyz").expect("the secret");
    let error = card.refused(&["configure", "tiny.toml", "--rekey", "secret"]);
    assert!(error.contains("32 hexadecimal digits"), "{error}");
}

#[test]
fn two_programs_that_insert_at_once_both_end_well() {
    const EACH: usize = 100;
    let card = Card::new(FilterKind::Static);
    let insert = |from: usize| {
        let keys: Vec<String> = (from..from + EACH).map(|key| key.to_string()).collect();
        let keys = keys.iter().map(String::as_str);
        let arguments: Vec<&str> = ["insert", "tiny.toml"].into_iter().chain(keys).collect();
        card.start(&arguments)
    };
    for program in [insert(1_000), insert(2_000)] {
        let output = program.wait_with_output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{told}");
    }
    assert_eq!(
        card.json(&["stats", "tiny.toml"])["counters"]["items"],
        2 * EACH
    );
}

#[test]
fn a_secret_is_loaded_and_taken_out_on_request_and_a_clear_alone_leaves_it() {
    let card = Card::new(FilterKind::Static);
    let public = || card.json(&["stats", "tiny.toml"])["public_secret"].clone();
    assert_eq!(public(), true, "power-up");
    let told = |arguments: &[&str]| {
        card.run(&[&["stats", "tiny.toml"], arguments].concat())
            .stdout
    };
    let exported = || {
        let page = told(&["--format", "prometheus"]);
        let line = page
            .lines()
            .find(|line| line.starts_with("bloomline_public_secret{"));
        line.expect("a gauge").to_owned()
    };
    assert!(
        told(&[]).contains("which is public; load one"),
        "{}",
        told(&[])
    );
    assert!(exported().ends_with("} 1"), "{}", exported());
    card.json(&["insert", "tiny.toml", "5"]);
    assert_eq!(card.json(&["rekey", "tiny.toml"])["emptied"], true);
    assert_eq!(card.json(&["query", "tiny.toml", "5"])["positive"], 0);
    assert_eq!(public(), false);
    assert!(exported().ends_with("} 0"), "{}", exported());
    card.json(&["clear", "tiny.toml"]);
    assert_eq!(public(), false, "a clear alone");
    card.json(&["insert", "tiny.toml", "5"]);
    card.json(&["snapshot", "tiny.toml", "--out", "five.snap"]);
    card.json(&["rekey", "tiny.toml"]);
    let restored = card.run(&["restore", "tiny.toml", "five.snap"]);
    let told = "under the secret which the card has now";
    assert!(restored.stderr.contains(told), "{}", restored.stderr);
    assert_eq!(card.json(&["query", "tiny.toml", "5"])["positive"], 0);
    let cleared = card.json(&["clear", "tiny.toml", "--forget-secret"]);
    assert_eq!(cleared["public_secret"], true);
    assert_eq!(public(), true);
    assert_eq!(card.json(&["query", "tiny.toml", "5"])["positive"], 0);
    let unkeyed = Card::new(FilterKind::Recycling);
    let error = unkeyed.refused(&["clear", "tiny.toml", "--forget-secret"]);
    assert!(error.contains("has no secret of the hash"), "{error}");
}

#[test]
fn recycle_freezes_what_was_inserted() {
    let card = Card::new(FilterKind::Recycling);
    card.json(&["insert", "tiny.toml", "1", "2"]);
    let recycled = card.json(&["recycle", "tiny.toml"]);
    assert_eq!(
        (&recycled["recycles"], &recycled["bits_active"]),
        (&1.into(), &0.into())
    );
    assert_eq!(recycled["bits_frozen"], 8);
    let text = card.run(&["recycle", "tiny.toml"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    assert!(
        text.stdout.contains("recycled (2 times so far)"),
        "{}",
        text.stdout
    );
    let error = card.refused(&["configure", "tiny.toml", "--max-age-ms", "100000000"]);
    let told = "--max-age-ms 100000000: maximum age = 100000000 ms: must be at most ";
    assert!(error.contains(told), "{error}");
    let cells = Card::new(FilterKind::Counting);
    let error = cells.refused(&["recycle", "tiny.toml"]);
    assert!(error.contains("halves to recycle"), "{error}");
}

#[test]
fn watch_prints_a_line_a_sample_with_what_happened() {
    let card = Card::new(FilterKind::Recycling);
    let child = card.start(&[
        "watch",
        "tiny.toml",
        "--samples",
        "3",
        "--interval-ms",
        "1",
        "--json",
    ]);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2]["events"], serde_json::json!([]));
    assert_eq!(lines[2]["items_per_second"], 0.0);
    assert_eq!(lines[0].get("items_per_second"), None);
    let at = |line: usize| lines[line]["unix_ms"].as_u64().expect("a time");
    assert!(at(0) > 1_700_000_000_000 && at(0) <= at(2), "{text}");
    let plain = card.run(&["watch", "tiny.toml", "--samples", "1"]);
    assert!(
        plain.stdout.contains("UTC running, half 0 active"),
        "{}",
        plain.stdout
    );
    let clock = plain.stdout.split(' ').next().expect("a time of day");
    let parts: Vec<u32> = clock
        .split(':')
        .map_while(|part| part.parse().ok())
        .collect();
    assert!(matches!(parts[..], [0..24, 0..60, 0..60]), "{clock}");
    assert!(
        plain.stdout.contains("0 items, active 0.00% full"),
        "{}",
        plain.stdout
    );
}

#[test]
fn snapshots_and_restores_go_on_beside_hosts_that_read_and_take_snapshots() {
    let card = Card::new(FilterKind::Static);
    card.json(&["insert", "tiny.toml", "1", "2", "3"]);
    card.json(&["snapshot", "tiny.toml", "--out", "three.snap"]);
    let watching = ["watch", "tiny.toml", "--interval-ms", "1", "--json"];
    let mut watch = card.start(&watching);
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            for _ in 0..3 {
                card.json(&["snapshot", "tiny.toml", "--out", "other.snap"]);
            }
        });
        for _ in 0..3 {
            card.json(&["restore", "tiny.toml", "three.snap"]);
        }
        other.join().expect("every snapshot is taken");
    });
    watch.kill().expect("it runs");
    watch.wait().expect("it ends");
    assert_eq!(
        card.json(&["query", "tiny.toml", "1", "2", "3"])["positive"],
        3
    );
}

#[test]
fn watch_says_that_a_sample_failed_and_takes_the_next() {
    let mut card = Card::new(FilterKind::Static);
    let mut child = card.start(&[
        "watch",
        "tiny.toml",
        "--samples",
        "3",
        "--interval-ms",
        "200",
        "--json",
    ]);
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut first = String::new();
    stdout.read_line(&mut first).expect("a first sample");
    card.unplug();
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).expect("UTF-8");
    let lines: Vec<serde_json::Value> = rest
        .lines()
        .map(|line| serde_json::from_str(line).expect("it is JSON"))
        .collect();
    assert_eq!(lines.len(), 2, "{rest}");
    let error = lines[1]["error"].as_str().expect("it failed");
    assert!(lines[1]["unix_ms"].is_u64(), "{rest}");
    assert_eq!(error.matches("the link failed").count(), 1, "{error}");
    assert_eq!(child.wait().expect("it ends").code(), Some(2));
}

#[test]
fn the_exporter_serves_fresh_readings_at_one_path() {
    let card = Card::new(FilterKind::Static);
    let mut exporter = card.start(&["export", "tiny.toml", "--listen", "127.0.0.1:0"]);
    let mut first = String::new();
    let stdout = exporter.stdout.take().expect("a pipe");
    BufReader::new(stdout)
        .read_line(&mut first)
        .expect("it says where it listens");
    let address = first
        .trim()
        .strip_prefix("listening at http://")
        .and_then(|rest| rest.strip_suffix("/metrics"))
        .expect("the address")
        .to_owned();
    let get = |request: &str| {
        let mut stream = TcpStream::connect(&address).expect("it listens");
        let asked = format!("{request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        stream.write_all(asked.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    };
    card.json(&["insert", "tiny.toml", "1", "2", "3", "--test"]);
    let page = get("GET /metrics");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(
        page.contains("Content-Type: text/plain; version=0.0.4"),
        "{page}"
    );
    let line = page
        .lines()
        .find(|line| line.starts_with("bloomline_items_total{"));
    assert!(line.is_some_and(|line| line.ends_with("} 3")), "{page}");
    assert!(get("GET /").starts_with("HTTP/1.1 404"));
    assert!(get("POST /metrics").starts_with("HTTP/1.1 405"));
    exporter.kill().expect("it runs");
    exporter.wait().expect("it ends");
    let error = card.refused(&["export", "tiny.toml", "--listen", "256.0.0.1:1"]);
    assert!(error.contains("--listen"), "{error}");
}

#[test]
fn verdicts_that_came_before_an_item_failed_are_printed() {
    let text = format!("{}\n[card]\n", crate::model::text(FilterKind::Static));
    let device = crate::model::ModelCard::new(&crate::model::design(&text));
    let bridge = Bridge::new(
        crate::model::Ending(device, 12),
        crate::model::LIMITS.access,
    );
    let card = Card::serving(bridge, &text);
    let run = card.run(&[
        "insert",
        "tiny.toml",
        "--test",
        "--json",
        "1",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
    ]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let done = told["items"].as_u64().expect("a number");
    assert!((2..8).contains(&done), "{told}");
    assert_eq!(
        told["verdicts"].as_array().expect("a list").len() as u64,
        done
    );
    assert_eq!(told["verdicts"][1]["positive"], true);
    let error = told["error"].as_str().expect("a text");
    assert!(error.contains(&format!("item {done} of 8")), "{error}");
    assert!(run.stderr.contains(error), "{}", run.stderr);
}

/// A card that takes its time for an access, and counts them.
struct Slow(crate::model::ModelCard, Arc<AtomicUsize>);

impl Slow {
    fn pass(&self) {
        self.1.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_micros(200));
    }
}

impl Transport for Slow {
    fn read(&mut self, address: u32, within: Within) -> Result<u32, TransportError> {
        self.pass();
        self.0.read(address, within)
    }

    fn write(&mut self, address: u32, value: u32, within: Within) -> Result<(), TransportError> {
        self.pass();
        self.0.write(address, value, within)
    }
}

#[test]
fn verdicts_that_came_before_an_interrupt_are_printed() {
    let text = format!("{}\n[card]\n", crate::model::text(FilterKind::Static));
    let device = crate::model::ModelCard::new(&crate::model::design(&text));
    let accesses = Arc::new(AtomicUsize::new(0));
    let slow = Slow(device, Arc::clone(&accesses));
    let card = Card::serving(Bridge::new(slow, crate::model::LIMITS.access), &text);
    let keys: Vec<String> = (0..5_000).map(|key| key.to_string()).collect();
    let keys = keys.iter().map(String::as_str);
    let arguments: Vec<&str> = ["insert", "tiny.toml", "--test", "--json"]
        .into_iter()
        .chain(keys)
        .collect();
    let command = card.start(&arguments);
    while accesses.load(Ordering::Relaxed) < 200 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let pid = command.id().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(killed.expect("kill runs").success());
    let output = command.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let done = told["items"].as_u64().expect("a number");
    assert!((1..5_000).contains(&done), "{done}");
    assert_eq!(
        card.json(&["stats", "tiny.toml"])["counters"]["items"],
        done
    );
    assert!(
        stderr.contains(&format!("{done} of 5000 items were done")),
        "{stderr}"
    );
}
