//! `component.xml`: the design as an IP-XACT component of IEEE 1685-2014.

use bloomline_spec::outer_port_doc;
use bloomline_spec::ports::{design_name, outer_ports, Direction, OuterPort};
use bloomline_spec::{Access, Design, Register, ResetName};

/// A bus interface: its name, its type of bus, whether the design is asked, its ports by their logical names, and its parameters, which are
/// those of the attributes `X_INTERFACE_PARAMETER` in the Verilog.
struct Bus {
    name: String,
    kind: &'static str,
    is_slave: bool,
    pins: Vec<(String, String)>,
    parameters: Vec<(&'static str, String)>,
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
    let pin = |logical: &str, physical: &str| (logical.to_owned(), physical.to_owned());
    let interface = design.interface();
    let (clock, reset) = match design.line_card() {
        Some(_) => ("clock", "hold"),
        None => (interface.clock.word(), interface.reset.word()),
    };
    let mut buses = Vec::new();
    for (name, kind, is_slave) in STREAMS {
        let pins = ports.iter().filter_map(|outer| {
            let member = outer.port.name.strip_prefix(name)?.strip_prefix('_')?;
            Some(pin(&member.to_uppercase(), &outer.port.name))
        });
        let pins: Vec<_> = pins.collect();
        if pins.is_empty() {
            continue;
        }
        let parameters = match name {
            "s_axil" => vec![
                ("PROTOCOL", "AXI4LITE".to_owned()),
                ("DATA_WIDTH", "32".to_owned()),
                ("ADDR_WIDTH", design.register_map().address_bits.to_string()),
            ],
            _ => Vec::new(),
        };
        buses.push(Bus {
            name: name.to_owned(),
            kind,
            is_slave,
            pins,
            parameters,
        });
    }
    let clocked: Vec<&str> = buses.iter().map(|bus| bus.name.as_str()).collect();
    let mut of_clock = vec![("ASSOCIATED_RESET", reset.to_owned())];
    if !clocked.is_empty() {
        of_clock.insert(0, ("ASSOCIATED_BUSIF", clocked.join(":")));
    }
    let level = match reset == ResetName::Aresetn.word() {
        true => "ACTIVE_LOW",
        false => "ACTIVE_HIGH",
    };
    if ports.iter().any(|outer| outer.port.name == "uart_rx") {
        buses.push(Bus {
            name: "uart".to_owned(),
            kind: "interface:uart",
            is_slave: false,
            pins: vec![pin("RxD", "uart_rx"), pin("TxD", "uart_tx")],
            parameters: Vec::new(),
        });
    }
    let signals = [
        (clock, "signal:clock", "CLK", of_clock),
        (
            reset,
            "signal:reset",
            "RST",
            vec![("POLARITY", level.to_owned())],
        ),
    ];
    let signals = signals.map(|(name, kind, logical, parameters)| Bus {
        name: name.to_owned(),
        kind,
        is_slave: true,
        pins: vec![pin(logical, name)],
        parameters,
    });
    signals.into_iter().chain(buses).collect()
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
    let parameters: String = bus
        .parameters
        .iter()
        .map(|(parameter, value)| {
            format!(
                "        <ipxact:parameter parameterId=\"{}_{}\"><ipxact:name>{parameter}</ipxact:name><ipxact:value>{value}</ipxact:value></ipxact:parameter>
",
                bus.name,
                parameter.to_lowercase(),
            )
        })
        .collect();
    let parameters = match parameters.is_empty() {
        true => parameters,
        false => format!("      <ipxact:parameters>\n{parameters}      </ipxact:parameters>\n"),
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
{parameters}    </ipxact:busInterface>
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
    let is_volatile = register.is_volatile();
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

#[cfg(test)]
mod tests {
    use crate::Filter;
    use bloomline_spec::EXAMPLES;
    use std::path::Path;

    /// What stands between `before` and the next quotation mark, at each place.
    fn quoted<'a>(text: &'a str, before: &'a str) -> impl Iterator<Item = &'a str> {
        let rests = text.split(before).skip(1);
        rests.filter_map(|rest| rest.split('"').next())
    }

    #[test]
    fn a_word_of_the_array_is_volatile() {
        let (name, text) = EXAMPLES[0];
        let filter = Filter::from_text(Path::new(name), text.to_owned()).expect("an example");
        let xml = super::text(filter.design());
        let register = |name: &str| {
            let begin = format!("<ipxact:name>FILTER_{name}</ipxact:name>");
            let rest = xml.split(&begin).nth(1).expect("it is there");
            rest.split("</ipxact:register>").next().unwrap_or(rest)
        };
        let is_volatile = |name| register(name).contains("<ipxact:volatile>true");
        assert!(is_volatile("ARRAY_DATA") && !is_volatile("ARRAY_ADDRESS"));
    }

    #[test]
    fn interfaces_have_the_parameters_that_the_verilog_gives_them() {
        let axi = "\n[interface]\nclock = \"aclk\"\nreset = \"aresetn\"\n";
        let line = |text: &str| text.contains("ports = \"rgmii\"");
        for (name, text) in EXAMPLES.iter().filter(|(_, text)| !line(text)) {
            for more in ["", axi] {
                let filter = Filter::from_text(Path::new(name), format!("{text}{more}"));
                let package = filter.and_then(|filter| filter.emit()).expect("an example");
                let of = |ending: &str| {
                    let mut files = package.files().iter();
                    let file = files.find(|file| file.name.ends_with(ending));
                    file.expect("it is emitted").text.as_str()
                };
                let (verilog, xml) = (of(".v"), of("component.xml"));
                let mut interfaces: Vec<&str> = quoted(verilog, "X_INTERFACE_INFO = \"")
                    .filter_map(|info| info.split(' ').nth(1))
                    .collect();
                interfaces.dedup();
                for interface in interfaces {
                    let begin =
                        format!("<ipxact:name>{interface}</ipxact:name>\n      <ipxact:busType");
                    assert!(xml.contains(&begin), "{name}: {interface}");
                }
                let parameters: Vec<&str> = quoted(verilog, "X_INTERFACE_PARAMETER = \"")
                    .flat_map(|text| text.split(", "))
                    .filter(|parameter| !parameter.starts_with("XIL_INTERFACENAME"))
                    .collect();
                assert!(parameters.len() >= 3, "{name}: {parameters:?}");
                for parameter in parameters {
                    let (key, value) = parameter.split_once(' ').expect("a value");
                    let said = format!(
                        "<ipxact:name>{key}</ipxact:name><ipxact:value>{value}</ipxact:value>"
                    );
                    assert!(xml.contains(&said), "{name}: {parameter}");
                }
            }
        }
    }
}
