//! Integration kit of an emission: templates, a testbench, a cocotb test, files for software and constraints.
//!
//! Each file is text made of the design alone; its folder says whom it is for.

mod constraints;
pub mod frames;
mod ipxact;
mod software;
mod template;
mod testbench;

use crate::package::file::PackageFile;
use crate::Error;
use bloomline_spec::Design;

/// The reference in Python, the same for every design: it reads the manifest.
const REFERENCE: &str = include_str!("bloomline_reference.py");
/// The cocotb test, the same for every filter and card.
const COCOTB: &str = include_str!("test_bloomline.py");
/// The cocotb test, the same for every packet path.
const COCOTB_FRAMES: &str = include_str!("test_frames.py");

/// The files, by the paths that they have in the folder of an emission.
///
/// # Errors
/// Only if JSON cannot be written, which no value here causes.
pub fn files(design: &Design) -> Result<Vec<PackageFile>, Error> {
    let name = design.name();
    let mut files = vec![
        ("component.xml".to_owned(), ipxact::text(design)),
        (format!("templates/{name}.v"), template::verilog(design)),
        (
            format!("templates/{name}.sv"),
            template::system_verilog(design),
        ),
        (format!("templates/{name}.vhd"), template::vhdl(design)),
        (format!("sim/tb_{name}.v"), testbench::text(design)),
        (format!("constraints/{name}.sdc"), constraints::sdc(design)),
        (format!("constraints/{name}.xdc"), constraints::xdc(design)),
        (format!("constraints/{name}.lpf"), constraints::lpf(design)),
        (
            "sim/bloomline_reference.py".to_owned(),
            REFERENCE.to_owned(),
        ),
    ];
    if design.has_registers() {
        files.extend([
            (format!("software/{name}.h"), software::header(design)),
            ("software/csr.json".to_owned(), software::csr_json(design)?),
            ("software/csr.csv".to_owned(), software::csr_csv(design)),
        ]);
    }
    // the pins of a line card are the testbench's alone
    if design.line_card().is_none() {
        let test = match design.packet() {
            Some(_) => COCOTB_FRAMES,
            None => COCOTB,
        };
        files.push((format!("sim/test_{name}.py"), test.to_owned()));
    }
    let file = |(name, text)| PackageFile { name, text };
    Ok(files.into_iter().map(file).collect())
}

#[cfg(test)]
mod tests {
    use super::{COCOTB, REFERENCE};
    use crate::package::MANIFEST;
    use crate::Filter;
    use bloomline_model::functional_model;
    use bloomline_spec::{CellOperation, Key, OPERATION_BITS};
    use serde_json::{json, Value};
    use std::io::Write;
    use std::path::Path;
    use std::process::{Command, Stdio};

    /// Keys of `[filter]`, tables behind it and bits of a key: small filters, in which much happens within a few hundred items.
    const FILTERS: [(&str, &str, u32); 8] = [
        (
            "kind = \"static\"\nmemory_bits = 1024\nhashes = 3\nlayout = \"shared\"\nhashing = \"extended-double-3\"\nrange = 1021\nitems = 50",
            "[hash]\nfamily = \"h3\"",
            33,
        ),
        (
            "kind = \"recycling\"\nmemory_bits = 1024\nhashes = 4\nhashing = \"double\"",
            "[filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 200\n[hash]\nfamily = \"siphash\"",
            104,
        ),
        (
            "kind = \"recycling\"\nmemory_bits = 512\nhashes = 3\nlayout = \"shared\"\nhashing = \"independent\"\ndistinct = true",
            "[filter.recycle]\nphases = 1\non = \"messages\"\nthreshold = 40\nretain = false",
            7,
        ),
        (
            "kind = \"counting\"\nmemory_bits = 1024\nhashes = 2\nhashing = \"independent\"\nitems = 50",
            "[filter.counting]\ncounter_bits = 4\nthreshold = 3",
            128,
        ),
        (
            "kind = \"counting\"\nmemory_bits = 1024\nhashes = 4\nlayout = \"shared\"\nhashing = \"independent\"\nconservative = true\nitems = 50",
            "[filter.counting]\ncounter_bits = 2\nthreshold = 3",
            20,
        ),
        (
            "kind = \"counting\"\nmemory_bits = 3072\nhashes = 2\nhashing = \"independent\"",
            "[filter.counting]\ncounter_bits = 3\nthreshold = 4\nwindow = 64",
            104,
        ),
        (
            "kind = \"counting\"\nmemory_bits = 8192\nhashes = 2\nhashing = \"independent\"",
            "[filter.counting]\ncounter_bits = 8\nthreshold = 5\nwindow = 100\n[features]\nregisters = \"none\"",
            1,
        ),
        (
            "kind = \"count-min\"\nmemory_bits = 36864\nhashes = 4\ncopies = 2\nitems = 5000",
            "[filter.count-min]\ncounter_bits = 9\namount_bits = 5\nthreshold = 100",
            48,
        ),
    ];

