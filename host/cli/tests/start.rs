//! The first hour: everything that a stranger needs is in the command, from an empty folder.

use crate::common::{names, run, run_with};

#[test]
fn every_example_can_be_written_and_planned() {
    let folder = tempfile::tempdir().expect("a folder");
    let listed = run(folder.path(), &["examples"]);
    assert_eq!(listed.code, 0, "{}", listed.stderr);
    assert!(names(folder.path()).is_empty(), "a list writes nothing");
    let written = run(folder.path(), &["examples", "--write", "specs"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    let specs = names(&folder.path().join("specs"));
    assert!(specs.len() > 14 && specs.contains(&"bloomline.schema.json".to_owned()));
    for file in specs.iter().filter(|name| name.ends_with(".toml")) {
        assert!(listed.stdout.contains(file.as_str()), "{file}");
        if file != "stress.toml" {
            let plan = run(&folder.path().join("specs"), &["plan", file]);
            assert_eq!(plan.code, 0, "{file}: {}", plan.stderr);
        }
    }
    let again = run(folder.path(), &["examples", "--write", "specs"]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    let schema = std::fs::read_to_string(folder.path().join("specs/bloomline.schema.json"));
    let printed = run(folder.path(), &["schema"]).stdout;
    assert_eq!(schema.expect("the schema"), printed);
}

#[test]
fn keys_are_explained_and_a_mistyped_one_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = run(folder.path(), &["explain", "filter.hashes"]);
    for part in [
        "type",
        "unit",
        "default",
        "rule",
        "effect",
        "example  hashes = 4",
    ] {
        assert!(one.stdout.contains(part), "{part}: {}", one.stdout);
    }
    let short = run(folder.path(), &["explain", "counter_bits"]);
    assert!(short.stdout.contains("filter.counting.counter_bits"));
    assert!(short.stdout.contains("filter.count-min.counter_bits"));
    let typo = run(folder.path(), &["explain", "filter.hases"]);
    assert_eq!((typo.code, typo.stdout.as_str()), (2, ""));
    assert!(
        typo.stderr.contains("did you mean filter.hashes"),
        "{}",
        typo.stderr
    );
    let table = run(folder.path(), &["explain", "filter"]).stdout;
    let (_, keys) = table.split_once("Its keys:\n").expect("a table has keys");
    let column = 27;
    for line in keys.lines().filter(|line| !line.is_empty()) {
        let (name, meaning) = line.split_at(column);
        assert!(name.ends_with(' ') && !meaning.starts_with(' '), "{line}");
    }
    let all = run(folder.path(), &["explain", "--all"]).stdout;
    let page = crate::common::root().join("hdl/docs/keys.md");
    assert_eq!(
        all.trim_end(),
        std::fs::read_to_string(page).expect("the page").trim_end()
    );
}

#[test]
fn a_new_specification_of_every_kind_is_planned_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    for kind in ["recycling", "static", "counting", "count-min", "sliding"] {
        let name = format!("my--{kind}");
        let new = run(folder.path(), &["new", &name, "--kind", kind]);
        assert_eq!(new.code, 0, "{kind}: {}", new.stderr);
        let file = format!("{name}.toml");
        assert!(
            new.stdout.contains(&format!("bloomline plan {file}")),
            "{}",
            new.stdout
        );
        let plan = run(folder.path(), &["plan", &file]);
        assert_eq!(plan.code, 0, "{kind}: {}", plan.stderr);
        let text = std::fs::read_to_string(folder.path().join(&file)).expect("written");
        assert!(text.contains("# Kind of filter"), "commented: {text}");
    }
    let board = ["new", "nic", "--kind", "static", "--board", "opennic-250"];
    let board = run(folder.path(), &board);
    assert_eq!(board.code, 0, "{}", board.stderr);
    let text = std::fs::read_to_string(folder.path().join("nic.toml")).expect("written");
    assert!(
        text.contains("data_bits = 512") && text.contains("[card]"),
        "{text}"
    );
    let versa = [
        "new",
        "versa",
        "--kind",
        "counting",
        "--board",
        "versa-ecp5",
        "--rate",
        "1%",
    ];
    let versa = run(folder.path(), &versa);
    assert!(
        versa.stdout.contains("build versa.toml --board versa-ecp5"),
        "{}",
        versa.stdout
    );
}

#[test]
fn completions_are_json_like_every_result() {
    let script = run(&crate::common::root(), &["completions", "bash"]).stdout;
    let json = run(&crate::common::root(), &["completions", "bash", "--json"]).stdout;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["shell"], "bash");
    assert_eq!(
        json["script"].as_str().map(str::trim_end),
        Some(script.trim_end())
    );
}

/// `/proc` takes no file, not even from root.
#[test]
#[cfg(target_os = "linux")]
fn tools_go_elsewhere_where_their_folder_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder");
    let temporary = folder.path().display().to_string();
    let doctor = |variables: &[(&str, &str)]| {
        let variables = [
            &[("XDG_DATA_HOME", "/proc/nowhere"), ("TMPDIR", &temporary)],
            variables,
        ];
        run_with(folder.path(), &["tools", "doctor"], &variables.concat())
    };
    let elsewhere = doctor(&[("BLOOMLINE_TOOLS", "")]);
    assert_eq!(
        elsewhere.code, 1,
        "nothing is installed: {}",
        elsewhere.stderr
    );
    for part in [
        "/proc/nowhere/bloomline/tools cannot be written",
        &temporary,
        "BLOOMLINE_TOOLS",
    ] {
        assert!(
            elsewhere.stderr.contains(part),
            "{part}: {}",
            elsewhere.stderr
        );
    }
    let [made] = names(folder.path()).try_into().expect("one folder");
    let made = folder.path().join(made);
    let mode = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&made, permissions).expect("ours");
    };
    mode(0o777);
    let refused = doctor(&[("BLOOMLINE_TOOLS", "")]);
    assert_eq!(refused.code, 2, "others could put programs there");
    assert!(
        refused.stderr.contains("set BLOOMLINE_TOOLS"),
        "{}",
        refused.stderr
    );
    mode(0o700);
    let chosen = folder.path().join("chosen").display().to_string();
    let chosen = doctor(&[("BLOOMLINE_TOOLS", &chosen)]);
    assert!(
        !chosen.stderr.contains("cannot be written"),
        "{}",
        chosen.stderr
    );
}
