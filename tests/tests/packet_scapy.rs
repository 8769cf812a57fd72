//! The parse of the packet path's model against Scapy, which shares nothing with it or with `etherparse`: the fields of a key in every frame of
//! the recorded traffic.
//!
//! `BLOOMLINE_SOAK=50` compares all frames of the captures instead of the first 2,000 of each.

use bloomline_model::{parse, Finding};
use bloomline_spec::FiveTuple;
use bloomline_stimulus::{Capture, LinkType};
use bloomline_tests::{captures, soak, toolchain, traces};
use bloomline_toolchain::{Package, Program};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const SCRIPT: &str = include_str!("packet_support/scapy_keys.py");

/// What Scapy says of the first frames of a capture, a line each.
fn read_by_scapy(python: &Path, script: &Path, capture: &Path, most: u64) -> String {
    let output = Command::new(python)
        .arg(script)
        .arg(capture)
        .arg(most.to_string())
        .output()
        .expect("starts");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{}:\n{complaint}",
        capture.display()
    );
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The fields in a line, if it has some.
fn fields(line: &str) -> Option<FiveTuple> {
    let words: Vec<&str> = line.split(' ').collect();
    let [source, destination, source_port, destination_port, protocol] = words[..] else {
        return None;
    };
    Some(FiveTuple {
        source: source.parse().ok()?,
        destination: destination.parse().ok()?,
        source_port: source_port.parse().ok()?,
        destination_port: destination_port.parse().ok()?,
        protocol: protocol.parse().ok()?,
    })
}

#[test]
#[ignore = "a claim"]
fn recorded_frames_have_the_fields_that_scapy_reads() {
    let Some(folder) = traces() else { return };
    let toolchain = toolchain(&[Program::Python]);
    toolchain
        .install(&[Package::Scapy], &|progress| eprintln!("{progress}"))
        .unwrap_or_else(|error| panic!("{error}"));
    let python = toolchain.python_of(Package::Scapy);
    let work = tempfile::tempdir().expect("a folder");
    let script = work.path().join("scapy_keys.py");
    std::fs::write(&script, SCRIPT).expect("written");
    let most = 2_000 * soak();
    let mut compared = BTreeMap::<&str, u64>::new();
    for file in captures(&folder) {
        let text = read_by_scapy(&python, &script, &file, most);
        let mut lines = text.lines();
        let mut capture = Capture::open(&file).expect("a capture");
        for number in 1..=most {
            let Some(captured) = capture.next_captured() else {
                break;
            };
            let captured = captured.expect("a good frame");
            let line = lines.next().expect("Scapy reads every frame");
            if captured.link != Some(LinkType::Ethernet) {
                *compared.entry("not Ethernet").or_default() += 1;
                continue;
            }
            let parsed = parse(&captured.bytes);
            let kind = match parsed.finding {
                Finding::Ip(tuple) => (fields(line) == Some(tuple)).then_some("IP"),
                Finding::WithoutIp => fields(line).is_none().then_some("without IP"),
                // Scapy reads on where headers are cut or lie deep
                Finding::Truncated | Finding::Malformed | Finding::TooDeep => Some("no key"),
            };
            let Some(kind) = kind else {
                panic!(
                    "{}, frame {number}: Scapy: {line}; model: {parsed:?}",
                    file.display()
                )
            };
            *compared.entry(kind).or_default() += 1;
        }
        assert_eq!(lines.next(), None, "{}", file.display());
    }
    println!("{compared:?}");
    let count = |kind| compared.get(kind).copied().unwrap_or(0);
    assert!(count("IP") > 3_000, "{compared:?}");
    assert!(count("no key") * 50 < count("IP"), "{compared:?}");
}
