//! Claims about the emitted Verilog for every clock (or for every input of so many clocks), proved by a solver. Each property is shown able
//! to fail: one edit of the Verilog, and the same run refuses.

use bloomline_bench::formal::{
    install, prove, Gateware, Method, Proof, Property, Settings, Verdict, PROPERTIES,
};
use bloomline_bench::toolchain::Toolchain;
use bloomline_spec::{FilterSpec, Validated};
use std::path::Path;

/// The smallest filters of each pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Smallest {
    /// Recycling, two phases, two hashes, a bank a hash, partitions of 128 bits.
    Banks,
    /// Recycling, two phases, two hashes, on one array of halves of 256 bits.
    Array,
    /// Counting, two hashes, a bank of 8 words a hash.
    Counting,
    /// Conservative Count-Min sketch on one array of 8 words.
    Sketch,
    /// Sliding window of one generation.
    Window,
}

impl Smallest {
    const ALL: [Smallest; 5] = [
        Smallest::Banks,
        Smallest::Array,
        Smallest::Counting,
        Smallest::Sketch,
        Smallest::Window,
    ];

    fn filter(self) -> &'static str {
        match self {
            Smallest::Banks => {
                "kind = \"recycling\"\nmemory_bits = 512\nhashes = 2\nhashing = \"double\"\naccept_two_hash_floor = true\n\
                 [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 200"
            }
            Smallest::Array => {
                "kind = \"recycling\"\nlayout = \"shared\"\nmemory_bits = 512\nhashes = 2\nhashing = \"independent\"\naccept_two_hash_floor = true\n\
                 [filter.recycle]\nphases = 2\non = \"bits-set\"\nthreshold = 200"
            }
            Smallest::Counting => {
                "kind = \"counting\"\nmemory_bits = 512\nhashes = 2\nhashing = \"independent\"\naccept_two_hash_floor = true\nitems = 20\n\
                 [filter.counting]\ncounter_bits = 2\nthreshold = 2"
            }
            Smallest::Sketch => {
                "kind = \"count-min\"\nlayout = \"shared\"\nconservative = true\nmemory_bits = 256\nhashes = 2\nhashing = \"independent\"\n\
                 accept_two_hash_floor = true\nitems = 20\n[filter.count-min]\ncounter_bits = 8\namount_bits = 2\nthreshold = 5"
            }
            Smallest::Window => {
                "kind = \"sliding\"\nmemory_bits = 280\nhashes = 2\nhashing = \"double\"\n[filter.sliding]\nwindow = 16\nslack = 16\ntarget_fpr = 0.5\n\
                 generations = 1\ngeneration_bits = 3\nbucket_cells = 2\nstore_cells = 2\nback_buckets = 4\nfront_buckets = 16\naccept_overflow = true"
            }
        }
    }

    /// With 8-bit keys and one tag bit; for properties of a card, in a card, and for those of a packet path in one of 8 or 64 bytes a clock.
    fn gateware(self, property: &Property) -> Gateware {
        let (key, rest) = match property.name {
            "card-port" => ("bits = 8\ntag_bits = 1", "[card]"),
            "frame-stream" => (
                "source = \"src-ip\"",
                "[card]\n[packet]\ndata_bits = 64\nbuffer_bytes = 4096",
            ),
            // 64 beats
            "frame-buffer" => (
                "source = \"src-ip\"",
                "[card]\n[packet]\ndata_bits = 512\nbuffer_bytes = 4096",
            ),
            _ => ("bits = 8\ntag_bits = 1", ""),
        };
        let text = format!(
            "name = \"smallest\"\n[filter]\n{}\n[key]\n{key}\n[hash]\nfamily = \"h3\"\nseed = 1\n{rest}\n",
            self.filter()
        );
        let resolved = FilterSpec::from_toml(&text, Path::new("smallest.toml"))
            .and_then(|spec| spec.resolve())
            .expect("a legal specification");
        match resolved {
            Validated::Recycling(sizing) => sizing.with_threshold(200).expect("legal").into(),
            Validated::Cells(geometry) => geometry.into(),
            Validated::Sliding(geometry) => geometry.into(),
        }
    }
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
fn holds_of(kind: Smallest, name: &str, depth: Option<u32>) -> Proof {
    let sound = run(kind, name, depth, None);
    let good = match sound.method {
        Method::Cover(_) => Verdict::Reached,
        _ => Verdict::Holds,
    };
    assert_eq!(sound.verdict, good, "{kind:?}: {sound:?}");
    sound
}

