# Delay between the two clocks of bloomline_reset, read for every instance of it (read_xdc -ref).
set_max_delay -datapath_only 4.000 -from [get_cells axil_reset_reg] -to [get_cells {axis_reset_sync_reg[0]}]
