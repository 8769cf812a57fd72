"""Probes a bridge over UDP with LiteX's CommUDP, reads and writes: PORT ADDRESS_WRITTEN VALUE; prints one number a line."""

import socket
import sys

from litex.tools.remote.comm_udp import CommUDP

port, address, value = (int(word, 0) for word in sys.argv[1:])
comm = CommUDP(server="127.0.0.1", port=port)
# CommUDP.open() takes the bridge's own port, which on one machine is taken.
comm.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
comm.socket.bind(("127.0.0.1", 0))
comm.socket.settimeout(2.0)
print(comm.probe("127.0.0.1", port))
print(comm.read(0))
comm.write(address, value)
print(comm.read(address))
for word in comm.read(0, length=5):
    print(word)
comm.close()
