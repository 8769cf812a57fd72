//! The sources of keys on real traffic.
//!
//! The traces are not part of the project. They are looked for in `$BLOOMLINE_TRACES`, else in `../shared/traces` from the
//! project's root; without them these tests say that they were skipped, and fail when `CI=true`.

use bloomline_stimulus::{Capture, CsvColumn, Record, Skip, StimulusError};
use sha2::{Digest, Sha256};
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Name, frames, frames with flow fields, distinct flows, and the SHA-256 over one line a record, `source destination protocol
/// source-port destination-port time-in-ns frame-bytes`.
///
/// Computed by `flows.py` beside this file, on scapy 2.8.0 with its MPLS and 802.11 layers, which shares nothing with this crate's
/// parser: innermost IP header through VLAN, MPLS and GRE, ports 0 for fragments after the first.
const EXPECTED: [(&str, u64, u64, usize, &str); 9] = [
    (
        "bro.org.pcap",
        751,
        751,
        26,
        "f4823d876848c3a8f406cbba8a83e244fadfb20d5fa0269bbfd11c99558a98ad",
    ),
    (
        "echo-connections.pcap.gz",
        82582,
        82582,
        1000,
        "dc7cdeb814d2de811bf3aead99d171f7bad6584161f2fa33583de532903afcea",
    ),
    (
        "fragmented-1.pcap",
        3,
        3,
        2,
        "e5e4d740dac09f4cc9bf6fbd893fcf567554a285d0f6c6af3f3c07708c10b0fb",
    ),
    (
        "gre-aruba.pcap",
        2407,
        2407,
        23,
        "f1f25ef26ff56daf6f8bc08d66266e046bf905e82dd2c70a09defcbb92566d92",
    ),
    (
        "http-qinq-0.pcap",
        14,
        14,
        2,
        "ea5e443930a70f2324209dd84fefcc8e06ac543a15b304dafbaa3e5a2904156e",
    ),
    (
        "http-vlan-0.pcap",
        14,
        14,
        2,
        "0055920c8ef285850b59d9f23f9ac7d8ee16ddd0580a08b22e14f0d5e7c34669",
    ),
    (
        "ipv6-fragmented-dns.pcap",
        8,
        8,
        5,
        "33ae207670ee5ef340beafdfc369abe7fbc2ed97d4c43fca0508af60c7c5fecd",
    ),
    (
        "ipv6.pcap",
        136,
        136,
        12,
        "b192149bd48f2519cabffae7386bc4441315eb293445c96a0083124394e0dd14",
    ),
    (
        "mixed-vlan-mpls.pcap",
        47,
        47,
        5,
        "6eef864e33a5088eaf9b7ed50e99906ba56bd2c17673838da45c8c8ae4f5eee0",
    ),
];

/// The folder of traces, or `None` after saying that the test is skipped.
fn traces() -> Option<PathBuf> {
    let folder = match std::env::var_os("BLOOMLINE_TRACES") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/traces"),
    };
    if folder.is_dir() {
        return Some(folder);
    }
    let ci = std::env::var("CI").is_ok_and(|value| value == "true");
    assert!(
        !ci,
        "the traces are not in {}; set BLOOMLINE_TRACES",
        folder.display()
    );
    eprintln!(
        "skipped: the traces are not in {}; set BLOOMLINE_TRACES",
        folder.display()
    );
    None
}

fn line(record: &Record) -> String {
    format!(
        "{} {} {} {} {} {} {}\n",
        record.source,
        record.destination,
        record.protocol,
        record.source_port,
        record.destination_port,
        record.timestamp_ns,
        record.frame_bytes
    )
}

#[test]
fn records_equal_those_of_an_independent_parser() {
    let Some(folder) = traces() else { return };
    for (name, frames, records, flows, digest) in EXPECTED {
        let mut capture = Capture::open(&folder.join(name)).expect("a capture");
        let mut hash = Sha256::new();
        let mut seen = HashSet::new();
        for record in capture.by_ref() {
            let record = record.expect("a good frame");
            hash.update(line(&record));
            seen.insert(Record {
                timestamp_ns: 0,
                frame_bytes: 0,
                ..record
            });
        }
        let counts = capture.counts();
        assert_eq!(
            (counts.frames, counts.records, seen.len()),
            (frames, records, flows),
            "{name}: {counts:?}"
        );
        assert_eq!(
            frames,
            records + counts.skipped.values().sum::<u64>(),
            "{name}"
        );
        let hash: String = hash
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(hash, digest, "{name}");
    }
}

