use super::top::top;
use bloomline_spec::Common;

/// The FuseSoC core description (CAPI2, flow API) of an emitted design; `description` is one line.
pub fn text(common: &Common, description: &str) -> String {
    let name = common.name();
    let top = top(common);
    let version = env!("CARGO_PKG_VERSION");
    let registers = match common.has_registers() {
        true => "      - registers.md\n      - registers.rdl\n",
        false => "",
    };
    format!(
        "CAPI=2:
name: bloomline:filters:{name}:{version}
description: {description}

filesets:
  rtl:
    files:
      - {name}.v
    file_type: verilogSource
  testbench:
    files:
      - sim/tb_{name}.v
    file_type: verilogSource
  vivado:
    files:
      - constraints/{name}.xdc: {{file_type: xdc}}
  quartus:
    files:
      - constraints/{name}.sdc: {{file_type: SDC}}
  documentation:
    files:
{registers}      - manifest.json
      - component.xml
    file_type: user

targets:
  default: &default
    description: The Verilog alone, for cores that depend on this one
    filesets: [rtl]
    toplevel: {top}
  lint:
    <<: *default
    description: Lint by Verilator with every warning
    flow: lint
    flow_options:
      tool: verilator
      verilator_options: [-Wall]
  sim:
    description: The self-checking testbench in Icarus Verilog; --tool verilator runs it there
    filesets: [rtl, testbench]
    toplevel: tb_{name}
    flow: sim
    flow_options:
      tool: icarus
      iverilog_options: [-g2012]
      verilator_options: [--binary, --timing]
  synth:
    <<: *default
    description: Synthesis by yosys, for an area on 7 series
    flow: generic
    flow_options:
      tool: yosys
      arch: xilinx
      output_format: json
  synth_vivado:
    description: Synthesis by Vivado, out of context; --part gives another part than this one
    filesets: [rtl, vivado]
    toplevel: {top}
    flow: vivado
    flow_options:
      part: xc7a35tcsg324-1
      pnr: none
  synth_quartus:
    description: Synthesis by Quartus (the flow API has none), for an example of a device
    filesets: [rtl, quartus]
    toplevel: {top}
    default_tool: quartus
    tools:
      quartus:
        family: Cyclone V
        device: 5CEBA4F23C7
"
    )
}
