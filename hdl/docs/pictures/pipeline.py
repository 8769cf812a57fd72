"""Prints the picture of the recycling filter's pipeline, pipeline.svg: `python3 hdl/docs/pictures/pipeline.py > hdl/docs/pictures/pipeline.svg`."""

STAGES = [
    ("Item", ["key, operation, tag", "AXI4-Stream"]),
    ("Hash", ["h1, h2: XOR trees", "F clock cycles"]),
    ("Positions", ["h1 + i h2", "one for each bank"]),
    ("Read banks", ["both halves,", "epoch beside word"]),
    ("Decide", ["seen, new bits,", "threshold: recycle?"]),
    ("Write", ["one word of each", "bank: bits, epoch"]),
    ("Verdict", ["seen, where, tag", "in order"]),
]
WIDTH, HEIGHT, GAP, TOP = 122, 92, 22, 40


def main():
    span = len(STAGES) * (WIDTH + GAP) - GAP
    whole = (span + 4, TOP + HEIGHT + 78)
    at = [2 + number * (WIDTH + GAP) for number in range(len(STAGES))]
    middle = TOP + HEIGHT / 2
    print(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole[0]} {whole[1]}" role="img" aria-labelledby="t d" '
        'font-family="Segoe UI, Helvetica, Arial, sans-serif" font-size="14">'
    )
    print('<title id="t">Pipeline of the recycling filter</title>')
    print('<desc id="d">' + ", then ".join(name.lower() for name, _ in STAGES) + ". One item enters in every clock cycle; results of the last items are forwarded from write to decide.</desc>")
    print(
        "<style>.b{fill:#f6f8fa;stroke:#8c959f}.t{fill:#1f2328}.m{fill:#59636e;font-size:12px}.a{stroke:#0969da;stroke-width:2;fill:none}.h{fill:#0969da}"
        "@media (prefers-color-scheme:dark){.b{fill:#161b22;stroke:#6e7681}.t{fill:#e6edf3}.m{fill:#9198a1}.a{stroke:#58a6ff}.h{fill:#58a6ff}}</style>"
    )
    print(f'<text class="m" x="2" y="20">One item enters in every clock cycle; a recycle costs none.</text>')
    for x, (name, lines) in zip(at, STAGES):
        print(f'<rect class="b" x="{x}" y="{TOP}" width="{WIDTH}" height="{HEIGHT}" rx="8"/>')
        print(f'<text class="t" x="{x + 10}" y="{TOP + 26}" font-weight="600">{name}</text>')
        for number, line in enumerate(lines):
            print(f'<text class="m" x="{x + 10}" y="{TOP + 50 + 18 * number}">{line}</text>')
    for x in at[1:]:
        print(f'<path class="a" d="M{x - GAP} {middle}H{x - 9}"/><path class="h" d="M{x - 1} {middle}l-10-5v10z"/>')
    write, decide, low = at[5] + WIDTH / 2, at[4] + WIDTH / 2, TOP + HEIGHT + 26
    print(f'<path class="a" d="M{write} {TOP + HEIGHT}V{low}H{decide}V{TOP + HEIGHT + 10}"/><path class="h" d="M{decide} {TOP + HEIGHT + 1}l-5 10h10z"/>')
    print(f'<text class="m" x="{at[3]}" y="{low + 20}">writes on their way are forwarded to items behind them;</text>')
    print(f'<text class="m" x="{at[3]}" y="{low + 38}">a recycle swaps the halves and counts an epoch up: words of an older epoch read as empty</text>')
    print("</svg>")


if __name__ == "__main__":
    main()
