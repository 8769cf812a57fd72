"""Reads and writes registers over a serial line with LiteX's CommUART: PATH ADDRESS_WRITTEN VALUE; prints one number a line."""

import sys

from litex.tools.remote.comm_uart import CommUART

path = sys.argv[1]
address, value = (int(word, 0) for word in sys.argv[2:])
comm = CommUART(path, baudrate=115200)
comm.open()
print(comm.read(0))
comm.write(address, value)
print(comm.read(address))
for word in comm.read(0, length=5):
    print(word)
comm.close()
