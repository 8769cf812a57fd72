"""Writes the SHA-256 of every wheel of a version on PyPI into wheels.txt, in the place of those of the project's other versions.

    python3 hdl/toolchain/wheels.py wasmtime==47.0.1 numpy==2.3.5
"""

import json
import pathlib
import re
import sys
import urllib.request

FILE = pathlib.Path(__file__).with_name("wheels.txt")
INDEX = "https://pypi.org/simple"


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def wheels(requirement):
    name, version = requirement.split("==")
    request = urllib.request.Request(
        f"{INDEX}/{canonical(name)}/", headers={"Accept": "application/vnd.pypi.simple.v1+json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        files = json.load(answer)["files"]
    found = [
        (file["filename"], file["hashes"]["sha256"])
        for file in files
        if file["filename"].endswith(".whl") and file["filename"].split("-")[1] == version
    ]
    if not found:
        sys.exit(f"{requirement}: PyPI has no wheel of it")
    return found


def main():
    requirements = sys.argv[1:]
    if not requirements or any(len(it.split("==")) != 2 for it in requirements):
        sys.exit(__doc__)
    pinned = {name: digest for digest, name in map(str.split, FILE.read_text().splitlines())}
    new = {canonical(it.split("==")[0]) for it in requirements}
    kept = {name: digest for name, digest in pinned.items() if canonical(name.split("-")[0]) not in new}
    for requirement in requirements:
        kept.update(wheels(requirement))
    FILE.write_text("".join(f"{digest} {name}\n" for name, digest in sorted(kept.items())))


if __name__ == "__main__":
    main()
