//! A self-checking testbench in Verilog, which reads no file: what goes in and what must come out stand in it.
//!
//! It runs as it is in Icarus Verilog, in Verilator with `--binary`, and in Vivado's simulator: no delay but that of the clocks, no time scale.

use super::frames::{frames, wire_bytes, Passed};
use crate::package::items::items;
use bloomline_spec::ports::{design_name, outer_ports, Direction, OuterPort};
use bloomline_spec::registers::MAGIC;
use bloomline_spec::{Design, Packet, ResetName};
use std::fmt::Write;

/// Clock cycles after which a run that has not ended has failed, where a memory is not so large that emptying it takes as many.
const MOST_CLOCKS: u64 = 4_000_000;
/// Clock cycles in which nothing more may come when all has come.
const QUIET_CLOCKS: u32 = 2_000;

/// `tb_<name>.v`.
pub fn text(design: &Design) -> String {
    if design.line_card().is_some() {
        return line_card(design);
    }
    let (checks, drive) = match design.packet() {
        Some(packet) => path(design, packet),
        None => streams(design),
    };
    let clock = design.interface().clock;
    let (reset, level) = match design.interface().reset {
        ResetName::Reset => ("reset", "resetting"),
        ResetName::Aresetn => ("aresetn", "!resetting"),
    };
    let mut text = head(design, checks);
    for OuterPort { port, .. } in outer_ports(design) {
        let range = range(port.width);
        let _ = match (port.direction, port.name.as_str()) {
            (_, name) if name == clock.word() => writeln!(text, "  wire {name} = running_clock;"),
            (_, name) if name == reset => writeln!(text, "  wire {name} = {level};"),
            (_, "uart_rx") => writeln!(text, "  reg uart_rx = 1'b1;"),
            (Direction::Output, name) => writeln!(text, "  wire {range}{name};"),
            (Direction::Input, name) => writeln!(text, "  reg {range}{name} = {}'d0;", port.width),
        };
    }
    text += &instance(design);
    text += &registers(design);
    text + &drive + "endmodule\n"
}

/// Width of a port; 1 of one that is not there.
fn width_of(design: &Design, name: &str) -> u32 {
    let ports = outer_ports(design);
    let port = ports.iter().find(|outer| outer.port.name == name);
    port.map_or(1, |outer| outer.port.width)
}

fn range(width: u32) -> String {
    match width {
        1 => String::new(),
        _ => format!("[{}:0] ", width - 1),
    }
}

