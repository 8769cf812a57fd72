"""Membership filters for FPGAs: sized, predicted, modelled and verified, and cards with them: keys in, verdicts out."""

import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, ClassVar, Literal, TypedDict, final, overload

import numpy as np
import numpy.typing as npt

_Key = int | bytes
_Keys = npt.NDArray[np.uint64] | npt.NDArray[np.uint8]
_Amounts = int | npt.NDArray[np.uint32]
_Kind = Literal["recycling", "static", "counting", "count-min", "sliding"]

class _Info(TypedDict):
    name: str
    kind: _Kind
    geometry_hash: int
    key_bits: int
    hashes: int
    clock_hz: int
    has_item_port: bool
    is_keyed: bool
    blocks: list[tuple[int, int, int]]

class _Stats(TypedDict):
    running: bool
    public_secret: bool | None
    threshold: int | None
    max_age_ticks: int | None
    bits_active: int | None
    bits_frozen: int | None
    messages: int | None
    counters: dict[str, int]

class _Path(TypedDict):
    name: Literal["path", "lane_0", "lane_1"]
    learn: bool
    max_frame: int
    policies: dict[str, str]

class _Link(TypedDict):
    up: bool
    megabits: int | None
    full_duplex: bool

class _Part(TypedDict):
    half: Literal["active", "frozen"] | None
    keys: int | None
    low: int
    high: int | None
    confidence: float
    formula: str
    occupied: list[int]

class _Estimate(TypedDict):
    parts: list[_Part]
    either: _Part | None
    fresh_key_seen: float

class _Interval(TypedDict):
    value: float
    low: float
    high: float

class _Similarity(TypedDict):
    one: float
    other: float
    either: float
    common: _Interval
    jaccard: _Interval
    overlap: int
    overlap_by_chance: float
    overlap_deviation: float
    confidence: float
    formula: str

class _Cycle(TypedDict):
    on: Literal["bits-set", "messages"]
    active_half: int
    threshold: int
    messages: int
    recycles: int

@final
class Device:
    """A card: the one that a URL names, taken only if it is the filter of a design.

    The URL is uart:/dev/ttyUSB0 (at the rate of the design, or of ?baud=115200), etherbone:HOST[:PORT] or pcie:0000:03:00.0/2; the design is the manifest.json that
    `bloomline emit` wrote, or a specification that says its threshold. Every call may come from any thread; they take turns.
    As a context manager it closes itself.
    """

    def __new__(cls, url: str, design: str | os.PathLike[str]) -> Device: ...

    def __enter__(self) -> Device: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
        /,
    ) -> None: ...

    def close(self) -> None:
        """Closes the link, once calls that are under way in other threads have ended. Closing twice is no mistake."""

    def info(self) -> _Info:
        """Who the card is: name, kind, geometry_hash, key_bits, hashes, clock_hz, has_item_port, is_keyed, blocks. Sends nothing.
        """

    def configure(
        self,
        *,
        threshold: int | None = None,
        max_age: float | None = None,
        secret: bytes | None = None,
        clear: bool = False,
    ) -> None:
        """Sets what is given: the threshold; max_age, the longest time in seconds that a half of a recycling filter stays active (0
        for no limit); secret, 16 bytes under which the hash works from then on. A new secret empties every filter but a
        recycling one of two phases, which keeps its frozen half; with clear that is emptied too.
        """

    def configure_path(
        self,
        lane: int | None = None,
        *,
        policies: dict[str, str] | None = None,
        learn: bool | None = None,
        max_frame: int | None = None,
    ) -> None:
        """Sets what is given for a packet path, or for every one: lane is None or its number (0 on a card between two streams; 0 or 1
        on a line card, by the Ethernet port that its frames come from). policies is a dictionary of what happens to frames by
        their class (unseen, seen, other, truncated, malformed, too-deep, oversize, bad): "pass", "drop" or "mark:N" with a DSCP N
        from 0 to 63; learn says whether keys of frames are inserted as they are looked up; max_frame is the bytes of the longest
        frame that is not oversize, without FCS.
        """

    def paths(self) -> list[_Path]:
        """What is set in each packet path: name (path, or lane_0 and lane_1), learn, max_frame, policies; none on a card without."""

    def links(self) -> list[_Link]:
        """What the PHYs of a line card tell of their links, by port: up, megabits (None where there is no such speed), full_duplex."""

    @overload
    def query(self, keys: _Key) -> Verdict:
        """Looks up a key (an integer, or bytes with the lowest first) or many (an array of uint64, or of uint8 of shape (n, bytes)):
        a Verdict, or Verdicts. Changes nothing. Where a call with many keys fails or Ctrl-C ends it, the exception tells what was done:
        its attributes done and verdicts (see BloomlineError).
        """
    @overload
    def query(self, keys: _Keys) -> Verdicts: ...

    def insert(self, keys: _Key | _Keys, amounts: _Amounts | None = None) -> None:
        """Inserts a key, or many. amounts is what each adds in a Count-Min sketch: one integer, or an array of uint32."""

    @overload
    def test_and_insert(self, keys: _Key, amounts: int | None = None) -> Verdict:
        """Looks up and inserts a key, or many, one after the other: a Verdict, or Verdicts, of before; counts include the item.
        """
    @overload
    def test_and_insert(self, keys: _Keys, amounts: _Amounts | None = None) -> Verdicts: ...

    @overload
    def remove(self, keys: _Key) -> Verdict:
        """Takes a key, or many, out of a counting filter once: a Verdict, or Verdicts."""
    @overload
    def remove(self, keys: _Keys) -> Verdicts: ...

    def counters(self) -> dict[str, int]:
        """Every counter by its name in the register map: ITEMS, which all have, or RECYCLES; those around the filter behind whose they
        are: LANE_0.FRAMES_UNSEEN, PORT_1.FRAMES_BAD_FCS, PATH.DROPPED.
        """

    def stats(self) -> _Stats:
        """What the card shows of itself: running, public_secret (the secret of the hash is still the specification's), threshold,
        max_age_ticks, bits_active, bits_frozen, messages, counters; None for what its kind has not.
        """

    def events(self) -> list[Event]:
        """What happened since the last call, by the counters; nothing in the first. Nothing is missed in between, however long,
        unless the card is reset: "restarted" tells of a reset if a counter stands lower after it, and what was counted before it is not known.
        """

    def clear(self) -> None:
        """Empties the filter and waits until it takes items again. Counters stay."""

    def recycle(self) -> None:
        """Recycles now, as the age of the active half would, and waits until the filter takes items again; recycling filters only."""

    def snapshot(self) -> Snapshot:
        """Reads the whole array, of every kind but sliding; BusyError if a recycling filter recycles again and again meanwhile."""

    def restore(self, snapshot: Snapshot) -> None:
        """Writes a snapshot into the array, every word, and reads it back; a recycling filter is cleared first. All kinds but sliding."""

