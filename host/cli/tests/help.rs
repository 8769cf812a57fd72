//! The help of every verb, verbatim. `INSTA_UPDATE=always cargo test -p bloomline` rewrites the snapshots.

#[test]
fn help_is_as_reviewed() {
    let folder = crate::common::folder(crate::common::BASE);
    let verbs: [&[&str]; 17] = [
        &["--help"],
        &["new", "--help"],
        &["examples", "--help"],
        &["explain", "--help"],
        &["schema", "--help"],
        &["size", "--help"],
        &["plan", "--help"],
        &["emit", "--help"],
        &["quickstart", "--help"],
        &["verify", "--help"],
        &["build", "--help"],
        &["device", "--help"],
        &["device", "URL", "configure", "--help"],
        &["serve", "--help"],
        &["tools", "--help"],
        &["tools", "install", "--help"],
        &["tools", "doctor", "--help"],
    ];
    let mut pages = String::new();
    for verb in verbs {
        let run = crate::common::run(folder.path(), verb);
        assert_eq!(run.code, 0, "{verb:?}: {}", run.stderr);
        pages.push_str(&format!("$ bloomline {}\n{}\n", verb.join(" "), run.stdout));
    }
    insta::assert_snapshot!(pages);
}
