//! The table of claims agrees with the page "How we know", and a run of claims stops, goes on and ends as it should.

use bloomline_tests::claims::{
    expand, fingerprint, markdown, most_urgent_first, result_of, run, shard, Binaries, Check,
    Entry, Journal, Manner, Place, Step, Strength, Summary, Table, Verdict,
};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

/// Claims of commands alone: two that pass, one that fails and one that says what is missing.
const TABLE: &str = r#"
[[claim]]
name = "good"
section = "First"
says = "it is good"
runs = [["sh", "-c", "echo 3 of 3 found; echo run >> runs"], ["true"]]
full = { SIZE = "9" }
seconds = 2
full_seconds = 90
about = ["good/"]

[[claim]]
name = "bad"
section = "First"
says = "it is | bad"
runs = [["false"]]
seconds = 1
about = ["bad/"]

[[claim]]
name = "skipped"
section = "Second"
says = "it is not there"
runs = [["sh", "-c", "echo SKIPPED: no tool"]]
seconds = 4
"#;

fn table() -> Table {
    Table::parse(TABLE).expect("a table")
}

fn checks(strength: Strength) -> Vec<Check> {
    expand(&table().claims, &Binaries::default(), strength).expect("commands alone")
}

fn keys(checks: &[Check]) -> Vec<String> {
    checks.iter().map(Check::key).collect()
}

/// Runs the checks in a folder of their own.
fn run_in(folder: &Path, tree: &str, manner: Manner) -> Summary {
    let place = Place {
        root: folder.to_path_buf(),
        programs: folder.to_path_buf(),
        records: folder.join("records"),
    };
    let mut journal = Journal::open(&place.journal()).expect("a journal");
    run(checks(Strength::Once), &place, tree, &mut journal, manner).expect("it runs")
}

const MANNER: Manner = Manner {
    jobs: 2,
    budget: None,
    fresh: false,
};

/// How often the first check of [`TABLE`] ran in this folder.
fn times_run(folder: &Path) -> usize {
    let text = std::fs::read_to_string(folder.join("runs")).unwrap_or_default();
    text.lines().count()
}

#[test]
fn the_page_and_the_table_name_the_same_claims() {
    let page = include_str!("../how-we-know.md");
    let mut section = "";
    let mut on_page = Vec::new();
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = heading;
        }
        let Some(row) = line.strip_prefix("| ") else {
            continue;
        };
        if row.starts_with("claim |") {
            continue;
        }
        let (says, rest) = row.split_once(" | ").expect("three columns");
        let (_, command) = rest.rsplit_once("`claims --only ").expect("its command");
        let (name, _) = command.split_once('`').expect("its command ends");
        on_page.push((section, says, name));
    }
    let table = Table::load().expect("tests/claims.toml is a table");
    let mut in_table: Vec<(&str, &str, &str)> = table
        .claims
        .iter()
        .map(|claim| (&*claim.section, &*claim.says, &*claim.name))
        .collect();
    on_page.sort_unstable();
    in_table.sort_unstable();
    assert_eq!(on_page, in_table);
}

#[test]
fn a_run_ends_with_every_verdict_and_repeats_only_what_did_not_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let first = run_in(folder.path(), "one", MANNER);
    let of = |summary: &Summary, verdict| {
        let ended = summary.ended.iter();
        ended.filter(|(_, entry)| entry.verdict == verdict).count()
    };
    assert!(!first.is_good());
    assert_eq!(
        (first.ended.len(), first.reused, first.left.len()),
        (4, 0, 0)
    );
    let counts = [Verdict::Passed, Verdict::Failed, Verdict::Skipped].map(|v| of(&first, v));
    assert_eq!(counts, [2, 1, 1]);
    let text = markdown(&table().claims, &first);
    assert!(
        text.contains("## First") && text.contains("3 of 3 found"),
        "{text}"
    );
    assert!(
        text.contains("FAILED: false") && text.contains("SKIPPED: no tool"),
        "{text}"
    );

    let second = run_in(folder.path(), "one", MANNER);
    assert_eq!((second.ended.len(), second.reused), (4, 2));
    assert_eq!(times_run(folder.path()), 1);
    let again = Manner {
        fresh: true,
        ..MANNER
    };
    assert_eq!(run_in(folder.path(), "one", again).reused, 0);
    // another tree: nothing of it has passed
    assert_eq!(run_in(folder.path(), "two", MANNER).reused, 0);
    assert_eq!(times_run(folder.path()), 3);
}

