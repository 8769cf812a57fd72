"""Keeps one-hit wonders out of a small cache: a block is admitted at its second request.

    bloomline emit admit.toml --out out/admit        # hdl/specification/examples/admit.toml, for a simulation with [card] empty
    bloomline serve admit.toml --udp 0
    python host/python/examples/cache_admission.py etherbone:127.0.0.1:PORT out/admit/manifest.json cloudPhysicsIO.csv 20000

Every request goes to the card, which says whether the block came by before; a cache of the least recently used kind then keeps
the blocks that did. Three hit rates come out, in JSON, each with the blocks that were written into the cache for it:

  open       of a cache that admits everything
  measured   with the card's verdicts
  predicted  with an exact set in the card's place. The set forgets as the filter does, by what the manifest predicts: a half is
             full after `messages_per_cycle` new blocks, and the half before it is still known. Of blocks that it does not
             hold it says "seen" at random with the predicted rate `fpr_average`, from a fixed seed.
"""

import csv
import json
import random
import sys
from collections import OrderedDict

import numpy as np

import bloomline

BLOCKS = 100  # of the cache


def simulate(requests, admitted):
    """What a cache does which takes a block only where `admitted` says so."""
    cache, hits, writes = OrderedDict(), 0, 0
    for block, admit in zip(requests, admitted):
        if block in cache:
            hits += 1
            cache.move_to_end(block)
        elif admit:
            cache[block] = None
            writes += 1
            if len(cache) > BLOCKS:
                cache.popitem(last=False)
    return {"hit_rate": hits / len(requests), "writes": writes}


def exact_verdicts(requests, cycle, rate, seed=1):
    """What two exact sets say that are emptied in turn, each after `cycle` new blocks, and err with `rate`."""
    chance = random.Random(seed)
    active, frozen = set(), set()
    for block in requests:
        yield block in active or block in frozen or chance.random() < rate
        if block not in active and len(active) >= cycle:
            active, frozen = set(), active
        active.add(block)


def main():
    url, design, table, count = sys.argv[1:]
    with open(table, newline="") as file:
        rows = csv.DictReader(file)
        requests = [int(row["lbn"]) for row, _ in zip(rows, range(int(count)))]
    with open(design) as file:
        prediction = json.load(file)["prediction"]

    with bloomline.Device(url, design) as card:
        verdicts = card.test_and_insert(np.array(requests, dtype=np.uint64))
        recycles = card.counters()["RECYCLES"]

    exact = exact_verdicts(requests, prediction["messages_per_cycle"], prediction["fpr_average"])
    print(
        json.dumps(
            {
                "requests": len(requests),
                "recycles": recycles,
                "admitted": int(verdicts.positive.sum()),
                "open": simulate(requests, [True] * len(requests)),
                "predicted": simulate(requests, exact),
                "measured": simulate(requests, verdicts.positive.tolist()),
            }
        )
    )


if __name__ == "__main__":
    main()
