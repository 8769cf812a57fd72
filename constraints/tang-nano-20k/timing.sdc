# Sipeed Tang Nano 20K: made from board.toml, which is where to change it.
create_clock -name oscillator -period 37.037 [get_ports {oscillator}]
