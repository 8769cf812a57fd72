//! Claims about values: widths and signs of IEEE 1364-2005, memories, clocks.

use bloomline_engine::{Design, EngineError, Groups, Initial, LaneCount, Lanes, Sim, Waves};
use std::num::NonZero;

fn open(text: &str, clock: Option<&str>) -> Sim {
    let design = Design::read(&[("a.v".into(), text.into())], "top", clock);
    design
        .unwrap_or_else(|e| panic!("{e}"))
        .open(Initial::Zeros)
}

/// Value of an expression of `a` = 8'hc5, `b` = 8'h9f, `n` = 3'd5, in 16 bits.
fn value(expression: &str) -> u64 {
    let text = format!(
        "module top (input wire [7:0] a, input wire [7:0] b, input wire [2:0] n, output wire [15:0] y);
         function [3:0] upside; input [3:0] x; case (x) 4'd1: upside = 4'd8; 4'd2: upside = 4'd4; default: upside = x; endcase endfunction
         assign y = {expression}; endmodule"
    );
    let mut sim = open(&text, None);
    let mut y = [0];
    sim.step(&[0xc5, 0x9f, 5], &mut y)
        .unwrap_or_else(|e| panic!("{expression}: {e}"));
    y[0]
}

#[test]
fn widths_and_signs_are_those_of_the_standard() {
    for (expression, expected) in [
        // The carry is kept: the context is 16 bits wide.
        ("a + b", 0x164),
        // Inside a concatenation it is lost.
        ("{a + b}", 0x64),
        ("(a + b) >> 1", 0xb2),
        ("{8'd0, a + b} >> 1", 0x32),
        ("a - b - b", 0xff87),
        ("~a", 0xff3a),
        ("-a", 0xff3b),
        ("{~a}", 0x3a),
        ("!a", 0),
        ("a * b", 0x7a5b),
        ("{a * b}", 0x5b),
        ("a << 4", 0xc50),
        ("{a << 4}", 0x50),
        ("a << n", 0x18a0),
        ("a >> n", 6),
        ("a >> 8", 0),
        ("a << b", 0),
        ("a > b", 1),
        // 3'd5 + 3'd5 is compared in 32 bits because of the number without a size.
        ("(n + n) == 10", 1),
        ("(n + n) == 3'd2", 1),
        ("(n + n) == 4'd10", 1),
        ("-1", 0xffff),
        ("-1 < 0", 1),
        ("-1 < n", 0),
        ("(2 - 3) > 1", 0),
        ("8'd2 - 8'd3", 0xffff),
        ("&a", 0),
        ("^a", 0),
        ("^b", 0),
        ("~^n", 1),
        ("|n", 1),
        ("&{n[2], n[0]}", 1),
        ("a[n]", 0),
        ("a[n + 1]", 1),
        ("n[b]", 0),
        ("{n, a[7:4], 2'b10}", 0x172),
        ("{2{n}}", 0x2d),
        ("n ? a : -1", 0xc5),
        ("(n == 4) ? 1'b1 : -1", 0xffff),
        ("upside(n[1:0])", 8),
        ("upside({1'b1, n})", 13),
        ("upside(4'd2) + upside(a)", 9),
        ("a && n", 1),
        ("a & 8'h0f | b & 8'hf0", 0x95),
        ("a == 8'hc5 && b != 8'h9f || n == 3'd5", 1),
        ("a ~^ b", 0xffa5),
    ] {
        assert_eq!(expected, value(expression), "{expression}");
    }
}

