"""Filters without a card: model, plan, size, verify. FOLDER. Ends at the first claim that does not hold."""

import json
import signal
import sys
import time
from pathlib import Path

import numpy as np

import bloomline
from bloomline import Filter

# Keys a second that the model of a recycling filter takes at least, on a machine that does other work too.
LEAST_KEYS_A_SECOND = 1_000_000


def raises(error, part, call):
    try:
        call()
    except error as raised:
        assert part in str(raised), f"{part!r} is not in {raised}"
        return
    raise AssertionError(f"no {error.__name__} with {part!r}")


def keys(first, count):
    return np.arange(first, first + count, dtype=np.uint64)


def sized(kind, **wants):
    found = bloomline.size(kind, **wants)
    return found, Filter(found["specification"])


def a_static_filter_errs_as_its_plan_says():
    found, members = sized("static", items=20_000, rate=0.01, name="members")
    assert (members.name, members.kind, members.key_bits, members.threshold) == ("members", "static", 64, None)
    assert repr(members) == "Filter(members, static)"
    plan = bloomline.plan(found["specification"])
    assert isinstance(found["hashes"], int) and isinstance(plan["hashes"], int)
    assert plan["fpr"] == found["fpr"] <= 0.01 and plan["memory_bits"] == found["memory_bits"]
    assert members.insert(keys(0, 20_000)) is None
    assert members.query(keys(0, 20_000)).positive.all(), "no false negative"
    asked = 200_000
    errors = int(members.query(keys(1 << 40, asked)).positive.sum())
    # Four standard deviations of the count, and the spread of the fill, at the plan's rate.
    expected = asked * plan["fpr"]
    assert abs(errors - expected) < 6 * expected**0.5, (errors, expected)
    assert [verdict.seen for verdict in members.query(keys(0, 3))] == [True] * 3
    assert members.query(7).seen and not members.query(1 << 63)
    members.clear()
    assert not members.query(keys(0, 1000)).positive.any()
    raises(bloomline.NotThereError, "counting filters have", lambda: members.remove(7))
    raises(bloomline.ArgumentError, "Count-Min sketch has", lambda: members.insert(7, 2))
    raises(bloomline.ArgumentError, "give an integer", lambda: members.query("7"))


def a_counting_filter_and_a_sketch_count():
    _, hot = sized("counting", insertions=1000, threshold=3, rate=0.001)
    assert [hot.test_and_insert(9).estimate for _ in range(3)] == [1, 2, 3]
    assert hot.threshold == 3 and hot.query(9).positive
    _, recent = sized("counting", window=1000, threshold=3, rate=0.001)
    assert [recent.test_and_insert(9).positive for _ in range(3)] == [False, False, True]
    recent.insert(keys(1 << 40, 3000))
    assert not recent.query(9).positive, "forgotten with its window"
    # two bits a counter: at its greatest value it no longer knows its count
    assert hot.remove(9).estimate == 3
    assert hot.test_and_insert(11).estimate == 1 and hot.remove(11).estimate == 0
    assert bloomline.size("count-min", error=0.01, failure=0.0001, copies=2)["functions"] == 4
    _, sketch = sized("count-min", error=0.01, failure=0.01, total=10_000)
    # wider than the 16 bits of an amount, of which the gateware would take the lowest
    raises(bloomline.ArgumentError, "an amount of 65536, an item of this device carries at most 65535", lambda: sketch.insert(1, 65536))
    raises(bloomline.ArgumentError, "an amount of 65536", lambda: sketch.insert(keys(1, 2), np.array([1, 65536], dtype=np.uint32)))
    amounts = np.array([5, 7, 5], dtype=np.uint32)
    assert sketch.test_and_insert(np.array([1, 2, 1], dtype=np.uint64), amounts).estimate.tolist() == [5, 7, 10]


