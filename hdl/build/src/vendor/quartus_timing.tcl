# The worst setup and hold slack of the project @NAME@, for @NAME@_quartus.tcl, which runs it by quartus_sta.

project_open @NAME@
create_timing_netlist
read_sdc
update_timing_netlist

proc worst {kind} {
    foreach_in_collection path [get_timing_paths $kind -npaths 1] {
        return [get_path_info $path -slack]
    }
    return 0
}

puts "setup_slack_ns [worst -setup] hold_slack_ns [worst -hold]"
delete_timing_netlist
project_close
