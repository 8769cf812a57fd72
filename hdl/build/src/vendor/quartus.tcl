# @NAME@ by Quartus Prime for @PART@; every port but the clock is a virtual pin:
#   quartus_sh -t @NAME@_quartus.tcl
# The project and summary.json come to the folder `quartus`. Exit 1: timing is not met, or a step failed.

load_package flow
load_package report

set folder [file dirname [file normalize [info script]]]
set out [file join $folder quartus]
file mkdir $out
cd $out

project_new -overwrite @NAME@
set_global_assignment -name DEVICE @PART@
set_global_assignment -name TOP_LEVEL_ENTITY @TOP@
set_global_assignment -name VERILOG_FILE [file join $folder @NAME@.v]
set_global_assignment -name SDC_FILE [file join $folder constraints @NAME@.sdc]
set_global_assignment -name NUM_PARALLEL_PROCESSORS ALL
foreach port {@PORTS@} {
    set_instance_assignment -name VIRTUAL_PIN ON -to $port
    set_instance_assignment -name VIRTUAL_PIN ON -to "${port}\[*\]"
}
export_assignments
execute_flow -compile

# A number of the fitter's summary, without the part behind `/`; -1 where there is no such row.
proc used {name} {
    set panel "Fitter||Fitter Summary"
    if {[catch {get_report_panel_row $panel -row_name $name} row]} {
        return -1
    }
    return [string map {, ""} [lindex [split [lindex $row 1] " "] 0]]
}

load_report
set alm [used "Logic utilization (in ALMs)"]
set ff [used "Total registers"]
set memory [used "Total block memory bits"]
set ram [used "Total RAM Blocks"]
unload_report
project_close

set code [catch {exec quartus_sta -t [file join $folder @NAME@_quartus_timing.tcl]} said]
puts $said
if {![regexp {setup_slack_ns (-?[0-9.]+) hold_slack_ns (-?[0-9.]+)} $said all slack hold]} {
    puts "the timing analysis gave no slack"
    exit 1
}

set file [open [file join $out summary.json] w]
puts $file "{"
puts $file "  \"name\": \"@NAME@\", \"part\": \"@PART@\","
puts $file "  \"alm\": $alm, \"ff\": $ff, \"memory_bits\": $memory, \"ram_blocks\": $ram,"
puts $file "  \"setup_slack_ns\": $slack, \"hold_slack_ns\": $hold"
puts $file "}"
close $file
puts "@NAME@: setup slack $slack ns, hold slack $hold ns; see [file join $out summary.json]"
if {$slack < 0 || $hold < 0} {
    exit 1
}
