use bloomline_model::{Direction, Port};
use bloomline_spec::{Common, FilterKind, Packet, LANES};

/// Bits of `m_frame_tuser`, a frame's length.
const LENGTH_BITS: u32 = 16;

/// Every port of a packet path's top module, in the gateware's order: frames in the place of the card's items and verdicts.
pub fn of_path(common: &Common, packet: &Packet) -> Vec<Port> {
    use Direction::{Input, Output};
    let (data, keep) = (packet.data_bits(), packet.beat_bytes());
    let frames = [
        ("s_frame_tvalid", Input, 1),
        ("s_frame_tready", Output, 1),
        ("s_frame_tdata", Input, data),
        ("s_frame_tkeep", Input, keep),
        ("s_frame_tlast", Input, 1),
        ("s_frame_tuser", Input, 1),
        ("m_frame_tvalid", Output, 1),
        ("m_frame_tready", Input, 1),
        ("m_frame_tdata", Output, data),
        ("m_frame_tkeep", Output, keep),
        ("m_frame_tlast", Output, 1),
        ("m_frame_tuser", Output, LENGTH_BITS),
    ];
    let frames = frames
        .into_iter()
        .filter(|(name, _, _)| keep > 1 || !name.ends_with("_tkeep"))
        .map(|(name, direction, width)| Port {
            name,
            direction,
            width,
        });
    let card = bloomline_model::card_ports(common);
    let (ends, others) = card.split_at(2);
    let host = others
        .iter()
        .filter(|port| !port.name.starts_with("s_item_") && !port.name.starts_with("m_verdict_"));
    ends.iter()
        .copied()
        .chain(frames)
        .chain(host.copied())
        .collect()
}

/// Every port of a line card's top module, in the gateware's order.
pub fn of_line_card(common: &Common) -> Vec<Port> {
    use Direction::{Input, Output};
    let port = |(name, direction, width)| Port {
        name,
        direction,
        width,
    };
    let before = [
        ("clock", Input, 1),
        ("hold", Input, 1),
        ("rgmii_0_rx_clock", Input, 1),
        ("rgmii_0_rx_control", Input, 1),
        ("rgmii_0_rx_data", Input, 4),
        ("rgmii_0_tx_clock", Output, 1),
        ("rgmii_0_tx_control", Output, 1),
        ("rgmii_0_tx_data", Output, 4),
        ("rgmii_1_rx_clock", Input, 1),
        ("rgmii_1_rx_control", Input, 1),
        ("rgmii_1_rx_data", Input, 4),
        ("rgmii_1_tx_clock", Output, 1),
        ("rgmii_1_tx_control", Output, 1),
        ("rgmii_1_tx_data", Output, 4),
    ];
    let lanes = LANES as u32;
    let behind = [
        ("link", Output, lanes),
        ("item_taken", Output, lanes),
        ("item_seen", Output, lanes),
    ];
    let card = bloomline_model::card_ports(common);
    let uart = card
        .into_iter()
        .filter(|port| port.name.starts_with("uart_"));
    let before = before.map(port);
    before
        .into_iter()
        .chain(uart)
        .chain(behind.map(port))
        .collect()
}

