use super::axi_lite::AxiLite;
use super::ports::Outputs;
use super::verdict_queue::Verdict;

/// The output ports: the item stream's ready, the verdict stream and the AXI4-Lite slave.
pub(crate) fn outputs(ready: bool, verdict: Option<Verdict>, axi: &AxiLite) -> Outputs {
    let write_response = axi.write_response();
    let read_response = axi.read_response();
    Outputs {
        s_item_tready: ready,
        m_verdict_tvalid: verdict.is_some(),
        m_verdict_tdata: verdict.map(|verdict| verdict.data),
        m_verdict_tid: verdict.map(|verdict| verdict.tag),
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