#[test]
fn a_cut_capture_names_record_and_offset() {
    let Some(folder) = traces() else { return };
    let whole = std::fs::read(folder.join("http-vlan-0.pcap")).expect("the trace");
    let work = tempfile::tempdir().expect("a folder");
    let path = work.path().join("cut.pcap");
    std::fs::write(&path, &whole[..whole.len() - 5]).expect("written");
    let results: Vec<_> = Capture::open(&path).expect("its header is good").collect();
    let (last, before) = results.split_last().expect("some frames");
    assert!(before.iter().all(Result::is_ok));
    let error = last.as_ref().expect_err("the last frame is cut");
    let StimulusError::BadCapture { record, offset, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!(*record as usize, before.len() + 1);
    // The offset is where the cut record begins: its captured length, at byte 8 of it, reaches to the end of the whole file.
    let at = *offset as usize + 8;
    let captured = u32::from_le_bytes(whole[at..at + 4].try_into().expect("four bytes")) as usize;
    assert_eq!(*offset as usize + 16 + captured, whole.len());
    assert!(error.to_string().contains("cut.pcap"), "{error}");
    assert!(error.to_string().contains("editcap"), "{error}");
}

#[test]
fn gzip_and_pcapng_give_the_records_of_the_plain_file() {
    let Some(folder) = traces() else { return };
    let plain = folder.join("ipv6.pcap");
    let bytes = std::fs::read(&plain).expect("the trace");
    let expected: Vec<Record> = Capture::open(&plain)
        .expect("a capture")
        .collect::<Result<_, _>>()
        .expect("good frames");
    let work = tempfile::tempdir().expect("a folder");

    let packed = work.path().join("misleading.name");
    let file = std::fs::File::create(&packed).expect("a file");
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    encoder.write_all(&bytes).expect("packed");
    encoder.finish().expect("packed");
    let got: Vec<Record> = Capture::open(&packed)
        .expect("a capture")
        .collect::<Result<_, _>>()
        .expect("good frames");
    assert_eq!(got, expected);

    for big_endian in [false, true] {
        let path = work.path().join(format!("big-{big_endian}.pcapng"));
        std::fs::write(&path, pcapng(&bytes, big_endian)).expect("written");
        let got: Vec<Record> = Capture::open(&path)
            .expect("a capture")
            .collect::<Result<_, _>>()
            .expect("good frames");
        assert_eq!(got, expected);
        let mut cut = pcapng(&bytes, big_endian);
        cut.truncate(cut.len() - 9);
        std::fs::write(&path, &cut).expect("written");
        let error = Capture::open(&path)
            .expect("its header is good")
            .last()
            .expect("a result")
            .expect_err("it is cut");
        let StimulusError::BadCapture { offset, .. } = error else {
            panic!("{error:?}")
        };
        let length = cut[offset as usize + 4..][..4]
            .try_into()
            .expect("four bytes");
        let length = if big_endian {
            u32::from_be_bytes(length)
        } else {
            u32::from_le_bytes(length)
        };
        assert_eq!(offset + u64::from(length), cut.len() as u64 + 9);
    }
}

/// A little-endian pcap of microseconds as pcapng, written by hand: a section, an interface with nanoseconds, a block a frame.
fn pcapng(pcap: &[u8], big_endian: bool) -> Vec<u8> {
    let word = |value: u32| {
        if big_endian {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        }
    };
    let half = |value: u16| {
        if big_endian {
            value.to_be_bytes()
        } else {
            value.to_le_bytes()
        }
    };
    let mut out = Vec::new();
    let mut block = |kind: u32, body: &[u8]| {
        let length = 12 + body.len().next_multiple_of(4);
        out.extend(word(kind));
        out.extend(word(length as u32));
        out.extend(body);
        out.resize(out.len().next_multiple_of(4), 0);
        out.extend(word(length as u32));
    };
    block(
        0x0a0d_0d0a,
        &[&word(0x1a2b_3c4d)[..], &half(1), &half(0), &[0xff; 8]].concat(),
    );
    // Option 9 is the resolution: 10^-9 s.
    block(
        1,
        &[
            &half(1)[..],
            &half(0),
            &word(0),
            &half(9),
            &half(1),
            &[9, 0, 0, 0],
            &half(0),
            &half(0),
        ]
        .concat(),
    );
    let mut at = 24;
    while at < pcap.len() {
        let field = |index: usize| {
            u32::from_le_bytes(pcap[at + 4 * index..][..4].try_into().expect("four bytes"))
        };
        let (captured, original) = (field(2), field(3));
        let ns = u64::from(field(0)) * 1_000_000_000 + u64::from(field(1)) * 1000;
        let head = [
            word(0),
            word((ns >> 32) as u32),
            word(ns as u32),
            word(captured),
            word(original),
        ]
        .concat();
        // A name-resolution block between the frames holds no frame.
        block(4, &[0; 4]);
        block(
            6,
            &[&head[..], &pcap[at + 16..][..captured as usize]].concat(),
        );
        at += 16 + captured as usize;
    }
    out
}

#[test]
fn what_is_no_capture_is_refused() {
    let work = tempfile::tempdir().expect("a folder");
    let path = work.path().join("x.pcap");
    let open = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        Capture::open(&path).map(|_| ()).expect_err("no capture")
    };
    assert!(matches!(open(b""), StimulusError::NotACapture { .. }));
    assert!(matches!(
        open(b"src,dst\n1,2\n"),
        StimulusError::NotACapture { .. }
    ));
    assert!(matches!(
        open(&[0xd4, 0xc3, 0xb2, 0xa1, 2]),
        StimulusError::BadCapture { .. }
    ));
    let mut wireless = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    wireless.extend([0; 8]);
    wireless.extend([0xff, 0xff, 0, 0, 105, 0, 0, 0]);
    assert!(matches!(
        open(&wireless),
        StimulusError::LinkType { link_type: 105, .. }
    ));
    let missing = Capture::open(&work.path().join("no.pcap"))
        .map(|_| ())
        .expect_err("no file");
    assert!(missing.to_string().contains("no.pcap"), "{missing}");
}