/// What a port of the top module carries, by its name; `None` for a name that neither filter, card, packet path nor line card
/// has. `removes` where the filter has that operation.
pub fn doc(name: &str, kind: FilterKind, removes: bool) -> Option<&'static str> {
    use FilterKind::{CountMin, Counting, Recycling, Sliding, Static};
    Some(match name {
        "clock" => "everything acts on the rising edge",
        "reset" => "synchronous, active high; empties the filter, zeroes the counters, restores the registers",
        "s_item_tvalid" => "item stream (AXI4-Stream): an item is offered",
        "s_item_tready" => "item stream: the item is taken in this clock if it is offered",
        "s_item_tdata" => "key; key bit 0 is tdata[0]",
        "s_item_tuser" => match kind {
            Counting if removes => "operation: 0 query, 1 insert, 2 test-and-insert, 3 remove",
            CountMin => "bits 1:0 operation: 0 query, 1 insert, 2 test-and-insert (3 acts as 2); above them the amount",
            Counting | Static | Recycling | Sliding => "operation: 0 query, 1 insert, 2 test-and-insert (3 acts as 2)",
        },
        "s_item_tid" => "tag, returned with the verdict",
        "m_verdict_tvalid" => "verdict stream (AXI4-Stream), in the order of the items; a plain insert has no verdict",
        "m_verdict_tready" => "verdict stream: the verdict is taken in this clock if it is offered",
        "m_verdict_tdata" => match kind {
            Static => "seen before this item",
            Counting | CountMin => "bit 0 reached, 1 seen, 2 underflow, 3 saturated, from bit 4 the estimate",
            Sliding => "bit 0 seen, 1 lost: neither seen nor stored",
            Recycling => "bit 0 seen, 1 in_active, 2 in_frozen, 3 tripped",
        },
        "m_verdict_tid" => "tag of the item",
        "s_frame_tvalid" => "frames in (AXI4-Stream), from the destination address on, without preamble and FCS",
        "s_frame_tready" => "frames in: 1 but behind a reset; a frame for which there is no room is dropped whole and counted",
        "s_frame_tdata" => "frames in: a beat, its lowest byte the first on the wire",
        "s_frame_tkeep" => "frames in: valid bytes, the lowest; all but in the last beat",
        "s_frame_tlast" => "frames in: last beat of a frame",
        "s_frame_tuser" => "frames in, with the last beat: the frame is bad",
        "m_frame_tvalid" => "frames out (AXI4-Stream); from a frame's first beat to its last it does not fall",
        "m_frame_tready" => "frames out: the beat is taken in this clock if it is offered",
        "m_frame_tdata" => "frames out: a beat; bytes that are not valid are 0",
        "m_frame_tkeep" => "frames out: valid bytes, the lowest; all but in the last beat",
        "m_frame_tlast" => "frames out: last beat of a frame",
        "m_frame_tuser" => "frames out: bytes of the frame, with each of its beats",
        "s_axil_awvalid" => "registers (AXI4-Lite): a write address is offered",
        "s_axil_awready" => "registers: the write address is taken",
        "s_axil_awaddr" => "registers: byte address of the write",
        "s_axil_wvalid" => "registers: write data are offered",
        "s_axil_wready" => "registers: the write data are taken",
        "s_axil_wdata" => "registers: write data",
        "s_axil_wstrb" => "registers: byte strobes; all four must be set",
        "s_axil_bvalid" => "registers: the answer to a write is offered",
        "s_axil_bready" => "registers: the answer to a write is taken",
        "s_axil_bresp" => "registers: 0 OKAY, 2 SLVERR, 3 DECERR",
        "s_axil_arvalid" => "registers: a read address is offered",
        "s_axil_arready" => "registers: the read address is taken",
        "s_axil_araddr" => "registers: byte address of the read",
        "s_axil_rvalid" => "registers: read data are offered",
        "s_axil_rready" => "registers: the read data are taken",
        "s_axil_rdata" => "registers: read data",
        "s_axil_rresp" => "registers: 0 OKAY, 3 DECERR",
        "uart_rx" => "line from the host: 8 data bits, no parity, one stop bit; of any clock",
        "uart_tx" => "line to the host",
        "hold" => "reset, of any clock or none",
        "rgmii_0_rx_clock" | "rgmii_1_rx_clock" => "clock from the PHY, 125 MHz",
        "rgmii_0_rx_control" | "rgmii_1_rx_control" => "control from the PHY, on both edges of its clock",
        "rgmii_0_rx_data" | "rgmii_1_rx_data" => "data from the PHY, on both edges of its clock",
        "rgmii_0_tx_clock" | "rgmii_1_tx_clock" => "clock to the PHY, 125 MHz",
        "rgmii_0_tx_control" | "rgmii_1_tx_control" => "control to the PHY, on both edges of its clock",
        "rgmii_0_tx_data" | "rgmii_1_tx_data" => "data to the PHY, on both edges of its clock",
        "link" => "bit p: the PHY of port p tells of a link",
        "item_taken" => "bit i: the card took an item of lane i a clock ago",
        "item_seen" => "bit i: a verdict for lane i came a clock ago, and its bit 0 was 1",
        _ => return None,
    })
}
