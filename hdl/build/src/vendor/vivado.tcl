# @NAME@ by Vivado, out of context, for @PART@:
#   vivado -mode batch -source @NAME@_vivado.tcl
# Reports, a checkpoint and summary.json come to the folder `vivado`. Exit 1: timing is not met, or a step failed.

set folder [file dirname [file normalize [info script]]]
set out [file join $folder vivado]
file mkdir $out

read_verilog [file join $folder @NAME@.v]
read_xdc -mode out_of_context [file join $folder constraints @NAME@.xdc]
synth_design -top @TOP@ -part @PART@ -mode out_of_context
opt_design
place_design
phys_opt_design
route_design

write_checkpoint -force [file join $out @NAME@.dcp]
report_timing_summary -file [file join $out timing.rpt]
report_utilization -file [file join $out utilization.rpt]
report_utilization -hierarchical -file [file join $out hierarchy.rpt]

# The number in the column `Used` of the first row of a report that begins with one of these names; -1 where there is none.
proc used {report names} {
    foreach line [split $report "\n"] {
        set cells [split $line "|"]
        if {[llength $cells] < 3} continue
        set name [string trimright [string trim [lindex $cells 1]] "*"]
        if {[lsearch -exact $names $name] >= 0} {
            return [string trim [lindex $cells 2]]
        }
    }
    return -1
}

set report [report_utilization -return_string]
set path [lindex [get_timing_paths -setup -max_paths 1 -nworst 1] 0]
set slack [get_property SLACK $path]
set hold [get_property SLACK [lindex [get_timing_paths -hold -max_paths 1 -nworst 1] 0]]
set period [get_property PERIOD [lindex [get_clocks] 0]]
set fmax [expr {1000.0 / ($period - $slack)}]

set file [open [file join $out summary.json] w]
puts $file "{"
puts $file "  \"name\": \"@NAME@\", \"part\": \"@PART@\","
puts $file "  \"lut\": [used $report {"Slice LUTs" "CLB LUTs"}],"
puts $file "  \"ff\": [used $report {"Slice Registers" "CLB Registers" "Register as Flip Flop"}],"
puts $file "  \"bram36\": [used $report {"Block RAM Tile"}],"
puts $file "  \"dsp\": [used $report {"DSPs"}],"
puts $file "  \"setup_slack_ns\": $slack, \"hold_slack_ns\": $hold, \"fmax_mhz\": [format %.2f $fmax]"
puts $file "}"
close $file
puts "@NAME@: setup slack $slack ns, hold slack $hold ns, [format %.1f $fmax] MHz; see [file join $out summary.json]"
if {$slack < 0 || $hold < 0} {
    puts "timing is not met: the worst paths are in [file join $out timing.rpt]"
    exit 1
}
