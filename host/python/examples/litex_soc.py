"""A LiteX SoC with a filter on its bus and a packet path behind a LiteEth MAC, in LiteX's simulator or for an ECP5 board.

    python litex_soc.py --filter onehit.toml --path inline.toml                    # builds the simulation, runs it, asks the filter
    python litex_soc.py --filter onehit.toml --board --out build/versa             # builds a bitstream for the ECP5-5G Versa

Needs LiteX, LiteEth and the command `bloomline`; the simulation Verilator, libevent and json-c, the board yosys, nextpnr-ecp5 and
ecppack. The SoC has no CPU: a host reaches it over a bridge on the UART, in the simulation on a TCP port.
"""

import argparse
import socket
import subprocess
import sys
import time
from pathlib import Path

from bloomline.litex import BloomlineFilter, BloomlineItemPort, BloomlinePath
from litex.build.generic_platform import IOStandard, Pins, Subsignal
from litex.build.lattice import LatticePlatform
from litex.build.sim import SimPlatform
from litex.build.sim.config import SimConfig
from litex.gen import LiteXModule
from litex.soc.cores.clock import ECP5PLL
from litex.soc.cores.uart import RS232PHYModel, UARTBone
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc_core import SoCMini
from litex.soc.interconnect import stream
from litex.soc.interconnect.csr import CSR, CSRStatus, CSRStorage
from liteeth.common import eth_phy_description
from liteeth.mac.core import LiteEthMACCore
from migen import ClockDomain, ClockDomainsRenamer, If, Signal

CLOCK_HZ = 1_000_000
PINS = [
    ("sys_clk", 0, Pins(1)),
    (
        "serial",
        0,
        *[Subsignal(f"{side}_{field}", Pins(8 if field == "data" else 1)) for side in ("source", "sink") for field in ("valid", "ready", "data")],
    ),
]


class Line(LiteXModule):
    """Two PHYs on one line: what one sends the other receives."""

    def __init__(self):
        self.sending, self.receiving = LiteXModule(), LiteXModule()
        for phy in (self.sending, self.receiving):
            phy.dw = 8
            phy.sink, phy.source = (stream.Endpoint(eth_phy_description(8)) for _ in range(2))
        self.comb += [
            self.sending.sink.connect(self.receiving.source),
            self.receiving.sink.ready.eq(1),
        ]


class FramePort(LiteXModule):
    """Frames byte by byte over CSRs: those to be sent from `source`, those received into `sink`.

    Write the bytes to `send` with bit 8 set in the last one: the frame leaves when it is whole. `received` is the next byte that
    came, bit 8 in a frame's last, while `available` is 1; write 1 to `take`.
    """

    def __init__(self, bytes_deep=4096):
        layout = eth_phy_description(8)
        self.sink, self.source = stream.Endpoint(layout), stream.Endpoint(layout)
        self.send = CSRStorage(9)
        self.available = CSRStatus()
        self.received = CSRStatus(9)
        self.take = CSR()
        self.going = stream.SyncFIFO([("data", 8)], bytes_deep, buffered=True)
        self.coming = stream.SyncFIFO([("data", 8)], bytes_deep, buffered=True)
        # a MAC sends without a gap within a frame, so a frame starts when its last byte is there
        whole = Signal(8)
        sent = self.source.valid & self.source.ready & self.source.last
        self.comb += [
            self.going.sink.valid.eq(self.send.re),
            self.going.sink.data.eq(self.send.storage[:8]),
            self.going.sink.last.eq(self.send.storage[8]),
            self.source.valid.eq(self.going.source.valid & (whole != 0)),
            self.source.data.eq(self.going.source.data),
            self.source.last.eq(self.going.source.last),
            self.source.last_be.eq(self.going.source.last),
            self.going.source.ready.eq(self.source.ready & (whole != 0)),
            self.coming.sink.valid.eq(self.sink.valid),
            self.coming.sink.data.eq(self.sink.data),
            self.coming.sink.last.eq(self.sink.last),
            self.sink.ready.eq(self.coming.sink.ready),
            self.available.status.eq(self.coming.source.valid),
            self.received.status.eq(self.coming.source.data | self.coming.source.last << 8),
            self.coming.source.ready.eq(self.take.re),
        ]
        came = self.send.re & self.send.storage[8]
        self.sync += whole.eq(whole + came - sent)


class Clock(LiteXModule):
    """The clock of the simulation and its reset at power-up; the line runs of the same clock."""

    def __init__(self, clock):
        self.cd_sys = ClockDomain()
        started = Signal(4)
        self.clock_domains.cd_por = ClockDomain(reset_less=True)
        self.comb += [self.cd_sys.clk.eq(clock), self.cd_por.clk.eq(clock), self.cd_sys.rst.eq(started != 15)]
        self.sync.por += If(started != 15, started.eq(started + 1))


