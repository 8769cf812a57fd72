"""cocotb test of an emitted packet path: the frames of the manifest leave as it says, with pauses on both sides and after a reset in mid-frame.

Needs cocotb and cocotbext-axi. With cocotb's runner, from this folder:

    from cocotb_tools.runner import get_runner
    runner = get_runner("icarus")
    runner.build(sources=["../NAME.v"], hdl_toplevel="TOP")
    runner.test(hdl_toplevel="TOP", test_module="test_NAME")
"""

import json
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

PATH = os.environ.get("BLOOMLINE_MANIFEST", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../manifest.json"))
with open(PATH, encoding="utf-8") as file:
    MANIFEST = json.load(file)
PORTS = {port["name"] for port in MANIFEST["ports"]}
SEED = int(os.environ.get("BLOOMLINE_SEED", "1"))
MAGIC = 0x424C4D4C


class Bench:
    """The path between the models of cocotbext-axi, after a reset."""

    def __init__(self, dut):
        interface = MANIFEST["interface"]
        self.clock, self.reset = getattr(dut, interface["clock"]), getattr(dut, interface["reset"])
        self.active = interface["reset_active"] == "high"
        ends = {"clock": self.clock, "reset": self.reset, "reset_active_level": self.active}
        self.source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_frame"), **ends)
        self.sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_frame"), **ends)
        self.registers = None
        if "s_axil_awaddr" in PORTS:
            self.registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), **ends)
        else:
            dut.uart_rx.value = 1
        cocotb.start_soon(Clock(self.clock, 4, "step").start())

    async def restart(self):
        self.reset.value = int(self.active)
        await ClockCycles(self.clock, 8)
        self.reset.value = int(not self.active)
        await ClockCycles(self.clock, 4)

    def uneven(self, seed):
        """Random pauses of both streams."""
        for place, end in enumerate((self.source, self.sink)):
            noise = random.Random(2 * seed + place)
            end.set_pause_generator(iter(lambda noise=noise: noise.random() < 0.3, None))

    async def offer(self):
        for frame in MANIFEST["frames"]:
            # tuser 1 would say that the frame is broken
            await self.source.send(AxiStreamFrame(bytes.fromhex(frame["came"]), tuser=0))

    async def play(self):
        await self.offer()
        for place, frame in enumerate(MANIFEST["frames"]):
            if frame["left"] is None:
                continue
            got = bytes((await self.sink.recv()).tdata)
            assert got.hex() == frame["left"], f"frame {place}: {got.hex()}, expected {frame['left']}"
        await ClockCycles(self.clock, 2000)
        assert self.sink.empty(), "more frames than the manifest lists"


@cocotb.test()
async def registers_say_who_the_design_is(dut):
    bench = Bench(dut)
    await bench.restart()
    if bench.registers is not None:
        assert await bench.registers.read_dword(0x0) == MAGIC


@cocotb.test()
async def frames_of_the_manifest_leave_as_it_says(dut):
    bench = Bench(dut)
    await bench.restart()
    await bench.play()


@cocotb.test()
async def frames_leave_as_they_should_with_pauses_on_both_sides(dut):
    bench = Bench(dut)
    bench.uneven(SEED)
    await bench.restart()
    await bench.play()


@cocotb.test()
async def frames_leave_as_they_should_after_a_reset_in_mid_frame(dut):
    bench = Bench(dut)
    bench.uneven(SEED)
    await bench.restart()
    for _ in range(16):
        await bench.offer()
    await ClockCycles(bench.clock, 100)
    while True:
        await RisingEdge(bench.clock)
        bus = bench.source.bus
        if bus.tvalid.value == 1 and bus.tready.value == 1 and bus.tlast.value == 0:
            break
    bench.source.clear()
    await bench.restart()
    bench.sink.clear()
    bench.source.clear()
    # a path passes over what is left of the frame that the reset cut, up to its tlast
    await bench.source.send(AxiStreamFrame(b"the rest", tuser=0))
    await bench.play()