    /// Checks the reference against items with their verdicts, both from the standard input.
    const CHECK: &str = "
import sys
for case in json.load(sys.stdin):
    reference, name = Reference(case['manifest']), case['name']
    for place, (key, tuser, verdict) in enumerate(case['items']):
        said = reference.item(int(key, 16), tuser)
        assert said == verdict, f'{name}, item {place}: tuser {tuser} gives {said}, the model {verdict}'
";

    /// Puts stand-ins in the place of cocotb and its models, and connects the test to a design that has the ports of the manifest and no others.
    const CONNECT: &str = "
import sys, types
from unittest.mock import MagicMock
for name in ['bloomline_reference', 'cocotb', 'cocotb.clock', 'cocotb.triggers', 'cocotbext', 'cocotbext.axi']:
    sys.modules[name] = MagicMock()
__file__ = 'test_tiny.py'
exec(sys.stdin.read(), globals())
Bench(types.SimpleNamespace(**{name: MagicMock() for name in PORTS}))
";

    /// A filter with these keys of `[filter]`, these tables and keys of so many bits.
    fn filter(keys: &str, tables: &str, key_bits: u32) -> Filter {
        let text = format!(
            "name = \"tiny\"\n[filter]\naccept_two_hash_floor = true\n{keys}\n[key]\nbits = {key_bits}\n{tables}\n"
        );
        Filter::from_text(Path::new("tiny.toml"), text)
            .unwrap_or_else(|error| panic!("{keys}: {error}"))
    }

    /// The text of its manifest.
    fn manifest(filter: &Filter) -> String {
        let package = filter.emit().expect("it can be emitted");
        let manifest = package.files().iter().find(|file| file.name == MANIFEST);
        manifest.expect("a manifest").text.clone()
    }

    /// A manifest, and items of a few keys with the verdicts of the functional model.
    fn case(keys: &str, tables: &str, key_bits: u32) -> Value {
        let filter = filter(keys, tables, key_bits);
        let manifest: Value = serde_json::from_str(&manifest(&filter)).expect("JSON");
        let design = filter.design();
        let operation = |code| match code {
            0 => CellOperation::Query,
            1 => CellOperation::Insert,
            // an item of a recycling filter has no fourth operation
            3 if manifest["geometry"]["kind"] != "recycling" => CellOperation::Remove,
            _ => CellOperation::TestAndInsert,
        };
        let amounts = (1 << (design.operation_bits() - OPERATION_BITS)) - 1;
        let mut model = functional_model(design);
        let mut state = 1u64;
        let mut drawn = || {
            // Knuth's MMIX generator, whose high bits are the good ones
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32
        };
        let mask = u128::MAX >> (128 - key_bits);
        let items: Vec<Value> = (0..600)
            .map(|_| {
                let number = u128::from(drawn() % 60) * 0x0123_4567_89AB_CDEF_0112_2334_4556_6779;
                let key = Key::from_integer(number & mask, key_bits).expect("it fits");
                let (operation, amount) = (operation(drawn() % 4), drawn() & amounts);
                let verdict = model.item(&key, operation, amount);
                let tuser = amount << OPERATION_BITS | u32::from(operation.code());
                json!([
                    key.to_string(),
                    tuser,
                    operation.has_verdict().then_some(verdict)
                ])
            })
            .collect();
        json!({"name": format!("{keys}\n{tables}"), "manifest": manifest, "items": items})
    }

    /// Runs a script in Python. Without Python it says that it was skipped, which is a failure in CI.
    fn python(script: &str, input: &[u8], manifest: &Path) {
        let python = Command::new("python3")
            .args(["-c", script])
            .env("BLOOMLINE_MANIFEST", manifest)
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut python = match python {
            Ok(python) => python,
            Err(error) if std::env::var("CI").is_ok_and(|ci| ci == "true") => {
                panic!("python3 is needed in CI: {error}")
            }
            Err(error) => return eprintln!("skipped: python3 does not start: {error}"),
        };
        let mut stdin = python.stdin.take().expect("a pipe");
        stdin.write_all(input).expect("it reads");
        drop(stdin);
        let output = python.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
    }

    #[test]
    fn the_reference_in_python_answers_as_the_model_does() {
        let cases: Vec<Value> = FILTERS
            .iter()
            .map(|(keys, tables, bits)| case(keys, tables, *bits))
            .collect();
        let cases = serde_json::to_vec(&cases).expect("JSON");
        python(&format!("{REFERENCE}{CHECK}"), &cases, Path::new(""));
    }

    #[test]
    fn the_cocotb_test_asks_for_no_port_that_the_design_has_not() {
        let (keys, tables, bits) = FILTERS[3];
        for more in [
            "",
            "[features]\nregisters = \"none\"\nverdict_queue = 0",
            "[card]\nuart_baud = 1_000_000",
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join(MANIFEST);
            let text = manifest(&filter(keys, &format!("{tables}\n{more}"), bits));
            std::fs::write(&file, text).expect("written");
            python(CONNECT, COCOTB.as_bytes(), &file);
        }
    }
}
