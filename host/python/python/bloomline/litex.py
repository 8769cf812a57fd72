"""Cores for LiteX: a filter with streams and registers, and a packet path behind a LiteEth MAC.

    from bloomline.litex import BloomlineFilter

    self.seen = BloomlineFilter(self.platform, "onehit.toml")
    self.seen.add_registers(self)                      # a region of the SoC's bus
    self.comb += [
        flows.connect(self.seen.items),                # stream.Endpoint: data, user, id
        self.seen.verdicts.connect(answers),           # stream.Endpoint: data, id
    ]

Needs LiteX (and LiteEth for `BloomlinePath`) and the command `bloomline`, which writes the Verilog. The rest of the package does
not import this module.
"""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, stream
from litex.soc.interconnect.csr import CSR, CSRStatus, CSRStorage
from migen import C, Cat, ClockSignal, If, Instance, Mux, ResetSignal, Signal

__all__ = [
    "BloomlineFilter",
    "BloomlineItemPort",
    "BloomlinePath",
    "EmitError",
    "Emission",
    "INSERT",
    "QUERY",
    "REMOVE",
    "TEST_AND_INSERT",
    "emit",
]

# Operations: the low two bits of an item's `user`.
QUERY, INSERT, TEST_AND_INSERT, REMOVE = range(4)

COMMAND = "BLOOMLINE"


class EmitError(Exception):
    """A specification that cannot be emitted, or one that suits another core; the message says what to do."""


class Emission:
    """The folder that `bloomline emit` wrote for a specification.

    `folder` is its path, `verilog` its Verilog file, `manifest` the contents of manifest.json, `name` the design's name, `top` its
    outermost module.
    """

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        with open(self.folder / "manifest.json", encoding="utf-8") as file:
            self.manifest = json.load(file)
        self.name, self.top = self.manifest["name"], self.manifest["top"]
        self.verilog = self.folder / f"{self.name}.v"
        self.widths = {port["name"]: port["width"] for port in self.manifest["ports"]}

    def csr_csv(self, base):
        """The registers as a csr.csv of LiteX, for a design at `base` on the bus (a byte address)."""
        text = (self.folder / "software/csr.csv").read_text(encoding="utf-8")
        lines = []
        for line in text.splitlines():
            fields = line.split(",")
            if fields[0] in ("csr_base", "csr_register"):
                fields[2] = f"0x{int(fields[2], 16) + base:08x}"
            lines.append(",".join(fields))
        return "\n".join(lines) + "\n"


