#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often the band of a predicted time holds the run that comes.

usage: bands.py --bin FOLDER --programs LIST -o FOLDER [--recordings 5] [--runs 5] [--platform FILE] [--launcher MPIRUN]

Each program is recorded and run bare by turns, on whatever machine this is at that time. A study of all recordings of it predicts the run on the machine
that it was recorded on (--platform, or what the recording's own messages tell, all of them sampled), with all network models; every bare run is inside its
band or not. A band of 95 % should hold as many.

Writes bands.json and bands.md to FOLDER. The wall clock. Not part of CI.
"""
import argparse
import json
import statistics

from programs import Bench, add_common_options, read_programs


def predicted(bench, program, traces, platform):
    """The only point of a study of TRACES, and what its band lacks."""
    study = bench.folder / f"{program.name}.json"
    keys = {"format": 1, "name": program.name, "question": "How long does it take?", "traces": traces, "models": True}
    keys["noise"] = "recorded"  # the bare runs share their cores with the same others
    if platform:
        keys["platform"] = str(platform)
    study.write_text(json.dumps(keys))
    results = bench.folder / f"{program.name}.results"
    bench.reprise("study", study, "-q", "-o", results)
    told = json.loads((results / "results.json").read_text())
    return told["points"][0], told["certainty"]["lacks"]


def measure(bench, program, options):
    bare, traces = [], []
    sampled = [] if options.platform else ["--messages", "sample:100%"]
    for number in range(max(options.recordings, options.runs)):
        if number < options.recordings:
            traces.append(f"{program.name}.{number + 1}.reprise")
            before = [bench.bin / "reprise", "record", "-q", "--force", *sampled, "-o", bench.folder / traces[-1], "--"]
            bench.mpirun(program.ranks, {}, program.command, program.folder, before=before)
        if number < options.runs:
            told = bench.folder / "run_clock.txt"
            told.unlink(missing_ok=True)
            environment = {"LD_PRELOAD": bench.clock(), "RUN_CLOCK": told}
            bench.mpirun(program.ranks, environment, program.command, program.folder)
            bare.append(float(told.read_text().split()[-1]))
    point, lacks = predicted(bench, program, traces, options.platform)
    low, high = point["band"]["low_s"], point["band"]["high_s"]
    return {
        "bare_s": bare,
        "predicted_s": point["predicted_time_s"],
        "band_s": [low, high],
        "shares": point["band"]["shares"],
        "inside": sum(low <= time <= high for time in bare),
        "lacks": lacks,
    }


def table(rows):
    lines = [
        "| program | bare, s | predicted, s | band | of it recordings | inside |",
        "|---|---|---|---|---|---|",
    ]
    for name, row in rows.items():
        median = row["predicted_s"]["median"]
        band = " … ".join(f"{100 * (one / median - 1):+.1f} %".replace("-", "−") for one in row["band_s"])
        bare = f"{statistics.median(row['bare_s']):.4f} ({min(row['bare_s']):.4f} … {max(row['bare_s']):.4f})"
        share = f"{100 * row['shares']['compute_times']:.0f} %"
        lines.append(f"| {name} | {bare} | {median:.4f} | {band} | {share} | {row['inside']} of {len(row['bare_s'])} |")
    inside, runs = sum(row["inside"] for row in rows.values()), sum(len(row["bare_s"]) for row in rows.values())
    lines.append(f"\nInside their bands: {inside} of {runs} runs, {100 * inside / runs:.0f} %.")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    add_common_options(parser)
    parser.add_argument("--recordings", type=int, default=5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--platform")
    options = parser.parse_args()
    bench = Bench(options)
    rows = {}
    for program in read_programs(options.programs, options.only.split(",") if options.only else []):
        rows[program.name] = measure(bench, program, options)
        (bench.folder / "bands.json").write_text(json.dumps(rows, indent=1) + "\n")
        (bench.folder / "bands.md").write_text(table(rows))
    print(table(rows), end="")


if __name__ == "__main__":
    main()