#[test]
fn a_process_may_read_what_depends_on_a_signal_that_it_has_already_made() {
    // `late` depends on y, and x on `late`; y depends on one value of x alone. What x was before that is overwritten.
    let text =
        "module top (input wire [3:0] a, input wire b, output reg [3:0] x, output reg [3:0] y);
         wire late = y[0] && b;
         always @* begin
           x = {4{late}};
           x = a + 4'd1;
           if (b) y = x + 4'd2; else y = x;
           x[3] = late;
           case (a[1:0]) 2'd0: x[2] = y[1]; 2'd1: ; default: x = {4{late}}; endcase
         end
         endmodule";
    let mut sim = open(text, None);
    for (a, b, x, y) in [(4, 1, 13, 7), (5, 0, 6, 6), (6, 1, 15, 9), (7, 1, 0, 10)] {
        let mut outputs = [0, 0];
        sim.step(&[a, b], &mut outputs).expect("runs");
        assert_eq!([x, y], outputs, "a = {a}, b = {b}");
    }
}

#[test]
fn a_process_may_read_what_depends_on_other_bits_of_the_signal_that_it_makes() {
    // x[3] depends on `low`, and `low` on x[1:0]; y[1] depends on y[0] through `turn`.
    // `low` is an output ahead of x, so that its bits of x are asked for first.
    let text =
        "module top (input wire [3:0] a, input wire b, output wire low, output reg [3:0] x, output reg [3:0] y);
         assign low = ^x[1:0];
         wire turn = y[0] ^ low;
         always @* begin
           x = {2'd0, a[1:0]} + 4'd4;
           if (low) x[3] = b; else x[2] = a[3];
         end
         always @* begin
           y = 4'd0;
           y[0] = a[2];
           y[1] = turn;
           if (y[1]) y[3:2] = a[1:0];
         end
         endmodule";
    let mut sim = open(text, None);
    for a in 0..16_u64 {
        for b in 0..2 {
            let low = (a ^ a >> 1) & 1;
            let mut x = (a & 3) + 4;
            x = match low {
                1 => x & 7 | b << 3,
                _ => x & 11 | (a >> 3 & 1) << 2,
            };
            let turn = (a >> 2 & 1) ^ low;
            let y = (a >> 2 & 1) | turn << 1 | if turn == 1 { (a & 3) << 2 } else { 0 };
            let mut outputs = [0; 3];
            sim.step(&[a, b], &mut outputs).expect("runs");
            assert_eq!([low, x, y], outputs, "a = {a}, b = {b}");
        }
    }
}

#[test]
fn arithmetic_of_wide_words_carries_across_64_bits() {
    let text = "module top (input wire [199:0] a, input wire [199:0] b, input wire [7:0] n,
        output wire [199:0] sum, output wire [199:0] difference, output wire [199:0] product, output wire less, output wire equal,
        output wire [199:0] left, output wire [199:0] right, output wire parity, output wire all);
        assign sum = a + b; assign difference = a - b; assign product = a * b; assign less = a < b; assign equal = a == b;
        assign left = a << n; assign right = a >> n; assign parity = ^a; assign all = &a; endmodule";
    let mut sim = open(text, None);
    let mut out = vec![0; sim.output_words()];
    let ones = [u64::MAX, u64::MAX, u64::MAX, 0xff];
    let mut inputs = [ones, [1, 0, 0, 0]].concat();
    inputs.push(70);
    sim.step(&inputs, &mut out).expect("runs");
    let design = sim.design().clone();
    let word = |name: &str| design.word_of(name).expect("a port");
    assert_eq!([0; 4], out[word("sum")..][..4]);
    assert_eq!(
        [u64::MAX - 1, u64::MAX, u64::MAX, 0xff],
        out[word("difference")..][..4]
    );
    assert_eq!(ones, out[word("product")..][..4]);
    assert_eq!((0, 0), (out[word("less")], out[word("equal")]));
    assert_eq!([0, !63, u64::MAX, 0xff], out[word("left")..][..4]);
    assert_eq!([u64::MAX, u64::MAX, 3, 0], out[word("right")..][..4]);
    assert_eq!((0, 1), (out[word("parity")], out[word("all")]));
    // (2^200 - 1) * 2^65 and borrow through zeros
    let inputs = [vec![0, 0, 1, 0], vec![3, 1 << 63, 0, 0], vec![200]].concat();
    sim.step(&inputs, &mut out).expect("runs");
    assert_eq!(
        [u64::MAX - 2, (1 << 63) - 1, 0, 0],
        out[word("difference")..][..4]
    );
    assert_eq!([0, 0, 3, (1 << 63) & 0xff], out[word("product")..][..4]);
    assert_eq!([0; 4], out[word("left")..][..4]);
}

