"""Drives a served card through the whole module: URL DESIGN FOLDER. Ends at the first claim that does not hold."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np

import bloomline
from bloomline import Device, Event, Snapshot, Verdict, Verdicts


def raises(error, text, call):
    try:
        call()
    except error as raised:
        assert text in str(raised), f"{text!r} is not in {raised}"
        assert isinstance(raised, bloomline.BloomlineError) or error in (ValueError, IndexError)
        return
    raise AssertionError(f"no {error.__name__} with {text!r}")


def rows(numbers):
    """Keys of 13 bytes: those of the integers."""
    return np.stack([np.frombuffer(int(n).to_bytes(13, "little"), dtype=np.uint8) for n in numbers])


def opening(url, design):
    raises(bloomline.ArgumentError, "expected one of the schemes", lambda: Device("x:1", design))
    raises(bloomline.OpenError, "no such device", lambda: Device("uart:/dev/none", design))
    raises(bloomline.DesignError, "none.toml", lambda: Device(url, "none.toml"))
    with Device(url, Path(design)) as card:
        assert card.info()["key_bits"] == 104
    raises(bloomline.ArgumentError, "closed", lambda: card.counters())
    raises(ValueError, "closed", lambda: card.counters())
    card.close()


def every_kind(card):
    info = card.info()
    assert info["has_item_port"] and not info["is_keyed"] and info["hashes"] == 4
    assert len(info["blocks"]) == 3
    verdict = card.query(7)
    assert isinstance(verdict, Verdict) and not verdict and verdict.estimate == 0
    assert card.insert(7) is None
    # One key in every form it may have.
    for key in [7, bytes([7]), np.uint64(7), (7).to_bytes(13, "little")]:
        assert card.query(key).seen, key
    assert not card.query(1 << 103) and not card.query(8)
    many = card.query(np.array([7, 8], dtype=np.uint64))
    assert isinstance(many, Verdicts) and len(many) == 2
    assert many.seen.tolist() == [True, False] and many.seen.dtype == np.bool_
    assert many[0] == card.query(7) and many[-1] == card.query(8)
    raises(IndexError, "verdict 2 of 2", lambda: many[2])
    assert card.query(rows([7, 8, 1 << 103])).seen.tolist() == [True, False, False]
    assert len(card.query(np.array([], dtype=np.uint64))) == 0
    assert card.query(np.arange(14, dtype=np.uint64)[::7]).seen.tolist() == [False, True]

    raises(bloomline.ArgumentError, "does not fit a key of 104 bits", lambda: card.query(1 << 104))
    raises(bloomline.ArgumentError, "from 0 on", lambda: card.query(-1))
    raises(bloomline.ArgumentError, "give an integer", lambda: card.query("7"))
    raises(bloomline.ArgumentError, "astype(numpy.uint64)", lambda: card.query(np.array([7])))
    raises(bloomline.ArgumentError, "keys[0]: 0x", lambda: card.query(np.full((2, 14), 255, dtype=np.uint8)))
    raises(bloomline.ArgumentError, "keys[1]: 0x", lambda: card.query(np.array([[0] * 14, [255] * 14], dtype=np.uint8)))
    raises(bloomline.ArgumentError, "must be from", lambda: card.configure(threshold=1 << 40))
    raises(bloomline.ArgumentError, "threshold = -1", lambda: card.configure(threshold=-1))
    raises(bloomline.ArgumentError, "max_age", lambda: card.configure(max_age=-1.0))
    raises(bloomline.ArgumentError, "max_age", lambda: card.configure(max_age=10**400))
    raises(bloomline.ArgumentError, "give 16 bytes", lambda: card.configure(secret=bytes(15)))
    raises(bloomline.ArgumentError, "clear goes with secret", lambda: card.configure(clear=True))
    raises(bloomline.NotThereError, "secret of the hash", lambda: card.configure(secret=bytes(16)))
    raises(bloomline.ArgumentError, "amount of 2", lambda: card.insert(7, 2))
    raises(bloomline.ArgumentError, "1 of them for 2 keys", lambda: card.insert(rows([1, 2]), np.ones(1, dtype=np.uint32)))

    items = card.counters()["ITEMS"]
    assert items == card.stats()["counters"]["ITEMS"]
    card.clear()
    assert not card.query(7)
    assert card.counters()["ITEMS"] == items + 1


def other_threads_run(card):
    """A thread that only counts gets on while another waits for the card."""
    ticks, done = 0, threading.Event()

    def count():
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    counting = threading.Thread(target=count)
    counting.start()
    start = time.monotonic()
    card.query(np.arange(2000, dtype=np.uint64))
    seconds = time.monotonic() - start
    done.set()
    counting.join()
    assert ticks > 100 * seconds, f"{ticks} ticks in {seconds} s"
    # Threads that share a device take turns, and each gets its own keys' verdicts.
    wrong = []

    def own(first):
        card.insert(first)
        for _ in range(20):
            seen = card.query(np.array([first, first + 1], dtype=np.uint64)).seen.tolist()
            if seen != [True, False]:
                wrong.append((first, seen))

    threads = [threading.Thread(target=own, args=(1000 * n,)) for n in range(1, 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def an_interrupt_ends_a_long_call(card):
    # Python leaves SIGINT alone where whoever started it ignores it, as shells do in the background.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    before = card.counters()["ITEMS"]
    keys = np.arange(300_000, dtype=np.uint64)
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        card.query(keys)
    except KeyboardInterrupt as interrupt:
        done = card.counters()["ITEMS"] - before
        assert 0 < done < len(keys), done
        assert interrupt.done == len(interrupt.verdicts) == done, (interrupt.done, done)
        return
    raise AssertionError("it went on to the end")


def recycling(card):
    assert card.info()["name"] == "admit" and card.info()["kind"] == "recycling"
    card.clear()
    card.configure(threshold=5000, max_age=0)
    assert card.stats()["threshold"] == 5000 and card.stats()["max_age_ticks"] == 0
    assert card.events() == []
    keys = np.arange(200, dtype=np.uint64)
    assert not card.test_and_insert(keys).positive.any()
    verdicts = card.query(keys)
    assert verdicts.positive.all() and verdicts.in_active.all() and not verdicts.in_frozen.any()
    card.configure(threshold=100)
    tripping = card.test_and_insert(50000)
    assert tripping.tripped and not tripping and repr(tripping) == "Verdict(tripped=True)"
    assert card.query(keys).in_frozen.all()
    happened = card.events()
    assert happened[0] == happened[0] and (happened[0].kind, happened[0].count) == ("recycled", 1)
    assert isinstance(happened[0], Event)
    stats = card.stats()
    assert stats["running"] and stats["bits_frozen"] > 100 > stats["bits_active"] > 0
    raises(bloomline.NotThereError, "operation to remove", lambda: card.remove(1))

    halves = card.snapshot()
    assert halves.halves == 2 and halves.cycle["threshold"] == 100 and halves.cycle["messages"] == 1
    bits = np.stack([halves.cells(bank) for bank in range(8)])
    assert bits.dtype == np.bool_
    assert bits[:4].sum() == stats["bits_active"] and bits[4:].sum() == stats["bits_frozen"]
    estimate = halves.estimate(0.99)
    assert [part["half"] for part in estimate["parts"]] == ["active", "frozen"]
    assert estimate["parts"][0]["keys"] == 1
    assert estimate["either"]["low"] <= 201 <= estimate["either"]["high"]
    card.recycle()
    assert card.stats()["bits_active"] == 0
    card.restore(halves)
    back = card.snapshot()
    assert all((back.cells(bank) == halves.cells(bank)).all() for bank in range(8))
    assert back.cycle["recycles"] == halves.cycle["recycles"] + 2


def counting(card, folder):
    card.clear()
    card.configure(threshold=3)
    estimates = [card.test_and_insert(9).estimate for _ in range(4)]
    assert estimates == [1, 2, 3, 4]
    assert card.query(9).positive and card.remove(9).estimate == 3
    assert card.remove(np.array([9, 9, 9], dtype=np.uint64)).estimate.tolist() == [2, 1, 0]
    assert card.remove(9).underflow

    card.clear()
    keys = np.arange(200, dtype=np.uint64)
    card.insert(keys)
    one = card.snapshot()
    assert one.kind == "counting" and one.is_of_one_instant and one.banks == 4 and one.cell_bits == 4
    assert one.words.dtype == np.uint32 and len(one.words) == 4 * one.range // 8
    cells = np.stack([one.cells(bank) for bank in range(4)])
    assert cells.dtype == np.uint32 and cells.sum() == 4 * 200
    assert np.isclose((cells > 0).mean(), one.fill)
    raises(bloomline.ArgumentError, "bank = 4", lambda: one.cells(4))
    raises(bloomline.ArgumentError, "bank = -1", lambda: one.cells(-1))
    assert one.cycle is None and one.halves == 1
    (estimate,) = one.estimate(0.99)["parts"]
    assert estimate["low"] <= 200 <= estimate["high"] and estimate["confidence"] == 0.99
    raises(bloomline.ArgumentError, "confidence", lambda: one.estimate(2.0))

    card.clear()
    card.insert(keys[:100])
    two = card.snapshot()
    alike = one.similarity(two, 0.99)
    assert alike["jaccard"]["low"] <= 0.5 <= alike["jaccard"]["high"] and alike["confidence"] == 0.99
    assert alike["common"]["low"] <= 100 <= alike["common"]["high"]
    assert one != two and (one & two).words.tolist() == two.words.tolist()
    both = one | two
    assert np.array_equal(both.cells(0), np.minimum(one.cells(0) + two.cells(0), 15))
    assert both.words.tolist() == one.union(two).words.tolist()
    card.restore(both)
    assert (card.query(keys[:100]).estimate >= 2).all()
    file = Path(folder) / "one.snapshot"
    one.save(file)
    assert Snapshot.load(str(file)) == one
    raises(bloomline.FileError, "none.snapshot", lambda: Snapshot.load("none.snapshot"))


def line_card(card):
    events = card.events()
    paths = card.paths()
    assert [path["name"] for path in paths] == ["lane_0", "lane_1"]
    assert paths[0]["policies"]["unseen"] == "mark:8" and paths[0]["learn"] and paths[0]["max_frame"] == 1518
    card.configure_path(1, policies={"unseen": "drop", "too-deep": "mark:63"}, learn=False)
    card.configure_path(max_frame=9000)
    changed = card.paths()
    assert changed[0] == {**paths[0], "max_frame": 9000}
    assert changed[1]["policies"] == {**paths[1]["policies"], "unseen": "drop", "too-deep": "mark:63"}
    assert not changed[1]["learn"] and changed[1]["max_frame"] == 9000
    assert card.links() == [{"up": True, "megabits": 1000, "full_duplex": True}] * 2
    counters = card.counters()
    assert counters["LANE_1.FRAMES_TOO_DEEP"] == 0 and counters["PORT_0.FRAMES_SENT"] == 0 and "ITEMS" in counters
    assert events == card.events() == []

    raises(bloomline.ArgumentError, "packet path 2: the device has 0 to 1", lambda: card.configure_path(2, learn=True))
    raises(bloomline.ArgumentError, "unseen, seen, other", lambda: card.configure_path(policies={"new": "drop"}))
    raises(bloomline.ArgumentError, "seen: no policy", lambda: card.configure_path(policies={"seen": "mark:64"}))
    raises(bloomline.ArgumentError, "must be from 60 to 16384", lambda: card.configure_path(0, max_frame=59))


def main():
    url, design, folder = sys.argv[1:]
    opening(url, design)
    with Device(url, design) as card:
        if len(card.paths()) == 2:
            return line_card(card)
        raises(bloomline.NotThereError, "no packet path", lambda: card.configure_path(learn=True))
        raises(bloomline.NotThereError, "no Ethernet port", lambda: card.links())
        every_kind(card)
        other_threads_run(card)
        an_interrupt_ends_a_long_call(card)
        if card.info()["kind"] == "recycling":
            recycling(card)
        else:
            counting(card, folder)


if __name__ == "__main__":
    main()