#[test]
fn a_line_that_a_killed_run_left_unfinished_is_passed_over() {
    let folder = tempfile::tempdir().expect("a folder");
    run_in(folder.path(), "one", MANNER);
    let file = folder.path().join("records/journal.jsonl");
    let mut text = std::fs::read_to_string(&file).expect("a journal");
    text.push_str("\n{\"check\":\"true BLOOMLINE_SO");
    std::fs::write(&file, &text).expect("written");
    let summary = run_in(folder.path(), "one", MANNER);
    assert_eq!(summary.reused, 2);
    // what was written behind the unfinished line is read
    let journal = Journal::open(&file).expect("a journal");
    assert!(journal.passed_in("true BLOOMLINE_SOAK=1", "one").is_some());
    let lines = std::fs::read_to_string(&file).expect("a journal");
    let entries = lines
        .lines()
        .filter(|l| serde_json::from_str::<Entry>(l).is_ok());
    assert_eq!(entries.count(), 6);
}

#[test]
fn what_there_is_no_time_for_is_left_and_comes_first_in_the_next_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let short = Manner {
        jobs: 1,
        budget: Some(Duration::from_millis(2_500)),
        fresh: true,
    };
    // 1 s each are expected of the first two, 1 s of the third, 4 s of the last
    let summary = run_in(folder.path(), "one", short);
    assert!(keys(&summary.left).contains(&checks(Strength::Once)[3].key()));
    let journal = Journal::open(&folder.path().join("records/journal.jsonl")).expect("a journal");
    let mut next = checks(Strength::Once);
    most_urgent_first(&mut next, &table(), &[], &journal, "one");
    let passed = |key: &String| journal.last_pass(key).is_some();
    let order: Vec<bool> = keys(&next).iter().map(passed).collect();
    assert_eq!(order, [false, false, true, true]);
    // a change brings the claims about it to the front
    let changed = ["good/file.rs".to_owned()];
    most_urgent_first(&mut next, &table(), &changed, &journal, "one");
    assert!(next[..2].iter().all(|check| check.claim == "good"));
}

#[test]
fn checks_that_never_ran_come_in_another_order_in_another_tree() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = Journal::open(&folder.path().join("none")).expect("no journal yet");
    let order = |tree: &str| {
        let mut checks = checks(Strength::Once);
        most_urgent_first(&mut checks, &table(), &[], &journal, tree);
        keys(&checks)
    };
    assert_eq!(order("one"), order("one"));
    let first: std::collections::BTreeSet<String> = (0..50)
        .map(|tree| order(&tree.to_string()).remove(0))
        .collect();
    assert_eq!(first.len(), checks(Strength::Once).len());
}

#[test]
fn every_check_is_in_one_shard_and_a_shard_that_is_none_is_refused() {
    let all = keys(&checks(Strength::Full));
    for shards in 1..=5 {
        let mut met: Vec<String> = (1..=shards)
            .flat_map(|i| {
                let text = format!("{i}/{shards}");
                keys(&shard(checks(Strength::Full), &text).expect("a shard"))
            })
            .collect();
        met.sort();
        let mut all = all.clone();
        all.sort();
        assert_eq!(met, all, "{shards} shards");
    }
    for wrong in ["", "1", "0/2", "3/2", "1/0", "a/2", "-1/2", "1/2/3"] {
        let refused = shard(checks(Strength::Full), wrong);
        let message = refused.err().map(|error| error.to_string());
        assert!(
            message.is_some_and(|m| m.contains("expected i/n")),
            "{wrong}"
        );
    }
}

