//! Pin layout of a packet path.

use crate::verilator::{Design, VerilatorError};
use bloomline_spec::ports::path_ports;
use bloomline_spec::Common;

/// The ports of a packet path around a text.
pub fn path_design(common: &Common, sources: Vec<(String, String)>) -> Design {
    let top = format!("{}_path", common.name());
    Design::around(&top, Some("clock"), path_ports(common), sources)
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
        })
    }
}

/// The places of the UART.
#[derive(Debug, Clone, Copy)]
pub(super) struct UartPins {
    pub rx: Place,
    pub tx: Place,
}

impl UartPins {
    pub fn of(design: &Design) -> Result<UartPins, VerilatorError> {
        Ok(UartPins {
            rx: design.place("uart_rx")?,
            tx: design.place("uart_tx")?,
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
    pub fn of(design: &Design) -> Result<BusPins, VerilatorError> {
        let at = |port| design.place(port);
        Ok(BusPins {
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
        })
    }
}

/// Bit 0 of a word of the outputs.
pub(super) fn shows(outputs: &[u64], place: Place) -> bool {
    outputs[place] & 1 == 1
}
