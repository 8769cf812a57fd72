//! Claims about snapshots: what a device's array held, kept, combined and brought back.

use crate::model::{alone, card, design, key, text, Ending, ModelCard, LIMITS};
use bloomline_driver::{Classed, Design, Device, DriverError, ErrorClass, Snapshot, SnapshotError};
use bloomline_model::CellFilter;
use bloomline_spec::{CellGeometry, CellOperation, FilterKind, Layout};
use std::path::Path;

const KINDS: [FilterKind; 3] = [
    FilterKind::Static,
    FilterKind::Counting,
    FilterKind::CountMin,
];

fn geometry(design: &Design) -> &CellGeometry {
    design.cells().expect("a filter of cells")
}

/// A device and a model that have met the keys of these numbers, amount 3 where a kind takes it.
fn filled(design: &Design, numbers: std::ops::Range<u64>) -> (Device<ModelCard>, CellFilter) {
    let mut link = ModelCard::new(design);
    let mut filter = CellFilter::new(geometry(design));
    for number in numbers {
        let key = key(design, number, 1 << 20);
        link.stream(&key, 1 | 3 << 2);
        filter.apply(&key, CellOperation::Insert, 3);
    }
    let device = Device::identify(link, design, LIMITS).expect("a filter of this design");
    (device, filter)
}

fn words_of(filter: &CellFilter, words: u64) -> Vec<u32> {
    (0..words).map(|word| filter.word(word)).collect()
}

fn snapshot_of(design: &Design, numbers: std::ops::Range<u64>) -> Snapshot {
    let (device, _) = filled(design, numbers);
    device.snapshot(|_| ()).expect("it answers")
}

#[test]
fn a_snapshot_holds_the_words_of_the_model() {
    for kind in KINDS {
        let design = alone(kind);
        let (device, filter) = filled(&design, 0..300);
        let mut told = 0;
        let snapshot = device.snapshot(|done| told = done).expect("it answers");
        let shape = snapshot.shape();
        assert_eq!(snapshot.words(), words_of(&filter, shape.words()), "{kind}");
        assert_eq!((told, shape.layout()), (shape.words(), Layout::Partitioned));
        assert!(snapshot.is_of_one_instant());
        assert_eq!(snapshot.items(), [300, 300]);
        for (bank, &occupied) in (0..).zip(&snapshot.occupied()) {
            assert_eq!(
                occupied,
                filter.cells_at_least(bank, 1),
                "{kind} bank {bank}"
            );
        }
        let counted: u64 = snapshot.occupied().iter().sum();
        let cells = u64::from(shape.banks) * shape.range;
        assert_eq!(snapshot.fill(), counted as f64 / cells as f64);
        let at_most = (0..4).map(|bank| filter.cells_at_least(bank, shape.cell_max()));
        assert_eq!(snapshot.saturated(), at_most.sum::<u64>(), "{kind}");
    }
}

#[test]
fn only_cells_that_probes_go_to_are_counted() {
    let text = text(FilterKind::Counting).replace("items = 1000", "items = 1000\nrange = 1021");
    let design = design(&text);
    let (device, filter) = filled(&design, 0..4_000);
    let snapshot = device.snapshot(|_| ()).expect("it answers");
    assert_eq!(snapshot.cells(0).count(), 1021);
    assert_eq!(snapshot.cells(4).count(), 0, "there is no fifth bank");
    let by_model: Vec<_> = (0..4).map(|bank| filter.cells_at_least(bank, 1)).collect();
    assert_eq!(snapshot.occupied(), by_model);
}

#[test]
fn the_shared_layout_is_one_bank() {
    let text = text(FilterKind::Static).replace(
        "hashing = \"double\"",
        "hashing = \"independent\"\nlayout = \"shared\"\ndistinct = true",
    );
    let design = design(&text);
    let (device, filter) = filled(&design, 0..300);
    let snapshot = device.snapshot(|_| ()).expect("it answers");
    assert_eq!(snapshot.shape().layout(), Layout::Shared);
    assert_eq!(snapshot.words(), words_of(&filter, 512));
    assert_eq!(snapshot.occupied(), [filter.cells_at_least(0, 1)]);
}

