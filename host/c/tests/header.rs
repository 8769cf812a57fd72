//! The committed header is what the sources say.

use std::path::Path;

/// Set to write the header instead of comparing.
const WRITE: &str = "BLOOMLINE_WRITE";

#[test]
fn the_committed_header_is_what_cbindgen_makes_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("include/bloomline.h");
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("its settings");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in [
        "lib", "status", "device", "items", "path", "events", "snapshot",
    ] {
        builder = builder.with_src(root.join(format!("src/{source}.rs")));
    }
    let mut made = Vec::new();
    builder.generate().expect("it can be made").write(&mut made);
    let made = String::from_utf8(made).expect("UTF-8");
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&file, &made).expect("it can be written");
    }
    let committed = std::fs::read_to_string(&file).expect("it is committed");
    assert!(
        committed == made,
        "include/bloomline.h is not what the sources say; `{WRITE}=1 cargo test --release -p bloomline-c --test header` writes it"
    );
}
