//! `device snapshot`, `restore`, `union`, `estimate` and `similarity`, between cards whose filters are the pipeline model.

use crate::card::Card;
use bloomline_driver::Design;
use bloomline_spec::FilterKind;

#[test]
fn snapshots_travel_from_card_to_card() {
    let (one, other) = (
        Card::new(FilterKind::Counting),
        Card::new(FilterKind::Counting),
    );
    one.json(&["insert", "tiny.toml", "1", "2", "3", "3"]);
    other.json(&["insert", "tiny.toml", "3", "4"]);
    let taken = one.json(&["snapshot", "tiny.toml", "--out", "one.snap"]);
    assert_eq!(
        (&taken["words"], &taken["of_one_instant"]),
        (&512.into(), &true.into())
    );
    let from = one.folder.path().join("one.snap");
    let to = other.folder.path().join("one.snap");
    std::fs::copy(&from, &to).expect("a copy");

    let union = [
        "union",
        "one.snap",
        "--spec",
        "tiny.toml",
        "--out",
        "both.snap",
    ];
    let combined = other.json(&union);
    assert_eq!(combined["combined_from"], 2);
    assert_eq!(combined.get("items_after"), None);
    assert_eq!(combined.get("of_one_instant"), None);
    let told = other.run(&union).stdout;
    assert!(told.contains("combined from 2 arrays"), "{told}");
    let here = other.folder.path();
    let files =
        |arguments: &[&str]| crate::common::run(here, &[&["device", "-"], arguments].concat());
    let estimate = files(&["estimate", "both.snap", "--json"]);
    assert_eq!(estimate.code, 0, "{}", estimate.stderr);
    let estimate: serde_json::Value = serde_json::from_str(&estimate.stdout).expect("it is JSON");
    assert_eq!(estimate["keys"]["items"], 4);
    assert!(
        estimate["keys"]["low"].as_u64() <= Some(4) && estimate["keys"]["high"].as_u64() >= Some(4)
    );
    let by_device = other.json(&["estimate", "tiny.toml", "--confidence", "0.9"]);
    assert_eq!(
        (&by_device["keys"]["items"], &by_device["occupied"][0]),
        (&2.into(), &2.into())
    );

    let restored = other.json(&["restore", "tiny.toml", "both.snap"]);
    assert_eq!(
        (restored.get("of_one_instant"), restored.get("items_after")),
        (None, None),
        "the file says that it is combined"
    );
    let found = other.json(&["query", "tiny.toml", "1", "2", "3", "4", "5"]);
    let counts: Vec<_> = (0..5)
        .map(|place| found["verdicts"][place]["estimate"].as_u64())
        .collect();
    assert_eq!(counts, [Some(1), Some(1), Some(3), Some(1), Some(0)]);
    let common_keys = files(&[
        "union",
        "one.snap",
        "both.snap",
        "--intersect",
        "--out",
        "c.snap",
    ]);
    assert_eq!(common_keys.code, 0, "{}", common_keys.stderr);
    assert!(
        common_keys
            .stdout
            .trim()
            .ends_with("combined from 2 arrays"),
        "{}",
        common_keys.stdout
    );
    let bytes = |name: &str| std::fs::read(here.join(name)).expect("the file");
    assert_eq!(
        bytes("c.snap")[88..600],
        bytes("one.snap")[88..600],
        "one is a part of both"
    );
}