#[test]
fn a_memory_reads_its_old_word_in_the_clock_that_writes_it() {
    let text = "module top (input wire clock, input wire we, input wire [2:0] at, input wire [99:0] d, output wire [99:0] q, output wire [99:0] now);
        (* no_rw_check *) reg [99:0] words [0:4]; reg [99:0] word; integer i;
        initial begin for (i = 0; i < 5; i = i + 1) words[i] = 100'd7; word = 100'd0; end
        always @(posedge clock) begin word <= words[at]; if (we) words[at] <= d; end
        assign q = word; assign now = words[at]; endmodule";
    let mut sim = open(text, Some("clock"));
    let mut out = [0; 4];
    let mut step = |we: u64, at: u64, d: u64| {
        sim.step(&[we, at, d, d + 1], &mut out).expect("runs");
        out
    };
    assert_eq!([0, 0, 7, 0], step(1, 3, 20));
    assert_eq!(
        [7, 0, 20, 21],
        step(0, 3, 0),
        "the register has the word before the write"
    );
    assert_eq!(
        [20, 21, 0, 0],
        step(1, 6, 30),
        "beyond the last word there is nothing"
    );
    assert_eq!([0, 0, 7, 0], step(0, 4, 0));
    assert_eq!(
        vec![20, 21],
        sim.read_memory("top.words", 3).expect("there")
    );
    assert_eq!(vec![4], sim.peek("top.at").expect("there"));
    sim.write_memory("top.words", 4, &[99]).expect("there");
    sim.step(&[0, 4, 0, 0], &mut out).expect("runs");
    assert_eq!(99, out[2]);
    assert!(sim.read_memory("top.words", 5).is_err());
}

