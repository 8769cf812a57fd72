use super::top::top;
use bloomline_spec::Common;

/// The FuseSoC core description (CAPI2) of an emitted filter or card; `description` is one line.
pub fn text(common: &Common, description: &str) -> String {
    let name = common.name();
    let top = top(common);
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "CAPI=2:
name: bloomline:filters:{name}:{version}
description: {description}

filesets:
  rtl:
    files:
      - {name}.v
    file_type: verilogSource
  documentation:
    files:
      - registers.md
      - registers.rdl
      - manifest.json
    file_type: user

targets:
  default: &default
    filesets: [rtl]
    toplevel: {top}
  lint:
    <<: *default
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
"
    )
}
