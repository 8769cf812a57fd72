//! `memory.erase = "auto"`: what it becomes, for what reason, and what is refused.

use crate::common::{complete, edited, legal, read, BASE, STATIC};
use bloomline_spec::{
    Design, Erase, EraseReason, Part, RecyclingGeometry, CELL_EXAMPLES, SLIDING_EXAMPLES,
};

/// A small recycling filter of that threshold on bits set, with these lines of `[memory]` and `[target]` and edits.
fn filter(
    threshold: u64,
    memory: &str,
    target: &str,
    edits: &[(&str, &str)],
) -> Result<RecyclingGeometry, String> {
    let text = edited(BASE, edits);
    let text = format!("{text}\n[memory]\n{memory}\n[target]\n{target}\n");
    let sizing = read(&text).and_then(|spec| spec.validate());
    let geometry = sizing.and_then(|sizing| sizing.with_threshold(threshold));
    geometry.map_err(|error| error.to_string())
}

fn auto(threshold: u64, target: &str) -> RecyclingGeometry {
    filter(threshold, "erase = \"auto\"", target, &[]).expect("legal")
}

const AMD: &str = "part = \"xcu280-fsvh2892-2L-e\"";
const LATTICE: &str = "part = \"LFE5UM5G-45F-8BG381C\"";

#[test]
fn the_narrowest_rows_that_hold_nothing_up_are_chosen_and_words_where_none_do() {
    let (_, most) = filter(100, "", "", &[]).expect("legal").thresholds();
    let least = |row_bits: u32| {
        let spare = filter(100, "erase = \"spare-half\"", "", &[]).expect("legal");
        spare.with_rows_of(row_bits).stall_free_threshold()
    };
    let widths = [1, 2, 4, 8, 16];
    let mut reached = 0;
    for pair in [16, 8, 4, 2, 1].windows(2) {
        let (wide, narrow) = (pair[0], pair[1]);
        let below = least(narrow).min(most + 1) - 1;
        for threshold in [least(wide), below] {
            if threshold < least(wide) {
                // Both are bounded by what full rate asks for.
                assert_eq!(least(wide), least(narrow));
                continue;
            }
            reached += 1;
            let chosen = auto(threshold, AMD);
            assert_eq!(chosen.erase(), Erase::SpareHalf, "{threshold}");
            assert_eq!(chosen.row_bits(), wide, "{threshold}");
            let memory = format!("erase = \"spare-half\"\nrow_bits = {wide}");
            let said = filter(threshold, &memory, AMD, &[]).expect("legal");
            assert_eq!(chosen.geometry_hash(), said.geometry_hash());
            assert_eq!(chosen.timing(), said.timing());
            assert_eq!(chosen.stored_bits(), said.stored_bits());
            assert!(matches!(
                chosen.erase_reason(),
                Some(EraseReason::NeverWaits { .. })
            ));
            assert_eq!(said.erase_reason(), None);
        }
    }
    assert!(reached >= 4, "{reached} of {widths:?}");
    let too_short = auto(least(16) - 1, AMD);
    assert_eq!(too_short.erase(), Erase::Epoch);
    let said = filter(least(16) - 1, "", AMD, &[]).expect("legal");
    assert_eq!(too_short.geometry_hash(), said.geometry_hash());
    assert_eq!(too_short.timing(), said.timing());
    let told = too_short.erase_reason().expect("a reason").to_string();
    assert!(
        told.contains("16 bits") && told.contains(&least(16).to_string()),
        "{told}"
    );
}

