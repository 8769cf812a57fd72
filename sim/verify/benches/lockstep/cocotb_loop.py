"""The usual cocotb loop around the filter: it drives the items, counts the verdicts and checks nothing.

Environment: KEYS, a file of keys (two 64-bit words each); ITEMS, their number. Prints clocks, seconds and verdicts.
"""

import os
import struct
import time

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge


@cocotb.test()
async def items(dut):
    count = int(os.environ["ITEMS"])
    with open(os.environ["KEYS"], "rb") as file:
        words = struct.unpack(f"<{2 * count}Q", file.read(16 * count))
    keys = [low | high << 64 for low, high in zip(words[::2], words[1::2])]
    for name in ("awvalid", "wvalid", "bready", "arvalid", "rready", "awaddr", "wdata", "wstrb", "araddr"):
        getattr(dut, "s_axil_" + name).value = 0
    dut.reset.value = 0
    dut.m_verdict_tready.value = 1
    dut.s_item_tuser.value = 2
    dut.s_item_tvalid.value = 0
    cocotb.start_soon(Clock(dut.clock, 10, unit="ns").start())
    sent = verdicts = clocks = 0
    start = time.perf_counter()
    await FallingEdge(dut.clock)
    while verdicts < count:
        if sent < count:
            dut.s_item_tvalid.value = 1
            dut.s_item_tdata.value = keys[sent]
            dut.s_item_tid.value = sent & 0xFFFF
        else:
            dut.s_item_tvalid.value = 0
        ready = sent < count and int(dut.s_item_tready.value)
        verdicts += int(dut.m_verdict_tvalid.value)
        await FallingEdge(dut.clock)
        sent += ready
        clocks += 1
    print(f"RESULT {clocks} {time.perf_counter() - start:.6f} {verdicts}", flush=True)