#[test]
fn damaged_captures_never_panic() {
    let Some(folder) = traces() else { return };
    let work = tempfile::tempdir().expect("a folder");
    let path = work.path().join("damaged");
    let pcap = std::fs::read(folder.join("ipv6-fragmented-dns.pcap")).expect("the trace");
    for file in [pcap.clone(), pcapng(&pcap, false)] {
        for at in (0..file.len().min(400)).chain((400..file.len()).step_by(97)) {
            let mut bytes = file.clone();
            bytes[at] ^= 0xff;
            std::fs::write(&path, &bytes).expect("written");
            if let Ok(capture) = Capture::open(&path) {
                assert!(capture.count() <= file.len());
            }
        }
    }
}

#[test]
fn the_block_trace_has_the_counts_of_an_independent_reader() {
    // Counted by Python's csv module. The trace's own description says one more of each but the first: it counted the header.
    let Some(folder) = traces() else { return };
    let keys = CsvColumn::open(&folder.join("cloudPhysicsIO.csv"), "lbn").expect("the column");
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for key in keys {
        *counts.entry(key.expect("a number")).or_default() += 1;
    }
    let once = counts.values().filter(|&&count| count == 1).count();
    assert_eq!(
        (counts.values().sum::<u32>(), counts.len(), once),
        (113_872, 48_974, 21_049)
    );
}