@final
class Event:
    """Something that happened between two looks."""

    @property
    def kind(
        self,
    ) -> Literal["recycled", "lost", "saturated", "underflowed", "wrong words", "words corrected", "words uncorrectable", "stalled", "overflowed", "link changed", "restarted"]:
        """"recycled", "lost", "saturated", "underflowed", "wrong words", "words corrected", "words uncorrectable", "stalled", "overflowed", "link changed" or "restarted"."""

    @property
    def count(self) -> int:
        """How often, how many items, or for how many clocks; 0 where it says nothing."""

    @property
    def cause(self) -> str | None:
        """The counter of the cause of a stall, that of the frames without room, or the port whose link changed; else None."""

    def __eq__(self, other: object, /) -> bool: ...

    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Filter:
    """A filter in software: the reference model that the gateware is compared with, item by item, without a card.

    spec is the path of a specification, its text, or the manifest.json that `bloomline emit` wrote. The filter begins empty. Every
    call may come from any thread; they take turns.
    """

    def __new__(cls, spec: str | os.PathLike[str]) -> Filter: ...

    @property
    def name(self) -> str:
        """Name of the filter."""

    @property
    def kind(self) -> _Kind:
        """Kind of the filter: "recycling", "static", "counting", "count-min" or "sliding"."""

    @property
    def key_bits(self) -> int:
        """Bits of a key."""

    @property
    def threshold(self) -> int | None:
        """Threshold: of a half that is recycled, or of a count that is reported; None for kinds without one."""

    @overload
    def query(self, keys: _Key) -> Verdict:
        """Looks up a key (an integer, or bytes with the lowest first) or many (an array of uint64, or of uint8 of shape (n, bytes)):
        a Verdict, or Verdicts. Changes nothing.
        """
    @overload
    def query(self, keys: _Keys) -> Verdicts: ...

    def insert(self, keys: _Key | _Keys, amounts: _Amounts | None = None) -> None:
        """Inserts a key, or many. amounts is what each adds in a Count-Min sketch: one integer, or an array of uint32."""

    @overload
    def test_and_insert(self, keys: _Key, amounts: int | None = None) -> Verdict:
        """Looks up and inserts a key, or many, one after the other: a Verdict, or Verdicts, of before; counts include the item.
        """
    @overload
    def test_and_insert(self, keys: _Keys, amounts: _Amounts | None = None) -> Verdicts: ...

    @overload
    def remove(self, keys: _Key) -> Verdict:
        """Takes a key, or many, out of a counting filter once: a Verdict, or Verdicts."""
    @overload
    def remove(self, keys: _Keys) -> Verdicts: ...

    def clear(self) -> None:
        """Empties the filter."""

