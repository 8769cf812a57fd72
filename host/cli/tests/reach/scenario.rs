//! From a specification to a card that works: emitted, served, configured, fed with recorded traffic by clients that are killed
//! in the middle, and in the end what the functional reference model says it is.

use super::support::{compile, trace, Card, Linked};
use crate::common;
use bloomline_driver::{connect, Design, Device, FlatVerdict, Link, Verdict};
use bloomline_model::RecyclingFilter;
use bloomline_spec::registers::RecyclingCounter;
use bloomline_spec::{HalfRole, Key, Operation, RecyclingGeometry, VerdictFlags};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Requests of the trace that the card is fed with.
const REQUESTS: usize = 2_400;
/// Verdicts after which a client is killed, one after the other; the last one gets to the end.
const KILLED_AFTER: [usize; 2] = [500, 800];
/// Small enough for a dozen recycles.
const THRESHOLD: u64 = 500;

/// The first requests of the trace, as text.
fn requests(table: &Path) -> Vec<String> {
    let lines = BufReader::new(File::open(table).expect("the trace")).lines();
    let column = |line: String| line.rsplit(',').next().map(str::to_owned);
    let keys = lines.skip(1).map(|line| line.expect("text"));
    keys.filter_map(column).take(REQUESTS).collect()
}

/// The model beside the card.
struct Beside {
    model: RecyclingFilter,
    key_bits: u32,
}

impl Beside {
    fn new(geometry: &RecyclingGeometry) -> Beside {
        let mut model = RecyclingFilter::new(geometry);
        model.set_threshold(THRESHOLD);
        Beside {
            model,
            key_bits: geometry.key_bits(),
        }
    }

    /// The model's verdicts of these requests, as flags.
    fn flags(&mut self, requests: &[String]) -> Vec<u32> {
        let flags = |text: &String| {
            let key = Key::from_text(text, self.key_bits).expect("it fits");
            let outcome = self.model.apply(&key, Operation::TestAndInsert);
            let flags = VerdictFlags {
                in_active: outcome.in_active,
                in_frozen: outcome.in_frozen,
                tripped: outcome.tripped,
            };
            FlatVerdict::from(Verdict::Recycling(flags)).flags
        };
        requests.iter().map(flags).collect()
    }
}

/// The array of the model, the active half before the frozen one.
fn words(geometry: &RecyclingGeometry, model: &RecyclingFilter) -> Vec<u32> {
    let words = geometry.words_per_bank() as u32;
    let banks = (0..geometry.banks()).flat_map(|bank| (0..words).map(move |word| (bank, word)));
    let halves = HalfRole::of(geometry.phases()).iter();
    halves
        .flat_map(|&half| banks.clone().map(move |place| (half, place)))
        .map(|(half, (bank, word))| model.word(half, bank, word))
        .collect()
}

/// Items that the card took since it was made.
fn items(device: &Device<Link>) -> usize {
    let items = device.counter(RecyclingCounter::Items).expect("it answers");
    usize::try_from(items).expect("a few")
}