#[test]
fn estimates_are_those_of_the_model_in_both_layouts() {
    let shared = "hashing = \"independent\"\nlayout = \"shared\"";
    let layouts = [
        "hashing = \"double\"",
        shared,
        &format!("{shared}\ndistinct = true"),
    ];
    for layout in layouts {
        let text = crate::model::text(FilterKind::Static).replace("hashing = \"double\"", layout);
        let text = format!("{text}\n[card]\n");
        let design = crate::model::design(&text);
        let Design::Cells(geometry) = &design else {
            panic!("a static filter is one of cells")
        };
        let card = Card::of(&design, &text);
        let mut reference = bloomline_model::CellFilter::new(geometry);
        let mut table = "key\n".to_owned();
        for number in 0..300_u32 {
            table += &format!("{number}\n");
            let key = bloomline_spec::Key::from_integer(number.into(), 40).expect("fits");
            reference.apply(&key, bloomline_spec::CellOperation::Insert, 1);
        }
        std::fs::write(card.folder.path().join("t.csv"), table).expect("the table");
        card.json(&["insert", "tiny.toml", "--keys", "t.csv:key"]);
        let estimate = card.json(&["estimate", "tiny.toml", "--confidence", "0.999"]);
        for (bank, occupied) in estimate["occupied"]
            .as_array()
            .into_iter()
            .flatten()
            .enumerate()
        {
            assert_eq!(*occupied, reference.cells_at_least(bank, 1), "{layout}");
        }
        let rate = estimate["fresh_key_seen"].as_f64().expect("a number");
        let by_model = reference.probability_at_least(1);
        assert!(
            (rate / by_model - 1.0).abs() < 1e-12,
            "{layout}: {rate} {by_model}"
        );
        let number = |name: &str| estimate["keys"][name].as_u64().expect("a number");
        let (low, items, high) = (number("low"), number("items"), number("high"));
        // 0.999, of three filters with a fixed seed each.
        assert!(
            low <= 300 && 300 <= high && low <= items && items <= high,
            "{layout}: {estimate}"
        );
        assert!(high - low < 30, "{layout}: {estimate}");
    }
}

#[test]
fn foreign_and_damaged_snapshots_are_refused_and_nothing_is_written() {
    let card = Card::new(FilterKind::Counting);
    card.json(&["insert", "tiny.toml", "1"]);
    card.json(&["snapshot", "tiny.toml", "--out", "one.snap"]);
    let path = |name: &str| card.folder.path().join(name);
    let mut bytes = std::fs::read(path("one.snap")).expect("the file");
    bytes[100] ^= 1;
    std::fs::write(path("bad.snap"), &bytes).expect("the file");
    std::fs::write(path("text.snap"), "no snapshot").expect("the file");
    let sketch = Card::new(FilterKind::CountMin);
    sketch.json(&["snapshot", "tiny.toml", "--out", "other.snap"]);
    std::fs::copy(sketch.folder.path().join("other.snap"), path("other.snap")).expect("a copy");
    for (file, needle) in [
        ("bad.snap", "CRC-32"),
        ("text.snap", "no snapshot"),
        ("other.snap", "geometry hash"),
        ("none.snap", "none.snap"),
    ] {
        let error = card.refused(&["restore", "tiny.toml", file]);
        assert!(error.contains(needle) && error.contains(file), "{error}");
        let union = [
            "union",
            "one.snap",
            file,
            "--spec",
            "tiny.toml",
            "--out",
            "out.snap",
        ];
        let error = card.refused(&union);
        assert!(error.contains(needle) && error.contains(file), "{error}");
        assert!(!path("out.snap").exists(), "{file}");
    }
    let found = card.json(&["query", "tiny.toml", "1", "2"]);
    assert_eq!(
        found["verdicts"][0]["estimate"], 1,
        "the array is as it was"
    );
    for (arguments, needle) in [
        (&["union", "one.snap", "--out", "x"][..], "--spec"),
        (
            &["snapshot", "tiny.toml", "--out", "/nowhere/x"],
            "/nowhere/x",
        ),
        (
            &["estimate", "tiny.toml", "--confidence", "1"],
            "between 0 and 1",
        ),
    ] {
        let error = card.refused(arguments);
        assert!(error.contains(needle), "{error}");
    }
    let out_of_reach = crate::common::run(
        card.folder.path(),
        &[
            "device",
            "etherbone:127.0.0.1:1",
            "snapshot",
            "tiny.toml",
            "--out",
            "/nowhere/x",
        ],
    );
    assert!(
        out_of_reach.code == 2
            && out_of_reach
                .stderr
                .contains("/nowhere/x: cannot be written"),
        "the file is tried before the device: {}",
        out_of_reach.stderr
    );
    let sliding = Card::new(FilterKind::Sliding);
    let error = sliding.refused(&["snapshot", "tiny.toml", "--out", "x"]);
    assert!(
        error.contains("a sliding filter has no access to its array in its gateware"),
        "{error}"
    );
    assert!(!sliding.folder.path().join("x").exists());
}