/// The property on each edit of the text.
fn can_fail_of(kind: Smallest, name: &str, depth: Option<u32>, edits: &[Edit]) {
    for edit in edits {
        let proof = run(kind, name, depth, Some(edit));
        assert_eq!(
            proof.verdict,
            Verdict::Fails,
            "{kind:?}: {} -> {}",
            edit.from,
            edit.to
        );
        if !matches!(proof.method, Method::Cover(_)) {
            assert!(!proof.failed.is_empty(), "{proof:?}");
        }
    }
}

/// The property on an edit that shows after more clocks than can be searched: the proof does not go through.
fn is_not_proved(kind: Smallest, name: &str, edit: &Edit) {
    let proof = run(kind, name, None, Some(edit));
    assert_ne!(proof.verdict, Verdict::Holds, "{proof:?}");
}

/// Items go on while no epoch is spare: one comes back after fourteen recycles.
const REUSED: Edit = Edit {
    module: "epoch_guard",
    from: "blocked_r <= !(|spare_here);",
    to: "blocked_r <= 1'b0;",
};

fn holds(name: &str, depth: Option<u32>) -> Proof {
    holds_of(Smallest::Banks, name, depth)
}

fn can_fail(name: &str, depth: Option<u32>, edits: &[Edit]) {
    can_fail_of(Smallest::Banks, name, depth, edits);
}

fn holds_and_can_fail(name: &str, depth: Option<u32>, edits: &[Edit]) -> Proof {
    let sound = holds(name, depth);
    can_fail(name, depth, edits);
    sound
}