/// The module's beginning: its clock, its end, and what counts faults; `checks` is how many transfers must come.
fn head(design: &Design, checks: usize) -> String {
    let name = design.name();
    // a bank that is emptied row by row before the first item has no more rows than bits; an `integer` has 31 bits and a sign
    let most_clocks = MOST_CLOCKS
        .max(2 * design.memory_bits())
        .min(i32::MAX as u64);
    format!(
        "// Self-checking testbench of {top}. It prints PASS or FAIL and ends.
//   $ iverilog -g2012 -o tb_{name} tb_{name}.v ../{name}.v && vvp tb_{name}
//   $ verilator --binary --top-module tb_{name} tb_{name}.v ../{name}.v && obj_dir/Vtb_{name}
//   $ xvlog -sv tb_{name}.v ../{name}.v && xelab tb_{name} && xsim -R tb_{name}
// What drives the design changes after the edge, in `initial` too.
/* verilator lint_off INITIALDLY */
module tb_{name};
  localparam CHECKS = {checks}; // transfers that must come

  reg running_clock = 1'b0;
  always #4 running_clock = !running_clock;

  reg resetting = 1'b1;
  reg going = 1'b0;     // registers were right: traffic begins
  integer received = 0;
  integer faults = 0;
  integer quiet = 0;
  reg [31:0] noise = 32'h1;
  always @(posedge running_clock) begin
    noise <= {{noise[30:0], noise[31] ^ noise[21] ^ noise[1] ^ noise[0]}};
    quiet <= received >= CHECKS ? quiet + 1 : 0;
  end

  integer clocks = 0;
  always @(posedge running_clock) begin
    clocks <= clocks + 1;
    if (faults != 0 || clocks > {most_clocks}) begin
      $display(\"FAIL: {name}: %0d of %0d transfers in %0d clocks, %0d faults\", received, CHECKS, clocks, faults);
      $fatal;
    end
    if (quiet > {QUIET_CLOCKS}) begin
      $display(\"PASS: {name}: %0d transfers in %0d clocks\", received, clocks);
      $finish;
    end
  end

",
        top = design_name(design),
    )
}

fn instance(design: &Design) -> String {
    let pins: Vec<String> = outer_ports(design)
        .iter()
        .map(|outer| format!("    .{0} ({0})", outer.port.name))
        .collect();
    format!(
        "\n  {} dut (\n{}\n  );\n",
        design_name(design),
        pins.join(",\n")
    )
}

/// The reset, and a read of the first register, by the bus or the UART, where there are registers.
fn registers(design: &Design) -> String {
    if !design.has_registers() {
        return "
  initial begin
    repeat (8) @(posedge running_clock);
    resetting <= 1'b0;
    repeat (4) @(posedge running_clock);
    going <= 1'b1;
  end
"
        .to_owned();
    }
    let uart = design.card().and_then(|card| card.uart);
    let Some(uart) = uart else {
        let bits = width_of(design, "s_axil_araddr");
        let hash = design.geometry_hash();
        return format!(
            "
  task read_register(input [{high}:0] address, input [31:0] expected);
    begin
      s_axil_araddr <= address;
      s_axil_arvalid <= 1'b1;
      s_axil_rready <= 1'b1;
      @(posedge running_clock);
      while (!s_axil_arready) @(posedge running_clock);
      s_axil_arvalid <= 1'b0;
      while (!s_axil_rvalid) @(posedge running_clock);
      s_axil_rready <= 1'b0;
      if (s_axil_rdata !== expected || s_axil_rresp !== 2'd0) begin
        $display(\"register 0x%0h: 0x%h, expected 0x%h\", address, s_axil_rdata, expected);
        faults = faults + 1;
      end
      @(posedge running_clock);
    end
  endtask

  initial begin
    repeat (8) @(posedge running_clock);
    resetting <= 1'b0;
    repeat (4) @(posedge running_clock);
    read_register({bits}'h0, 32'h{MAGIC:08x});  // magic
    read_register({bits}'h8, 32'h{low:08x});  // geometry hash
    read_register({bits}'hc, 32'h{geometry_high:08x});
    going <= 1'b1;
  end
",
            high = bits - 1,
            low = hash & 0xFFFF_FFFF,
            geometry_high = hash >> 32,
        );
    };
    format!(
        "
  // a read of register 0 over the UART: command, words, address; the answer comes with its highest byte first
  localparam BIT = {bit}; // clocks
  reg [7:0] answered [0:3];
  integer sent_bits, heard_bytes, heard_bits, byte_number;
  reg [7:0] heard;
  task send_byte(input [7:0] value);
    begin
      uart_rx <= 1'b0;
      repeat (BIT) @(posedge running_clock);
      for (sent_bits = 0; sent_bits < 8; sent_bits = sent_bits + 1) begin
        uart_rx <= value[sent_bits];
        repeat (BIT) @(posedge running_clock);
      end
      uart_rx <= 1'b1;
      repeat (BIT) @(posedge running_clock);
    end
  endtask
  initial begin
    for (heard_bytes = 0; heard_bytes < 4; heard_bytes = heard_bytes + 1) begin
      while (resetting || uart_tx !== 1'b0) @(posedge running_clock);
      repeat (BIT / 2) @(posedge running_clock);
      for (heard_bits = 0; heard_bits < 8; heard_bits = heard_bits + 1) begin
        repeat (BIT) @(posedge running_clock);
        heard = {{uart_tx, heard[7:1]}};
      end
      repeat (BIT) @(posedge running_clock);
      answered[heard_bytes] = heard;
    end
    if ({{answered[0], answered[1], answered[2], answered[3]}} !== 32'h{MAGIC:08x}) begin
      $display(\"register 0: 0x%h%h%h%h, expected 0x{MAGIC:08x}\", answered[0], answered[1], answered[2], answered[3]);
      faults = faults + 1;
    end
    going <= 1'b1;
  end
  initial begin
    repeat (40) @(posedge running_clock);
    resetting <= 1'b0;
    repeat (40) @(posedge running_clock);
    for (byte_number = 0; byte_number < 6; byte_number = byte_number + 1)
      send_byte(byte_number == 0 ? 8'h02 : byte_number == 1 ? 8'h01 : 8'h00);
  end
",
        bit = uart.clocks_per_bit,
    )
}

/// A function from a number to a constant of so many bits.
fn table(name: &str, bits: u32, rows: &[String]) -> String {
    let mut text = format!(
        "\n  function [{}:0] {name}(input integer number);\n    case (number)\n",
        bits - 1
    );
    for (number, row) in rows.iter().enumerate() {
        let _ = writeln!(text, "      {number}: {name} = {row};");
    }
    let _ = write!(
        text,
        "      default: {name} = {bits}'d0;\n    endcase\n  endfunction\n"
    );
    text
}

fn digits(hexadecimal: &str) -> &str {
    hexadecimal.trim_start_matches("0x")
}

/// Items in, verdicts out, with pauses on both sides.
fn streams(design: &Design) -> (usize, String) {
    let items = items(design);
    let width = |name| width_of(design, name);
    let (key, user, tag) = (
        width("s_item_tdata"),
        width("s_item_tuser"),
        width("s_item_tid"),
    );
    let verdict = width("m_verdict_tdata");
    let tag_of = |place: usize| place as u64 & (u64::MAX >> (64 - tag.min(64)));
    let asked: Vec<String> = items
        .iter()
        .enumerate()
        .map(|(place, item)| {
            let (tag_value, tuser, data) = (tag_of(place), item.tuser, digits(&item.key));
            format!("{{{tag}'d{tag_value}, {user}'d{tuser}, {key}'h{data}}}")
        })
        .collect();
    let answered: Vec<String> = items
        .iter()
        .enumerate()
        .filter_map(|(place, item)| {
            let data = digits(item.verdict.as_deref()?);
            Some(format!("{{{tag}'d{}, {verdict}'h{data}}}", tag_of(place)))
        })
        .collect();
    let (ready, taken) = match design.has_verdict_queue() {
        true => (
            "    m_verdict_tready <= noise[3] || noise[7];\n",
            " && m_verdict_tready",
        ),
        false => ("", ""),
    };
    let text = format!(
        "{}{}
  integer offered = 0;
  always @(posedge running_clock) begin
{ready}    if (!s_item_tvalid || s_item_tready) begin
      s_item_tvalid <= 1'b0;
      if (going && offered < {count} && noise[0]) begin
        s_item_tvalid <= 1'b1;
        {{s_item_tid, s_item_tuser, s_item_tdata}} <= item(offered);
        offered <= offered + 1;
      end
    end
    if (!resetting && m_verdict_tvalid{taken}) begin
      received <= received + 1;
      if (received >= CHECKS || {{m_verdict_tid, m_verdict_tdata}} !== verdict(received)) begin
        $display(\"verdict %0d: {{tid, tdata}} = 0x%h, expected 0x%h\", received, {{m_verdict_tid, m_verdict_tdata}}, verdict(received));
        faults = faults + 1;
      end
    end
  end
",
        table("item", tag + user + key, &asked),
        table("verdict", tag + verdict, &answered),
        count = items.len(),
    );
    (answered.len(), text)
}

/// The beats of frames: `{tuser, tlast, tkeep, tdata}` as constants, `tkeep` where a beat is more than a byte.
fn beats<'a>(
    packet: Packet,
    frames: impl Iterator<Item = &'a Vec<u8>>,
    sized: bool,
) -> (u32, Vec<String>) {
    let bytes = packet.beat_bytes() as usize;
    let user = if sized { 16 } else { 1 };
    let keep_bits = if bytes == 1 { 0 } else { bytes as u32 };
    let mut rows = Vec::new();
    for frame in frames {
        let last = frame.len().div_ceil(bytes) - 1;
        for (place, beat) in frame.chunks(bytes).enumerate() {
            let data: String = beat
                .iter()
                .rev()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            let keep: String = (0..bytes)
                .rev()
                .map(|byte| if byte < beat.len() { '1' } else { '0' })
                .collect();
            let keep = match keep_bits {
                0 => String::new(),
                bits => format!("{bits}'b{keep}, "),
            };
            let size = if sized { frame.len() } else { 0 };
            rows.push(format!(
                "{{{user}'d{size}, 1'b{}, {keep}{}'h{data}}}",
                u8::from(place == last),
                packet.data_bits()
            ));
        }
    }
    (user + 1 + keep_bits + packet.data_bits(), rows)
}

/// Frames in, frames out, with pauses on both sides.
fn path(design: &Design, packet: Packet) -> (usize, String) {
    let frames = frames(design);
    let (in_bits, asked) = beats(packet, frames.iter().map(|frame| &frame.came), false);
    let left = frames.iter().filter_map(|frame| frame.left.as_ref());
    let (out_bits, answered) = beats(packet, left, true);
    let keep = |side: &str| match packet.beat_bytes() {
        1 => String::new(),
        _ => format!("{side}_frame_tkeep, "),
    };
    let taken = format!(
        "{{m_frame_tuser, m_frame_tlast, {}m_frame_tdata}}",
        keep("m")
    );
    let given = format!(
        "{{s_frame_tuser, s_frame_tlast, {}s_frame_tdata}}",
        keep("s")
    );
    let text = format!(
        "{}{}
  integer offered = 0;
  always @(posedge running_clock) begin
    m_frame_tready <= noise[3] || noise[7];
    if (!s_frame_tvalid || s_frame_tready) begin
      s_frame_tvalid <= 1'b0;
      if (going && offered < {count} && noise[0]) begin
        s_frame_tvalid <= 1'b1;
        {given} <= beat_in(offered);
        offered <= offered + 1;
      end
    end
    if (!resetting && m_frame_tvalid && m_frame_tready) begin
      received <= received + 1;
      if (received >= CHECKS || {taken} !== beat_out(received)) begin
        $display(\"beat %0d: 0x%h, expected 0x%h\", received, {taken}, beat_out(received));
        faults = faults + 1;
      end
    end
  end
",
        table("beat_in", in_bits, &asked),
        table("beat_out", out_bits, &answered),
        count = asked.len(),
    );
    (answered.len(), text)
}

/// A line card between two PHYs: frames in at port 0, out at port 1. RGMII's receivers want the clock 2 ns behind the data, which a behavioural pin does
/// not do: the testbench delays it.
fn line_card(design: &Design) -> String {
    let frames = frames(design);
    let line = |bytes: &[u8]| wire_bytes(bytes);
    let asked: Vec<u8> = frames
        .iter()
        .flat_map(|Passed { came, .. }| line(came))
        .collect();
    let lengths: Vec<String> = frames
        .iter()
        .map(|frame| format!("32'd{}", line(&frame.came).len()))
        .collect();
    let answered: Vec<u8> = frames
        .iter()
        .filter_map(|frame| frame.left.as_deref())
        .flat_map(line)
        .collect();
    let rows = |bytes: &[u8]| -> Vec<String> {
        bytes.iter().map(|byte| format!("8'h{byte:02x}")).collect()
    };
    let mut text = head(design, answered.len());
    for OuterPort { port, .. } in outer_ports(design) {
        let range = range(port.width);
        let _ = match (port.direction, port.name.as_str()) {
            (_, "clock") => writeln!(text, "  wire clock = running_clock;"),
            (_, "hold") => writeln!(text, "  wire hold = resetting;"),
            (_, "uart_rx") => writeln!(text, "  reg uart_rx = 1'b1;"),
            (Direction::Input, name) if name.ends_with("_rx_clock") => {
                writeln!(text, "  reg {name} = 1'b0;")
            }
            // a line that is up, 1 Gb/s, full duplex, says so between frames
            (Direction::Input, name) if name.ends_with("_rx_data") => {
                writeln!(text, "  reg {range}{name} = 4'hd;")
            }
            (Direction::Output, name) => writeln!(text, "  wire {range}{name};"),
            (Direction::Input, name) => writeln!(text, "  reg {range}{name} = {}'d0;", port.width),
        };
    }
    text += &instance(design);
    text += &registers(design);
    text += &table("byte_in", 8, &rows(&asked));
    text += &table("frame_bytes", 32, &lengths);
    text += &table("byte_out", 8, &rows(&answered));
    text += &format!(
        "
  // the PHYs' clocks: of the card's rate, and of a phase of their own; data change 2 of 8 units before an edge
  initial begin
    #3;
    forever begin
      rgmii_0_rx_clock = 1'b1;
      rgmii_1_rx_clock = 1'b1;
      #4;
      rgmii_0_rx_clock = 1'b0;
      rgmii_1_rx_clock = 1'b0;
      #4;
    end
  end

  integer frame_number, byte_place, byte_of_frame;
  reg [7:0] byte_now;
  initial begin
    byte_place = 0;
    while (!going) @(posedge running_clock);
    repeat (200) @(posedge rgmii_0_rx_clock);
    for (frame_number = 0; frame_number < {frames}; frame_number = frame_number + 1) begin
      for (byte_of_frame = 0; byte_of_frame < frame_bytes(frame_number); byte_of_frame = byte_of_frame + 1) begin
        byte_now = byte_in(byte_place);
        byte_place = byte_place + 1;
        @(negedge rgmii_0_rx_clock);
        #2;
        rgmii_0_rx_control = 1'b1;
        rgmii_0_rx_data = byte_now[3:0];
        @(posedge rgmii_0_rx_clock);
        #2;
        rgmii_0_rx_data = byte_now[7:4];
      end
      @(negedge rgmii_0_rx_clock);
      #2;
      rgmii_0_rx_control = 1'b0;
      rgmii_0_rx_data = 4'hd;
      repeat (24) @(posedge rgmii_0_rx_clock);
    end
  end

  // RGMII: the clock is 2 ns behind the data at the receiver
  reg late_clock = 1'b0;
  always @(rgmii_1_tx_clock) late_clock <= #2 rgmii_1_tx_clock;
  reg       control_low = 1'b0;
  reg [3:0] data_low = 4'd0;
  always @(posedge late_clock) begin
    control_low = rgmii_1_tx_control;
    data_low = rgmii_1_tx_data;
  end
  always @(negedge late_clock) begin
    if (going && control_low !== 1'b0) begin
      received = received + 1;
      if (received > CHECKS || {{rgmii_1_tx_control, control_low, rgmii_1_tx_data, data_low}} !== {{2'b11, byte_out(received - 1)}}) begin
        $display(\"byte %0d: 0x%h%h, expected 0x%h\", received - 1, rgmii_1_tx_data, data_low, byte_out(received - 1));
        faults = faults + 1;
      end
    end
  end
endmodule
",
        frames = frames.len(),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::MOST_CLOCKS;
    use crate::Filter;
    use std::path::Path;

    #[test]
    fn a_testbench_waits_until_a_large_memory_is_emptied() {
        let most = |memory_bits: u64| {
            let text = format!(
                "name = \"broad\"\n[filter]\nkind = \"static\"\nmemory_bits = {memory_bits}\nhashes = 4\nhashing = \"independent\"\n\
                 items = 1000\n[key]\nbits = 104\n[memory]\nerase = \"in-place\"\n"
            );
            let filter = Filter::from_text(Path::new("tiny.toml"), text).expect("a filter");
            let text = super::text(filter.design());
            let rest = text.split("clocks > ").nth(1).expect("an end");
            let number = rest.split(')').next().expect("a number");
            number.parse::<u64>().expect("a number")
        };
        assert_eq!(most(1 << 16), MOST_CLOCKS);
        // rows of a bank
        assert!(most(1 << 26) > (1 << 24) + MOST_CLOCKS);
        assert_eq!(most(1 << 31), i32::MAX as u64);
    }
}