#[test]
fn rows_of_more_than_one_bit_are_chosen_on_a_part_that_reads_them_right_only() {
    let threshold = 20_000;
    assert_eq!(auto(threshold, AMD).erase(), Erase::SpareHalf);
    for target in ["", LATTICE, "part = \"cyclone-v\"", "part = \"gw2a\""] {
        let chosen = auto(threshold, target);
        assert_eq!(chosen.erase(), Erase::Epoch, "{target}");
        let told = chosen.erase_reason().expect("a reason").to_string();
        assert!(told.contains("rows of 1 bit"), "{told}");
        assert_eq!(told.contains("is not given"), target.is_empty(), "{told}");
    }
    let rows = "erase = \"spare-half\"\nrow_bits = \"auto\"";
    let of_amd = filter(threshold, rows, AMD, &[]).expect("legal");
    assert!(of_amd.row_bits() > 1);
    let of_lattice = filter(threshold, rows, LATTICE, &[]).expect("legal");
    assert_eq!(
        (of_lattice.erase(), of_lattice.row_bits()),
        (Erase::SpareHalf, 1)
    );
    let given = filter(threshold, "erase = \"auto\"\nrow_bits = 8", AMD, &[]).expect("legal");
    assert_eq!((given.erase(), given.row_bits()), (Erase::SpareHalf, 8));
    let given = filter(threshold, "erase = \"auto\"\nrow_bits = 1", AMD, &[]).expect("legal");
    assert_eq!((given.erase(), given.row_bits()), (Erase::Epoch, 1));
}

#[test]
fn in_a_packet_path_items_come_no_faster_than_frames() {
    let path = |data_bits: u32, source: &str, more: &str| {
        let edits = [
            ("bits = 104", format!("source = \"{source}\"")),
            ("[filter.recycle]", format!("[packet]\ndata_bits = {data_bits}\ntrusted_keys = true\n[card]\n{more}\n[filter.recycle]")),
        ];
        let edits: Vec<(&str, &str)> = edits.iter().map(|(a, b)| (*a, b.as_str())).collect();
        filter(
            19_694,
            "erase = \"auto\"",
            "clock_hz = 125_000_000\npart = \"LFE5UM5G-45F-8BG381C\"",
            &edits,
        )
        .unwrap_or_else(|error| panic!("{error}"))
    };
    let uart = "uart_baud = 1_000_000";
    let chosen = path(8, "ipv4-5tuple", uart);
    assert_eq!((chosen.erase(), chosen.row_bits()), (Erase::SpareHalf, 1));
    // 32 + 1 + 16384 / 34 keys of the path, 16 + 1 + 16384 / 1250 of the host
    let items = 33 + 16_384 / 34 + 17 + 16_384 / 1_250;
    let base = if chosen.retain() { 4 } else { 0 };
    let least = chosen.erase_guard() + 4 * items + base;
    assert_eq!(chosen.stall_free_threshold_in_place(), least);
    let told = chosen.erase_reason().expect("a reason").to_string();
    assert!(told.contains("however fast frames come"), "{told}");
    // a host on a bus of its own may offer an item in every fourth clock
    let on_a_bus = path(8, "ipv4-5tuple", "").stall_free_threshold_in_place();
    assert_eq!(on_a_bus - least, 4 * (16_384 / 4 - 16_384 / 1_250));
    // and a digest may come in every one
    let digest = path(64, "frame-digest", uart);
    assert_eq!(digest.erase(), Erase::Epoch);
    let told = digest.erase_reason().expect("a reason").to_string();
    assert!(told.contains("shortest frames"), "{told}");
}

