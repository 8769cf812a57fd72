//! `component.xml`: the design as an IP-XACT component of IEEE 1685-2014.

use bloomline_spec::outer_port_doc;
use bloomline_spec::ports::{design_name, outer_ports, Direction, OuterPort};
use bloomline_spec::{Access, Design, Register, ResetName};

/// A bus interface: its name, its type of bus, whether the design is asked, and its ports by their logical names.
struct Bus {
    name: String,
    kind: &'static str,
    is_slave: bool,
    pins: Vec<(String, String)>,
}

/// The text of `component.xml`.
pub fn text(design: &Design) -> String {
    let name = design.name();
    let ports = outer_ports(design);
    let buses: String = buses(design, &ports).iter().map(bus_text).collect();
    let port_texts: String = ports.iter().map(|outer| port_text(design, outer)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<ipxact:component xmlns:ipxact=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:schemaLocation=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014 http://www.accellera.org/XMLSchema/IPXACT/1685-2014/index.xsd\">
  <ipxact:vendor>bloomline</ipxact:vendor>
  <ipxact:library>filters</ipxact:library>
  <ipxact:name>{name}</ipxact:name>
  <ipxact:version>{version}</ipxact:version>
  <ipxact:busInterfaces>
{buses}  </ipxact:busInterfaces>
{map}  <ipxact:model>
    <ipxact:views>
      <ipxact:view>
        <ipxact:name>rtl</ipxact:name>
        <ipxact:componentInstantiationRef>verilog</ipxact:componentInstantiationRef>
      </ipxact:view>
    </ipxact:views>
    <ipxact:instantiations>
      <ipxact:componentInstantiation>
        <ipxact:name>verilog</ipxact:name>
        <ipxact:language>verilog</ipxact:language>
        <ipxact:moduleName>{top}</ipxact:moduleName>
        <ipxact:fileSetRef>
          <ipxact:localName>rtl</ipxact:localName>
        </ipxact:fileSetRef>
      </ipxact:componentInstantiation>
    </ipxact:instantiations>
    <ipxact:ports>
{port_texts}    </ipxact:ports>
  </ipxact:model>
  <ipxact:fileSets>
    <ipxact:fileSet>
      <ipxact:name>rtl</ipxact:name>
      <ipxact:file>
        <ipxact:name>{name}.v</ipxact:name>
        <ipxact:fileType>verilogSource</ipxact:fileType>
      </ipxact:file>
    </ipxact:fileSet>
  </ipxact:fileSets>
  <ipxact:description>Filter {name}, geometry hash 0x{hash:016x}</ipxact:description>
</ipxact:component>
",
        version = env!("CARGO_PKG_VERSION"),
        top = design_name(design),
        hash = design.geometry_hash(),
        map = memory_map(design),
    )
}

fn buses(design: &Design, ports: &[OuterPort]) -> Vec<Bus> {
    const STREAMS: [(&str, &str, bool); 5] = [
        ("s_item", "interface:axis", true),
        ("m_verdict", "interface:axis", false),
        ("s_frame", "interface:axis", true),
        ("m_frame", "interface:axis", false),
        ("s_axil", "interface:aximm", true),
    ];
    let interface = design.interface();
    let single = |name: &str, kind, pin: &str| Bus {
        name: name.to_owned(),
        kind,
        is_slave: true,
        pins: vec![(pin.to_owned(), name.to_owned())],
    };
    let (clock, reset) = match design.line_card() {
        Some(_) => ("clock", "hold"),
        None => (interface.clock.word(), interface.reset.word()),
    };
    let mut buses = vec![
        single(clock, "signal:clock", "CLK"),
        single(reset, "signal:reset", "RST"),
    ];
    for (name, kind, is_slave) in STREAMS {
        let pins = ports.iter().filter_map(|outer| {
            let member = outer.port.name.strip_prefix(name)?.strip_prefix('_')?;
            Some((member.to_uppercase(), outer.port.name.clone()))
        });
        let pins: Vec<_> = pins.collect();
        if !pins.is_empty() {
            let name = name.to_owned();
            buses.push(Bus {
                name,
                kind,
                is_slave,
                pins,
            });
        }
    }
    buses
}

fn bus_text(bus: &Bus) -> String {
    let (library, kind) = bus.kind.split_once(':').unwrap_or(("interface", bus.kind));
    let pins: String = bus
        .pins
        .iter()
        .map(|(logical, physical)| {
            format!(
                "            <ipxact:portMap>
              <ipxact:logicalPort><ipxact:name>{logical}</ipxact:name></ipxact:logicalPort>
              <ipxact:physicalPort><ipxact:name>{physical}</ipxact:name></ipxact:physicalPort>
            </ipxact:portMap>
"
            )
        })
        .collect();
    let side = match (bus.name.as_str(), bus.is_slave) {
        ("s_axil", _) => {
            "<ipxact:slave><ipxact:memoryMapRef memoryMapRef=\"registers\"/></ipxact:slave>"
        }
        (_, true) => "<ipxact:slave/>",
        (_, false) => "<ipxact:master/>",
    };
    let polarity = match bus.name.as_str() {
        name if bus.kind == "signal:reset" => {
            let level = match name == ResetName::Aresetn.word() {
                true => "ACTIVE_LOW",
                false => "ACTIVE_HIGH",
            };
            format!(
                "      <ipxact:parameters>
        <ipxact:parameter parameterId=\"polarity\"><ipxact:name>POLARITY</ipxact:name><ipxact:value>{level}</ipxact:value></ipxact:parameter>
      </ipxact:parameters>
"
            )
        }
        _ => String::new(),
    };
    format!(
        "    <ipxact:busInterface>
      <ipxact:name>{name}</ipxact:name>
      <ipxact:busType vendor=\"xilinx.com\" library=\"{library}\" name=\"{kind}\" version=\"1.0\"/>
      <ipxact:abstractionTypes>
        <ipxact:abstractionType>
          <ipxact:abstractionRef vendor=\"xilinx.com\" library=\"{library}\" name=\"{kind}_rtl\" version=\"1.0\"/>
          <ipxact:portMaps>
{pins}          </ipxact:portMaps>
        </ipxact:abstractionType>
      </ipxact:abstractionTypes>
      {side}
{polarity}    </ipxact:busInterface>
",
        name = bus.name,
    )
}