#[test]
fn full_strength_has_its_settings_and_its_estimate() {
    let claims = table().claims;
    let size = |strength| claims[0].settings(strength).get("SIZE").cloned();
    assert_eq!(size(Strength::Once), None);
    assert_eq!(size(Strength::Full).as_deref(), Some("9"));
    assert_eq!(claims[0].estimate_seconds(Strength::Once), 2.0);
    assert_eq!(claims[0].estimate_seconds(Strength::Full), 90.0);
    assert_eq!(claims[1].estimate_seconds(Strength::Full), 1.0);
}

#[test]
fn a_mistake_in_the_table_or_in_a_name_is_told() {
    let told = |text: &str| Table::parse(text).err().map(|error| error.to_string());
    let one =
        |lines: &str| format!("[[claim]]\nname = \"a\"\nsection = \"s\"\nsays = \"x\"\n{lines}\n");
    let run = "runs = [[\"true\"]]\nseconds = 1";
    assert_eq!(told(&one(run)), None);
    for (text, part) in [
        (one("seconds = 1"), "neither `tests` nor `runs`"),
        (one("runs = [[]]\nseconds = 1"), "no program"),
        (one("tests = [\"alone\"]\nseconds = 1"), "no package"),
        (
            one("runs = [[\"true\"]]\nseconds = 0"),
            "no positive number",
        ),
        (one(&format!("{run}\nfast = true")), "fast"),
        (one(run) + &one(run), "given twice"),
    ] {
        let message = told(&text).unwrap_or_default();
        assert!(message.contains(part), "{text}: {message}");
    }
    let unknown = ["goo".to_owned()];
    for (option, chosen) in [
        ("--only", table().chosen(&unknown, &[])),
        ("--except", table().chosen(&[], &unknown)),
    ] {
        let message = chosen
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(
            message.contains(&format!("{option} goo")) && message.contains("perhaps good"),
            "{message}"
        );
    }
}

#[test]
fn claims_are_chosen_by_name_and_left_out_by_name() {
    let named = |only: &[&str], except: &[&str]| {
        let owned = |names: &[&str]| {
            names
                .iter()
                .map(|&name| name.to_owned())
                .collect::<Vec<_>>()
        };
        let chosen = table().chosen(&owned(only), &owned(except));
        let names = chosen.expect("they are there").into_iter();
        names.map(|claim| claim.name).collect::<Vec<_>>()
    };
    let all = named(&[], &[]);
    assert_eq!(named(&["good"], &[]), ["good"]);
    assert!(!named(&[], &["good"]).contains(&"good".to_owned()));
    assert_eq!(named(&[], &["good"]).len(), all.len() - 1);
    assert!(named(&["good"], &["good"]).is_empty());
}

#[test]
fn what_a_test_found_is_its_last_lines() {
    let step = Step::Test {
        package: "some".into(),
        name: "a::b".into(),
        file: "x".into(),
        folder: "y".into(),
    };
    let printed = "\nrunning 1 test\ntest a::b ... ok\n\nsuccesses:\n\n---- a::b stdout ----\none\ntwo\nthree\n\n\nsuccesses:\n    a::b\n\ntest result: ok. 1 passed\n";
    assert_eq!(result_of(&step, printed), "two; three");
    assert_eq!(result_of(&step, "running 1 test\n"), "");
    assert_eq!(result_of(&Step::Run(vec!["x".into()]), "a\n\nb\n"), "a; b");
}

#[test]
fn a_changed_file_changes_the_fingerprint_of_the_tree_and_what_is_built_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    };
    let now = || fingerprint(folder.path()).expect("it can be read");
    let mut met = BTreeMap::new();
    for (name, text) in [("a.rs", "1"), ("a.rs", "2"), ("b/a.rs", "2"), ("c", "")] {
        write(name, text);
        assert_eq!(met.insert(now(), ()), None, "{name}: {text}");
    }
    let before = now();
    for built in ["target/x", ".git/x", ".tools/x", "out/x", "how-we-know.md"] {
        write(built, "new");
    }
    assert_eq!(now(), before);
}
