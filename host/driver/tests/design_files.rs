//! Files that designs come from: manifests and specifications.

use bloomline_driver::{
    connect, Classed, Design, DesignError, DriverError, ErrorClass, FlatVerdict, Verdict,
};
use bloomline_spec::{
    CellVerdict, SlidingVerdict, SpecError, VerdictFlags, CELL_EXAMPLES, EXAMPLES, SLIDING_EXAMPLES,
};
use std::path::PathBuf;
use tempfile::TempDir;

/// The text of the example that recycles, whose threshold is "auto".
fn example() -> &'static str {
    EXAMPLES[0].1
}

/// A manifest of the example, with this threshold and hash.
fn manifest(threshold: u64, hash: &str) -> String {
    serde_json::json!({
        "specification": example(),
        "geometry": { "threshold": threshold },
        "geometry_hash": hash,
    })
    .to_string()
}

fn file(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let file = folder.path().join(name);
    std::fs::write(&file, text).expect("a file");
    file
}

#[test]
fn a_manifest_gives_the_design_that_was_emitted() {
    let folder = tempfile::tempdir().expect("a folder");
    let geometry = crate::common::geometry();
    let hash = format!("0x{:x}", geometry.geometry_hash());
    let text = manifest(geometry.threshold(), &hash);
    let loaded = Design::load(&file(&folder, "manifest.json", &text)).expect("a manifest");
    assert_eq!(loaded.geometry_hash(), geometry.geometry_hash());
    let thresholds = |design: &Design| match design {
        Design::Recycling(geometry) => Some(geometry.threshold()),
        _ => None,
    };
    assert_eq!(thresholds(&loaded), Some(geometry.threshold()));
}

#[test]
fn a_specification_gives_its_design_if_it_says_its_threshold() {
    let folder = tempfile::tempdir().expect("a folder");
    let auto = file(&folder, "auto.toml", example());
    let error = Design::load(&auto).expect_err("nothing solves it");
    assert!(
        matches!(error, DesignError::Spec(SpecError::Auto { .. })),
        "{error}"
    );
    assert!(error.to_string().contains("auto.toml"), "{error}");
    let fixed = example().replace("\"auto\"", "30000");
    let loaded = Design::load(&file(&folder, "fixed.toml", &fixed)).expect("a specification");
    assert_eq!(
        loaded.geometry_hash(),
        crate::common::geometry().geometry_hash()
    );
    for (name, text) in CELL_EXAMPLES.iter().chain(SLIDING_EXAMPLES) {
        let loaded = Design::load(&file(&folder, "example.toml", text));
        loaded.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn what_is_no_manifest_is_refused_with_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    for (text, needle) in [
        ("", "no manifest of a filter"),
        ("{}", "it has no text `specification`"),
        (
            &manifest(30_000, "0x1"),
            "geometry hash 0x1, this version makes",
        ),
        (&manifest(1, "0x1"), "threshold"),
        (r#"{"specification": "name = 1"}"#, "manifest.json:1:"),
    ] {
        let error = Design::load(&file(&folder, "manifest.json", text)).expect_err(needle);
        let said = error.to_string();
        assert!(said.contains(needle), "{needle}: {said}");
        assert!(said.contains("manifest.json"), "{said}");
        assert_eq!(error.class(), ErrorClass::Design);
    }
    let error = Design::load(&folder.path().join("none.json")).expect_err("it is not there");
    assert!(
        matches!(error, DesignError::Spec(SpecError::Manifest { .. })),
        "{error}"
    );
}

#[test]
fn an_error_has_the_class_of_what_caused_it() {
    let design = Design::Recycling(crate::common::geometry());
    for (url, class) in [
        ("x:1", ErrorClass::Argument),
        ("uart:/dev/ttyUSB0?baud=many", ErrorClass::Argument),
        ("uart:/dev/none", ErrorClass::Open),
        // Nothing listens at the port of discards.
        ("etherbone:127.0.0.1:9", ErrorClass::Open),
    ] {
        let error = connect(url, &design).err().expect("nothing is there");
        assert_eq!(error.class(), class, "{error}");
    }
    let inner = DriverError::ItemInterrupted {
        doing: "item",
        expected: 1,
        got: 2,
    };
    let bulk = DriverError::Bulk {
        place: 3,
        of: 4,
        source: Box::new(inner),
    };
    assert_eq!(bulk.class(), ErrorClass::Uncertain);
}

#[test]
fn a_verdict_of_any_kind_is_flat_without_loss() {
    let flags = |verdict: Verdict| FlatVerdict::from(verdict).flags;
    let recycling = |in_active, in_frozen, tripped| {
        flags(Verdict::Recycling(VerdictFlags {
            in_active,
            in_frozen,
            tripped,
        }))
    };
    let seen = FlatVerdict::POSITIVE | FlatVerdict::SEEN;
    assert_eq!(recycling(false, false, true), FlatVerdict::TRIPPED);
    assert_eq!(recycling(true, false, false), seen | FlatVerdict::IN_ACTIVE);
    assert_eq!(recycling(false, true, false), seen | FlatVerdict::IN_FROZEN);
    assert_eq!(flags(Verdict::Static { seen: true }), seen);
    assert_eq!(flags(Verdict::Static { seen: false }), 0);
    let counted = FlatVerdict::from(Verdict::Counted(CellVerdict {
        reached: true,
        seen: false,
        underflow: true,
        saturated: true,
        estimate: 15,
    }));
    let expected = FlatVerdict::POSITIVE | FlatVerdict::UNDERFLOW | FlatVerdict::SATURATED;
    assert_eq!((counted.flags, counted.estimate), (expected, 15));
    let sliding = Verdict::Sliding(SlidingVerdict {
        seen: false,
        lost: true,
    });
    assert_eq!(flags(sliding), FlatVerdict::LOST);
}
