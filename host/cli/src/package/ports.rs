use bloomline_spec::FilterKind;

/// What a port of the top module carries, by its name; `None` for a name that neither filter nor card has. `removes` where the
/// filter has that operation.
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
        _ => return None,
    })
}
