use crate::design::Design;
use crate::ports::{Direction, OuterPort};
use crate::ResetName;

/// What a port of the shipped module carries, with what its padding holds; `None` as of [`port_doc`].
pub fn outer_port_doc(design: &Design, outer: &OuterPort) -> Option<String> {
    let Some(inner) = &outer.inner else {
        return Some("registers: protection bits of the address, ignored".to_owned());
    };
    if inner.name == "reset" {
        let active = match design.interface().reset {
            ResetName::Reset => "high",
            ResetName::Aresetn => "low",
        };
        let effect = match (design.has_registers(), design.is_keyed()) {
            (false, _) => "",
            (true, false) => ", zeroes the counters, restores the registers",
            (true, true) => {
                ", zeroes the counters, restores the registers but for the secret of the hash"
            }
        };
        return Some(format!(
            "synchronous, active {active}; empties the filter{effect}"
        ));
    }
    let doc = port_doc(design, &inner.name)?;
    let (least, most) = (inner.width, outer.port.width - 1);
    let bits = if least == most {
        format!("bit {most}")
    } else {
        format!("bits {most} to {least}")
    };
    Some(match (outer.padding_bits(), outer.port.direction) {
        (0, _) => doc.to_owned(),
        (_, Direction::Input) => format!("{doc}; {bits}: padding to whole bytes, ignored"),
        (_, Direction::Output) => format!("{doc}; {bits}: padding to whole bytes, 0"),
    })
}

/// What a port of a design's top module carries, by its name; `None` for a name that neither filter, card, packet path nor line card
/// has.
pub fn port_doc(design: &Design, name: &str) -> Option<&'static str> {
    Some(match name {
        "clock" => "everything acts on the rising edge",
        "reset" => "synchronous, active high; empties the filter, zeroes the counters, restores the registers",
        "s_item_tvalid" => "item stream (AXI4-Stream): an item is offered",
        "s_item_tready" => "item stream: the item is taken in this clock if it is offered",
        "s_item_tdata" => "key; key bit 0 is tdata[0]",
        "s_item_tuser" => design.operation_doc(),
        "s_item_tid" => "tag, returned with the verdict",
        "m_verdict_tvalid" if !design.has_verdict_queue() => {
            "verdict stream (AXI4-Stream without tready), in the order of the items: each verdict is there for one clock and must be taken in it; a plain insert has no verdict"
        }
        "m_verdict_tvalid" => "verdict stream (AXI4-Stream), in the order of the items; a plain insert has no verdict",
        "m_verdict_tready" => "verdict stream: the verdict is taken in this clock if it is offered",
        "m_verdict_tdata" => design.verdict_doc(),
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

#[cfg(test)]
mod tests {
    use super::{outer_port_doc, port_doc};
    use crate::ports::{card_ports, filter_ports, line_card_ports, outer_ports, path_ports};
    use crate::{
        FilterSpec, SpecError, CARD_EXAMPLES, CELL_EXAMPLES, CUCKOO_EXAMPLES, EXAMPLES,
        LINECARD_EXAMPLES, PACKET_EXAMPLES, SCHEME_EXAMPLES, SLIDING_EXAMPLES,
    };
    use std::path::Path;

    #[test]
    fn every_port_is_explained() {
        let examples = [
            EXAMPLES,
            CELL_EXAMPLES,
            SCHEME_EXAMPLES,
            SLIDING_EXAMPLES,
            CUCKOO_EXAMPLES,
            CARD_EXAMPLES,
            PACKET_EXAMPLES,
            LINECARD_EXAMPLES,
        ];
        for (file, text) in examples.into_iter().flatten() {
            let spec = FilterSpec::from_toml(text, Path::new(file)).expect("an example");
            let design = spec.design_with::<SpecError>(|sizing, _| Ok(sizing.half_bits() / 2));
            let design = design.expect("an example");
            let mut ports = filter_ports(&design);
            ports.extend(card_ports(&design));
            ports.extend(path_ports(&design));
            ports.extend(line_card_ports());
            for port in ports {
                assert!(
                    port_doc(&design, &port.name).is_some(),
                    "{file}: {}",
                    port.name
                );
            }
            for outer in outer_ports(&design) {
                let doc = outer_port_doc(&design, &outer).expect("a doc");
                assert_eq!(
                    doc.contains("padding"),
                    outer.padding_bits() > 0,
                    "{file}: {doc}"
                );
                if outer.port.name.ends_with("_tdata") {
                    assert_eq!(outer.port.width % 8, 0, "{file}: {}", outer.port.name);
                }
            }
        }
    }

    #[test]
    fn what_reset_and_a_missing_ready_mean_is_said_at_the_ports() {
        let (file, text) = EXAMPLES[0];
        let doc = |edits: &str, name: &str| {
            let text = match edits.contains("[hash]") {
                true => text.replace("family = \"h3-sbox\"", "family = \"siphash\""),
                false => format!("{text}\n{edits}"),
            };
            let spec = FilterSpec::from_toml(&text, Path::new(file)).expect("an example");
            let design = spec.design_with::<SpecError>(|sizing, _| Ok(sizing.half_bits() / 2));
            let design = design.expect("an example");
            let ports = outer_ports(&design);
            let port = ports.iter().find(|outer| outer.port.name == name);
            outer_port_doc(&design, port.expect("a port")).expect("a doc")
        };
        assert!(doc("", "reset").ends_with("restores the registers"));
        assert!(doc("[hash]", "reset").ends_with("but for the secret of the hash"));
        let none = "[features]\nregisters = \"none\"\nverdict_queue = 0\n";
        assert!(doc(none, "reset").ends_with("empties the filter"));
        assert!(doc(none, "m_verdict_tvalid").contains("must be taken"));
        assert!(!doc("", "m_verdict_tvalid").contains("must be taken"));
    }
}
