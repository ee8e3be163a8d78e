#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far simulated replays are from bare runs, on a machine where others take cores now and then: only pairs of runs that kept theirs count.

usage: undisturbed_pairs.py --bin FOLDER --programs LIST --platform FILE -o FOLDER [--seconds-in-all 80] [--most-preempted 0.02]

Each pair is a bare run and a recorded one (wall clock, no snapshots), in either order by turns; pairs of all programs alternate until the time is over. A
pair is left out where the recorder saw more preemption than --most-preempted seconds on all ranks, or where the bare run took more than 1.6 times as long as the
program's shortest (nobody sees preemption there). Medians over the pairs that are left, against the bare runs' median.

Writes undisturbed_pairs.json (every figure) and prints a table. A core for every rank. Not part of CI.
"""
import argparse
import json
import os
import statistics
import time

from programs import HERE, Bench, add_common_options, read_programs

LONGEST = 1.6  # bare run, of the shortest


def recorded(bench, program, trace):
    """(seconds, preempted seconds of all ranks)."""
    elapsed = bench.record(program, trace)
    info = json.loads(bench.reprise("trace", "info", trace, "--format", "json").stdout)
    return elapsed, info["times_apart"].get("preemption", {}).get("sum_s", 0.0)


def pair(bench, program, trace, bare_first):
    row = {}
    for kind in ("bare", "recorded") if bare_first else ("recorded", "bare"):
        if kind == "bare":
            row["bare"] = bench.timed(program)
        else:
            row["recorded"], row["preempted"] = recorded(bench, program, trace)
    return row


def replay(bench, row, platform):
    """Simulated times of the row's trace, which may be gone afterwards."""
    trace = row.pop("trace")
    row["simulated"] = bench.simulated(trace, platform)["predicted_time_s"]
    row["ideal"] = bench.simulated(trace, HERE / "order" / "ideal.json", "--placement", "cyclic")["predicted_time_s"]
    os.remove(trace)


def undisturbed(rows, most_preempted):
    shortest = min(row["bare"] for row in rows)
    return [row for row in rows if row["preempted"] <= most_preempted and row["bare"] <= LONGEST * shortest]


def table(results, most_preempted):
    lines = [
        "| program | pairs | bare, s | from … to | recorded | simulated | ideal | simulated, against recorded |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, all_rows in results.items():
        rows = undisturbed(all_rows, most_preempted)
        if not rows:
            lines.append(f"| {name} | 0 of {len(all_rows)} | | | | | | |")
            continue
        median = {
            key: statistics.median(row[key] for row in rows) for key in ("bare", "recorded", "simulated", "ideal")
        }
        errors = [f"{100 * (median[key] / median['bare'] - 1):+.1f} %" for key in ("recorded", "simulated", "ideal")]
        errors.append(f"{100 * (statistics.median(row['simulated'] / row['recorded'] for row in rows) - 1):+.1f} %")
        bare = [row["bare"] for row in rows]
        cells = [name, f"{len(rows)} of {len(all_rows)}", f"{median['bare']:.4f}", f"{min(bare):.3f} … {max(bare):.3f}"]
        lines.append("| " + " | ".join(cells + errors) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    add_common_options(parser)
    parser.add_argument("--platform", required=True)
    parser.add_argument("--seconds-in-all", type=float, default=80)
    parser.add_argument("--most-preempted", type=float, default=0.02)
    options = parser.parse_args()
    os.environ["REPRISE_SNAPSHOT"] = "0"
    bench = Bench(options)
    programs = read_programs(options.programs, options.only.split(",") if options.only else None)
    results, number, end = {program.name: [] for program in programs}, 0, time.monotonic() + options.seconds_in_all
    while time.monotonic() < end:
        for program in programs:
            trace = bench.folder / f"{program.name}-{number}.reprise"
            row = pair(bench, program, trace, number % 2 == 0)
            results[program.name].append({**row, "trace": str(trace)})
        number += 1
    for rows in results.values():
        for row in rows:
            replay(bench, row, options.platform)
    (bench.folder / "undisturbed_pairs.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    print(table(results, options.most_preempted))


if __name__ == "__main__":
    main()