#[test]
fn a_restored_device_is_the_one_of_the_snapshot() {
    for kind in KINDS {
        let design = card(kind);
        let (device, filter) = filled(&design, 0..400);
        let snapshot = device.snapshot(|_| ()).expect("it answers");
        let (fresh, _) = filled(&design, 1_000..1_300);
        let mut told = 0;
        fresh
            .restore(&snapshot, |done| told = done)
            .expect("it holds");
        assert_eq!(told, 2 * snapshot.shape().words());
        let again = fresh.snapshot(|_| ()).expect("it answers");
        assert_eq!(again.words(), snapshot.words(), "{kind}");
        let mut filter = filter;
        for number in 0..500 {
            let key = key(&design, number, 1 << 20);
            let seen = match fresh.query(&key).expect("it answers") {
                bloomline_driver::Verdict::Static { seen } => seen,
                bloomline_driver::Verdict::Counted(verdict) => verdict.seen,
                other => panic!("{other:?}"),
            };
            let by_model = filter.apply(&key, CellOperation::Query, 0).verdict.seen;
            assert_eq!(seen, by_model, "{kind}, key {number}");
        }
    }
}

#[test]
fn a_snapshot_of_another_filter_is_refused_and_nothing_is_written() {
    let snapshot = snapshot_of(&alone(FilterKind::Counting), 0..100);
    let other = design(&format!("{}seed = 2\n", text(FilterKind::Counting)));
    let (device, filter) = filled(&other, 0..50);
    let refused = device.restore(&snapshot, |_| ());
    assert!(
        matches!(refused, Err(DriverError::SnapshotGeometry { expected, got })
            if expected == other.geometry_hash() && got == snapshot.shape().geometry_hash),
        "{refused:?}"
    );
    let untouched = device.snapshot(|_| ()).expect("it answers");
    assert_eq!(
        untouched.words(),
        words_of(&filter, untouched.shape().words())
    );
    let combined = snapshot.union(&untouched);
    assert!(
        matches!(combined, Err(SnapshotError::Geometry { .. })),
        "{combined:?}"
    );
}

#[test]
fn a_restore_that_does_not_hold_is_found_out() {
    let design = alone(FilterKind::Counting);
    let snapshot = snapshot_of(&design, 0..100);
    let (device, _) = filled(&design, 0..0);
    let words = snapshot.shape().words();
    let disturbed = device.restore(&snapshot, |done| {
        if done == words {
            device.set_array_word(0, 0x3FF).expect("it answers");
        }
    });
    assert!(
        matches!(
            disturbed,
            Err(DriverError::NotRestored {
                word: 0,
                got: 0x3FF,
                ..
            })
        ),
        "{disturbed:?}"
    );
}

#[test]
fn a_restore_that_the_link_ends_says_that_the_array_is_neither() {
    let design = alone(FilterKind::Counting);
    let snapshot = snapshot_of(&design, 0..100);
    let link = Ending(ModelCard::new(&design), 50);
    let device = Device::identify(link, &design, LIMITS).expect("a filter of this design");
    let error = device.restore(&snapshot, |_| ()).expect_err("it ends");
    assert_eq!(error.class(), ErrorClass::Timeout);
    let message = error.to_string();
    assert!(
        message.contains("no answer")
            && message.contains("may hold a part of the snapshot only: restore again"),
        "{message}"
    );
}

#[test]
fn a_union_is_what_one_filter_of_both_streams_holds() {
    for kind in KINDS {
        let design = alone(kind);
        let (one, other) = (snapshot_of(&design, 0..700), snapshot_of(&design, 500..900));
        let union = one.union(&other).expect("of one geometry");
        let mut both = CellFilter::new(geometry(&design));
        for number in (0..700).chain(500..900) {
            both.apply(&key(&design, number, 1 << 20), CellOperation::Insert, 3);
        }
        assert_eq!(
            union.words(),
            words_of(&both, union.shape().words()),
            "{kind}"
        );
        assert_eq!(union.items(), [1100, 1100]);
        if kind == FilterKind::Counting {
            assert!(
                union.saturated() > one.saturated(),
                "sums must meet the ceiling"
            );
        }
    }
}

