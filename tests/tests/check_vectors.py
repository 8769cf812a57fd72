"""Recomputes the key-to-index vectors of a manifest from the constants beside them.

Usage: check_vectors.py MANIFEST. Needs nothing but the standard library. Exit 0 if every vector agrees, 1 if one does not,
2 if the manifest cannot be used. Written from the definition of the hash; it shares no code with the command.
"""

import json
import sys

VECTORS = 16


def parity_of_rows(rows, offset, key):
    """H3: the offset XOR the rows of the set key bits."""
    value = offset
    for bit, row in enumerate(rows):
        if key >> bit & 1:
            value ^= int(row, 16)
    return value


def substituted(word, sbox):
    """Every nibble of a 64-bit word through the S-box."""
    return sum(sbox[word >> shift & 15] << shift for shift in range(0, 64, 4))


def unit_functions(unit, family, sbox, function_bits, key):
    """The values of a unit's functions, its first function first."""
    value = parity_of_rows(unit["rows"], int(unit["offset"], 16), key)
    if family == "h3":
        return [value]
    if family != "h3-sbox":
        raise ValueError(f"hash family {family}: this script knows h3, h3-sbox and the keyed ones")
    word = substituted(value, sbox)
    outputs = [sum(word >> tap & 1 for tap in taps) & 1 for taps in unit["taps"]]
    return [
        sum(bit << place for place, bit in enumerate(outputs[first : first + function_bits]))
        for first in range(0, len(outputs), function_bits)
    ]


MASK = (1 << 64) - 1


def rotated(word, by):
    """A 64-bit word rotated to the left."""
    return (word << by | word >> (64 - by)) & MASK


def sip_round(v0, v1, v2, v3):
    """One round of SipHash."""
    v0, v2 = (v0 + v1) & MASK, (v2 + v3) & MASK
    v1, v3 = rotated(v1, 13) ^ v0, rotated(v3, 16) ^ v2
    v0 = rotated(v0, 32)
    v2, v0 = (v2 + v1) & MASK, (v0 + v3) & MASK
    v1, v3 = rotated(v1, 17) ^ v2, rotated(v3, 21) ^ v0
    return v0, v1, rotated(v2, 32), v3


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
            state = sip_round(*state)
        state = (state[0] ^ word,) + state[1:]
    state = state[:2] + (state[2] ^ 255,) + state[3:]
    for _ in range(finish):
        state = sip_round(*state)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


# SipHash-2-4 of the bytes 0 to 14 under the secret of the bytes 0 to 15, from its authors' paper.
PUBLISHED = (bytes(range(15)), int.from_bytes(bytes(range(16)), "little"), 0xA129CA6149BE45E5)


def sip_functions(unit, secret, function_bits, key, key_bits):
    """The values of a keyed unit's functions, its first function first."""
    message = key.to_bytes((key_bits + 7) // 8, "little")
    if unit["number"] is not None:
        message += bytes([unit["number"]])
    if len(message) != unit["message_bytes"]:
        raise ValueError(f"a message of {unit['message_bytes']} bytes, the key makes {len(message)}")
    value = siphash(message, secret, unit["compress"], unit["finish"])
    mask = (1 << function_bits) - 1
    return [value >> place * function_bits & mask for place in range(len(unit["functions"]))]


def distinct_indices(functions, function_bits, space):
    """Floyd's draw of distinct positions from a space."""
    hashes, taken = len(functions), []
    for i, value in enumerate(functions):
        position = value * (space - hashes + 1 + i) >> function_bits
        taken.append(space - hashes + i if position in taken else position)
    return taken


EXTENSIONS = {
    "double": lambda i: 0,
    "extended-double-2": lambda i: i * i,
    "extended-double-3": lambda i: i * i * i,
}


def indices_of(functions, constants, geometry):
    """The probe positions from the function values."""
    space, bits = geometry["range"], constants["function_bits"]
    if geometry["distinct"]:
        return distinct_indices(functions, bits, space)
    if space & (space - 1):
        values = [value * space >> bits for value in functions]
    else:
        values = [value % space for value in functions]
    if constants["hashing"] == "independent":
        return values
    extension = EXTENSIONS.get(constants["hashing"])
    if extension is None:
        raise ValueError(f"hashing {constants['hashing']}: this script knows independent and {', '.join(EXTENSIONS)}")
    positions, rows = [], geometry["hashes"] // geometry.get("copies", 1)
    while len(positions) < geometry["hashes"]:
        first, step, values = values[0], values[1], values[2:]
        positions += [(first + i * step + extension(i)) % space for i in range(rows)]
    return positions


def check(manifest):
    """The lines that say what disagrees."""
    geometry, constants = manifest["geometry"], manifest["hash"]
    faults = []
    message, secret, published = PUBLISHED
    if siphash(message, secret, 2, 4) != published:
        faults.append("this script's SipHash-2-4 does not give the published value")
    if len(manifest["vectors"]) != VECTORS:
        faults.append(f"{len(manifest['vectors'])} vectors, expected {VECTORS}")
    for vector in manifest["vectors"]:
        key = int(vector["key"], 16)
        if key >> geometry["key_bits"]:
            faults.append(f"key {vector['key']} is wider than {geometry['key_bits']} bits")
        functions = []
        for unit in constants["units"]:
            if constants["family"] in ("siphash", "siphash-2-4"):
                secret = int(constants["public_secret"]["value"], 16)
                functions += sip_functions(unit, secret, constants["function_bits"], key, geometry["key_bits"])
                continue
            if len(unit["rows"]) != geometry["key_bits"]:
                faults.append(f"{len(unit['rows'])} rows for {geometry['key_bits']} key bits")
            functions += unit_functions(
                unit, constants["family"], constants["sbox"], constants["function_bits"], key
            )
        indices = indices_of(functions, constants, geometry)
        if functions != [int(value, 16) for value in vector["functions"]]:
            faults.append(f"key {vector['key']}: functions {vector['functions']}, computed {functions}")
        if indices != vector["indices"]:
            faults.append(f"key {vector['key']}: indices {vector['indices']}, computed {indices}")
    return faults


def main():
    if len(sys.argv) != 2:
        print("usage: check_vectors.py MANIFEST", file=sys.stderr)
        return 2
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            manifest = json.load(file)
        faults = check(manifest)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"error: {sys.argv[1]}: {error}", file=sys.stderr)
        return 2
    for fault in faults:
        print(fault)
    if not faults:
        print(f"{len(manifest['vectors'])} vectors agree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
