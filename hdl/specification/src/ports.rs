//! Ports of every emitted top module, derived from the specification alone; model, gateware, simulators and board builds use this list.

use crate::registers::ADDRESS_BITS;
use crate::{Common, LANES};
use Direction::{Input, Output};

/// Bits of `m_frame_tuser`: the length in bytes of the frame that leaves.
const FRAME_LENGTH_BITS: u32 = 16;

/// Bits of `awprot` and `arprot`.
const PROTECTION_BITS: u32 = 3;

/// Which way a port points, seen from the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Driven from outside.
    Input,
    /// Driven by the module.
    Output,
}

/// A port of a top module.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Port {
    /// Name in the Verilog.
    pub name: String,
    /// Which way it points.
    pub direction: Direction,
    /// Width in bits.
    pub width: u32,
}

impl Port {
    fn new(name: impl Into<String>, direction: Direction, width: u32) -> Self {
        let name = name.into();
        Self {
            name,
            direction,
            width,
        }
    }

    /// 64-bit words the port takes when packed: every port starts at a new word, wide ones are little-endian.
    pub fn words(&self) -> usize {
        self.width.div_ceil(64) as usize
    }
}

/// Every port of a filter `<name>`, in the gateware's order: those of [`every_filter_port`] that its features leave.
pub fn filter_ports(common: &Common) -> Vec<Port> {
    let mut ports = every_filter_port(common);
    ports.retain(|port| common.has_verdict_queue() || port.name != "m_verdict_tready");
    ports.retain(|port| common.has_registers() || !port.name.starts_with("s_axil_"));
    ports
}

/// Every port that a filter can have, in the gateware's order: the same for every kind of filter, but for the widths. What models pack.
pub fn every_filter_port(common: &Common) -> Vec<Port> {
    let mut ports = vec![Port::new("clock", Input, 1), Port::new("reset", Input, 1)];
    ports.extend(item_ports(common, common.tag_bits()));
    ports.extend(bus_ports(ADDRESS_BITS));
    ports
}

/// Every port of a card `<name>_card`, in the gateware's order.
pub fn card_ports(common: &Common) -> Vec<Port> {
    let mut ports = vec![Port::new("clock", Input, 1), Port::new("reset", Input, 1)];
    ports.extend(item_ports(common, common.stream_tag_bits()));
    ports.extend(host_ports(common));
    ports
}

/// Every port of a packet path `<name>_path`, in the gateware's order; none for a filter without a packet path.
pub fn path_ports(common: &Common) -> Vec<Port> {
    let Some(packet) = common.packet() else {
        return Vec::new();
    };
    let bytes = packet.beat_bytes();
    let mut ports = vec![
        Port::new("clock", Input, 1),
        Port::new("reset", Input, 1),
        Port::new("s_frame_tvalid", Input, 1),
        Port::new("s_frame_tready", Output, 1),
        Port::new("s_frame_tdata", Input, packet.data_bits()),
        Port::new("s_frame_tkeep", Input, bytes),
        Port::new("s_frame_tlast", Input, 1),
        Port::new("s_frame_tuser", Input, 1),
        Port::new("m_frame_tvalid", Output, 1),
        Port::new("m_frame_tready", Input, 1),
        Port::new("m_frame_tdata", Output, packet.data_bits()),
        Port::new("m_frame_tkeep", Output, bytes),
        Port::new("m_frame_tlast", Output, 1),
        Port::new("m_frame_tuser", Output, FRAME_LENGTH_BITS),
    ];
    if bytes == 1 {
        ports.retain(|port| !port.name.ends_with("tkeep"));
    }
    ports.extend(host_ports(common));
    ports
}

/// Every port of a line card `<name>_linecard`; it has several clocks.
pub fn line_card_ports() -> Vec<Port> {
    let mut ports = vec![Port::new("clock", Input, 1), Port::new("hold", Input, 1)];
    for lane in 0..LANES {
        let pins = [
            ("rx_clock", Input, 1),
            ("rx_control", Input, 1),
            ("rx_data", Input, 4),
            ("tx_clock", Output, 1),
            ("tx_control", Output, 1),
            ("tx_data", Output, 4),
        ];
        ports.extend(pins.map(|(pin, direction, width)| {
            Port::new(format!("rgmii_{lane}_{pin}"), direction, width)
        }));
    }
    ports.extend(uart_ports());
    let lanes = LANES as u32;
    ports.extend(["link", "item_taken", "item_seen"].map(|name| Port::new(name, Output, lanes)));
    ports
}

