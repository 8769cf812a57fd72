# Sources of the 250 MHz box. The shell's script/build.tcl runs this in the plugin's folder, and adds box_250mhz to the folders
# of include files itself.
read_verilog -quiet -sv [glob *.sv]
read_verilog -quiet [glob *_path.v]
foreach module {bloomline_axil_crossing bloomline_reset} {
    read_xdc -unmanaged -ref $module $module.xdc
}