#[test]
#[ignore = "a claim"]
fn a_served_card_fed_by_clients_that_are_killed_ends_as_the_model_does() {
    let Some(table) = trace("cloudPhysicsIO.csv") else {
        return;
    };
    let requests = requests(&table);
    assert_eq!(requests.len(), REQUESTS);
    let card = Card::small_recycling(&["--pty", "card"]);
    let (url, manifest) = (card.url(), card.manifest());
    let design = Design::load(&manifest).expect("the emitted manifest");
    let Design::Recycling(geometry) = &design else {
        panic!("{:?}", design.kind());
    };
    assert_eq!(geometry.phases(), 2);
    let mut beside = Beside::new(geometry);

    let threshold = THRESHOLD.to_string();
    let configure = [
        "device",
        &url,
        "configure",
        "card.toml",
        "--threshold",
        &threshold,
    ];
    let configured = common::run(card.folder.path(), &configure);
    assert_eq!(configured.code, 0, "{}", configured.stderr);

    // Clients in C, which say each verdict at once and die in the middle of what they were given.
    let program = compile("tests/stream.c", "cc", Linked::Shared, card.folder.path());
    let (mut done, mut compared) = (0, 0);
    for killed_after in KILLED_AFTER {
        let keys = card.path("keys");
        std::fs::write(&keys, requests[done..].join("\n")).expect("its keys");
        let mut client = Command::new(&program)
            .arg(&url)
            .arg(&manifest)
            .stdin(File::open(&keys).expect("they are there"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut said = BufReader::new(client.stdout.take().expect("it is piped")).lines();
        let flags = |line: std::io::Result<String>| line.ok()?.parse::<u32>().ok();
        let mut verdicts: Vec<u32> = said.by_ref().take(killed_after).filter_map(flags).collect();
        client.kill().expect("it can be killed");
        assert!(!client.wait().expect("it ends").success());
        verdicts.extend(said.filter_map(flags));
        assert!((killed_after..requests.len() - done).contains(&verdicts.len()));

        // The card says how many items it took: one more, if the client died before it could say so.
        let device = connect(&url, &design).expect("the line is free again");
        let took = items(&device) - done;
        assert!((0..=1).contains(&(took - verdicts.len())), "{took} taken");
        let expected = beside.flags(&requests[done..done + took]);
        assert_eq!(verdicts, expected[..verdicts.len()]);
        (done, compared) = (done + took, compared + verdicts.len());
    }

    // The last one is the command itself.
    let mut rest = "lbn\n".to_owned();
    for request in &requests[done..] {
        writeln!(rest, "{request}").expect("into memory");
    }
    std::fs::write(card.path("rest.csv"), rest).expect("its keys");
    let insert = [
        "device",
        &url,
        "insert",
        "card.toml",
        "--test",
        "--keys",
        "rest.csv:lbn",
        "--json",
    ];
    let inserted = common::run(card.folder.path(), &insert);
    assert_eq!(inserted.code, 0, "{}", inserted.stderr);
    let inserted: serde_json::Value = serde_json::from_str(&inserted.stdout).expect("JSON");
    let verdicts = inserted["verdicts"].as_array().expect("an array");
    let expected = beside.flags(&requests[done..]);
    assert_eq!(verdicts.len(), expected.len());
    for (place, (verdict, expected)) in verdicts.iter().zip(expected).enumerate() {
        for (name, flag) in [
            ("positive", FlatVerdict::POSITIVE),
            ("in_active", FlatVerdict::IN_ACTIVE),
            ("in_frozen", FlatVerdict::IN_FROZEN),
            ("tripped", FlatVerdict::TRIPPED),
        ] {
            let expected = expected & flag != 0;
            assert_eq!(verdict[name], expected, "request {}, {name}", done + place);
        }
    }
    compared += verdicts.len();
    assert!(compared + KILLED_AFTER.len() >= REQUESTS, "{compared}");

    // In the end the card holds what the model holds.
    let (device, model) = (connect(&url, &design).expect("it answers"), &beside.model);
    assert_eq!(items(&device), REQUESTS);
    assert!(model.recycles() > 10, "{}", model.recycles());
    let recycles = device
        .counter(RecyclingCounter::Recycles)
        .expect("it answers");
    assert_eq!(recycles, model.recycles());
    let active = device.bits_active().expect("it answers");
    assert_eq!(active, model.bits_active());
    let frozen = device.bits_frozen().expect("it answers");
    assert_eq!(frozen, model.bits_frozen());
    let snapshot = device.snapshot(|_| {}).expect("it answers");
    assert_eq!(snapshot.words(), words(geometry, model));
    println!("{compared} of {REQUESTS} verdicts compared, {recycles} recycles");
    assert!(card.serving.interrupt().success());
}