/// The ports of the module that is emitted for a specification: the line card where there are Ethernet ports, else the packet path where there is one, else the card where there is one, else the filter.
pub fn design_ports(common: &Common) -> Vec<Port> {
    match (common.packet(), common.card()) {
        _ if common.line_card().is_some() => line_card_ports(),
        (Some(_), _) => path_ports(common),
        (None, Some(_)) => card_ports(common),
        (None, None) => filter_ports(common),
    }
}

/// A port of the module that is shipped, and the design's own port behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OuterPort {
    /// The port as users of the module see it.
    pub port: Port,
    /// The port of the design; `None` for one that the bus has by its standard and the design has no use for.
    pub inner: Option<Port>,
}

impl OuterPort {
    /// Bits above those of the design's port: zeros of an output, ignored of an input.
    pub fn padding_bits(&self) -> u32 {
        self.inner
            .as_ref()
            .map_or(0, |inner| self.port.width - inner.width)
    }
}

/// Every port of the shipped module, in its order: those of [`design_ports`] with `tdata` in whole bytes, with the protection bits of AXI4-Lite, and
/// with clock and reset called as the specification wants.
pub fn outer_ports(common: &Common) -> Vec<OuterPort> {
    let interface = common.interface();
    let outer = design_ports(common).into_iter().flat_map(|inner| {
        let mut port = inner.clone();
        match inner.name.as_str() {
            "clock" => port.name = interface.clock.to_string(),
            "reset" => port.name = interface.reset.to_string(),
            name if name.ends_with("_tdata") => port.width = port.width.next_multiple_of(8),
            _ => {}
        }
        let channel = inner.name.strip_suffix("addr");
        let protection = channel.map(|channel| OuterPort {
            port: Port::new(format!("{channel}prot"), Input, PROTECTION_BITS),
            inner: None,
        });
        let inner = Some(inner);
        [Some(OuterPort { port, inner }), protection]
    });
    outer.flatten().collect()
}

/// Name of the module that is emitted for a specification, the one with [`design_ports`].
pub fn design_name(common: &Common) -> String {
    let suffix = match (common.packet(), common.card()) {
        _ if common.line_card().is_some() => "_linecard",
        (Some(_), _) => "_path",
        (None, Some(_)) => "_card",
        (None, None) => "",
    };
    format!("{}{suffix}", common.name())
}

/// 64-bit words that the ports take together.
pub fn packed_words(ports: &[Port]) -> usize {
    ports.iter().map(Port::words).sum()
}

/// The item stream in and the verdict stream out.
fn item_ports(common: &Common, tag_bits: u32) -> [Port; 9] {
    [
        Port::new("s_item_tvalid", Input, 1),
        Port::new("s_item_tready", Output, 1),
        Port::new("s_item_tdata", Input, common.key_bits()),
        Port::new("s_item_tuser", Input, common.operation_bits()),
        Port::new("s_item_tid", Input, tag_bits),
        Port::new("m_verdict_tvalid", Output, 1),
        Port::new("m_verdict_tready", Input, 1),
        Port::new("m_verdict_tdata", Output, common.verdict_bits()),
        Port::new("m_verdict_tid", Output, tag_bits),
    ]
}

/// Where a card's host comes in: its UART, or AXI4-Lite.
fn host_ports(common: &Common) -> Vec<Port> {
    if common.card().is_some_and(|card| card.uart.is_some()) {
        uart_ports().to_vec()
    } else {
        bus_ports(common.map_address_bits()).to_vec()
    }
}

fn uart_ports() -> [Port; 2] {
    [
        Port::new("uart_rx", Input, 1),
        Port::new("uart_tx", Output, 1),
    ]
}

/// AXI4-Lite.
fn bus_ports(address_bits: u32) -> [Port; 17] {
    [
        Port::new("s_axil_awvalid", Input, 1),
        Port::new("s_axil_awready", Output, 1),
        Port::new("s_axil_awaddr", Input, address_bits),
        Port::new("s_axil_wvalid", Input, 1),
        Port::new("s_axil_wready", Output, 1),
        Port::new("s_axil_wdata", Input, 32),
        Port::new("s_axil_wstrb", Input, 4),
        Port::new("s_axil_bvalid", Output, 1),
        Port::new("s_axil_bready", Input, 1),
        Port::new("s_axil_bresp", Output, 2),
        Port::new("s_axil_arvalid", Input, 1),
        Port::new("s_axil_arready", Output, 1),
        Port::new("s_axil_araddr", Input, address_bits),
        Port::new("s_axil_rvalid", Output, 1),
        Port::new("s_axil_rready", Input, 1),
        Port::new("s_axil_rdata", Output, 32),
        Port::new("s_axil_rresp", Output, 2),
    ]
}
