"""Frames through mac_loop by the RGMII models of cocotbext-eth."""

import logging
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Timer
from cocotbext.eth import GmiiFrame, RgmiiSink, RgmiiSource

# Periods of the received clock in ps, around the 8000 of the own: 200 ppm to both sides, in whole steps of two.
PERIODS_PS = [8000, 8002, 7998]


def frame_of(rng, length):
    return GmiiFrame.from_payload(bytes(rng.randrange(256) for _ in range(length)))


async def start(dut, rx_period_ps):
    logging.getLogger("cocotb").setLevel(logging.WARNING)
    dut.hold.value = 1
    source = RgmiiSource(dut.rgmii_rx_data, dut.rgmii_rx_control, dut.rgmii_rx_clock)
    sink = RgmiiSink(dut.rgmii_tx_data, dut.rgmii_tx_control, dut.rgmii_tx_clock)
    clocks = [
        cocotb.start_soon(Clock(dut.clock, 8000, unit="ps").start()),
        cocotb.start_soon(Clock(dut.rgmii_rx_clock, rx_period_ps, unit="ps").start()),
    ]
    await Timer(101, "ns")
    dut.hold.value = 0
    await ClockCycles(dut.rgmii_rx_clock, 12)
    return source, sink, clocks


async def received(dut, sink, count):
    frames = []
    for _ in range(count):
        await sink.wait(50, "us")
        assert not sink.empty(), f"{len(frames)} frames of {count}"
        frames.append(sink.recv_nowait())
    await ClockCycles(dut.clock, 200)
    assert sink.empty(), "a frame too many"
    return frames


def is_good(frame):
    # seven bytes and the start of the frame
    return frame.get_preamble_len() == 8 and frame.check_fcs() and not any(frame.error or [])


@cocotb.test()
@cocotb.parametrize(period=PERIODS_PS)
async def frames_in_are_frames_out(dut, period):
    rng = random.Random(period)
    source, sink, clocks = await start(dut, period)
    lengths = [60, 61, 64, 127, 1514] + [rng.randrange(60, 200) for _ in range(8)]
    sent = [frame_of(rng, length) for length in lengths]
    source.ifg = 13
    for frame in sent:
        await source.send(frame)
    for frame, expected in zip(await received(dut, sink, len(sent)), sent):
        assert is_good(frame)
        assert frame.get_payload() == expected.get_payload()
    assert int(dut.frames_good.value) == int(dut.frames_sent.value) == len(sent)
    assert int(dut.underruns.value) == int(dut.overflows.value) == 0
    for clock in clocks:
        clock.cancel()


@cocotb.test()
async def bad_frames_in_are_bad_frames_out_and_good_ones_are_not_harmed(dut):
    rng = random.Random(1)
    source, sink, clocks = await start(dut, 8000)
    good, sent = [], []
    for i in range(16):
        frame = frame_of(rng, rng.randrange(60, 120))
        good.append(i % 4 == 0)
        if i % 4 == 1:  # a wrong FCS
            frame.data[rng.randrange(8, len(frame.data))] ^= 1 << rng.randrange(8)
        if i % 4 == 2:  # an error from the line
            frame.normalize()
            frame.error[rng.randrange(8, len(frame.data))] = 1
        if i % 4 == 3:  # cut
            frame.data = frame.data[: rng.randrange(20, 70)]
        sent.append(frame)
        await source.send(frame)
    for frame, expected, was_good in zip(await received(dut, sink, len(sent)), sent, good):
        assert is_good(frame) == was_good
        if was_good:
            assert frame.get_payload() == expected.get_payload()
        else:
            assert not frame.check_fcs() and any(frame.error)
    counts = ["good", "bad_fcs", "error", "runt", "sent", "broken"]
    counted = [int(getattr(dut, "frames_" + name).value) for name in counts]
    assert counted == [4, 4, 4, 4, 4, 12], counted
    for clock in clocks:
        clock.cancel()
