"""LiteX's own uartbone gateware in Migen's simulator, in front of 64 words of memory, at a terminal: PATH.

Its clock is as fast as the simulator is, so that its 100 ms are roughly that.
"""

import os
import select
import sys

from migen import Module, run_simulation

from litex.soc.cores.uart import Stream2Wishbone
from litex.soc.interconnect import wishbone

terminal = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)


class Device(Module):
    def __init__(self):
        self.submodules.bridge = Stream2Wishbone(clk_freq=3000)
        self.submodules.ram = wishbone.SRAM(256, init=[0x424C4D4C, 11, 22, 33])
        self.comb += self.bridge.wishbone.connect(self.ram.bus)


def bytes_of_the_host(bridge):
    """Hands the terminal's bytes to the bridge, one a transfer."""
    while True:
        while not select.select([terminal], [], [], 0)[0]:
            yield
        for byte in os.read(terminal, 64):
            yield bridge.sink.data.eq(byte)
            yield bridge.sink.valid.eq(1)
            yield
            while not (yield bridge.sink.ready):
                yield
            yield bridge.sink.valid.eq(0)


def bytes_of_the_bridge(bridge):
    yield bridge.source.ready.eq(1)
    while True:
        if (yield bridge.source.valid):
            os.write(terminal, bytes([(yield bridge.source.data)]))
        yield


device = Device()
print("ready", flush=True)
run_simulation(device, [bytes_of_the_host(device.bridge), bytes_of_the_bridge(device.bridge)])
