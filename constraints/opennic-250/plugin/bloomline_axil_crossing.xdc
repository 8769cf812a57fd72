# Delays between the two clocks of bloomline_axil_crossing, read for every instance of it (read_xdc -ref).
#
# 4 ns is a clock of axis_aclk. Toggles pass two registers, so what is held has two clocks of the taking side to arrive; each path
# is bound to one, with which the order of toggle and data stays what the simulation shows.
set_max_delay -datapath_only 4.000 \
    -from [get_cells {request_reg held_write_reg held_address_reg[*] held_data_reg[*]}] \
    -to   [get_cells {request_sync_reg[0] address_reg[*] m_axil_wdata_reg[*] m_axil_awvalid_reg m_axil_wvalid_reg m_axil_arvalid_reg}]
set_max_delay -datapath_only 4.000 \
    -from [get_cells {answered_reg answer_data_reg[*] answer_response_reg[*]}] \
    -to   [get_cells {answered_sync_reg[0] s_axil_rdata_reg[*] response_reg[*]}]
