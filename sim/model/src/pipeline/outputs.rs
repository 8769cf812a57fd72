use super::axi_lite::AxiLite;
use super::ports::Outputs;
use super::verdict_queue::VerdictQueue;

/// The output ports: the item stream's ready, the verdict stream and the AXI4-Lite slave.
pub(crate) fn outputs(ready: bool, queue: &VerdictQueue, axi: &AxiLite) -> Outputs {
    let valid = queue.valid();
    let verdict = queue.output();
    let write_response = axi.write_response();
    let read_response = axi.read_response();
    Outputs {
        s_item_tready: ready,
        m_verdict_tvalid: valid,
        m_verdict_tdata: valid.then_some(verdict.data),
        m_verdict_tid: valid.then_some(verdict.tag),
        s_axil_awready: axi.write_ready(),
        s_axil_wready: axi.write_ready(),
        s_axil_bvalid: write_response.is_some(),
        s_axil_bresp: write_response.map(|response| response as u8),
        s_axil_arready: axi.read_ready(),
        s_axil_rvalid: read_response.is_some(),
        s_axil_rdata: read_response.map(|read| read.data),
        s_axil_rresp: read_response.map(|read| read.response as u8),
    }
}
