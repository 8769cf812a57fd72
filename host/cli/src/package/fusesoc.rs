use bloomline_spec::Geometry;

/// The FuseSoC core description (CAPI2) of an emitted filter.
pub fn text(geometry: &Geometry) -> String {
    let name = geometry.name();
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "CAPI=2:
name: bloomline:filters:{name}:{version}
description: Recycling Bloom filter, {} bits, {} hashes, {} phases

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
    toplevel: {name}
  lint:
    <<: *default
    default_tool: verilator
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall]
",
        geometry.memory_bits(),
        geometry.hashes(),
        geometry.phases(),
    )
}
