//! Claims about the emitted Verilog for every clock (or for every input of so many clocks), proved by a solver. Each property is shown able
//! to fail: one edit of the Verilog, and the same run refuses.

use bloomline_bench::formal::{
    install, prove, Method, Proof, Property, Settings, Verdict, PROPERTIES,
};
use bloomline_bench::toolchain::Toolchain;
use bloomline_spec::{FilterSpec, Geometry};
use std::path::Path;

/// The smallest geometry: two phases, two hashes, partitions of 128 bits, 8-bit keys, one tag bit. For properties of a card, in a card.
fn smallest(property: &Property) -> Geometry {
    let mut text = "name = \"smallest\"\n[filter]\nkind = \"recycling\"\nmemory_bits = 512\nhashes = 2\nhashing = \"double\"\n\
        accept_two_hash_floor = true\n[filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 200\n[key]\nbits = 8\ntag_bits = 1\n\
        [hash]\nfamily = \"h3\"\nseed = 1\n"
        .to_owned();
    if property.name.starts_with("card-") {
        text += "[card]\n";
    }
    FilterSpec::from_toml(&text, Path::new("smallest.toml"))
        .and_then(|spec| spec.validate())
        .and_then(|sizing| sizing.with_threshold(200))
        .expect("a legal specification")
}

/// One edit of one module.
struct Edit {
    module: &'static str,
    from: &'static str,
    to: &'static str,
}

fn edited(text: &str, edit: &Edit) -> String {
    let start = text
        .find(&format!("\nmodule {} (", edit.module))
        .unwrap_or_else(|| panic!("no module {}", edit.module));
    let length = text[start..].find("\nendmodule").expect("modules end");
    let body = &text[start..start + length];
    assert_eq!(
        body.matches(edit.from).count(),
        1,
        "{:?} must occur once in {}",
        edit.from,
        edit.module
    );
    format!(
        "{}{}{}",
        &text[..start],
        body.replacen(edit.from, edit.to, 1),
        &text[start + length..]
    )
}

fn property(name: &str) -> &'static Property {
    PROPERTIES
        .iter()
        .find(|property| property.name == name)
        .unwrap_or_else(|| panic!("no property {name}"))
}

/// The property, of this depth or its own, on the text as emitted.
fn holds(name: &str, depth: Option<u32>) -> Proof {
    let sound = run(name, depth, None);
    let good = match sound.method {
        Method::Cover(_) => Verdict::Reached,
        _ => Verdict::Holds,
    };
    assert_eq!(sound.verdict, good, "{sound:?}");
    sound
}

/// The property on each edit of the text.
fn can_fail(name: &str, depth: Option<u32>, edits: &[Edit]) {
    for edit in edits {
        let proof = run(name, depth, Some(edit));
        assert_eq!(
            proof.verdict,
            Verdict::Fails,
            "{} -> {}",
            edit.from,
            edit.to
        );
        if !matches!(proof.method, Method::Cover(_)) {
            assert!(!proof.failed.is_empty(), "{proof:?}");
        }
    }
}

fn holds_and_can_fail(name: &str, depth: Option<u32>, edits: &[Edit]) -> Proof {
    let sound = holds(name, depth);
    can_fail(name, depth, edits);
    sound
}

