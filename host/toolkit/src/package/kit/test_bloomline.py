"""cocotb test of an emitted filter or card: registers, streams and verdicts, against the manifest and the reference in Python.

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
from bloomline_reference import Reference
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.axi import (
    AxiLiteBus,
    AxiLiteMaster,
    AxiResp,
    AxiStreamBus,
    AxiStreamFrame,
    AxiStreamSink,
    AxiStreamSource,
)

PATH = os.environ.get("BLOOMLINE_MANIFEST", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../manifest.json"))
with open(PATH, encoding="utf-8") as file:
    MANIFEST = json.load(file)
PORTS = {port["name"]: port for port in MANIFEST["ports"]}
ITEMS = int(os.environ.get("BLOOMLINE_ITEMS", "1000"))
SEED = int(os.environ.get("BLOOMLINE_SEED", "1"))
MAGIC = 0x424C4D4C


class Bench:
    """The design between the models of cocotbext-axi, after a reset."""

    def __init__(self, dut):
        interface = MANIFEST["interface"]
        self.clock, self.reset = getattr(dut, interface["clock"]), getattr(dut, interface["reset"])
        self.active = interface["reset_active"] == "high"
        ends = {"clock": self.clock, "reset": self.reset, "reset_active_level": self.active}
        self.items = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_item"), **ends)
        self.verdicts = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_verdict"), **ends)
        self.registers = None
        if "s_axil_awaddr" in PORTS:
            self.registers = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), **ends)
        elif "uart_rx" in PORTS:
            dut.uart_rx.value = 1
        cocotb.start_soon(Clock(self.clock, 4, "step").start())

    async def restart(self):
        self.reset.value = int(self.active)
        await ClockCycles(self.clock, 8)
        self.reset.value = int(not self.active)
        await ClockCycles(self.clock, 4)

    def uneven(self, seed):
        """Random pauses of both streams."""
        for place, end in enumerate((self.items, self.verdicts)):
            noise = random.Random(2 * seed + place)
            end.set_pause_generator(iter(lambda noise=noise: noise.random() < 0.3, None))

    async def offer(self, key, tuser, tid):
        data = key.to_bytes(PORTS["s_item_tdata"]["width"] // 8, "little")
        await self.items.send(AxiStreamFrame(data, tuser=tuser, tid=tid))

    async def expect(self, tid, verdict):
        frame = await self.verdicts.recv(compact=False)
        got = int.from_bytes(bytes(frame.tdata), "little")
        tags = frame.tid if isinstance(frame.tid, (list, tuple)) else [frame.tid]
        assert (int(tags[0]), got) == (tid, verdict), f"tag {tid}: 0x{got:x}, expected 0x{verdict:x}"


async def play(bench, items):
    """Items and their verdicts, in order."""
    tags = 1 << PORTS["s_item_tid"]["width"]
    expected = []
    for place, (key, tuser, verdict) in enumerate(items):
        await bench.offer(key, tuser, place % tags)
        if verdict is not None:
            expected.append((place % tags, verdict))
    for tid, verdict in expected:
        await bench.expect(tid, verdict)
    await ClockCycles(bench.clock, 200)
    assert bench.verdicts.empty(), "more verdicts than items"


def of_manifest():
    for item in MANIFEST["items"]:
        verdict = item["verdict"]
        yield int(item["key"], 16), item["tuser"], None if verdict is None else int(verdict, 16)


def drawn(reference, noise):
    """Items of a few keys, so that many come again."""
    bits, amounts = MANIFEST["geometry"]["key_bits"], PORTS["s_item_tuser"]["width"] - 2
    keys = [noise.getrandbits(bits) for _ in range(max(4, ITEMS // 4))]
    for _ in range(ITEMS):
        key, tuser = noise.choice(keys), noise.randrange(4) | noise.getrandbits(amounts or 1) << 2
        if not amounts:
            tuser &= 3
        if MANIFEST["geometry"]["kind"] == "recycling":
            tuser = min(tuser, 2)
        yield key, tuser, reference.item(key, tuser)


@cocotb.test()
async def registers_say_who_the_design_is(dut):
    bench = Bench(dut)
    await bench.restart()
    if bench.registers is None:
        return
    assert await bench.registers.read_dword(0x0) == MAGIC
    low, high = await bench.registers.read_dword(0x8), await bench.registers.read_dword(0xC)
    assert high << 32 | low == int(MANIFEST["geometry_hash"], 16)
    # narrow and unaligned: a read takes any bytes, a write all four or nothing
    assert (await bench.registers.read(0x1, 2)).data == MAGIC.to_bytes(4, "little")[1:3]
    refused = await bench.registers.write(0x4D, b"\x01")
    assert refused.resp == AxiResp.SLVERR, refused
    missing = await bench.registers.read((1 << PORTS["s_axil_araddr"]["width"]) - 4, 4)
    assert missing.resp in (AxiResp.DECERR, AxiResp.OKAY), missing


@cocotb.test()
async def items_of_the_manifest_have_their_verdicts(dut):
    bench = Bench(dut)
    await bench.restart()
    await play(bench, of_manifest())


@cocotb.test()
async def items_have_their_verdicts_again_after_a_reset_in_mid_stream(dut):
    bench = Bench(dut)
    bench.uneven(SEED)
    await bench.restart()
    for key, tuser, _ in of_manifest():
        await bench.offer(key, tuser, 0)
    await ClockCycles(bench.clock, 40)
    bench.items.clear()
    await bench.restart()
    bench.verdicts.clear()
    bench.items.clear()
    await play(bench, of_manifest())


@cocotb.test(skip=MANIFEST["geometry"]["kind"] == "sliding")
async def drawn_items_have_the_verdicts_of_the_reference_with_pauses_on_both_sides(dut):
    bench = Bench(dut)
    bench.uneven(SEED)
    await bench.restart()
    await play(bench, drawn(Reference(MANIFEST), random.Random(SEED)))