const SEVERAL_CLOCKS: &str = "module top (input wire clock, input wire other, input wire hold, output wire [3:0] ups, output wire [3:0] downs, output wire [2:0] state, output wire derived);
        reg [3:0] up, down; reg [2:0] stages; reg half; reg [3:0] slow;
        initial begin up = 4'd0; down = 4'd0; stages = {3{1'b1}}; half = 1'b0; slow = 4'd0; end
        always @(posedge clock) begin up <= up + 4'd1; half <= !half; end
        always @(negedge other) down <= down + 4'd1;
        always @(posedge clock or posedge hold) if (hold) stages <= {3{1'b1}}; else stages <= {stages[1:0], 1'b0};
        always @(posedge half) slow <= slow + 4'd1;
        assign ups = up; assign downs = down; assign state = stages; assign derived = slow[0]; endmodule";

#[test]
fn registers_of_two_clocks_and_an_asynchronous_reset_act_at_their_edges() {
    let mut sim = open(SEVERAL_CLOCKS, Some("clock"));
    let mut out = [0; 4];
    let mut step = |other: u64, hold: u64| {
        sim.step(&[other, hold], &mut out).expect("runs");
        out
    };
    assert_eq!([0, 0, 7, 0], step(1, 0));
    assert_eq!(
        [1, 1, 6, 1],
        step(0, 0),
        "a falling edge acts when the inputs are driven"
    );
    assert_eq!([2, 1, 4, 1], step(1, 0));
    assert_eq!(
        [3, 1, 7, 0],
        step(1, 1),
        "an asynchronous reset acts before the clock"
    );
    assert_eq!([4, 1, 7, 0], step(1, 1));
    let expected = [5, 2, 7, 1];
    assert_eq!(expected, step(0, 1), "both edges at once");
}

#[test]
fn a_clone_goes_on_from_the_same_state() {
    let design = committed_filter();
    let mut sim = design.open(Initial::Random(3));
    let run = |sim: &mut Sim, from: u64| -> Vec<u64> {
        let mut all = vec![];
        for i in from..from + 200 {
            let mut out = vec![0; sim.output_words()];
            sim.step(&[0, 1, (i * 37) & 255, (i * 91) & 255], &mut out)
                .expect("runs");
            all.extend(out);
        }
        all
    };
    run(&mut sim, 0);
    let mut kept = sim.clone();
    let first = run(&mut sim, 200);
    assert_eq!(first, run(&mut kept, 200));
    assert_eq!(
        sim.peek("onehit.count").expect("there"),
        kept.peek("onehit.count").expect("there")
    );
    assert_ne!(first, run(&mut kept, 0), "the state has moved on");
    kept.flip("onehit.count", &[1]).expect("a register");
    assert_ne!(
        sim.peek("onehit.count").expect("there"),
        kept.peek("onehit.count").expect("there")
    );
    assert!(kept.flip("onehit.seen", &[1]).is_err());
}

fn committed_filter() -> Design {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/golden/language/filter.v"
    );
    let text = std::fs::read_to_string(path).expect("committed");
    let design = Design::read(&[("filter.v".into(), text)], "onehit", Some("clock"));
    design.unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_disturbed_lane_goes_its_own_way_and_the_others_do_not_notice() {
    let design = committed_filter();
    let mut lanes = design
        .open_lanes(LaneCount::L64, Initial::Zeros)
        .expect("one clock");
    for clock in 0..300u64 {
        for (name, value) in [
            ("clear", 0),
            ("valid", 1),
            ("h1", clock * 37),
            ("h2", clock * 91),
        ] {
            let word = design.word_of(name).expect("an input");
            lanes.set_input_everywhere(word, value).expect("a word");
        }
        lanes.clock();
        match clock {
            0..=99 => assert_eq!(vec![0], lanes.differing(), "clock {clock}"),
            100 => lanes
                .flip("onehit.count", 3, &[1 << 5])
                .expect("a register"),
            _ => assert_eq!(vec![1 << 5], lanes.differing(), "clock {clock}"),
        }
    }
    let count = |lane| lanes.peek("onehit.count", lane).expect("a register")[0];
    assert_ne!(count(0), count(5));
    assert_eq!(count(0), count(63));
    let word = |lanes: &bloomline_engine::Lanes, lane| {
        lanes
            .read_memory("onehit.banks_0.ram.words", 3, lane)
            .expect("there")[0]
    };
    let before = word(&lanes, 9);
    lanes
        .flip_memory("onehit.banks_0.ram.words", 3, 9, &[6])
        .expect("there");
    assert_eq!((before ^ 6, before), (word(&lanes, 9), word(&lanes, 8)));
    assert!(lanes.flip("onehit.seen", 0, &[1]).is_err());
    assert!(lanes.flip("onehit.count", 11, &[1]).is_err());
    assert!(lanes.read_memory("onehit.banks_0.ram.words", 8, 0).is_err());
    let ring = "module top (input wire clock, output wire q); reg r; initial r = 1'b0;
        always @(posedge clock or posedge r) if (r) r <= 1'b0; else r <= !r; assign q = r; endmodule";
    let ring = Design::read(&[("a.v".into(), ring.into())], "top", Some("clock"));
    let ring = ring
        .expect("reads")
        .open_lanes(LaneCount::L64, Initial::Zeros);
    assert!(matches!(ring, Err(EngineError::NotInLanes { .. })));
}

#[test]
fn lanes_of_a_design_of_several_clocks_run_as_runs_of_their_own() {
    for count in [LaneCount::L64, LaneCount::L256] {
        let design = Design::read(
            &[("a.v".into(), SEVERAL_CLOCKS.into())],
            "top",
            Some("clock"),
        );
        let design = design.unwrap_or_else(|e| panic!("{e}"));
        let mut lanes = design
            .open_lanes(count, Initial::Zeros)
            .unwrap_or_else(|e| panic!("{e}"));
        let mut sims = vec![design.open(Initial::Zeros); count.lanes()];
        let mut outputs = vec![0; 4 * count.lanes()];
        let mut state = 1u64;
        for clock in 0..100 {
            let mut inputs = vec![];
            for _ in 0..2 * count.lanes() {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                inputs.push(state >> 63);
            }
            lanes.step(&inputs, &mut outputs).expect("runs");
            for (lane, sim) in sims.iter_mut().enumerate() {
                let mut expected = [0; 4];
                sim.step(&inputs[2 * lane..][..2], &mut expected)
                    .expect("runs");
                let got = &outputs[4 * lane..][..4];
                assert_eq!(expected, got, "clock {clock}, lane {lane}");
                assert_eq!(
                    sim.peek("top.slow").expect("a register"),
                    lanes.peek("top.slow", lane).expect("a register")
                );
            }
        }
    }
}

#[test]
fn one_output_is_read_in_one_lane_and_compared_in_all_as_the_words_of_all_lanes_are() {
    let text = "module top (input wire clock, input wire [63:0] a, output reg [63:0] wide, output wire [4:0] y, output wire p);
         assign y = a[8:4]; assign p = ^a; always @(posedge clock) wide <= a; endmodule";
    let design = Design::read(&[("a.v".into(), text.into())], "top", Some("clock"));
    let design = design.unwrap_or_else(|e| panic!("{e}"));
    for count in [LaneCount::L64, LaneCount::L256] {
        let lanes = design.open_lanes(count, Initial::Zeros);
        let mut lanes = lanes.unwrap_or_else(|e| panic!("{e}"));
        let mut values = vec![0x1234_5678_9abc_def0_u64; count.lanes()];
        for odd in [None, Some(0), Some(63), Some(count.lanes() - 1)] {
            if let Some(odd) = odd {
                values[odd] ^= 0x10;
            }
            lanes.set_input(0, &values).expect("an input");
            lanes.clock();
            lanes.clock();
            for word in 0..3 {
                let mut all = vec![0; count.lanes()];
                lanes.output(word, &mut all).expect("an output");
                for (lane, value) in all.iter().enumerate() {
                    assert_eq!(lanes.output_of(word, lane).expect("an output"), *value);
                }
                for value in [all[1], all[1] ^ 1, all[1] ^ 1 << 4, all[1] | 1 << 63, 0] {
                    for care in [0, 1, 0x10, 0xf, 1 << 63, u64::MAX] {
                        let differs = all.iter().any(|got| (got ^ value) & care != 0);
                        let found = lanes.output_differs(word, value, care);
                        assert_eq!(
                            found.expect("an output"),
                            differs,
                            "{word} {value:x} {care:x}"
                        );
                    }
                }
            }
        }
        assert!(lanes.output_of(3, 0).is_err() && lanes.output_differs(3, 0, 0).is_err());
        assert!(lanes.output_of(0, count.lanes()).is_err());
    }
}

#[test]
fn groups_of_lanes_run_on_threads_in_order_and_each_starts_in_its_own_way() {
    let text = "module top (input wire clock, output wire [7:0] q); reg [7:0] r; always @(posedge clock) r <= r + 8'd1; assign q = r; endmodule";
    let design = Design::read(&[("a.v".into(), text.into())], "top", Some("clock"));
    let design = design.unwrap_or_else(|e| panic!("{e}"));
    let initial = Initial::Random(9);
    let mut groups = Groups {
        count: 5,
        lanes: LaneCount::L64,
        initial,
        threads: NonZero::new(3),
    };
    let run = |group: usize, mut lanes: Lanes| -> Result<(usize, Vec<u64>), EngineError> {
        let mut values = vec![0; 64];
        lanes.clock();
        lanes.output(0, &mut values)?;
        Ok((group, values))
    };
    let results = design.run_groups(&groups, run).expect("runs");
    for (at, (group, values)) in results.iter().enumerate() {
        assert_eq!(at, *group);
        for (lane, value) in values.iter().enumerate() {
            let lane = (64 * group + lane) as u64;
            let sim = design.open(initial.of_lane(lane));
            assert_eq!(
                vec![*value],
                sim.peek("top.r").expect("a register"),
                "{lane}"
            );
        }
    }
    groups.threads = None;
    let failed = design.run_groups(&groups, |group, lanes| {
        lanes.read_memory("top.missing", group, 0)
    });
    assert!(matches!(failed, Err(EngineError::NoSignal { .. })));
}

#[test]
fn the_compiled_engine_runs_as_the_interpreted_one_or_says_how_to_get_it() {
    let several = Design::read(
        &[("a.v".into(), SEVERAL_CLOCKS.into())],
        "top",
        Some("clock"),
    );
    for design in [
        committed_filter(),
        several.unwrap_or_else(|e| panic!("{e}")),
    ] {
        let opened = design.open_jit(Initial::Random(1));
        assert_eq!(cfg!(feature = "jit"), opened.is_ok());
        let mut compiled = match opened {
            Ok(compiled) => compiled,
            Err(error) => {
                assert!(error.to_string().contains("--features jit"), "{error}");
                continue;
            }
        };
        let mut plain = design.open(Initial::Random(1));
        let mut got = vec![0; plain.output_words()];
        let mut expected = got.clone();
        let mut state = 7u64;
        for clock in 0..3_000 {
            let mut word = || {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                state >> 30
            };
            let inputs: Vec<u64> = (0..plain.input_words()).map(|_| word()).collect();
            compiled.step(&inputs, &mut got).expect("runs");
            plain.step(&inputs, &mut expected).expect("runs");
            assert_eq!(expected, got, "{}, clock {clock}", design.top());
        }
    }
}

#[test]
fn a_fault_at_a_site_changes_what_reads_it_in_its_lanes_alone() {
    let text = "module half (input wire [3:0] x, output wire [3:0] z); wire [3:0] inner = x; assign z = inner; endmodule
        module top (input wire clock, input wire [3:0] a, output wire [3:0] same, output wire [3:0] faulty, output wire [3:0] q);
        half one (.x(a), .z(same)); half two (.x(a), .z(faulty)); reg [3:0] r; initial r = 4'd0;
        always @(posedge clock) if (a != 4'd0) r <= r + 4'd1; assign q = r; endmodule";
    let sites = ["top.two.inner".to_string(), "top.r".to_string()];
    let sources = [("a.v".to_string(), text.to_string())];
    let design = Design::read_with_faults(&sources, "top", Some("clock"), &sites)
        .unwrap_or_else(|e| panic!("{e}"));
    let mut sim = design.open(Initial::Zeros);
    let mut lanes = design
        .open_lanes(LaneCount::L64, Initial::Zeros)
        .expect("one clock");
    let mut out = [0; 3];
    let mut all = [0; 3 * 64];
    let mut both = |sim: &mut Sim, lanes: &mut bloomline_engine::Lanes, a: u64| {
        sim.step(&[a], &mut out).expect("runs");
        lanes.step(&[a; 64], &mut all).expect("runs");
        assert_eq!(
            out,
            all[3 * 7..][..3],
            "lane 7 has the faults of the single run"
        );
        (out, [all[0], all[1], all[2]])
    };
    assert_eq!(([5, 5, 0], [5, 5, 0]), both(&mut sim, &mut lanes, 5));
    sim.set_fault(0, &[0b10]).expect("a site");
    lanes.set_fault(0, 1, &[1 << 7]).expect("a site");
    assert_eq!(([5, 7, 1], [5, 5, 1]), both(&mut sim, &mut lanes, 5));
    assert_eq!(vec![1 << 7], lanes.differing());
    sim.set_fault(1, &[8]).expect("a site");
    lanes.set_fault(1, 3, &[1 << 7]).expect("a site");
    // What holds its value keeps what it holds, not what is read of it.
    assert_eq!(([0, 2, 10], [0, 0, 2]), both(&mut sim, &mut lanes, 0));
    assert_eq!(([0, 2, 10], [0, 0, 2]), both(&mut sim, &mut lanes, 0));
    for (site, bit) in [(0, 1), (1, 3)] {
        sim.set_fault(site, &[0]).expect("a site");
        lanes.set_fault(site, bit, &[0]).expect("a site");
    }
    assert_eq!(([0, 0, 2], [0, 0, 2]), both(&mut sim, &mut lanes, 0));
    assert!(sim.set_fault(2, &[0]).is_err());
    assert!(lanes.set_fault(1, 4, &[0]).is_err());
    let missing = Design::read_with_faults(&sources, "top", None, &["top.three.inner".to_string()]);
    assert!(matches!(missing, Err(EngineError::NoSignal { .. })));
}

#[test]
fn a_waveform_has_the_hierarchy_and_every_change() {
    let text = "module count (input wire clock, input wire go, output wire [3:0] n); reg [3:0] r; initial r = 4'd0; always @(posedge clock) if (go) r <= r + 4'd1; assign n = r; endmodule
        module top (input wire clock, input wire go, output wire [3:0] n, output wire odd); wire [3:0] inner; count counter (.clock(clock), .go(go), .n(inner));
        assign n = inner; assign odd = inner[0]; endmodule";
    let mut sim = open(text, Some("clock"));
    let mut file = vec![];
    let mut waves = Waves::new(&mut file, sim.design()).expect("a vector takes all");
    let mut out = [0; 2];
    for go in [1, 1, 0, 1] {
        sim.step_with_waves(&[go], &mut out, &mut waves)
            .expect("runs");
    }
    waves.finish().expect("a vector takes all");
    let mut parser = vcd::Parser::new(&file[..]);
    let header = parser.parse_header().expect("is VCD");
    let code = |path: &[&str]| {
        header
            .find_var(path)
            .unwrap_or_else(|| panic!("{path:?}"))
            .code
    };
    let (clock, odd, held) = (
        code(&["top", "clock"]),
        code(&["top", "odd"]),
        code(&["top", "counter", "r"]),
    );
    let (mut time, mut seen) = (0, vec![]);
    for command in parser {
        match command.expect("is VCD") {
            vcd::Command::Timestamp(t) => time = t,
            vcd::Command::ChangeScalar(id, value) if id == odd => {
                seen.push((time, "odd", u64::from(value == vcd::Value::V1)))
            }
            vcd::Command::ChangeScalar(id, _) if id == clock => seen.push((time, "clock", 0)),
            vcd::Command::ChangeVector(id, values) if id == held => {
                let value = values
                    .iter()
                    .fold(0, |n, v| 2 * n + u64::from(*v == vcd::Value::V1));
                seen.push((time, "r", value));
            }
            _ => {}
        }
    }
    let changes: Vec<_> = seen.iter().filter(|s| s.1 != "clock").copied().collect();
    let expected = [
        (0, "odd", 0),
        (0, "r", 0),
        (5, "odd", 1),
        (5, "r", 1),
        (15, "odd", 0),
        (15, "r", 2),
        (35, "odd", 1),
        (35, "r", 3),
    ];
    assert_eq!(expected, changes[..]);
    let clocks: Vec<u64> = seen
        .iter()
        .filter(|s| s.1 == "clock")
        .map(|s| s.0)
        .collect();
    assert_eq!([0, 5, 10, 15, 20, 25, 30, 35], clocks[..]);
}