fn run(kind: Smallest, name: &str, depth: Option<u32>, edit: Option<&Edit>) -> Proof {
    let toolchain = Toolchain::discover().expect("a folder for tools");
    install(&toolchain, &|progress| eprintln!("{progress}")).expect("the tools of proofs");
    let gateware = kind.gateware(property(name));
    let emitted = property(name).verilog(&gateware).expect("Verilog");
    let text = match edit {
        Some(edit) => edited(&emitted, edit),
        None => emitted,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let settings = Settings {
        depth,
        timeout_seconds: 600,
    };
    let proof = prove(
        &toolchain,
        &gateware,
        &text,
        property(name),
        settings,
        folder.path(),
    )
    .expect("a result");
    println!("{kind:?}: {proof:?}");
    proof
}

fn edit(module: &'static str, from: &'static str, to: &'static str) -> Edit {
    Edit { module, from, to }
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
fn frames_leave_in_their_turn_and_whole() {
    holds("frame-stream", None);
    can_fail(
        "frame-stream",
        None,
        &[
            // An item changes while it is offered.
            edit("packet_path", "if (!standing) begin", "if (1'b1) begin"),
            // A frame is overtaken while it meets its verdict.
            edit(
                "verdict_stage",
                "assign waiting_take = !next_valid || goes;",
                "assign waiting_take = 1'b1;",
            ),
        ],
    );
    // What shows after more clocks than are searched: the proof does not go through.
    for edit in [
        // A frame that is dropped leaves a beat behind.
        edit(
            "egress",
            "place <= frame[9:0] + 10'd1;",
            "place <= frame[9:0];",
        ),
        // One more beat is read than the queue has places.
        edit("egress", "most_out    = 5'd15", "most_out    = 5'd16"),
        // The last beat is known by the next frame's.
        edit(
            "egress",
            "at_end <= behind == end_;",
            "at_end <= behind == frame[9:0];",
        ),
        // A queue is never full, for those that know their class and for all.
        edit("known_queue", "full_r <= &ahead;", "full_r <= 1'b0;"),
        edit(
            "frame_store",
            "!spilled && !frames_full && !(keyed",
            "!spilled && !(keyed",
        ),
        // A beat is not held.
        edit(
            "egress_queue",
            "valid_r <= load || (valid_r && !take);",
            "valid_r <= load;",
        ),
    ] {
        is_not_proved(Smallest::Banks, "frame-stream", &edit);
    }
}

#[test]
fn no_beat_of_the_buffer_is_written_over() {
    holds("frame-buffer", None);
    for edit in [
        // The buffer is never full, or a frame that had no room leaves it full of what nobody keeps.
        edit("frame_store", "full <= write == lap;", "full <= 1'b0;"),
        edit("frame_store", "write <= kept;", "write <= after;"),
        // A frame that is dropped gives a place too many back.
        edit(
            "egress",
            "place <= frame[6:0] + 7'd1;",
            "place <= frame[6:0] + 7'd2;",
        ),
    ] {
        is_not_proved(Smallest::Banks, "frame-buffer", &edit);
    }
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
    // The host's word changes with whatever stands on the bus.
    is_not_proved(
        Smallest::Banks,
        "progress",
        &edit(
            "register_file",
            "if (legal && to_value_r_2) begin\n      value_r_2",
            "if (to_value_r_2) begin\n      value_r_2",
        ),
    );
}

#[test]
fn a_watched_bit_of_a_bank_is_set_exactly_while_it_is_stored() {
    holds("bank-bit", None);
    can_fail(
        "bank-bit",
        Some(28),
        &[
            // A bit in flight is lost when its half freezes.
            edit(
                "filter_bank",
                "frozen_keep_active_0 <= active_keep_in;",
                "frozen_keep_active_0 <= none_symbolic;",
            ),
            // Nothing reaches the memory of half 0.
            edit(
                "filter_bank",
                "assign memory_0_write_enable = write_enable && !write_phase_0;",
                "assign memory_0_write_enable = 1'b0;",
            ),
            // A word of an earlier epoch reads as set.
            edit(
                "word_read",
                "current_r <= bypass || (read_data[35:32] == epoch);",
                "current_r <= 1'b1;",
            ),
            // The decision does not hear what the item ahead stores.
            edit(
                "filter_bank",
                "assign near_9 = near_0_following;",
                "assign near_9 = 1'b0;",
            ),
            // Bits of a host are lost.
            edit("filter_bank", "mask <= added;", "mask <= no_word;"),
            // An epoch more than there are is spare once all words bear the current one.
            edit(
                "epoch_guard",
                "all_spare   = 4'd14;",
                "all_spare   = 4'd15;",
            ),
        ],
    );
    // A word comes empty: a fetch waits until the items before have been written.
    can_fail(
        "bank-bit",
        Some(30),
        &[edit(
            "filter_bank",
            "fetched <= active_read_word;",
            "fetched <= no_word;",
        )],
    );
    is_not_proved(Smallest::Banks, "bank-bit", &REUSED);
    // Refreshes stay at one word: a half that waits for an epoch may wait for ever.
    is_not_proved(
        Smallest::Banks,
        "bank-bit",
        &edit("slots", "address <= address + 2'd1;", "address <= address;"),
    );
}

#[test]
fn recycles_are_decided_far_apart() {
    holds_and_can_fail(
        "recycles-apart",
        Some(28),
        &[
            // A small threshold lets items in at full rate.
            edit(
                "recycle_limit",
                "one_at_a_time_r <= base_room_r < large_;",
                "one_at_a_time_r <= 1'b0;",
            ),
            // Room is used up although its upper part is not.
            edit(
                "recycle_decision",
                "(forced || (high_zero && over))",
                "(forced || over)",
            ),
        ],
    );
}

#[test]
fn the_count_of_bits_is_the_number_of_bits_set() {
    holds("count-exact", None);
    can_fail(
        "count-exact",
        Some(22),
        &[
            // An item behind one that recycles counts what it would have set before.
            edit(
                "recycle_decision",
                "resolved <= first;",
                "resolved <= counted;",
            ),
            edit("occupancy", "active <= retained_bits;", "active <= zero;"),
        ],
    );
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
    let Gateware::Recycling(geometry) = Smallest::Banks.gateware(property("reach-verdict")) else {
        panic!("it is a recycling filter");
    };
    let timing = geometry.timing();
    // Start-up: drain, two forced recycles, load; then the item's latency.
    let start = 3 * (timing.retire_clocks + 1) + 9;
    let latency = timing.front_clocks + timing.decision_stage + 3;
    assert_eq!(proof.clocks, Some(start + latency), "{proof:?}");
}

#[test]
fn the_ports_of_every_kind_keep_their_rules() {
    for kind in Smallest::ALL.into_iter().skip(1) {
        for name in [
            "outputs-registered",
            "register-port",
            "verdict-stream",
            "reach-verdict",
            "reach-clear",
            "card-port",
        ] {
            holds_of(kind, name, None);
        }
    }
    holds_of(Smallest::Counting, "verdict-queue", None);
    // An item of several probes has one verdict. The first item is accepted after more clocks than are searched, but the proof does not go through.
    is_not_proved(
        Smallest::Sketch,
        "verdict-stream",
        &edit(
            "cell_slots",
            "answer_late <= answer_late << 1;",
            "answer_late <= {answer_late[5:0], answer_line[4]};",
        ),
    );
}

#[test]
fn what_a_sequencer_of_cells_issues_comes_in_time_and_apart() {
    for kind in [Smallest::Counting, Smallest::Sketch] {
        holds_of(kind, "cell-progress", None);
    }
    can_fail_of(
        Smallest::Sketch,
        "cell-progress",
        None,
        &[edit(
            "cell_sequencer",
            "waiting <= waiting - 5'd1;",
            "waiting <= waiting;",
        )],
    );
    // The host's word changes with whatever stands on the bus.
    can_fail_of(
        Smallest::Sketch,
        "cell-progress",
        Some(60),
        &[edit(
            "register_file",
            "if (legal && to_value_r_1) begin\n      value_r_1",
            "if (to_value_r_1) begin\n      value_r_1",
        )],
    );
}

#[test]
fn a_verdict_is_made_of_the_cells_of_its_item() {
    for kind in [Smallest::Counting, Smallest::Sketch] {
        holds_of(kind, "cell-verdict", None);
    }
    can_fail_of(
        Smallest::Counting,
        "cell-verdict",
        None,
        &[edit(
            "least_of_two",
            "if (right < left) begin",
            "if (1'b0) begin",
        )],
    );
    can_fail_of(
        Smallest::Sketch,
        "cell-verdict",
        Some(16),
        &[
            edit(
                "item_fold",
                "if (first || (cell_0 < least_r_0)) begin",
                "if (first) begin",
            ),
            edit("item_level", "if (total[8]) begin", "if (1'b0) begin"),
        ],
    );
}

#[test]
fn a_watched_cell_is_a_plain_counter_for_every_clock() {
    for kind in [Smallest::Counting, Smallest::Sketch] {
        holds_of(kind, "cell-exact", None);
    }
    can_fail_of(
        Smallest::Counting,
        "cell-exact",
        Some(28),
        &[
            // What the item two ahead made of the cell is lost.
            edit(
                "cell_bank",
                "from_near <= hit_1 && !storing;",
                "from_near <= 1'b0;",
            ),
            // A word of an earlier epoch counts.
            edit(
                "cell_bank",
                "current <= bears || from_near || from_far;",
                "current <= 1'b1;",
            ),
            // The last word is not waited for.
            edit(
                "coverage",
                "full_r <= !recycled && (full_r || (touch && (left == 4'd1)));",
                "full_r <= !recycled && (full_r || (touch && (left == 4'd8)));",
            ),
        ],
    );
    is_not_proved(Smallest::Counting, "cell-exact", &REUSED);
    is_not_proved(
        Smallest::Counting,
        "cell-exact",
        &edit(
            "cell_slots",
            "address <= address + 3'd1;",
            "address <= address;",
        ),
    );
}

#[test]
fn a_watched_bit_of_one_array_is_set_exactly_while_it_is_stored() {
    holds_of(Smallest::Array, "progress", None);
    holds_of(Smallest::Array, "array-bit", None);
    can_fail_of(
        Smallest::Array,
        "array-bit",
        None,
        &[
            // A refresh writes what the item behind it has begun to read.
            edit(
                "folded_slots",
                "assign refreshing = refresh_line[4] && !(|near) && !fetch_line[3] && !reset;",
                "assign refreshing = refresh_line[4] && !fetch_line[3] && !reset;",
            ),
            // The words of an item go on while they should stand still.
            edit("word_store", "if (!hold) begin", "if (1'b1) begin"),
        ],
    );
}

#[test]
fn no_epoch_of_one_array_comes_back_while_a_word_bears_it() {
    holds_of(Smallest::Array, "recycles-apart", None);
    holds_of(Smallest::Array, "array-epochs", None);
    can_fail_of(
        Smallest::Array,
        "array-epochs",
        Some(24),
        &[
            edit(
                "epoch_guard",
                "all_spare   = 4'd14;",
                "all_spare   = 4'd15;",
            ),
            // Coverage is told a word too early.
            edit("coverage", "(left == 4'd1)", "(left == 4'd2)"),
            // A word that is written counts for the half before.
            edit(
                "folded_slots",
                "assign recycled = trip_w;",
                "assign recycled = trip;",
            ),
        ],
    );
    is_not_proved(Smallest::Array, "array-epochs", &REUSED);
    is_not_proved(
        Smallest::Array,
        "array-epochs",
        &edit(
            "folded_slots",
            "address <= address + 3'd1;",
            "address <= address;",
        ),
    );
}

#[test]
fn the_count_of_one_array_is_the_number_of_bits_set() {
    holds_of(Smallest::Array, "array-count", None);
    can_fail_of(
        Smallest::Array,
        "array-count",
        Some(24),
        &[edit(
            "folded_decision",
            "!active_bit && !repeated}",
            "!active_bit}",
        )],
    );
}

#[test]
fn a_window_forgets_nothing_within_and_everything_beyond() {
    for name in ["window-progress", "generations", "window"] {
        holds_of(Smallest::Window, name, None);
    }
    can_fail_of(
        Smallest::Window,
        "window-progress",
        None,
        &[edit(
            "sliding_sequencer",
            "waiting <= waiting - 5'd1;",
            "waiting <= waiting;",
        )],
    );
    can_fail_of(
        Smallest::Window,
        "generations",
        Some(32),
        &[edit(
            "sliding_slots",
            "write_generation_r <= generation_6 - to_stale;",
            "write_generation_r <= generation_6;",
        )],
    );
    can_fail_of(
        Smallest::Window,
        "window",
        Some(15),
        &[
            edit(
                "slot_compare",
                "assign same_value = bucket && fingerprint;",
                "assign same_value = bucket;",
            ),
            edit(
                "position_track",
                ".ahead       (stage_5),",
                ".ahead       (stage_7),",
            ),
            edit(
                "first_fit",
                "assign lost = newly && !(|empty);",
                "assign lost = !(|empty[3:0]);",
            ),
        ],
    );
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