#[test]
fn what_only_one_of_them_has_decides() {
    let words = [
        (
            "erase = \"auto\"\nparity = \"count\"",
            &[][..],
            "memory.parity",
        ),
        ("erase = \"auto\"\necc = true", &[], "memory.ecc"),
        (
            "erase = \"auto\"\n[protection]\nself_check = true",
            &[],
            "protection.self_check",
        ),
        (
            "erase = \"auto\"",
            &[("\"double\"", "\"double\"\nlayout = \"shared\"")],
            "layout",
        ),
    ];
    for (memory, edits, what) in words {
        let chosen = filter(20_000, memory, AMD, edits).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(chosen.erase(), Erase::Epoch, "{what}");
        let told = chosen.erase_reason().expect("a reason").to_string();
        assert!(told.contains(what), "{told}");
    }
    let without_access = "erase = \"auto\"\n[features]\narray_access = false";
    let chosen = filter(200, without_access, "", &[]).expect("legal");
    assert_eq!(chosen.erase(), Erase::SpareHalf);
    let told = chosen.erase_reason().expect("a reason").to_string();
    assert!(told.contains("array_access"), "{told}");
    let few_registers = "erase = \"auto\"\n[features]\nregisters = \"threshold\"";
    let chosen = filter(200, few_registers, "", &[]).expect("legal");
    assert_eq!(chosen.erase(), Erase::SpareHalf);
    let told = chosen.erase_reason().expect("a reason").to_string();
    assert!(
        told.contains("features.registers = \"threshold\""),
        "{told}"
    );
    assert!(chosen.erased_by(Erase::Epoch).is_none());
    let shared = [("\"double\"", "\"double\"\nlayout = \"shared\"")];
    let told = filter(20_000, few_registers, "", &shared).expect_err("a contradiction");
    assert!(told.contains("features.registers"), "{told}");
    let both = format!("{without_access}\n[protection]\nself_check = true");
    let told = filter(200, &both, "", &[]).expect_err("a contradiction");
    assert!(told.contains("features.array_access"), "{told}");
}

#[test]
fn what_is_chosen_is_what_a_stated_choice_is_with_every_queue_and_without_registers() {
    let queues = [0, 8, 32, 64].map(|depth| format!("verdict_queue = {depth}"));
    let others = [
        "",
        "registers = \"none\"",
        "registers = \"none\"\nverdict_queue = 32",
    ];
    for features in queues.iter().map(String::as_str).chain(others) {
        for (threshold, erase) in [(200, Erase::Epoch), (20_000, Erase::SpareHalf)] {
            let of = |erase: &str, row_bits: u32| {
                let rows = match erase {
                    "spare-half" => format!("row_bits = {row_bits}\n"),
                    _ => String::new(),
                };
                let memory = format!("erase = \"{erase}\"\n{rows}[features]\n{features}");
                filter(threshold, &memory, AMD, &[]).unwrap_or_else(|error| panic!("{error}"))
            };
            let chosen = of("auto", 1);
            assert_eq!(chosen.erase(), erase, "{features}");
            let stated = of(erase.word(), chosen.row_bits());
            assert_eq!(chosen.geometry_hash(), stated.geometry_hash(), "{features}");
            assert_eq!(chosen.timing(), stated.timing(), "{features}");
            assert_eq!(chosen.has_array_logic(), stated.has_array_logic());
            assert_eq!(chosen.left_out(), stated.left_out());
            // and each way that a plan compares is the stated one
            for other in [Erase::Epoch, Erase::SpareHalf] {
                let way = chosen.erased_by(other).expect("either can be built");
                let stated = of(other.word(), way.row_bits());
                assert_eq!(way.timing(), stated.timing(), "{features}");
                assert_eq!(way.has_array_logic(), stated.has_array_logic());
            }
        }
    }
}

#[test]
fn partitions_of_any_size_are_erased_whole() {
    // 135 words a bank, of which the last is used in part
    let words = 135;
    let memory_bits = format!("{}", words * 32 * 8);
    let edits = [
        ("131072", memory_bits.as_str()),
        ("\"double\"", "\"double\"\nrange = 4297"),
    ];
    let spare = filter(200, "erase = \"spare-half\"", AMD, &edits).expect("legal");
    for row_bits in [1, 2, 4, 8, 16] {
        let way = spare.with_rows_of(row_bits);
        assert_eq!(way.erase_rows(), words * 32 / u64::from(row_bits));
        let least = way.stall_free_threshold();
        if least > spare.half_bits() {
            continue;
        }
        let chosen = filter(least, "erase = \"auto\"", AMD, &edits).expect("legal");
        assert_eq!(chosen.erase(), Erase::SpareHalf);
        assert_eq!(chosen.row_bits(), row_bits);
        if row_bits == 16 {
            let below = filter(least - 1, "erase = \"auto\"", AMD, &edits).expect("legal");
            assert_eq!(below.erase(), Erase::Epoch);
        }
    }
    let least = spare.with_rows_of(16).stall_free_threshold();
    assert!(least <= spare.half_bits(), "{least}");
}