def a_window_remembers_its_elements():
    _, window = sized("sliding", window=1000, slack=250, rate=0.001)
    window.insert(keys(0, 5000))
    assert window.query(keys(4000, 1000)).seen.all()
    assert window.query(keys(0, 1000)).seen.mean() < 0.05
    numbers, window = sized("sliding", window=1000, slack=250, rate=0.001, table="cuckoo")
    assert numbers["memory_bits"] < numbers["buckets_memory_bits"]
    window.insert(keys(0, 5000))
    assert window.query(keys(4000, 1000)).seen.all()
    assert window.query(keys(0, 1000)).seen.mean() < 0.05
    assert bloomline.size("sliding", window=1000, rate=0.001)["slack"] == 1000, "no limit"
    raises(bloomline.ArgumentError, "buckets or cuckoo", lambda: bloomline.size("sliding", window=1000, slack=250, rate=0.1, table=3))


def a_recycling_filter_is_fast_enough_for_traces(folder):
    specification = bloomline.size("recycling", messages=6000, rate=0.01, phases=2, name="seen")["specification"]
    file = folder / "seen.toml"
    file.write_text(specification)
    plan = bloomline.plan(file, compare=True, area=True)
    assert any(peer["structure"] == "age-partitioned" for peer in plan["comparison"]["structures"])
    assert all(family["lookup_tables"] > 0 for family in plan["area"]["families"])
    assert "comparison" not in bloomline.plan(file)
    seen = Filter(file)
    trace = keys(0, 2_000_000)
    start = time.process_time()
    verdicts = seen.test_and_insert(trace)
    speed = len(trace) / (time.process_time() - start)
    print(f"test_and_insert: {speed / 1e6:.1f} million keys a second of processor time")
    assert speed > LEAST_KEYS_A_SECOND, speed
    assert verdicts.tripped.sum() > 100
    rate = verdicts.positive[1_000_000:].mean()
    assert abs(rate - bloomline.plan(file)["fpr_average"]) < 0.001, rate
    # The gateware gives what the model gives: of both 0 of so many repeats are forgotten, or the same share.
    result = bloomline.verify(file, trace[:20_000], report=folder / "report")
    assert result["verdict"] in ("pass", "inconclusive", "not-applicable") and result["simulator"] == "built-in"
    assert (folder / "report/seen.html").is_file()
    drawn = bloomline.verify(str(file), items=5000, seed=3)
    assert drawn["claims"] and json.dumps(drawn)
    table = folder / "keys.csv"
    table.write_text("object\n1\n2\n1\n")
    assert bloomline.verify(file, f"{table}:object")["verdict"] != "fail"
    wide = np.zeros((50, 8), dtype=np.uint8)
    wide[:, 7] = range(50)
    assert bloomline.verify(file, wide)["verdict"] != "fail"
    raises(bloomline.FileError, "none.pcap", lambda: bloomline.verify(file, Path("none.pcap")))
    raises(bloomline.FileError, "cannot be written", lambda: bloomline.verify(file, items=1 << 40, report=table))
    raises(bloomline.FileError, "no column", lambda: bloomline.verify(file, f"{table}:key"))
    raises(bloomline.ArgumentError, "give 1 or more", lambda: bloomline.verify(file, items=0))
    raises(bloomline.ArgumentError, "FILE:COLUMN", lambda: bloomline.verify(file, [1, 2]))


def gateware_is_emitted(folder):
    file, out = folder / "seen.toml", folder / "emitted"
    emitted = bloomline.emit(file, out)
    assert emitted["name"] == "seen" and emitted["files"][0] == "seen.v" and all((out / name).is_file() for name in emitted["files"])
    assert Filter(out / "manifest.json").threshold == emitted["threshold"] == bloomline.plan(file)["threshold"]
    raises(bloomline.FileError, "holds an earlier emission; give force=True", lambda: bloomline.emit(file, out))
    assert bloomline.emit(file, out, force=True) == emitted
    raises(bloomline.FileError, "is no folder", lambda: bloomline.emit(file, file))


