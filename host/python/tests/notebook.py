"""Runs the cells of the notebook one after the other, as Jupyter would: FOLDER, where its figures go. Ends at the first claim that does not hold."""

import json
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")


def main():
    folder = Path(sys.argv[1])
    file = Path(__file__).parents[1] / "examples/trace.ipynb"
    names = {"__name__": "notebook"}
    for cell in json.loads(file.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    plot = names["plt"]
    assert len(plot.get_fignums()) == 3
    for number in plot.get_fignums():
        plot.figure(number).savefig(folder / f"figure{number}.png")
        assert (folder / f"figure{number}.png").stat().st_size > 5_000
    assert abs(names["rate"] - names["plan"]["fpr_average"]) < 0.001, names["rate"]
    share = names["share"]
    assert share[0] == 0 and share[-1] > 0.9, "what came just now is known, what came long ago is not"
    assert names["late"] == sorted(names["late"], reverse=True), "more memory forgets less"
    assert names["result"]["verdict"] in ("pass", "not-applicable", "inconclusive")


if __name__ == "__main__":
    main()