def emit(spec, folder=None, command=None):
    """Emits a specification by the command `bloomline` and returns the `Emission`.

    `spec` is the path of a specification; `folder` is where the emission goes, `build/bloomline/<file name>` unless given, and may
    hold an earlier emission; `command` is the program, else the environment variable BLOOMLINE, else `bloomline` on PATH.

    Raises `EmitError` when the command is missing or refuses the specification.
    """
    spec = Path(spec)
    folder = Path("build/bloomline") / spec.stem if folder is None else Path(folder)
    command = command or os.environ.get(COMMAND) or "bloomline"
    program = shutil.which(command)
    if program is None:
        raise EmitError(
            f"{command}: there is no such command; install it with `cargo install --path host/cli`, "
            f"or set {COMMAND} to the path of the program"
        )
    run = subprocess.run(
        [program, "emit", str(spec), "--out", str(folder), "--force"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode != 0:
        raise EmitError(f"{spec}: {run.stderr.strip()}")
    return Emission(folder)


def _claim_modules(platform, emission):
    """Notes whose the modules of an emission are; raises `EmitError` where another design on the platform has one of a name.

    The card, path or line card around a design `x` is `x_card`, `x_path` or `x_linecard`, which another design may be called.
    """
    if not hasattr(platform, "bloomline_modules"):
        platform.bloomline_modules = {}
    owners = platform.bloomline_modules
    text = emission.verilog.read_text(encoding="utf-8")
    for module in re.findall(r"^module (\w+)", text, re.MULTILINE):
        owner = owners.setdefault(module, emission)
        if owner.verilog != emission.verilog:
            raise EmitError(
                f"module {module} is in the emissions of {owner.name} ({owner.folder}) and {emission.name} ({emission.folder}); "
                f"give one of the designs another `name`"
            )


class _Core(LiteXModule):
    """An emitted design as an instance, with its clock, its reset and its registers connected."""

    def __init__(self, platform, emission, uart=None):
        self.emission = emission
        _claim_modules(platform, emission)
        platform.add_source(str(emission.verilog))
        interface = emission.manifest["interface"]
        reset = ResetSignal() if interface["reset_active"] == "high" else ~ResetSignal()
        self._pins = {interface["clock"]: ClockSignal(), interface["reset"]: reset}
        self.bus = None
        if "s_axil_awaddr" in emission.widths:
            self._registers()
        elif "uart_rx" in emission.widths:
            self._pins["uart_rx"] = C(1) if uart is None else uart.rx
            self._pins["uart_tx"] = Signal() if uart is None else uart.tx

    def _registers(self):
        self.bus = bus = axi.AXILiteInterface(data_width=32, address_width=32)
        bits = self.emission.widths["s_axil_awaddr"]
        for channel, payload in {"aw": ("addr",), "w": ("data", "strb"), "b": ("resp",), "ar": ("addr",), "r": ("data", "resp")}.items():
            end = getattr(bus, channel)
            for field in ("valid", "ready") + payload:
                signal = getattr(end, field)
                self._pins[f"s_axil_{channel}{field}"] = signal[:bits] if field == "addr" else signal
        self._pins["s_axil_awprot"] = self._pins["s_axil_arprot"] = C(0, 3)

    def _finish(self):
        """Makes the instance. Every port of the design must have been connected."""
        directions = {port["name"]: port["direction"][0] for port in self.emission.manifest["ports"]}
        missing = sorted(directions.keys() ^ self._pins.keys())
        if missing:
            raise EmitError(f"{self.emission.top}: no connection for {', '.join(missing)}: command and module are of different versions")
        pins = {f"{directions[name]}_{name}": signal for name, signal in self._pins.items()}
        self.specials += Instance(self.emission.top, **pins)

    def add_registers(self, soc, name=None, origin=None):
        """Gives the registers a region of the SoC's bus and returns it.

        The region bears the design's name unless `name` is given, and stands where the SoC has room unless `origin` (a byte
        address) is given. `emission.csr_csv(region.origin)` names the registers for a host.
        """
        if self.bus is None and "uart_rx" not in self.emission.widths:
            raise EmitError(f'{self.emission.name}: features.registers = "none" leaves no registers; use "full" or "threshold"')
        if self.bus is None:
            raise EmitError(f"{self.emission.name}: registers are reached over the design's UART; leave out card.uart_baud for a bus")
        size = 1 << self.emission.widths["s_axil_awaddr"]
        name = name or self.emission.name
        soc.bus.add_slave(name=name, slave=self.bus, region=SoCRegion(origin=origin, size=size, mode="rw", cached=False))
        return soc.bus.regions[name]


class BloomlineFilter(_Core):
    """A filter of any kind with streams of items and verdicts.

    `items` is a stream.Endpoint of `data` (the key, in whole bytes), `user` (the operation; a Count-Min sketch has the amount
    above its two bits) and `id` (a tag); `verdicts` has `data` (bits as manifest.json says) and `id`. Verdicts come in the order of
    the items; a plain insert has none. With `features.verdict_queue = 0` nothing waits for `verdicts.ready`. `bus` is an AXI-Lite slave with the registers; it is None where they are on a UART, whose
    pads `uart` has as `rx` and `tx`.

    `spec` is the path of a specification or an `Emission`; `folder` and `command` are those of `emit`.
    """

    def __init__(self, platform, spec, folder=None, command=None, uart=None):
        emission = spec if isinstance(spec, Emission) else emit(spec, folder, command)
        widths = emission.widths
        if "s_item_tdata" not in widths:
            raise EmitError(f"{emission.name}: the design has no stream of items; take BloomlinePath for one with [packet]")
        super().__init__(platform, emission, uart)
        self.items = stream.Endpoint([(field, widths[f"s_item_t{field}"]) for field in ("data", "user", "id")])
        self.verdicts = stream.Endpoint([(field, widths[f"m_verdict_t{field}"]) for field in ("data", "id")])
        for field in ("valid", "ready", "data", "user", "id"):
            self._pins[f"s_item_t{field}"] = getattr(self.items, field)
        # with features.verdict_queue = 0 there is no m_verdict_tready: what takes the verdicts must always be ready
        for field in ("valid", "ready", "data", "id"):
            if f"m_verdict_t{field}" in widths:
                self._pins[f"m_verdict_t{field}"] = getattr(self.verdicts, field)
        # every verdict is a packet of its own
        self.comb += [self.verdicts.first.eq(1), self.verdicts.last.eq(1)]
        self._finish()


class BloomlinePath(_Core):
    """A packet path (`[packet]`, streams) between a LiteEth MAC and what follows.

    `sink` takes frames as LiteEthMACCore gives them (`eth_phy_description`: from the destination address on, without preamble and
    FCS), `source` gives those that the filter lets through. A frame whose `error` is set in any beat is dropped and counted. `sink`
    is always ready but for the clock cycles behind a reset: what does not fit is dropped whole.

        mac = LiteEthMACCore(phy, dw=8)
        path = BloomlinePath(platform, "inline.toml")
        comb += [mac.source.connect(path.sink), path.source.connect(rest.sink)]

    `source_bytes` is the length of the frame in bytes, with each of its beats. packet.data_bits must be 8 or 64.
    """

    def __init__(self, platform, spec, folder=None, command=None, uart=None):
        from liteeth.common import eth_phy_description

        emission = spec if isinstance(spec, Emission) else emit(spec, folder, command)
        widths = emission.widths
        if "s_frame_tdata" not in widths:
            raise EmitError(f"{emission.name}: the design has no stream of frames: it needs [packet] with ports = \"streams\"")
        bits = widths["s_frame_tdata"]
        if bits not in (8, 64):
            raise EmitError(f"packet.data_bits = {bits}: LiteEth has MACs of 8 and 64 bits; take one of these")
        super().__init__(platform, emission, uart)
        self.sink = sink = stream.Endpoint(eth_phy_description(bits))
        self.source = source = stream.Endpoint(eth_phy_description(bits))
        self.source_bytes = Signal(widths["m_frame_tuser"])
        for side, end in (("s", sink), ("m", source)):
            for field in ("valid", "ready", "last", "data"):
                self._pins[f"{side}_frame_t{field}"] = getattr(end, field)
        bad, first = Signal(), Signal(reset=1)
        self._pins["s_frame_tuser"] = bad | (sink.error != 0)
        self._pins["m_frame_tuser"] = self.source_bytes
        self.sync += [
            If(sink.valid & sink.ready, bad.eq(~sink.last & (bad | (sink.error != 0)))),
            If(source.valid & source.ready, first.eq(source.last)),
        ]
        self.comb += source.first.eq(first)
        if bits == 8:
            self.comb += source.last_be.eq(source.last)
        else:
            # LiteEth marks the last byte, AXI4-Stream all valid ones
            lanes = bits // 8
            keep, kept = Signal(lanes), Signal(lanes)
            upto = [(sink.last_be >> lane) != 0 for lane in range(lanes)]
            self.comb += [
                keep.eq(Mux(sink.last & (sink.last_be != 0), Cat(*upto), 2**lanes - 1)),
                source.last_be.eq(Mux(source.last, kept & ~(kept >> 1), 0)),
            ]
            self._pins["s_frame_tkeep"], self._pins["m_frame_tkeep"] = keep, kept
        self._finish()


class BloomlineItemPort(LiteXModule):
    """Items and verdicts one by one over CSRs, for a BIOS, firmware or a host bridge.

    Write `key`, `user` and `tag`, then 1 to `offer`; while `pending` is 1 the item waits for the filter. `valid` is 1 while a
    verdict is there: read `verdict` and `verdict_tag`, then write 1 to `take`.
    """

    def __init__(self, core):
        items, verdicts = core.items, core.verdicts
        self.key = CSRStorage(len(items.data), description="Key, key bit 0 the lowest.")
        self.user = CSRStorage(len(items.user), description="0 query, 1 insert, 2 test-and-insert, 3 remove; an amount above.")
        self.tag = CSRStorage(len(items.id), description="Tag of the item.")
        self.offer = CSR()
        self.pending = CSRStatus(description="The item waits for the filter.")
        self.valid = CSRStatus(description="A verdict is there.")
        self.verdict = CSRStatus(len(verdicts.data), description="The verdict.")
        self.verdict_tag = CSRStatus(len(verdicts.id), description="Tag of its item.")
        self.take = CSR()
        pending = Signal()
        self.sync += [
            If(items.ready, pending.eq(0)),
            If(self.offer.re, pending.eq(1)),
        ]
        self.comb += [
            items.valid.eq(pending),
            items.data.eq(self.key.storage),
            items.user.eq(self.user.storage),
            items.id.eq(self.tag.storage),
            self.pending.status.eq(pending),
            self.valid.status.eq(verdicts.valid),
            self.verdict.status.eq(verdicts.data),
            self.verdict_tag.status.eq(verdicts.id),
            verdicts.ready.eq(self.take.re),
        ]
