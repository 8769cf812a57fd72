//! Every golden example prints, byte for byte, what `tests/golden` holds; `BLOOMLINE_BLESS=1` writes it again.

use bloomline_tests::{golden_folder, read_golden, write_golden, GoldenTexts, GOLDEN};
use std::path::Path;
use std::sync::OnceLock;

fn texts() -> &'static GoldenTexts {
    static TEXTS: OnceLock<GoldenTexts> = OnceLock::new();
    TEXTS.get_or_init(GoldenTexts::of_examples)
}

#[test]
fn every_example_prints_as_its_golden_files() {
    let texts = texts();
    if let Some(folder) = std::env::var_os("BLOOMLINE_EMITTED") {
        texts.write_modules(Path::new(&folder)).expect("written");
    }
    if std::env::var("BLOOMLINE_BLESS").is_ok_and(|value| value == "1") {
        write_golden(&golden_folder(), &texts.files()).expect("the golden files");
    }
    let golden = read_golden(&golden_folder()).expect("the golden files");
    let differences = texts.differences(&golden);
    assert!(
        differences.is_empty(),
        "{}\n\nBLOOMLINE_EMITTED=<folder> writes the text of every module there, before the change and after it. Review the change, then \
         BLOOMLINE_BLESS=1 writes the golden files again",
        differences.join("\n")
    );
}

#[test]
fn every_byte_of_every_example_is_held() {
    let texts = texts();
    let golden = texts.files();
    assert!(texts.differences(&golden).is_empty());
    let list = |example: &str| golden[&format!("{example}.list")].lines();
    let mut kinds = [0; 3];
    for example in [GOLDEN[0], "flows", "linecard"] {
        // a module of a whole example, one that is kept and one that is held by its hash
        let kept = ["blocks/", "like", "onehit.v"].map(|file| {
            let mut lines = list(example);
            lines.find_map(|line| {
                let [name, _, held] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else {
                    panic!("{line}")
                };
                (held.starts_with(file) && name != "(whole)").then_some(name)
            })
        });
        for (module, kind) in kept.into_iter().zip(0..) {
            let Some(module) = module else { continue };
            kinds[kind] += 1;
            let edited = texts.edited(example, module, "wire", "wire ");
            let told = edited.differences(&golden).join("\n");
            let named = format!("{example}: module {module} differs");
            assert!(told.contains(&named), "{told}");
            assert_eq!(told.contains("@@"), kind != 1, "{told}");
        }
    }
    assert!(kinds.iter().all(|&count| count > 0), "{kinds:?}");
}

#[test]
fn a_block_is_kept_once_with_its_most_options_and_its_longest_sums() {
    let golden = texts().files();
    let kept = |block: &str| {
        let begin = format!("blocks/{block}");
        golden
            .keys()
            .filter(|file| file.starts_with(&begin))
            .count()
    };
    // those of all other examples are like the ones of the whole example
    assert_eq!(kept("hash_layer"), 0);
    // a filter whose cells have no window has the one with a window, without some of its lines
    assert_eq!(kept("cell_sequencer"), 1);
    let window = texts().edited("trending", "cell_sequencer", "wire", "wire ");
    let told = window.differences(&golden).join("\n");
    assert!(told.contains("@@"), "{told}");
}

#[test]
fn files_that_are_stale_changed_or_lost_are_told_and_written_again() {
    let texts = texts();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let golden = texts.files();
    write_golden(folder.path(), &golden).expect("written");
    assert_eq!(read_golden(folder.path()).expect("read"), golden);
    let block = golden.keys().find(|file| file.starts_with("blocks/"));
    let block = block.expect("a block");
    for (file, text) in [
        ("blocks/stale.v", Some("module stale;\nendmodule\n")),
        ("stale.list", Some("")),
        (block, Some("// edited\n")),
        ("flows.list", None),
    ] {
        let path = folder.path().join(file);
        match text {
            Some(text) => std::fs::write(path, text).expect("written"),
            None => std::fs::remove_file(path).expect("removed"),
        }
        let found = read_golden(folder.path()).expect("read");
        let told = texts.differences(&found).join("\n");
        assert!(told.contains(&format!("golden/{file} ")), "{told}");
        write_golden(folder.path(), &golden).expect("written");
        assert_eq!(read_golden(folder.path()).expect("read"), golden, "{file}");
    }
}
