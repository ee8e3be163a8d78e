#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A study's page shows the numbers of its results.csv: every point's run time, its band, its speed-up and its efficiencies.

usage: table.py --bin FOLDER
"""
import csv
import html.parser
import json
import pathlib
import subprocess
import sys
import tempfile

TRACE = """reprise-text 1
ranks 4
program "/usr/bin/ring"
timing histogram
bins 3
thread 0 {
  MPI_Init
  loop 20 {
    MPI_Isend peer=+1 bytes=200kB request=0 | compute (limit=3 count=80 sum=8000000 squares=0:1000000000000 min=50000@0 max=200000@3 bins=[60/4000000, 20/4000000])
    MPI_Recv peer=-1 bytes=200kB
    MPI_Waitall requests=[0]
  }
  MPI_Finalize
}
"""
STUDY = {
    "format": 1,
    "name": "ring",
    "question": "Latency or bandwidth?",
    "trace": "ring.reprise",
    "platform": "ethernet-10g",
    "placement": "cyclic",
    "seeds": 3,
    "deltas": "sample",
    "sensitivities": True,
    "axes": [
        {"name": "latency", "path": "/network/link/latency", "multiply_by": [0.5, 1, 2]},
        {"name": "bandwidth", "path": "/network/link/bandwidth", "multiply_by": [0.5, 1, 2]},
    ],
}
KEYS = {"time": "predicted_time_s", "low": "low_s", "high": "high_s", "speedup": "speedup"}
EFFICIENCIES = ("parallel_efficiency", "load_balance", "communication_efficiency", "serialisation", "transfer")


class Tables(html.parser.HTMLParser):
    """By table, the rows' numbers, as texts."""

    def __init__(self):
        super().__init__()
        self.tables, self.table = {}, None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "table":
            self.table = self.tables.setdefault(attributes.get("id"), [])
        elif tag == "tr" and self.table is not None:
            self.table.append({"point": attributes.get("data-point"), "values": []})
        if tag == "td" and "data-low" in attributes:
            self.table[-1].update(low=attributes["data-low"], high=attributes["data-high"])
        if tag == "td" and "data-value" in attributes:
            self.table[-1]["values"].append(attributes["data-value"])
            self.table[-1][attributes.get("data-key")] = attributes["data-value"]


def main():
    reprise = str(pathlib.Path(sys.argv[2]).resolve() / "reprise")
    problems = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "ring.txt").write_text(TRACE)
        (folder / "ring.json").write_text(json.dumps(STUDY))
        subprocess.run([reprise, "trace", "assemble", "ring.txt", "-o", "ring.reprise"], cwd=folder, check=True)
        subprocess.run(
            [reprise, "study", "ring.json", "-o", "out"],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        page = Tables()
        page.feed((folder / "out/report.html").read_text(encoding="utf-8"))
        with open(folder / "out/results.csv", encoding="utf-8") as file:
            lines = list(csv.DictReader(file))
    shown = {int(row["point"]): row for row in page.tables["points"] if row["point"] is not None}
    if sorted(shown) != list(range(len(lines))) or len(lines) != 9:
        problems.append(f"rows {sorted(shown)} for {len(lines)} lines")
    for number, line in enumerate(lines):
        for key, column in KEYS.items():
            if shown[number][key] != line[column]:
                problems.append(
                    f"point {number}: {column} is {shown[number][key]} on the page, {line[column]} in the table"
                )
    of_page = sorted(row["values"] for row in page.tables["efficiencies"] if row["values"])
    if of_page != sorted([line[column] for column in EFFICIENCIES] for line in lines):
        problems.append("the efficiencies on the page are not those of the table")
    for name in ("sensitivities", "links", "pairs", "slices", "call-sites", "heat"):
        if not page.tables.get(name):
            problems.append(f"there is no table {name}")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
