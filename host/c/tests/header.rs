//! The committed header is what the sources say.

use std::path::Path;

/// Set to write the header instead of comparing.
const WRITE: &str = "BLOOMLINE_WRITE";

#[test]
fn the_committed_header_is_what_cbindgen_makes_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("include/bloomline.h");
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("its settings");
    // It reads the modules of the library itself.
    let builder = cbindgen::Builder::new()
        .with_config(config)
        .with_src(root.join("src/lib.rs"));
    let mut made = Vec::new();
    builder.generate().expect("it can be made").write(&mut made);
    let made = String::from_utf8(made).expect("UTF-8");
    for function in ["bloomline_open(", "bloomline_apply(", "bloomline_snapshot("] {
        let declared = made
            .lines()
            .filter(|line| !line.starts_with(" *"))
            .filter(|line| line.contains(function));
        assert_eq!(declared.count(), 1, "{function}");
    }
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&file, &made).expect("it can be written");
    }
    let committed = std::fs::read_to_string(&file).expect("it is committed");
    assert!(
        committed == made,
        "include/bloomline.h is not what the sources say; `{WRITE}=1 cargo test --release -p bloomline-c --test header` writes it"
    );
}