@final
class Snapshot:
    """The array of a filter of any kind but sliding, as it stood. It does not change."""

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Snapshot:
        """Reads a snapshot file."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a snapshot file, whole or not at all."""

    def union(self, other: Snapshot) -> Snapshot:
        """What one filter would hold that had met the items of both: bits or-ed, counters added up to their greatest value.
        """

    def intersection(self, other: Snapshot) -> Snapshot:
        """Cell by cell the lesser of the two, for bits those set in both."""

    def __or__(self, other: Snapshot, /) -> Snapshot: ...

    def __and__(self, other: Snapshot, /) -> Snapshot: ...

    def __eq__(self, other: object, /) -> bool: ...

    __hash__: ClassVar[None]  # type: ignore[assignment]

    def estimate(self, confidence: float = 0.95) -> _Estimate:
        """How many different keys the array holds, with intervals of this confidence, between 0 and 1: parts (one, or one of each half
        of a recycling filter, the active one first), either (the keys in either half, each counted once; None where that has no
        meaning) and fresh_key_seen, the probability that a key which was never inserted is found.
        """

    def similarity(self, other: Snapshot, confidence: float = 0.95) -> _Similarity | None:
        """How many different keys this array and another of its geometry have in common, with intervals of this confidence, between 0
        and 1: common and jaccard (keys in both over keys in either; value, low, high), one, other and either (keys of each array and of
        both together), overlap (cells above 0 in both) beside overlap_by_chance and overlap_deviation. None where every cell is above 0
        in one array or the other. Under a keyed hash both must have been filled under one secret.
        """

    @property
    def words(self) -> npt.NDArray[np.uint32]:
        """The 32-bit words, bank 0 first, the active half before the frozen one: cells side by side, the first in the lowest bits."""

    def cells(self, bank: int) -> npt.NDArray[np.bool_] | npt.NDArray[np.uint32]:
        """The cells of a bank that probes go to, by rising position: bool where a cell is a bit, else uint32. Banks are counted
        through both halves.
        """

    @property
    def fill(self) -> float:
        """Share of the cells above 0, all banks together."""

    @property
    def saturated(self) -> int:
        """How many cells stand at their greatest value."""

    @property
    def items(self) -> tuple[int, int]:
        """The counter ITEMS before the array was read, and after."""

    @property
    def is_of_one_instant(self) -> bool:
        """Whether no item came while the array was read; False for a union or intersection, whose items are the sums of both."""

    @property
    def name(self) -> str:
        """Name of the filter."""

    @property
    def cycle(self) -> _Cycle | None:
        """The cycle of a recycling filter: on, active_half, threshold, messages, recycles; None for other kinds."""

    @property
    def halves(self) -> int:
        """Halves of a recycling filter, 1 or 2; panes of a counting filter over a window, 2; else 1."""

    @property
    def kind(self) -> Literal["recycling", "static", "counting", "count-min"]:
        """Kind of the filter: "recycling", "static", "counting" or "count-min"."""

    @property
    def geometry_hash(self) -> int:
        """Hash over everything that changes the gateware it came from."""

    @property
    def banks(self) -> int:
        """Banks of a half."""

    @property
    def hashes(self) -> int:
        """Probes of a key."""

    @property
    def cell_bits(self) -> int:
        """Bits of a cell."""

    @property
    def range(self) -> int:
        """Cells of a bank that probes go to."""