#[test]
fn table_errors_name_columns_and_lines() {
    let work = tempfile::tempdir().expect("a folder");
    let path = work.path().join("t.csv");
    std::fs::write(
        &path,
        "time, key\n1, 0x10\n2, 18446744073709551615\n3, -4\n5,6\n",
    )
    .expect("written");
    let error = CsvColumn::open(&path, "lbn")
        .map(|_| ())
        .expect_err("no such column");
    assert!(error.to_string().contains("it has time, key"), "{error}");
    let results: Vec<_> = CsvColumn::open(&path, "key").expect("the column").collect();
    assert_eq!(results.len(), 3, "nothing after the error: {results:?}");
    assert!(
        matches!(results[..2], [Ok(16), Ok(u64::MAX)]),
        "{results:?}"
    );
    std::fs::write(&path, "key\n340282366920938463463374607431768211455\n").expect("written");
    let column = || CsvColumn::open(&path, "key").expect("the column");
    let wide: Vec<_> = column().keys().collect::<Result<_, _>>().expect("a key");
    assert_eq!(wide, [u128::MAX]);
    let refused = column().next().expect("a line").expect_err("too wide");
    assert!(refused.to_string().contains("2^64 - 1"), "{refused}");
    let error = results[2].as_ref().expect_err("negative");
    assert!(
        error.to_string().contains("line 4") && error.to_string().contains("-4"),
        "{error}"
    );
    std::fs::write(&path, b"\xff\xfek\0e\0y\0\n\0").expect("written");
    let error = CsvColumn::open(&path, "#1")
        .map(|_| ())
        .expect_err("UTF-16");
    assert!(
        error.to_string().ends_with("save the table as UTF-8"),
        "{error}"
    );
    std::fs::write(&path, "key,time,key\n1,2,3\n").expect("written");
    let error = CsvColumn::open(&path, "key")
        .map(|_| ())
        .expect_err("two columns of that name");
    assert!(
        error.to_string().contains("its position: #1 or #3"),
        "{error}"
    );
    std::fs::write(&path, "time,key\n1,2\n1\n").expect("written");
    let error = CsvColumn::open(&path, "key")
        .expect("the column")
        .last()
        .expect("a line")
        .expect_err("a short line");
    assert!(
        error.to_string().ends_with(
            "t.csv, line 3: number of fields is 1, and 2 in the first line; correct the line, or leave it out"
        ),
        "{error}"
    );
    let long = format!("time,key\n1,2\n{}\n", "7".repeat(1 << 21));
    std::fs::write(&path, long).expect("written");
    let error = CsvColumn::open(&path, "key")
        .map(Iterator::last)
        .map_or_else(Err, |last| last.expect("a line").map(|_| ()))
        .expect_err("a long line")
        .to_string();
    assert!(error.contains("t.csv, line 3: has more than"), "{error}");
    std::fs::write(&path, "").expect("written");
    assert!(matches!(
        CsvColumn::open(&path, "key").map(|_| ()),
        Err(StimulusError::NoColumn { .. })
    ));
}

#[test]
fn a_column_is_found_by_its_position_with_and_without_a_header() {
    let work = tempfile::tempdir().expect("a folder");
    let path = work.path().join("t.csv");
    let keys = |text: &str, column: &str| -> Vec<u64> {
        std::fs::write(&path, text).expect("written");
        let column = CsvColumn::open(&path, column).expect("the column");
        column.collect::<Result<_, _>>().expect("numbers")
    };
    assert_eq!(keys("1,0x11\n2,18\n", "#2"), [17, 18]);
    assert_eq!(keys("time,key\n1,17\n2,18\n", "#2"), [17, 18]);
    assert_eq!(
        keys("17\n18\n", "17"),
        [18],
        "by name, the first line is a header"
    );
    assert_eq!(
        keys("#2,key\n1,17\n", "#2"),
        [1],
        "a name goes before a position"
    );
    for position in ["#0", "#3", "#x"] {
        let error = CsvColumn::open(&path, position).map(|_| ());
        assert!(
            matches!(error, Err(StimulusError::NoColumn { .. })),
            "{position}"
        );
    }
}

#[test]
fn skipped_frames_are_counted_by_reason() {
    let Some(folder) = traces() else { return };
    let mut capture = Capture::open(&folder.join("mixed-vlan-mpls.pcap")).expect("a capture");
    let read = capture.by_ref().filter(Result::is_ok).count() as u64;
    assert_eq!(read, capture.counts().records);
    let work = tempfile::tempdir().expect("a folder");
    let path = work.path().join("arp.pcap");
    let mut bytes = std::fs::read(folder.join("http-vlan-0.pcap")).expect("the trace");
    // The first frame's inner EtherType, behind its VLAN tag, becomes ARP.
    bytes[24 + 16 + 16..][..2].copy_from_slice(&[8, 6]);
    std::fs::write(&path, &bytes).expect("written");
    let mut capture = Capture::open(&path).expect("a capture");
    capture.by_ref().for_each(drop);
    assert_eq!(capture.counts().skipped.get(&Skip::NotIp), Some(&1));
}
