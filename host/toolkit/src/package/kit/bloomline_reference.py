"""A filter of Bloomline in Python, from its manifest alone: what hash and filter do with each item.

    reference = Reference.load("manifest.json")
    reference.positions(key)          # where the hash sends a key
    reference.item(key, tuser)        # the verdict as m_verdict_tdata; None for a plain insert

Needs nothing but the standard library. Written from the definitions; it shares no code with the gateware. A sliding-window
filter is not in it: of that, the hash only.
"""

import json

MASK = (1 << 64) - 1
QUERY, INSERT, TEST_AND_INSERT, REMOVE = range(4)


def _rotated(word, by):
    return (word << by | word >> (64 - by)) & MASK


def _sip_round(v0, v1, v2, v3):
    v0, v2 = (v0 + v1) & MASK, (v2 + v3) & MASK
    v1, v3 = _rotated(v1, 13) ^ v0, _rotated(v3, 16) ^ v2
    v0 = _rotated(v0, 32)
    v2, v0 = (v2 + v1) & MASK, (v0 + v3) & MASK
    v1, v3 = _rotated(v1, 17) ^ v2, _rotated(v3, 21) ^ v0
    return v0, v1, _rotated(v2, 32), v3


def siphash(message, secret, compress, finish):
    """SipHash-c-d of some bytes under a secret of 128 bits, its low half k0."""
    k0, k1 = secret & MASK, secret >> 64
    state = (
        k0 ^ 0x736F6D6570736575,
        k1 ^ 0x646F72616E646F6D,
        k0 ^ 0x6C7967656E657261,
        k1 ^ 0x7465646279746573,
    )
    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) & 255])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        state = state[:3] + (state[3] ^ word,)
        for _ in range(compress):
            state = _sip_round(*state)
        state = (state[0] ^ word,) + state[1:]
    state = state[:2] + (state[2] ^ 255,) + state[3:]
    for _ in range(finish):
        state = _sip_round(*state)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