@final
class Verdict:
    """What a filter says of a key; true where it is positive."""

    @property
    def positive(self) -> bool:
        """The key was seen; in filters that count, its count reaches the threshold."""

    @property
    def seen(self) -> bool:
        """The key was there before the item."""

    @property
    def in_active(self) -> bool:
        """Recycling filters: in the active half."""

    @property
    def in_frozen(self) -> bool:
        """Recycling filters: in the frozen half."""

    @property
    def tripped(self) -> bool:
        """Recycling filters: the item tripped a recycle."""

    @property
    def underflow(self) -> bool:
        """Counting filters: the item removed what was not there."""

    @property
    def saturated(self) -> bool:
        """Filters that count: a counter of the key stands at its greatest value."""

    @property
    def lost(self) -> bool:
        """Sliding-window filters: there was no room for the key."""

    @property
    def estimate(self) -> int:
        """How often the key was inserted, in filters that count; else 0."""

    def __bool__(self) -> bool: ...

    def __eq__(self, other: object, /) -> bool: ...

    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Verdicts:
    """What a filter says of many keys: arrays with one element a key, in the order of the keys."""

    @property
    def positive(self) -> npt.NDArray[np.bool_]:
        """The key was seen; in filters that count, its count reaches the threshold."""

    @property
    def seen(self) -> npt.NDArray[np.bool_]:
        """The key was there before the item."""

    @property
    def in_active(self) -> npt.NDArray[np.bool_]:
        """Recycling filters: in the active half."""

    @property
    def in_frozen(self) -> npt.NDArray[np.bool_]:
        """Recycling filters: in the frozen half."""

    @property
    def tripped(self) -> npt.NDArray[np.bool_]:
        """Recycling filters: the item tripped a recycle."""

    @property
    def underflow(self) -> npt.NDArray[np.bool_]:
        """Counting filters: the item removed what was not there."""

    @property
    def saturated(self) -> npt.NDArray[np.bool_]:
        """Filters that count: a counter of the key stands at its greatest value."""

    @property
    def lost(self) -> npt.NDArray[np.bool_]:
        """Sliding-window filters: there was no room for the key."""

    @property
    def estimate(self) -> npt.NDArray[np.uint32]:
        """How often the key was inserted, in filters that count; else 0."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Verdict: ...

    def __iter__(self) -> Iterator[Verdict]: ...

class BloomlineError(Exception):
    """What this module raises; its text says what failed, where, expected and got, and the next step.

    Where a call with many keys fails or Ctrl-C ends it, the exception (KeyboardInterrupt too) has two attributes: done, how many of the
    items were done, and verdicts, their Verdicts (None for insert). Other exceptions do not have them.
    """

    done: int
    verdicts: Verdicts | None

class ArgumentError(BloomlineError, ValueError):
    """The caller gave a value that cannot be: nothing was sent."""

class BusyError(BloomlineError):
    """The device is not ready, or another host came in between."""

class DesignError(BloomlineError):
    """The manifest or specification is wrong or cannot be read."""

class FileError(BloomlineError):
    """A file or folder cannot be read or written, or is not what it should be: a snapshot, a table, a capture, a folder to write."""

class LinkError(BloomlineError):
    """The link failed, or carried what cannot be."""

class NotThereError(BloomlineError):
    """This kind of filter has no such thing."""

class OpenError(BloomlineError):
    """The link cannot be opened, or nothing answers there."""

class RefusedError(BloomlineError):
    """The device refuses the access."""

class TimeoutError(BloomlineError):
    """No answer came in time."""

class UncertainError(BloomlineError):
    """Whether a write or an item was carried out cannot be said."""

class WrongDeviceError(BloomlineError):
    """The device is another than the design."""

def emit(spec: str | os.PathLike[str], out: str | os.PathLike[str], *, force: bool = False) -> dict[str, Any]:
    """Emits the gateware of a filter as the folder out, whole or not at all: Verilog, manifest, register maps, templates, testbenches. A
    folder that is there must be empty, or with force hold an earlier emission. Gives what `bloomline emit --json` prints.
    """

def plan(spec: str | os.PathLike[str], *, compare: bool = False, area: bool = False) -> dict[str, Any]:
    """Predicts a filter: the numbers of `bloomline plan --json` as a dictionary, from the path of a specification or its text. With compare
    other structures that forget by age too, under comparison; with area lookup tables, flip-flops and block RAMs, under area.
    """

def size(kind: _Kind, *, name: str = "sized", key_bits: int = 64, **wants: float | str | None) -> dict[str, Any]:
    """Sizes a filter that can be built, the smallest that meets what is wanted of it: its numbers, with the paper's beside them, and
    its specification. wants, of which None counts as not given, are those of `bloomline size KIND`: recycling: memory, rate, messages, hashes, phases, threshold, and True
    for on_messages, independent, forget_tripping, powers_of_two; static: bits, items, rate, hashes, and True for distinct; counting:
    insertions or window, threshold, counters, rate, hashes, true_count; count-min: error, failure, copies, total, counter_bits,
    amount_bits; sliding: window, slack (no limit without it), rate, generations, table ("buckets" or "cuckoo").
    """

def verify(
    spec: str | os.PathLike[str],
    keys: _Keys | str | os.PathLike[str] | None = None,
    *,
    items: int | None = None,
    seed: int = 1,
    report: str | os.PathLike[str] | None = None,
) -> dict[str, Any]:
    """Simulates a filter's gateware in the built-in simulator, clock for clock against the reference model, and compares its rates with
    theory: the result of `bloomline verify --json` as a dictionary. keys is None for random new keys, an array as query takes it,
    "FILE:COLUMN" of a table, or the path of a capture; items is the most that are taken. With report, a folder, the page is written
    there. Ctrl-C ends it.
    """