fn port_text(design: &Design, outer: &OuterPort) -> String {
    let port = &outer.port;
    let direction = match port.direction {
        Direction::Input => "in",
        Direction::Output => "out",
    };
    let vector = match port.width {
        1 => String::new(),
        width => format!(
            "
          <ipxact:vectors>
            <ipxact:vector><ipxact:left>{}</ipxact:left><ipxact:right>0</ipxact:right></ipxact:vector>
          </ipxact:vectors>",
            width - 1
        ),
    };
    format!(
        "      <ipxact:port>
        <ipxact:name>{}</ipxact:name>
        <ipxact:description>{}</ipxact:description>
        <ipxact:wire>
          <ipxact:direction>{direction}</ipxact:direction>{vector}
        </ipxact:wire>
      </ipxact:port>
",
        port.name,
        escaped(&outer_port_doc(design, outer).unwrap_or_default()),
    )
}

/// One address block with every register of the map.
fn memory_map(design: &Design) -> String {
    if !design.has_registers() {
        return String::new();
    }
    let map = design.register_map();
    let registers: String = map
        .blocks
        .iter()
        .flat_map(|block| {
            block
                .registers
                .iter()
                .map(move |register| (block, register))
        })
        .map(|(block, register)| {
            let name = format!("{}_{}", block.name.to_uppercase(), register.name);
            register_text(&name, register)
        })
        .collect();
    format!(
        "  <ipxact:memoryMaps>
    <ipxact:memoryMap>
      <ipxact:name>registers</ipxact:name>
      <ipxact:addressBlock>
        <ipxact:name>registers</ipxact:name>
        <ipxact:baseAddress>0</ipxact:baseAddress>
        <ipxact:range>{}</ipxact:range>
        <ipxact:width>32</ipxact:width>
        <ipxact:usage>register</ipxact:usage>
{registers}      </ipxact:addressBlock>
      <ipxact:addressUnitBits>8</ipxact:addressUnitBits>
    </ipxact:memoryMap>
  </ipxact:memoryMaps>
",
        1u64 << map.address_bits
    )
}

fn register_text(name: &str, register: &Register) -> String {
    let access = match register.access {
        Access::Constant | Access::ReadOnly => "read-only",
        Access::ReadWrite => "read-write",
        Access::WritePulse | Access::WriteOnly => "write-only",
    };
    let is_volatile = register.access == Access::ReadOnly;
    let whole = ("value", 0, register.width, "");
    let named = register
        .fields
        .iter()
        .map(|field| (field.name, field.lowest_bit, field.width, field.doc));
    let fields: Vec<_> = match register.fields.is_empty() {
        true => vec![whole],
        false => named.collect(),
    };
    let fields: String = fields
        .into_iter()
        .map(|(name, lowest, width, doc)| {
            let reset = register.reset.map_or(String::new(), |value| {
                let value = value >> lowest & (u32::MAX >> (32 - width));
                format!(
                    "
            <ipxact:resets><ipxact:reset><ipxact:value>{value}</ipxact:value></ipxact:reset></ipxact:resets>"
                )
            });
            let doc = match doc {
                "" => String::new(),
                doc => format!("\n            <ipxact:description>{}</ipxact:description>", escaped(doc)),
            };
            format!(
                "          <ipxact:field>
            <ipxact:name>{name}</ipxact:name>{doc}
            <ipxact:bitOffset>{lowest}</ipxact:bitOffset>{reset}
            <ipxact:bitWidth>{width}</ipxact:bitWidth>
            <ipxact:volatile>{is_volatile}</ipxact:volatile>
            <ipxact:access>{access}</ipxact:access>
          </ipxact:field>
"
            )
        })
        .collect();
    format!(
        "        <ipxact:register>
          <ipxact:name>{name}</ipxact:name>
          <ipxact:description>{doc}</ipxact:description>
          <ipxact:addressOffset>{offset}</ipxact:addressOffset>
          <ipxact:size>32</ipxact:size>
          <ipxact:volatile>{is_volatile}</ipxact:volatile>
          <ipxact:access>{access}</ipxact:access>
{fields}        </ipxact:register>
",
        doc = escaped(register.doc),
        offset = register.offset,
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