fn run(name: &str, depth: Option<u32>, edit: Option<&Edit>) -> Proof {
    let toolchain = Toolchain::discover().expect("a folder for tools");
    install(&toolchain, &|progress| eprintln!("{progress}")).expect("the tools of proofs");
    let geometry = smallest(property(name));
    let emitted = property(name).verilog(&geometry).expect("Verilog");
    let text = match edit {
        Some(edit) => edited(&emitted, edit),
        None => emitted,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings {
        depth,
        timeout_seconds: 300,
    };
    let proof = prove(
        &toolchain,
        &geometry,
        &text,
        property(name),
        settings,
        folder.path(),
    )
    .expect("a result");
    println!("{proof:?}");
    proof
}

#[test]
fn no_output_depends_on_an_input_of_its_clock() {
    holds_and_can_fail(
        "outputs-registered",
        None,
        &[Edit {
            module: "smallest",
            from: "assign s_item_tready = sequencer_ready;",
            to: "assign s_item_tready = sequencer_ready && s_item_tvalid;",
        }],
    );
}

#[test]
fn the_verdict_queue_keeps_order_and_data_of_any_item() {
    holds_and_can_fail(
        "verdict-queue",
        None,
        &[
            Edit {
                module: "verdict_queue",
                from: "tag_r <= tags_read_data;",
                to: "tag_r <= tag;",
            },
            Edit {
                module: "verdict_queue",
                from: "valid_r <= valid_r && !ready;",
                to: "valid_r <= 1'b0;",
            },
        ],
    );
}

#[test]
fn verdicts_are_held_never_invented_and_arrive() {
    holds_and_can_fail(
        "verdict-stream",
        None,
        &[Edit {
            module: "smallest",
            from: "assign m_verdict_tvalid = verdicts_valid;",
            to: "assign m_verdict_tvalid = verdicts_valid || s_item_tvalid;",
        }],
    );
}

#[test]
fn every_register_access_has_one_answer() {
    holds_and_can_fail(
        "register-port",
        None,
        &[
            Edit {
                module: "register_file",
                from: "bvalid_r <= taking || (bvalid_r && !bready);",
                to: "bvalid_r <= taking;",
            },
            Edit {
                module: "register_file",
                from: "merging <= sampling && !reset;",
                to: "merging <= reading || sampling && !reset;",
            },
        ],
    );
}

#[test]
fn a_card_answers_every_request_and_its_streams_pass_the_hosts_items() {
    let in_port = |from, to| Edit {
        module: "item_port",
        from,
        to,
    };
    holds_and_can_fail(
        "card-port",
        None,
        &[
            Edit {
                module: "bus_split",
                from: "assign filter_arvalid = arvalid && !reading && !read_of_port;",
                to: "assign filter_arvalid = arvalid && !read_of_port;",
            },
            Edit {
                module: "bus_split",
                from: "assign write_to_port = awaddr[8];",
                to: "assign write_to_port = 1'b0;",
            },
            in_port(
                "assign s_item_tready = f_item_tready && !grant;",
                "assign s_item_tready = f_item_tready;",
            ),
            in_port(
                "grant <= pending && (!s_item_tvalid || f_item_tready);",
                "grant <= pending;",
            ),
            in_port(
                "assign f_verdict_tready = host || m_verdict_tready;",
                "assign f_verdict_tready = m_verdict_tready;",
            ),
            in_port("pending <= pending && !taken;", "pending <= pending;"),
            in_port(
                "assign m_verdict_tvalid = f_verdict_tvalid && !host;",
                "assign m_verdict_tvalid = f_verdict_tvalid;",
            ),
        ],
    );
}

#[test]
fn the_fifo_between_two_clocks_keeps_every_word() {
    holds("crossing-fifo", None);
    can_fail(
        "crossing-fifo",
        // as deep as a FIFO that is full takes, at two steps a word
        Some(34),
        &[
            // A place crosses as a binary number.
            Edit {
                module: "async_fifo",
                from: "write_gray <= write_next ^ (write_next >> 1);",
                to: "write_gray <= write_next;",
            },
            // What was taken is not seen, or what was not.
            Edit {
                module: "async_fifo",
                from: "assign full = write_gray == (read_seen_q ^ lap);",
                to: "assign full = 1'b1;",
            },
            Edit {
                module: "async_fifo",
                from: "assign full = write_gray == (read_seen_q ^ lap);",
                to: "assign full = 1'b0;",
            },
            // The word behind it.
            Edit {
                module: "async_fifo",
                from: ".read_address  (read_place[3:0])",
                to: ".read_address  (read_next[3:0])",
            },
        ],
    );
}

#[test]
fn the_sequencer_always_runs_again() {
    holds_and_can_fail(
        "progress",
        None,
        &[
            Edit {
                module: "sequencer",
                from: "waiting <= waiting - 5'd1;",
                to: "waiting <= waiting;",
            },
            // A word for the host is never fetched.
            Edit {
                module: "sequencer",
                from: "fetch_due <= fetch_asked ||",
                to: "fetch_due <= 1'b0 &&",
            },
        ],
    );
}

#[test]
fn a_watched_bit_of_a_bank_is_set_exactly_while_it_is_stored() {
    let proof = holds_and_can_fail(
        "bank-bit",
        Some(30),
        &[
            // A bit in flight is lost when its half freezes.
            Edit {
                module: "filter_bank",
                from: "frozen_keep_active_0 <= active_keep_in;",
                to: "frozen_keep_active_0 <= none_symbolic;",
            },
            // A bit is lost on its way to memory.
            Edit {
                module: "filter_bank",
                from: "assign memory_0_write_enable = write_enable && !write_phase_0;",
                to: "assign memory_0_write_enable = 1'b0;",
            },
            // A word of an earlier epoch reads as set.
            Edit {
                module: "word_read",
                from: "current_r <= bypass || (read_data[35:32] == epoch);",
                to: "current_r <= 1'b1;",
            },
        ],
    );
    assert_eq!(proof.clocks, Some(30));
}

#[test]
fn a_watched_bit_of_a_word_for_the_host_is_set_exactly_while_it_is_stored() {
    let proof = holds_and_can_fail(
        "fetch-bit",
        None,
        &[
            // An empty frozen half gives the active half's word.
            Edit {
                module: "smallest",
                from: "fetching_active <= no_bank;",
                to: "fetching_active <= fetching;",
            },
            // Bits of a host are lost.
            Edit {
                module: "filter_bank",
                from: "mask <= added;",
                to: "mask <= no_word;",
            },
        ],
    );
    assert_eq!(proof.clocks, Some(32));
}

#[test]
fn the_count_of_bits_is_the_number_of_bits_set() {
    let proof = holds_and_can_fail(
        "count-exact",
        Some(21),
        &[Edit {
            module: "filter_bank",
            from: "assign near_9 = near_0_following;",
            to: "assign near_9 = 1'b0;",
        }],
    );
    assert_eq!(proof.clocks, Some(21));
}

#[test]
fn an_item_reaches_its_verdict() {
    let proof = holds_and_can_fail(
        "reach-verdict",
        None,
        &[Edit {
            module: "sequencer",
            from: "run_r <= 1'b1;",
            to: "run_r <= 1'b0;",
        }],
    );
    let timing = smallest(property("bank-bit")).timing();
    // Start-up: drain, two forced recycles, load; then the item's latency.
    let start = 3 * (timing.retire_clocks + 1) + 9;
    let latency = timing.front_clocks + timing.decision_stage + 3;
    assert_eq!(proof.clocks, Some(start + latency), "{proof:?}");
}

#[test]
fn every_property_is_explained() {
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../hdl/docs/proof.md"))
            .expect("the page");
    for property in PROPERTIES {
        let row = format!("| `{}` |", property.name);
        assert!(page.contains(&row), "{row} is not in proof.md");
    }
}