#[test]
fn an_intersection_holds_what_both_hold() {
    for kind in KINDS {
        let design = alone(kind);
        let (one, other) = (snapshot_of(&design, 0..300), snapshot_of(&design, 200..500));
        let both = one.intersection(&other).expect("of one geometry");
        let cells = |snapshot: &Snapshot| -> Vec<u32> {
            (0..4)
                .flat_map(|bank| snapshot.cells(bank).collect::<Vec<_>>())
                .collect()
        };
        let expected: Vec<_> = cells(&one)
            .into_iter()
            .zip(cells(&other))
            .map(|(a, b)| a.min(b))
            .collect();
        assert_eq!(cells(&both), expected, "{kind}");
        let common = snapshot_of(&design, 200..300);
        for (held, least) in cells(&both).into_iter().zip(cells(&common)) {
            assert!(held >= least, "{kind}: common keys are counted in full");
        }
    }
}

#[test]
fn files_come_back_as_they_were_written() {
    let folder = tempfile::tempdir().expect("a folder");
    for kind in KINDS {
        let snapshot = snapshot_of(&alone(kind), 0..200);
        let path = folder.path().join(format!("{kind}.snap"));
        snapshot.save(&path).expect("written");
        assert_eq!(Snapshot::load(&path).expect("read"), snapshot, "{kind}");
        snapshot.save(&path).expect("written over");
    }
    let left = std::fs::read_dir(folder.path())
        .expect("the folder")
        .count();
    assert_eq!(left, KINDS.len(), "nothing temporary stays");
    let nowhere = snapshot_of(&alone(FilterKind::Static), 0..1).save(Path::new("/nowhere/a"));
    assert!(
        matches!(nowhere, Err(SnapshotError::Io { .. })),
        "{nowhere:?}"
    );
}

#[test]
fn the_file_is_as_documented() {
    let snapshot = snapshot_of(&alone(FilterKind::Counting), 0..2);
    let bytes = snapshot.to_bytes();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
    assert_eq!(&bytes[..8], b"BLMSNAP\n");
    assert_eq!([8, 12, 16, 20, 24, 28].map(word), [1, 88, 4, 3, 4, 4]);
    assert_eq!([32, 36, 40, 44].map(word), [128, 0, 1024, 0]);
    let hash = snapshot.shape().geometry_hash;
    assert_eq!([48, 52].map(word), [hash as u32, (hash >> 32) as u32]);
    assert_eq!([56, 64, 72, 76].map(word), [2, 2, 0, 5]);
    assert_eq!(&bytes[80..88], b"cells\0\0\0");
    assert_eq!(word(88), snapshot.words()[0]);
    assert_eq!(bytes.len(), 88 + 4 * 512 + 4);
}

#[test]
fn foreign_cut_and_damaged_files_are_refused_with_their_reason() {
    let snapshot = snapshot_of(&alone(FilterKind::Static), 0..50);
    let bytes = snapshot.to_bytes();
    let path = Path::new("x.snap");
    let read = |bytes: &[u8]| Snapshot::from_bytes(bytes, path);
    assert!(matches!(
        read(b"PK\x03\x04"),
        Err(SnapshotError::Foreign { .. })
    ));
    assert!(matches!(read(b""), Err(SnapshotError::Foreign { .. })));
    for length in 8..bytes.len() {
        let cut = read(&bytes[..length]);
        assert!(
            matches!(cut, Err(SnapshotError::Length { .. })),
            "{length}: {cut:?}"
        );
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(read(&longer), Err(SnapshotError::Length { .. })));
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            let refused = read(&damaged).expect_err("every flipped bit shows");
            let right = match place {
                0..8 => matches!(refused, SnapshotError::Foreign { .. }),
                8..12 => matches!(refused, SnapshotError::Version { .. }),
                _ => matches!(
                    refused,
                    SnapshotError::Damaged { .. } | SnapshotError::Length { .. }
                ),
            };
            assert!(right, "byte {place} bit {bit}: {refused}");
            assert!(refused.to_string().starts_with("x.snap: "), "{refused}");
        }
    }
}