class SimulatedSoC(SoCMini):
    """A bridge over TCP, a filter with its registers and a port for items, and a packet path between two MACs."""

    def __init__(self, filter_spec, path_spec, command):
        platform = SimPlatform("SIM", PINS)
        self.crg = Clock(platform.request("sys_clk"))
        super().__init__(platform, CLOCK_HZ, ident="Bloomline in LiteX's simulator")
        self.bridge = UARTBone(RS232PHYModel(platform.request("serial")), CLOCK_HZ)
        self.bus.add_master(name="bridge", master=self.bridge.wishbone)
        self.comb += platform.trace.eq(1)

        self.seen = BloomlineFilter(platform, filter_spec, command=command)
        self.seen_region = self.seen.add_registers(self, origin=0x3000_0000)
        self.item_port = BloomlineItemPort(self.seen)

        if path_spec:
            here = ClockDomainsRenamer({"eth_tx": "sys", "eth_rx": "sys"})
            self.line = Line()
            self.near_mac = here(LiteEthMACCore(self.line.sending, dw=8))
            self.far_mac = here(LiteEthMACCore(self.line.receiving, dw=8))
            self.path = BloomlinePath(platform, path_spec, command=command)
            if self.path.bus is not None:
                self.path_region = self.path.add_registers(self, origin=0x3000_1000)
            self.frame_port = FramePort()
            self.comb += [
                self.frame_port.source.connect(self.near_mac.sink),
                self.near_mac.source.ready.eq(1),
                self.far_mac.source.connect(self.path.sink),
                self.path.source.connect(self.frame_port.sink),
            ]


VERSA = [
    ("clk100", 0, Pins("P3"), IOStandard("LVDS")),
    ("rst_n", 0, Pins("T1"), IOStandard("LVCMOS33")),
    ("serial", 0, Subsignal("rx", Pins("C11")), Subsignal("tx", Pins("A11")), IOStandard("LVCMOS33")),
]


class BoardClock(LiteXModule):
    """The clock of the board's SoC from its oscillator of 100 MHz, in reset until the PLL is locked."""

    def __init__(self, platform, clock_hz):
        self.cd_sys = ClockDomain()
        self.pll = ECP5PLL()
        self.comb += self.pll.reset.eq(~platform.request("rst_n"))
        self.pll.register_clkin(platform.request("clk100"), 100e6)
        self.pll.create_clkout(self.cd_sys, clock_hz)


class BoardSoC(SoCMini):
    """A bridge on the UART, and a filter with its registers and a port for items, on the ECP5-5G Versa."""

    def __init__(self, filter_spec, command, clock_hz):
        platform = LatticePlatform("LFE5UM5G-45F-8BG381C", VERSA, toolchain="trellis")
        self.crg = BoardClock(platform, clock_hz)
        super().__init__(platform, clock_hz, ident="Bloomline on the ECP5-5G Versa")
        self.add_uartbone()
        self.seen = BloomlineFilter(platform, filter_spec, command=command)
        self.seen_region = self.seen.add_registers(self, origin=0x3000_0000)
        self.item_port = BloomlineItemPort(self.seen)


class Bridge:
    """The simulation's bus over its bridge, by LiteX's own client, and its CSRs by name."""

    def __init__(self, port, csr_csv, regions):
        from litex.tools.remote.comm_uart import CommUART
        from litex.tools.remote.csr_builder import CSRBuilder

        self.comm = CommUART(f"socket://127.0.0.1:{port}")
        self.comm.open()
        self.csr = CSRBuilder(self.comm, str(csr_csv)).regs
        self.designs = {name: CSRBuilder(self.comm, str(file)).regs for name, file in regions.items()}

    def item(self, key, user, tag, verdict):
        """Offers an item and returns tag and verdict; `None` where it has none."""
        csr = self.csr
        csr.item_port_key.write(key)
        csr.item_port_user.write(user)
        csr.item_port_tag.write(tag)
        csr.item_port_offer.write(1)
        if not verdict:
            return None
        while not csr.item_port_valid.read():
            pass
        answer = csr.item_port_verdict_tag.read(), csr.item_port_verdict.read()
        csr.item_port_take.write(1)
        return answer

    def frame(self, frame):
        """Sends a frame."""
        for place, byte in enumerate(frame):
            self.csr.frame_port_send.write(byte | (place == len(frame) - 1) << 8)
            if place % 64 == 63:
                # the simulated UART holds 2048 bytes, and a read waits for the writes before it
                self.csr.frame_port_available.read()
        self.csr.frame_port_available.read()

    def received(self, polls=200):
        """Every frame that came, until nothing comes for so many polls."""
        frames, frame, quiet = [], bytearray(), 0
        while quiet < polls:
            quiet += 1
            if not self.csr.frame_port_available.read():
                continue
            quiet = 0
            byte = self.csr.frame_port_received.read()
            self.csr.frame_port_take.write(1)
            frame.append(byte & 255)
            if byte >> 8:
                frames.append(frame.hex())
                frame = bytearray()
        return frames + [frame.hex()] * bool(frame)