class Reference:
    """An empty filter; `secret` is that of a keyed hash, the public one of power-up unless given."""

    def __init__(self, manifest, secret=None):
        self.geometry, self.hash = manifest["geometry"], manifest["hash"]
        public = self.hash.get("public_secret", {}).get("value", "0x0")
        self.secret = int(public, 16) if secret is None else secret
        self.clear()

    @classmethod
    def load(cls, path):
        with open(path, encoding="utf-8") as file:
            return cls(json.load(file))

    def clear(self):
        """Empties the filter."""
        self.active, self.frozen, self.messages, self.cells = set(), set(), 0, {}
        self.earlier, self.insertions = {}, 0

    # the hash: see `hash.doc` of the manifest

    def functions(self, key):
        """The values of the hash functions, function 0 first."""
        values = []
        for unit in self.hash["units"]:
            values += self._unit(unit, key)
        return values

    def _unit(self, unit, key):
        bits = self.hash["function_bits"]
        if self.hash["family"].startswith("siphash"):
            message = key.to_bytes((self.geometry["key_bits"] + 7) // 8, "little")
            if unit["number"] is not None:
                message += bytes([unit["number"]])
            value = siphash(message, self.secret, unit["compress"], unit["finish"])
            return [value >> place * bits & (1 << bits) - 1 for place in range(len(unit["functions"]))]
        value = int(unit["offset"], 16)
        for bit, row in enumerate(unit["rows"]):
            if key >> bit & 1:
                value ^= int(row, 16)
        if self.hash["family"] == "h3":
            return [value]
        word = sum(self.hash["sbox"][value >> shift & 15] << shift for shift in range(0, 64, 4))
        outputs = [sum(word >> tap & 1 for tap in taps) & 1 for taps in unit["taps"]]
        return [
            sum(bit << place for place, bit in enumerate(outputs[first : first + bits]))
            for first in range(0, len(outputs), bits)
        ]

    def positions(self, key):
        """The k probe positions: position i in bank i, or all in the one array of the shared layout."""
        values, space = self.functions(key), self.geometry["range"]
        bits, hashes = self.hash["function_bits"], self.geometry["hashes"]
        if self.geometry["distinct"]:
            taken = []
            for i, value in enumerate(values):
                position = value * (space - hashes + 1 + i) >> bits
                taken.append(space - hashes + i if position in taken else position)
            return taken
        if space & (space - 1):
            values = [value * space >> bits for value in values]
        else:
            values = [value % space for value in values]
        if self.hash["hashing"] == "independent":
            return values
        extension = {"double": 0, "extended-double-2": 2, "extended-double-3": 3}[self.hash["hashing"]]
        rows = hashes // self.geometry.get("copies", 1)
        return [
            (first + i * step + (i**extension if extension else 0)) % space
            for first, step in zip(values[::2], values[1::2])
            for i in range(rows)
        ]

    # the filter

    def item(self, key, tuser):
        """Does what an item asks for; its verdict as the verdict stream has it, None for a plain insert."""
        operation, amount = tuser & 3, tuser >> 2
        shared = self.geometry["layout"] == "shared"
        places = [(0 if shared else i, position) for i, position in enumerate(self.positions(key))]
        kind = self.geometry["kind"]
        if kind == "sliding":
            raise NotImplementedError("a sliding-window filter: use the items of the manifest")
        if kind == "recycling":
            verdict = self._recycling(places, operation)
        elif "window" in self.geometry:
            verdict = self._window(places, operation)
        else:
            verdict = self._counters(kind, places, operation, amount)
        return None if operation == INSERT else verdict

    def _recycling(self, places, operation):
        geometry, new = self.geometry, set(places) - self.active
        in_active = not new
        in_frozen = geometry["phases"] == 2 and self.frozen.issuperset(places)
        tripped = False
        if operation != QUERY and new:
            if geometry["recycle_on"] == "bits-set":
                tripped = len(self.active) + len(new) > geometry["threshold"]
            else:
                tripped = self.messages + 1 >= geometry["threshold"]
            if tripped:
                self.frozen, self.active, self.messages = self.active, set(), 0
            if not tripped or geometry["retain"]:
                self.active.update(places)
                self.messages += 1
        return (in_active or in_frozen) | in_active << 1 | in_frozen << 2 | tripped << 3

    def _counters(self, kind, places, operation, amount):
        geometry, cells = self.geometry, self.cells
        most = geometry["cell_max"]
        amount = amount & (1 << geometry["amount_bits"]) - 1 if kind == "count-min" else 1
        removes = kind == "counting" and not geometry["conservative"]
        if operation == REMOVE and not removes:
            operation = TEST_AND_INSERT
        seen, underflow, saturated, estimate = True, False, False, most
        for place in places:
            before = after = cells.get(place, 0)
            if operation == REMOVE:
                underflow |= before == 0
                after = before if before in (0, most) else before - 1
            elif operation != QUERY and not geometry["conservative"]:
                after = min(before + amount, most)
            cells[place] = after
            seen &= before > 0
            saturated |= after == most
            estimate = min(estimate, after)
        if geometry["conservative"] and operation != QUERY:
            estimate = min(estimate + amount, most)
            saturated |= estimate == most
            for place in places:
                cells[place] = max(cells[place], estimate)
        if kind == "static":
            return int(seen)
        reached = estimate >= geometry["threshold"]
        return reached | seen << 1 | underflow << 2 | saturated << 3 | estimate << 4

    def _window(self, places, operation):
        """Counters over the last insertions, in two panes: `cells` is the active one, `earlier` the frozen one."""
        geometry, most = self.geometry, self.geometry["cell_max"]
        before = [self.cells.get(place, 0) for place in places]
        frozen = [self.earlier.get(place, 0) for place in places]
        # nothing can be removed: that acts as a test-and-insert
        active = before if operation == QUERY else [min(count + 1, most) for count in before]
        total = min(active) + min(frozen)
        estimate, seen = min(total, most), min(before) > 0 or min(frozen) > 0
        saturated = total > most or most in active or most in frozen
        if operation != QUERY:
            self.cells.update(zip(places, active))
            self.insertions += 1
            if self.insertions == geometry["window"]:
                self.cells, self.earlier, self.insertions = {}, self.cells, 0
        return (estimate >= geometry["threshold"]) | seen << 1 | saturated << 3 | estimate << 4