#[test]
fn both_halves_of_a_recycling_filter_travel_and_are_written_back() {
    let (one, other) = (
        Card::new(FilterKind::Recycling),
        Card::new(FilterKind::Recycling),
    );
    one.json(&["insert", "tiny.toml", "1", "2", "3", "3"]);
    other.json(&["insert", "tiny.toml", "3", "4"]);
    let taken = one.json(&["snapshot", "tiny.toml", "--out", "one.snap"]);
    let halves = &taken["cycle"]["halves"];
    assert_eq!(
        (&taken["words"], &taken["of_one_instant"]),
        (&256.into(), &true.into())
    );
    assert_eq!(
        (&halves[0]["half"], &halves[0]["bits"], &halves[1]["bits"]),
        (&"active".into(), &12.into(), &0.into())
    );
    assert_eq!(taken["cycle"]["messages"], 3);
    assert_eq!(taken.get("saturated_cells"), None, "a cell is a bit");
    let text = one.run(&["snapshot", "tiny.toml", "--out", "one.snap"]);
    insta::assert_snapshot!(text.stdout);

    let from = one.folder.path().join("one.snap");
    std::fs::copy(&from, other.folder.path().join("one.snap")).expect("a copy");
    // What was inserted goes to the frozen half when the active one is full.
    other.json(&["configure", "tiny.toml", "--threshold", "10"]);
    other.json(&["insert", "tiny.toml", "5"]);
    let by_device = other.json(&["estimate", "tiny.toml"]);
    let keys = |estimate: &serde_json::Value| {
        ["0", "1"].map(|half| {
            let half = &estimate["halves"][half.parse::<usize>().expect("a number")];
            (half["half"].clone(), half["keys"]["items"].clone())
        })
    };
    assert_eq!(
        keys(&by_device),
        [("active".into(), 1.into()), ("frozen".into(), 2.into())]
    );
    assert_eq!(by_device["either"]["keys"]["items"], 3);
    let union = [
        "union",
        "one.snap",
        "--spec",
        "tiny.toml",
        "--out",
        "both.snap",
    ];
    assert_eq!(other.json(&union)["combined_from"], 2);
    let here = other.folder.path();
    let files =
        |arguments: &[&str]| crate::common::run(here, &[&["device", "-"], arguments].concat());
    let estimate = files(&["estimate", "both.snap", "--json"]);
    assert_eq!(estimate.code, 0, "{}", estimate.stderr);
    let estimate: serde_json::Value = serde_json::from_str(&estimate.stdout).expect("it is JSON");
    assert_eq!(
        keys(&estimate),
        [("active".into(), 4.into()), ("frozen".into(), 2.into())]
    );
    insta::assert_snapshot!(files(&["estimate", "both.snap"]).stdout);
    let restored = other.run(&["restore", "tiny.toml", "both.snap"]);
    assert_eq!(restored.code, 0, "{}", restored.stderr);
    let back = other.json(&["estimate", "tiny.toml"]);
    assert_eq!(keys(&back), keys(&estimate));
    let verdicts = other.run(&["query", "tiny.toml", "1", "3", "4", "5", "6"]);
    let absent = verdicts.stdout.matches("not seen").count();
    assert_eq!(absent, 1, "{}", verdicts.stdout);
}

#[test]
fn a_restore_that_counts_more_messages_than_the_snapshot_had_is_told_or_refused() {
    let text = crate::model::text(FilterKind::Recycling).replace("bits-set", "messages");
    let text = format!("{text}\n[card]\n");
    let card = Card::of(&crate::model::design(&text), &text);
    card.json(&["insert", "tiny.toml", "1", "2", "3"]);
    card.json(&["snapshot", "tiny.toml", "--out", "three.snap"]);
    let restored = card.run(&["restore", "tiny.toml", "three.snap"]);
    assert_eq!(restored.code, 0, "{}", restored.stderr);
    let told = "9 messages more than the snapshot's cycle had";
    assert!(restored.stderr.contains(told), "{}", restored.stderr);
    assert_eq!(card.json(&["stats", "tiny.toml"])["messages"], 12);
    card.json(&["configure", "tiny.toml", "--threshold", "12"]);
    let refused = card.refused(&["restore", "tiny.toml", "three.snap"]);
    let next = "set a threshold above 12";
    assert!(refused.contains(next), "{refused}");
}

