//! The pins of a packet path.

use crate::verilator::{Design, Port, VerilatorError};
use bloomline_spec::Common;

/// Bits of `m_frame_tuser`, the bytes of the frame that leaves.
const LENGTH_BITS: usize = 16;

/// Every port of `<name>_path` but the clock; none for a filter without a packet path.
pub fn path_ports(common: &Common) -> Vec<Port> {
    let Some(packet) = common.packet() else {
        return Vec::new();
    };
    let (data, keep) = (packet.data_bits() as usize, packet.beat_bytes() as usize);
    let address = common.map_address_bits() as usize;
    let mut ports = vec![
        Port::input("reset", 1),
        Port::input("s_frame_tvalid", 1),
        Port::output("s_frame_tready", 1),
        Port::input("s_frame_tdata", data),
        Port::input("s_frame_tkeep", keep),
        Port::input("s_frame_tlast", 1),
        Port::input("s_frame_tuser", 1),
        Port::output("m_frame_tvalid", 1),
        Port::input("m_frame_tready", 1),
        Port::output("m_frame_tdata", data),
        Port::output("m_frame_tkeep", keep),
        Port::output("m_frame_tlast", 1),
        Port::output("m_frame_tuser", LENGTH_BITS),
    ];
    if keep == 1 {
        ports.retain(|port| !port.name.ends_with("tkeep"));
    }
    if common.card().is_some_and(|card| card.uart.is_some()) {
        ports.push(Port::input("uart_rx", 1));
        ports.push(Port::output("uart_tx", 1));
        return ports;
    }
    ports.extend([
        Port::input("s_axil_awvalid", 1),
        Port::output("s_axil_awready", 1),
        Port::input("s_axil_awaddr", address),
        Port::input("s_axil_wvalid", 1),
        Port::output("s_axil_wready", 1),
        Port::input("s_axil_wdata", 32),
        Port::input("s_axil_wstrb", 4),
        Port::output("s_axil_bvalid", 1),
        Port::input("s_axil_bready", 1),
        Port::output("s_axil_bresp", 2),
        Port::input("s_axil_arvalid", 1),
        Port::output("s_axil_arready", 1),
        Port::input("s_axil_araddr", address),
        Port::output("s_axil_rvalid", 1),
        Port::input("s_axil_rready", 1),
        Port::output("s_axil_rdata", 32),
        Port::output("s_axil_rresp", 2),
    ]);
    ports
}

/// The ports of a packet path around a text.
pub fn path_design(common: &Common, sources: Vec<(String, String)>) -> Design {
    Design {
        top: format!("{}_path", common.name()),
        clock: Some("clock".into()),
        sources,
        ports: path_ports(common),
    }
}

/// Where a port stands in the packed inputs or outputs.
pub(super) type Place = usize;

/// The places of the frames' ports.
#[derive(Debug, Clone, Copy)]
pub(super) struct FramePins {
    pub reset: Place,
    pub s_valid: Place,
    pub s_ready: Place,
    pub s_data: Place,
    pub s_keep: Option<Place>,
    pub s_last: Place,
    pub s_user: Place,
    pub m_valid: Place,
    pub m_ready: Place,
    pub m_data: Place,
    pub m_keep: Option<Place>,
    pub m_last: Place,
    pub m_user: Place,
    pub uart_rx: Option<Place>,
}

impl FramePins {
    pub fn of(design: &Design) -> Result<FramePins, VerilatorError> {
        let at = |port| design.place(port);
        Ok(FramePins {
            reset: at("reset")?,
            s_valid: at("s_frame_tvalid")?,
            s_ready: at("s_frame_tready")?,
            s_data: at("s_frame_tdata")?,
            s_keep: design.word_of("s_frame_tkeep"),
            s_last: at("s_frame_tlast")?,
            s_user: at("s_frame_tuser")?,
            m_valid: at("m_frame_tvalid")?,
            m_ready: at("m_frame_tready")?,
            m_data: at("m_frame_tdata")?,
            m_keep: design.word_of("m_frame_tkeep"),
            m_last: at("m_frame_tlast")?,
            m_user: at("m_frame_tuser")?,
            uart_rx: design.word_of("uart_rx"),
        })
    }
}

/// The places of the registers' ports.
#[derive(Debug, Clone, Copy)]
pub(super) struct BusPins {
    pub aw_valid: Place,
    pub aw_ready: Place,
    pub aw_address: Place,
    pub w_valid: Place,
    pub w_ready: Place,
    pub w_data: Place,
    pub w_strobes: Place,
    pub b_valid: Place,
    pub b_ready: Place,
    pub b_response: Place,
    pub ar_valid: Place,
    pub ar_ready: Place,
    pub ar_address: Place,
    pub r_valid: Place,
    pub r_ready: Place,
    pub r_data: Place,
    pub r_response: Place,
}

impl BusPins {
    /// `None` where the registers are behind a UART.
    pub fn of(design: &Design) -> Result<Option<BusPins>, VerilatorError> {
        if design.word_of("s_axil_awvalid").is_none() {
            return Ok(None);
        }
        let at = |port| design.place(port);
        Ok(Some(BusPins {
            aw_valid: at("s_axil_awvalid")?,
            aw_ready: at("s_axil_awready")?,
            aw_address: at("s_axil_awaddr")?,
            w_valid: at("s_axil_wvalid")?,
            w_ready: at("s_axil_wready")?,
            w_data: at("s_axil_wdata")?,
            w_strobes: at("s_axil_wstrb")?,
            b_valid: at("s_axil_bvalid")?,
            b_ready: at("s_axil_bready")?,
            b_response: at("s_axil_bresp")?,
            ar_valid: at("s_axil_arvalid")?,
            ar_ready: at("s_axil_arready")?,
            ar_address: at("s_axil_araddr")?,
            r_valid: at("s_axil_rvalid")?,
            r_ready: at("s_axil_rready")?,
            r_data: at("s_axil_rdata")?,
            r_response: at("s_axil_rresp")?,
        }))
    }
}

/// Bit 0 of a word of the outputs.
pub(super) fn shows(outputs: &[u64], place: Place) -> bool {
    outputs[place] & 1 == 1
}