def check(wrong, what, got, expected):
    if got != expected:
        wrong.append(f"{what}: {got}, expected {expected}")


def ask(bridge, soc, most_items):
    """Compares identity, verdicts, counters and frames with the manifests; returns what is wrong."""
    wrong = []
    manifest = soc.seen.emission.manifest
    name, registers = manifest["name"], bridge.designs["seen"]
    register = lambda word: getattr(registers, f"{name}_{word}").read()
    check(wrong, "magic", register("identification_magic"), 0x424C4D4C)
    geometry = register("identification_geometry_hash_hi") << 32 | register("identification_geometry_hash_lo")
    check(wrong, "geometry hash", geometry, int(manifest["geometry_hash"], 16))
    items = manifest["items"][:most_items]
    for place, item in enumerate(items):
        verdict = item["verdict"]
        answer = bridge.item(int(item["key"], 16), item["tuser"], place, verdict)
        check(wrong, f"item {place}", answer, None if verdict is None else (place, int(verdict, 16)))
    taken = register("counters_items_hi") << 32 | register("counters_items_lo")
    check(wrong, "items counted", taken, len(items))
    print(f"{name}: {len(items)} items over the bridge")
    if hasattr(soc, "path"):
        frames = soc.path.emission.manifest["frames"]
        for frame in frames:
            bridge.frame(bytes.fromhex(frame["came"]))
        expected = [frame["left"] for frame in frames if frame["left"]]
        received = bridge.received()
        check(wrong, "frames received", len(received), len(expected))
        for place, (left, right) in enumerate(zip(received, expected)):
            check(wrong, f"frame {place}", left, right)
        print(f"{soc.path.emission.name}: {len(frames)} frames through two MACs")
    return wrong


def simulate(arguments):
    soc = SimulatedSoC(arguments.filter, arguments.path, arguments.command)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = SimConfig()
    config.add_clocker("sys_clk", freq_hz=CLOCK_HZ)
    config.add_module("serial2tcp", ("serial", 0), args={"port": port, "bind_ip": "127.0.0.1"})
    out = Path(arguments.out)
    builder = Builder(soc, output_dir=str(out), csr_csv=str(out / "csr.csv"), compile_software=False)
    builder.build(sim_config=config, run=False, interactive=False, opt_level="O1")
    csvs = {"seen": out / "seen.csv"}
    csvs["seen"].write_text(soc.seen.emission.csr_csv(soc.seen_region.origin))
    gateware = out / "gateware"
    # LiteX's own build script: Verilator and its modules in C
    log = subprocess.run(["bash", "build_sim.sh"], cwd=gateware, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if log.returncode != 0:
        sys.exit(f"{gateware}/build_sim.sh failed:\n{log.stdout[-4000:]}")
    running = subprocess.Popen(["obj_dir/Vsim"], cwd=gateware, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                break
            except OSError:
                time.sleep(0.1)
        wrong = ask(Bridge(port, out / "csr.csv", csvs), soc, arguments.items)
    finally:
        running.kill()
        running.wait()
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


def build(arguments):
    soc = BoardSoC(arguments.filter, arguments.command, arguments.clock_hz)
    out = Path(arguments.out)
    builder = Builder(soc, output_dir=str(out), csr_csv=str(out / "csr.csv"), compile_software=False)
    builder.build(build_name="soc")
    (out / "seen.csv").write_text(soc.seen.emission.csr_csv(soc.seen_region.origin))
    print(f"{out}/gateware/soc.bit: {(out / 'gateware/soc.bit').stat().st_size} bytes")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filter", required=True, help="specification of a filter with streams")
    parser.add_argument("--path", help="specification with [packet]: a packet path between two MACs, in the simulation")
    parser.add_argument("--board", action="store_true", help="build a bitstream instead of the simulation")
    parser.add_argument("--clock-hz", type=int, default=75_000_000, help="clock of the board's SoC")
    parser.add_argument("--items", type=int, default=1000, help="items of the manifest to be asked at most")
    parser.add_argument("--command", help="the program bloomline, unless it is on PATH")
    parser.add_argument("--out", default="build/soc", help="folder of the build")
    arguments = parser.parse_args()
    return build(arguments) if arguments.board else simulate(arguments)


if __name__ == "__main__":
    sys.exit(main())
