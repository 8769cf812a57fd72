"""Recomputes the key-to-index vectors of a manifest from the matrices beside them.

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
        raise ValueError(f"hash family {family}: this script knows h3 and h3-sbox")
    word = substituted(value, sbox)
    outputs = [sum(word >> tap & 1 for tap in taps) & 1 for taps in unit["taps"]]
    return [
        sum(bit << place for place, bit in enumerate(outputs[first : first + function_bits]))
        for first in range(0, len(outputs), function_bits)
    ]


def indices_of(functions, hashing, hashes, index_bits):
    """The probe positions from the function values."""
    mask = (1 << index_bits) - 1
    if hashing == "independent":
        return [value & mask for value in functions]
    if hashing == "double":
        first, step = functions
        return [(first + i * step) & mask for i in range(hashes)]
    raise ValueError(f"hashing {hashing}: this script knows independent and double")


def check(manifest):
    """The lines that say what disagrees."""
    geometry, constants = manifest["geometry"], manifest["hash"]
    faults = []
    if len(manifest["vectors"]) != VECTORS:
        faults.append(f"{len(manifest['vectors'])} vectors, expected {VECTORS}")
    for vector in manifest["vectors"]:
        key = int(vector["key"], 16)
        if key >> geometry["key_bits"]:
            faults.append(f"key {vector['key']} is wider than {geometry['key_bits']} bits")
        functions = []
        for unit in constants["units"]:
            if len(unit["rows"]) != geometry["key_bits"]:
                faults.append(f"{len(unit['rows'])} rows for {geometry['key_bits']} key bits")
            functions += unit_functions(
                unit, constants["family"], constants["sbox"], constants["function_bits"], key
            )
        indices = indices_of(functions, constants["hashing"], geometry["hashes"], geometry["index_bits"])
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
