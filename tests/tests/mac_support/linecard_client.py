"""Frames through a line card by the RGMII models of cocotbext-eth, registers by bytes on its UART."""

import logging
import struct

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, FallingEdge, Timer
from cocotbext.eth import GmiiFrame, RgmiiSink, RgmiiSource

# Periods of the received clocks in ps, around the 8000 of the card's own.
PERIODS_PS = [8002, 7998]
CLOCKS_PER_BIT = 8
STATUS = 0x050
FRAMES_UNSEEN, LANE = 0x240, 0x100
FRAMES_SENT, PORT = 0x468, 0x40
LINK = 0x40C
CS1 = 8


def checksum(header):
    total = sum(struct.unpack(">10H", header))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total ^ 0xFFFF


def udp(flow, dscp=0, length=60):
    """A UDP packet over IPv4 of a flow, in a frame."""
    payload = bytes(range(length - 42))
    fields = [0x45, dscp << 2, 28 + len(payload), 7, 0, 64, 17, 0, b"\x0a\x00\x00\x01", struct.pack(">I", flow)]
    header = struct.pack(">BBHHHBBH4s4s", *fields)
    fields[7] = checksum(header)
    header = struct.pack(">BBHHHBBH4s4s", *fields)
    assert checksum(header) == 0
    return bytes.fromhex("0200000000010200000000020800") + header + struct.pack(">HHHH", 1000, 53, 8 + len(payload), 0) + payload


async def start(dut):
    logging.getLogger("cocotb").setLevel(logging.WARNING)
    dut.hold.value = 1
    dut.uart_rx.value = 1
    cocotb.start_soon(Clock(dut.clock, 8000, unit="ps").start())
    sources, sinks = [], []
    for port, period in enumerate(PERIODS_PS):
        pin = lambda name: getattr(dut, f"rgmii_{port}_{name}")
        sources.append(RgmiiSource(pin("rx_data"), pin("rx_control"), pin("rx_clock")))
        sinks.append(RgmiiSink(pin("tx_data"), pin("tx_control"), pin("tx_clock")))
        sources[port].ifg = 13
        cocotb.start_soon(Clock(pin("rx_clock"), period, unit="ps").start())
    await Timer(101, "ns")
    dut.hold.value = 0
    await ClockCycles(dut.clock, 40)
    while await read(dut, STATUS) & 1 == 0:
        pass
    return sources, sinks


async def read(dut, address):
    """A word by a command of LiteX's uartbone."""
    for byte in struct.pack(">BBI", 2, 1, address // 4):
        for bit in [0] + [byte >> i & 1 for i in range(8)] + [1]:
            dut.uart_rx.value = bit
            await ClockCycles(dut.clock, CLOCKS_PER_BIT)
    answer = 0
    for _ in range(4):
        await FallingEdge(dut.uart_tx)
        await ClockCycles(dut.clock, CLOCKS_PER_BIT // 2)
        byte = 0
        for i in range(8):
            await ClockCycles(dut.clock, CLOCKS_PER_BIT)
            byte |= int(dut.uart_tx.value) << i
        answer = answer << 8 | byte
        await ClockCycles(dut.clock, CLOCKS_PER_BIT)
    await ClockCycles(dut.clock, CLOCKS_PER_BIT)
    return answer


async def received(dut, sink, count):
    frames = []
    for _ in range(count):
        if sink.empty():
            await sink.wait(50, "us")
        assert not sink.empty(), f"{len(frames)} frames of {count}"
        frame = sink.recv_nowait()
        # seven bytes and the start of the frame
        assert frame.get_preamble_len() == 8 and frame.check_fcs() and not any(frame.error or [])
        frames.append(bytes(frame.get_payload()))
    await ClockCycles(dut.clock, 300)
    assert sink.empty(), "a frame too many"
    return frames


@cocotb.test()
async def a_flow_is_marked_until_either_direction_has_seen_it(dut):
    sources, sinks = await start(dut)
    flows = [1, 2, 1, 3, 2, 4]
    for flow in flows:
        await sources[0].send(GmiiFrame.from_payload(udp(flow, length=60 + flow)))
    new = [flow not in flows[:i] for i, flow in enumerate(flows)]
    expected = [udp(flow, CS1 if first else 0, 60 + flow) for flow, first in zip(flows, new)]
    assert await received(dut, sinks[1], len(flows)) == expected
    # what came at one port is known at the other
    back = [3, 5, 5, 1]
    for flow in back:
        await sources[1].send(GmiiFrame.from_payload(udp(flow)))
    expected = [udp(flow, CS1 if i == 1 else 0) for i, flow in enumerate(back)]
    assert await received(dut, sinks[0], len(back)) == expected
    counted = [await read(dut, FRAMES_UNSEEN + LANE * lane + 8 * seen) for lane in (0, 1) for seen in (0, 1)]
    assert counted == [4, 2, 1, 3], counted
    assert [await read(dut, FRAMES_SENT + PORT * port) for port in (0, 1)] == [4, 6]


@cocotb.test()
async def both_directions_at_once_and_bad_frames_alone_are_dropped(dut):
    sources, sinks = await start(dut)
    arp = [bytes(12) + b"\x08\x06" + bytes([i]) * 46 for i in range(8)]
    for i, payload in enumerate(arp):
        for source in sources:
            frame = GmiiFrame.from_payload(payload)
            if i % 4 == 1:
                frame.data[20] ^= 1
            if i % 4 == 2:
                frame.normalize()
                frame.error[30] = 1
            await source.send(frame)
    good = [payload for i, payload in enumerate(arp) if i % 4 in (0, 3)]
    for sink in sinks:
        assert await received(dut, sink, len(good)) == good
    # these PHYs tell nothing between frames
    assert await read(dut, LINK) == 0