def a_signal_ends_a_verification():
    def interrupt(number, frame):
        raise KeyboardInterrupt

    members = bloomline.size("static", items=1000, rate=0.01)["specification"]
    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    start = time.monotonic()
    raises(KeyboardInterrupt, "", lambda: bloomline.verify(members, items=5_000_000))
    assert time.monotonic() - start < 20


def mistakes_are_told():
    raises(bloomline.ArgumentError, "rate = NaN", lambda: bloomline.size("static", items=9, rate=float("nan")))
    raises(bloomline.ArgumentError, "counter_bits = 0", lambda: bloomline.size("count-min", error=0.01, failure=0.01, counter_bits=0))
    raises(bloomline.ArgumentError, "rate is missing", lambda: bloomline.size("sliding", window=9, rate=None))
    raises(bloomline.ArgumentError, "give True or False", lambda: bloomline.size("recycling", messages=500, rate=0.01, independent=2))
    both = {"items": 1000, "rate": 0.01, "hashes": 4}
    raises(bloomline.ArgumentError, "hashes: goes with bits and items", lambda: bloomline.size("static", **both))
    raises(bloomline.ArgumentError, "`bloomline size static ... --theory`", lambda: bloomline.size("static", items=1000, bits=1))
    independent = bloomline.size("recycling", messages=500, rate=0.01, hashes=None, independent=True)["specification"]
    assert 'hashing = "independent"' in independent
    raises(bloomline.DesignError, "none.toml", lambda: Filter("none.toml"))
    raises(bloomline.DesignError, "specification:2:1", lambda: Filter('name = "a"\nhases = 4\n'))
    raises(bloomline.DesignError, "none.json", lambda: Filter(Path("none.json")))
    raises(bloomline.ArgumentError, "path of a specification", lambda: Filter(7))
    raises(bloomline.ArgumentError, "one of recycling", lambda: bloomline.size("bloom", items=1))
    raises(bloomline.ArgumentError, "bits, items, rate, hashes", lambda: bloomline.size("static", item=1))
    raises(bloomline.ArgumentError, "rate is missing", lambda: bloomline.size("sliding", window=9))
    raises(bloomline.ArgumentError, "window= in its place", lambda: bloomline.size("counting", threshold=3, rate=0.001))
    raises(bloomline.ArgumentError, "give a number", lambda: bloomline.size("static", items="ten", rate=0.01))
    assert issubclass(bloomline.ArgumentError, (bloomline.BloomlineError, ValueError))
    narrow, _ = sized("static", items=100, rate=0.01, key_bits=16)
    narrow = narrow["specification"]
    broad = bloomline.size("static", items=100, rate=0.01, key_bits=200)["specification"]
    mistakes = [
        ("key_bits = -1", lambda: bloomline.size("static", items=9, rate=0.1, key_bits=-1)),
        ("seed = -1", lambda: bloomline.verify(narrow, seed=-1)),
        (f"items = {1 << 64}", lambda: bloomline.verify(narrow, items=1 << 64)),
        ("keys: the array is empty", lambda: bloomline.verify(narrow, keys(0, 0))),
        ("has more than 128 bits", lambda: bloomline.verify(broad, np.full((1, 25), 1, dtype=np.uint8))),
        ("does not fit a key of 16 bits", lambda: bloomline.verify(narrow, keys(65_530, 9))),
        ("UTF-8", lambda: Filter("\ud800\n")),
    ]
    for part, call in mistakes:
        raises(bloomline.ArgumentError, part, call)
        raises(ValueError, part, call)


def main():
    folder = Path(sys.argv[1])
    a_static_filter_errs_as_its_plan_says()
    a_counting_filter_and_a_sketch_count()
    a_window_remembers_its_elements()
    a_recycling_filter_is_fast_enough_for_traces(folder)
    gateware_is_emitted(folder)
    a_signal_ends_a_verification()
    mistakes_are_told()


if __name__ == "__main__":
    main()
