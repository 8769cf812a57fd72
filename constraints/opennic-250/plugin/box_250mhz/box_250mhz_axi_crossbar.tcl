# The shell's build reads this file. There is nothing to make: box_250mhz_address_map.v needs no crossbar of the vendor's.
