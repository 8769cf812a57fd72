//! Plausible mistakes: what was typed, and what the message must name. Each ends with exit code 2 and prints no result.

use crate::common::run;
use std::path::Path;

const GOOD: &str = include_str!("../../../hdl/specification/examples/onehit.toml");

#[test]
fn every_mistake_is_answered_with_what_to_type_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).expect("written");
    };
    let written = run(folder.path(), &["examples", "--write", "specs"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    write("onehit.toml", GOOD.as_bytes());
    std::fs::copy(
        folder.path().join("specs/admit.toml"),
        folder.path().join("admit.toml"),
    )
    .expect("an example");
    write("empty.toml", b"");
    write("binary.toml", &[0xff, 0xfe, 0x00]);
    write(
        "typo.toml",
        b"name = \"a\"\n[filter]\nkind = \"static\"\nhases = 4\n",
    );
    write(
        "word.toml",
        b"name = \"a\"\n[filter]\nkind = \"recyling\"\n",
    );
    write(
        "unit.toml",
        b"name = \"a\"\n[filter]\nkind = \"static\"\nitems = 1M\n",
    );
    write("odd.toml", GOOD.replace("131072", "131071").as_bytes());
    let threshold = |setting: &str| GOOD.replace("threshold = \"auto\"", setting);
    write("whole.toml", threshold("threshold = 65536").as_bytes());
    let never = threshold("threshold = 65000").replace("\"bits-set\"", "\"messages\"");
    write("never.toml", never.as_bytes());
    write("k.csv", b"a\n1\n2\n");
    write("n.csv", b"17\n18\n");
    write("e.csv", b"");
    std::fs::create_dir(folder.path().join("mine")).expect("a folder");
    write(
        "mine/onehit.toml",
        GOOD.replace("131072", "65536").as_bytes(),
    );
    write("mine/onehit.html", b"notes");
    write("mine/index.html", b"notes");
    let mut failures = String::new();
    let lines = include_str!("mistakes.txt").lines().skip(1);
    let mut mistakes = 0;
    for line in lines {
        mistakes += 1;
        let mut parts = line.split(" => ");
        let typed = parts.next().unwrap_or_default();
        let arguments: Vec<&str> = typed.split_whitespace().skip(1).collect();
        let run = run(folder.path(), &arguments);
        let unnamed: Vec<_> = parts.filter(|part| !run.stderr.contains(part)).collect();
        if run.code != 2
            || !run.stdout.is_empty()
            || !unnamed.is_empty()
            || run.stderr.contains("panicked")
        {
            failures += &format!(
                "{typed}: code {}, without {unnamed:?}\n{}{}\n",
                run.code, run.stdout, run.stderr
            );
        }
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(mistakes >= 100, "{mistakes}");
    assert!(
        !Path::new(folder.path()).join("x.toml").exists(),
        "nothing may be written"
    );
}