#[test]
fn similarity_tells_the_keys_that_two_arrays_have_in_common() {
    for kind in [FilterKind::Counting, FilterKind::Recycling] {
        let (one, other) = (Card::new(kind), Card::new(kind));
        one.json(&["insert", "tiny.toml", "1", "2", "3", "3"]);
        one.json(&["snapshot", "tiny.toml", "--out", "one.snap"]);
        other.json(&["insert", "tiny.toml", "3", "4"]);
        other.json(&["snapshot", "tiny.toml", "--out", "other.snap"]);
        let here = other.folder.path();
        let from = one.folder.path().join("one.snap");
        std::fs::copy(&from, here.join("one.snap")).expect("a copy");
        let by_device = other.json(&["similarity", "one.snap", "--spec", "tiny.toml"]);
        let files =
            |arguments: &[&str]| crate::common::run(here, &[&["device", "-"], arguments].concat());
        let text = files(&["similarity", "one.snap", "other.snap"]);
        let json = files(&["similarity", "one.snap", "other.snap", "--json"]);
        assert_eq!(json.code, 0, "{}", json.stderr);
        let json: serde_json::Value = serde_json::from_str(&json.stdout).expect("it is JSON");
        assert_eq!(json, by_device);
        let near = |value: &serde_json::Value, right: f64| {
            let value = value.as_f64().expect("a number");
            assert!(
                (value - right).abs() < 0.05 * right,
                "{kind}: {value} for {right}"
            );
        };
        near(&json["one"], 3.0);
        near(&json["other"], 2.0);
        near(&json["either"], 4.0);
        near(&json["common"]["value"], 1.0);
        near(&json["jaccard"]["value"], 0.25);
        let jaccard = |end: &str| json["jaccard"][end].as_f64().expect("a number");
        assert!(jaccard("low") > 0.0 && jaccard("low") < 0.25 && jaccard("high") > 0.25);
        if kind == FilterKind::Counting {
            insta::assert_snapshot!(text.stdout);
        }

        for (arguments, told) in [
            (&["similarity", "one.snap"][..], "compares two arrays"),
            (
                &["similarity", "one.snap", "--spec", "tiny.toml"],
                "goes with a device",
            ),
        ] {
            let refused = files(arguments);
            assert!(
                refused.code != 0 && refused.stderr.contains(told),
                "{}",
                refused.stderr
            );
        }
    }
}

#[test]
fn two_empty_arrays_have_no_key_and_no_number_below_0() {
    let card = Card::new(FilterKind::Counting);
    card.json(&["snapshot", "tiny.toml", "--out", "empty.snap"]);
    let arguments = ["device", "-", "similarity", "empty.snap", "empty.snap"];
    let told = crate::common::run(card.folder.path(), &arguments);
    let keys = "\nkeys             0 and 0, 0 in either\n";
    assert!(told.stdout.contains(keys), "{}{}", told.stdout, told.stderr);
}

#[test]
fn a_restore_that_is_interrupted_says_whether_anything_was_written() {
    let card = Card::new(FilterKind::Counting);
    card.json(&["snapshot", "tiny.toml", "--out", "one.snap"]);
    let before = interrupted_restore(&card, 0);
    assert!(before.contains("nothing was written"), "{before}");
    // Of about a thousand accesses; it takes some tens to identify the card.
    let amid = interrupted_restore(&card, 500);
    assert!(
        amid.contains("restore again, or clear the filter"),
        "{amid}"
    );
}

/// What a restore says that is interrupted when the card has got so many datagrams, and nothing answers any more.
fn interrupted_restore(card: &Card, datagrams: usize) -> String {
    let socket = || std::net::UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let (relay, to_card) = (socket(), socket());
    let address = card.url.strip_prefix("etherbone:").expect("its address");
    to_card.connect(address).expect("it is there");
    let url = relay.local_addr().expect("it is bound");
    let url = format!("etherbone:{url}?timeout_ms=60000");
    let restore = std::process::Command::new(env!("CARGO_BIN_EXE_bloomline"))
        .current_dir(card.folder.path())
        .args(["device", &url, "restore", "tiny.toml", "one.snap"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut bytes = [0; 2048];
    for _ in 0..datagrams {
        let (length, command) = relay.recv_from(&mut bytes).expect("it asks");
        to_card.send(&bytes[..length]).expect("it is there");
        let length = to_card.recv(&mut bytes).expect("it answers");
        relay
            .send_to(&bytes[..length], command)
            .expect("it is there");
    }
    relay.recv(&mut bytes).expect("it asks");
    let pid = restore.id().to_string();
    let killed = std::process::Command::new("kill")
        .args(["-INT", &pid])
        .status();
    assert!(killed.expect("kill runs").success());
    let output = restore.wait_with_output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    stderr
}