#[test]
fn a_header_of_no_filter_is_refused_though_its_check_sum_fits() {
    let snapshot = snapshot_of(&alone(FilterKind::Static), 0..50);
    for (place, value) in [
        (16, 1),
        (20, 0),
        (20, 33),
        (24, 2),
        (28, 0),
        (28, 65),
        (32, 127),
        (36, 1),
        (40, 0),
        (44, 1),
        (76, 6_000),
        (12, 0),
        (12, u32::MAX),
    ] {
        let mut bytes = snapshot.to_bytes();
        bytes[place..place + 4].copy_from_slice(&value.to_le_bytes());
        let end = bytes.len() - 4;
        let check = crc32fast::hash(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&check);
        let refused = Snapshot::from_bytes(&bytes, Path::new("x")).expect_err("no filter");
        assert!(
            matches!(
                refused,
                SnapshotError::Header { .. } | SnapshotError::Length { .. }
            ),
            "{place} = {value}: {refused:?}"
        );
    }
}

#[test]
fn the_panes_of_a_window_are_read_kept_and_brought_back_by_their_roles() {
    let text = text(FilterKind::Counting).replace("items = 1000\n", "");
    let text = text.replacen("threshold", "window = 100\nthreshold", 1);
    let design = design(&format!("{text}[card]\n"));
    // the first pane is active again, with 60 insertions; the second one is frozen, with 100
    let (device, filter) = filled(&design, 0..260);
    let snapshot = device.snapshot(|_| ()).expect("it answers");
    let shape = snapshot.shape();
    assert_eq!((shape.halves, shape.layout()), (2, Layout::Partitioned));
    assert_eq!(snapshot.words(), words_of(&filter, shape.words()));
    let read =
        Snapshot::from_bytes(&snapshot.to_bytes(), Path::new("window")).expect("its own bytes");
    assert_eq!(read, snapshot);
    let estimate = snapshot.estimate(0.99).expect("in the domain");
    let within = |part: &bloomline_driver::snapshot::Part, keys: u64| {
        assert!(
            part.keys.low <= keys && part.keys.high.is_some_and(|high| keys <= high),
            "{part:?}"
        );
    };
    within(&estimate.parts[0], 60);
    within(&estimate.parts[1], 100);
    within(estimate.whole().expect("one secret"), 160);
    // into a device whose second pane is active
    let (other, _) = filled(&design, 1_000..1_130);
    other.restore(&snapshot, |_| ()).expect("it holds");
    let again = other.snapshot(|_| ()).expect("it answers");
    assert_eq!(again.words(), snapshot.words());
    let mut filter = filter;
    for number in 0..400 {
        let key = key(&design, number, 1 << 20);
        let by_model = filter.apply(&key, CellOperation::Query, 0).verdict;
        match other.query(&key).expect("it answers") {
            bloomline_driver::Verdict::Counted(verdict) => assert_eq!(verdict, by_model),
            verdict => panic!("{verdict:?}"),
        }
    }
}

/// A link keeps leading where it leads, and what is no file is not replaced by one.
#[test]
fn a_snapshot_goes_through_a_link_and_into_files_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, link) = (folder.path().join("a"), folder.path().join("link"));
    std::fs::write(&file, "old").expect("written");
    std::os::unix::fs::symlink(&file, &link).expect("a link");
    let snapshot = snapshot_of(&alone(FilterKind::Static), 0..1);
    snapshot.save(&link).expect("written");
    assert!(link.is_symlink());
    assert!(Snapshot::load(&file).is_ok(), "what it leads to is written");

    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    let refused = snapshot.save(&socket).expect_err("it is no file");
    assert!(refused.to_string().contains("no regular file"), "{refused}");
    assert!(!socket.is_file(), "it is there still");
}