#[test]
fn a_part_with_too_few_block_rams_for_a_spare_half_gets_words() {
    // Two halves of 2^21 bits: 256 RAMB18 by words, three halves of single bits 384.
    let large = [("memory_bits = 131072", "memory_bits = 4194304")];
    let chosen = |part: &str| {
        let target = format!("part = \"{part}\"");
        filter(600_000, "erase = \"auto\"", &target, &large).expect("legal")
    };
    assert_eq!(chosen("xc7a200t").erase(), Erase::SpareHalf);
    assert_eq!(chosen("xc7a200t").block_rams(), Some((384, "RAMB18")));
    let small = chosen("xc7a100t");
    assert_eq!(small.erase(), Erase::Epoch);
    assert_eq!(small.block_rams(), Some((256, "RAMB18")));
    let told = small.erase_reason().expect("a reason").to_string();
    assert!(
        told.contains("384 RAMB18") && told.contains("270"),
        "{told}"
    );
}

#[test]
fn block_rams_are_those_of_the_measured_examples() {
    let onehit = filter(19_694, "", LATTICE, &[]).expect("legal");
    assert_eq!(onehit.block_rams(), Some((8, "DP16KD")));
    let lean = filter(19_694, "erase = \"spare-half\"", LATTICE, &[]).expect("legal");
    assert_eq!(lean.block_rams(), Some((12, "DP16KD")));
    let ecc = filter(19_694, "ecc = true", LATTICE, &[]).expect("legal");
    assert_eq!(ecc.block_rams(), Some((16, "DP16KD")));
    let unknown = filter(19_694, "", "", &[]).expect("legal");
    assert_eq!(unknown.block_rams(), None);
    for memory in ["", "[memory]\nerase = \"in-place\"\n"] {
        let text = format!("{STATIC}{memory}[target]\n{LATTICE}\n");
        assert_eq!(legal(&text).block_rams(), Some((8, "DP16KD")), "{memory}");
    }
}

#[test]
fn a_static_filter_keeps_single_bits_unless_it_needs_words() {
    let with = |memory: &str| legal(&format!("{STATIC}[memory]\n{memory}\n"));
    let (chosen, said) = (with("erase = \"auto\""), with("erase = \"in-place\""));
    assert_eq!((chosen.erase(), chosen.row_bits()), (Erase::InPlace, 1));
    assert_eq!(chosen.geometry_hash(), said.geometry_hash());
    assert_eq!(chosen.erase_reason(), Some(&EraseReason::OnlyClears));
    let rows = with("erase = \"auto\"\nrow_bits = 4");
    let said = with("erase = \"in-place\"\nrow_bits = 4");
    assert_eq!(rows.geometry_hash(), said.geometry_hash());
    let (chosen, said) = (with("erase = \"auto\"\necc = true"), with("ecc = true"));
    assert_eq!(chosen.erase(), Erase::Epoch);
    assert_eq!(chosen.geometry_hash(), said.geometry_hash());
    let without_access =
        format!("{STATIC}[memory]\nerase = \"auto\"\n[features]\narray_access = false\n");
    assert_eq!(legal(&without_access).erase(), Erase::InPlace);
}

#[test]
fn the_part_alone_changes_no_gateware() {
    let hash = |target: &str| {
        filter(20_000, "", target, &[])
            .expect("legal")
            .geometry_hash()
    };
    assert_eq!(hash(""), hash(LATTICE));
    assert_eq!(hash(""), hash(AMD));
}

#[test]
fn parts_are_known_by_their_codes_and_families_by_their_words() {
    for (name, ram, count) in [
        ("LFE5U-25F-6BG381C", "DP16KD", Some(56)),
        ("GW2AR-LV18QN88C8/I7", "BSRAM of 18 kbit", Some(46)),
        ("xc7k70tfbg484-1", "RAMB18", None),
        ("xczu7ev-ffvc1156-2-e", "RAMB18", None),
        ("5CSEBA6U23I7", "M10K", None),
    ] {
        let part = Part::named(name).expect(name);
        assert_eq!(
            (part.block_ram.name, part.block_rams),
            (ram, count),
            "{name}"
        );
    }
    for family in Part::families() {
        assert!(Part::named(family).is_some(), "{family}");
    }
    assert_eq!(Part::named("iCE40"), None);
}

#[test]
fn errors_name_key_value_rule_and_next_step() {
    let refused = |memory: &str, target: &str, parts: &[&str]| {
        let told = filter(20_000, memory, target, &[]).expect_err("an error");
        for part in parts {
            assert!(told.contains(part), "{told}");
        }
    };
    refused(
        "",
        "part = \"ice40\"",
        &["target.part = \"ice40\"", "ecp5, nexus"],
    );
    refused(
        "erase = \"spare-half\"\nrow_bits = 4",
        LATTICE,
        &["memory.row_bits = 4", "nearest legal value 1"],
    );
    refused(
        "row_bits = \"auto\"",
        "",
        &["memory.row_bits = \"auto\"", "leave it out"],
    );
    refused(
        "erase = \"auto\"\nrow_bits = 3",
        "",
        &["must be 1, 2, 4, 8 or 16"],
    );
    let told = complete(&format!("{BASE}\n[memory]\nerase = \"atuo\"\n")).expect_err("an error");
    assert!(
        told.to_string().contains("did you mean \"auto\"?"),
        "{told}"
    );
    for (file, text) in SLIDING_EXAMPLES {
        let told = read(&format!("{text}\n[memory]\nerase = \"auto\"\n")).expect("it reads");
        let told = told.design().expect_err(file).to_string();
        assert!(
            told.contains("memory.erase = \"auto\"") && told.contains("leave it out"),
            "{told}"
        );
    }
}

#[test]
fn counters_are_single_unless_the_filter_needs_words() {
    let auto = |text: &str| legal(&format!("{text}\n[memory]\nerase = \"auto\"\n"));
    let (_, hotkeys) = CELL_EXAMPLES[1];
    let (_, heavy) = CELL_EXAMPLES[2];
    for text in [hotkeys, heavy] {
        let chosen = auto(text);
        assert_eq!(chosen.erase(), Erase::InPlace);
        assert_eq!(chosen.erase_reason(), Some(&EraseReason::OnlyClears));
    }
    let window = edited(
        hotkeys,
        &[
            ("items = 20000\n", ""),
            ("threshold = 5", "threshold = 5\nwindow = 10000"),
        ],
    );
    let shared = edited(
        hotkeys,
        &[("hashes = 4", "hashes = 4\nlayout = \"shared\"")],
    );
    for (text, why) in [
        (window, "filter.counting.window"),
        (shared, "filter.layout = \"shared\""),
    ] {
        let chosen = auto(&text);
        assert_eq!(chosen.erase(), Erase::Epoch);
        assert_eq!(chosen.erase_reason(), Some(&EraseReason::NeedsWords(why)));
    }
}

#[test]
fn canonical_text_keeps_auto_and_reads_back() {
    let text =
        format!("{STATIC}[memory]\nerase = \"auto\"\nrow_bits = \"auto\"\n[target]\n{AMD}\n");
    let spec = read(&text).expect("it reads");
    let canonical = spec.to_toml();
    assert!(canonical.contains("erase = \"auto\"") && canonical.contains("row_bits = \"auto\""));
    let again = read(&canonical).expect("canonical");
    assert_eq!(again.to_toml(), canonical);
    let design = |spec: bloomline_spec::FilterSpec| spec.design().expect("legal");
    assert_eq!(Design::from(&design(again)), design(spec));
}
