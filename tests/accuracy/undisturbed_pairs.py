#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far simulated replays are from bare runs, on a machine where others take cores now and then: only pairs of runs that kept theirs count.

usage: undisturbed_pairs.py --bin FOLDER --programs LIST --platform FILE -o FOLDER [--seconds-in-all 80] [--most-preempted 0.02] [--live] [--resume]

Each pair is a bare run and a recorded one (wall clock, no snapshots), in either order by turns; pairs of all programs alternate until the time is over. A
pair is left out where the recorder saw more preemption on all ranks than --most-preempted seconds and than 2 % of their time, or where the bare run took more than
1.6 times as long as the program's shortest (nobody sees preemption there). Medians over the pairs that are left, against the bare runs' median.

With --live each pair is followed by a live replay of its trace, merged. --resume goes on with the programs of an earlier run where that stopped, so that a
study can wait for quiet times.

Writes undisturbed_pairs.json (every figure) and prints a table, with the programs' own scatter: "from … to" and the standard error of the
bare runs' median (1.25 standard deviations over the root of their number). *least* compares the shortest simulated time of a program with its
shortest bare run: what the machine was when nobody disturbed either. A core for every rank. Not part of CI.
"""
import argparse
import json
import os
import statistics
import time

from programs import HERE, Bench, add_common_options, read_programs

LONGEST = 1.6  # bare run, of the shortest
MOST_PREEMPTED = 0.02  # of all ranks' time, where that is more than --most-preempted


def recorded(bench, program, trace):
    """(seconds, preempted seconds of all ranks)."""
    elapsed = bench.record(program, trace)
    info = json.loads(bench.reprise("trace", "info", trace, "--format", "json").stdout)
    return elapsed, info["times_apart"].get("preemption", {}).get("sum_s", 0.0)


def pair(bench, program, trace, bare_first, live):
    row = {}
    for kind in ("bare", "recorded") if bare_first else ("recorded", "bare"):
        if kind == "bare":
            row["bare"] = bench.timed(program)
        else:
            row["recorded"], row["preempted"] = recorded(bench, program, trace)
    if live:
        row["live"] = bench.live(program.ranks, trace)
    return row


def replay(bench, row, platform):
    """Simulated times of the row's trace, which may be gone afterwards."""
    trace = row.pop("trace")
    row["simulated"] = bench.simulated(trace, platform)["predicted_time_s"]
    row["ideal"] = bench.simulated(trace, HERE / "order" / "ideal.json", "--placement", "cyclic")["predicted_time_s"]
    os.remove(trace)


def undisturbed(rows, most_preempted):
    shortest = min(row["bare"] for row in rows)
    return [
        row
        for row in rows
        if row["preempted"] <= max(most_preempted, MOST_PREEMPTED * row["ranks"] * row["recorded"])
        and row["bare"] <= LONGEST * shortest
    ]


def against_bare(rows, key):
    """Error of the median in %, or None where not every row has the figure."""
    if not all(key in row for row in rows):
        return None
    return 100 * (statistics.median(row[key] for row in rows) / statistics.median(row["bare"] for row in rows) - 1)


def standard_error(values):
    """Of the median of normally distributed values, in % of it; None for fewer than three."""
    if len(values) < 3:
        return None
    return 125 * statistics.stdev(values) / len(values) ** 0.5 / statistics.median(values)


def percent(value, digits="+.1f"):
    return "" if value is None else f"{value:{digits}} %"


def table(results, most_preempted):
    kinds = ("recorded", "simulated", "ideal", "live", "least")
    lines = [
        "| program | pairs | bare, s | from … to | ± | recorded | simulated | ideal | live | least | simulated, against recorded |",
        "|---" * 11 + "|",
    ]
    errors = {kind: [] for kind in kinds}
    for name, all_rows in results.items():
        rows = undisturbed(all_rows, most_preempted) if all_rows else []
        if not rows:
            lines.append(f"| {name} | 0 of {len(all_rows)} | | | | | | | | | |")
            continue
        bare = [row["bare"] for row in rows]
        of_kind = {kind: against_bare(rows, kind) for kind in kinds[:-1]}
        of_kind["least"] = 100 * (min(row["simulated"] for row in rows) / min(bare) - 1)
        for kind in kinds:
            errors[kind] += [of_kind[kind]] if of_kind[kind] is not None else []
        cells = [name, f"{len(rows)} of {len(all_rows)}", f"{statistics.median(bare):.4f}"]
        cells += [f"{min(bare):.3f} … {max(bare):.3f}", percent(standard_error(bare), ".1f")]
        cells += [percent(of_kind[kind]) for kind in kinds]
        cells.append(percent(100 * (statistics.median(row["simulated"] / row["recorded"] for row in rows) - 1)))
        lines.append("| " + " | ".join(cells) + " |")
    for label, of in (
        ("median of the magnitudes", lambda e: f"{statistics.median(map(abs, e)):.1f} %"),
        ("range", lambda e: f"{min(e):+.1f} … {max(e):+.1f} %"),
    ):
        cells = [of(errors[kind]) if errors[kind] else "" for kind in kinds]
        lines.append(f"| {label} | | | | | " + " | ".join(cells) + " | |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    add_common_options(parser)
    parser.add_argument("--platform", required=True)
    parser.add_argument("--seconds-in-all", type=float, default=80)
    parser.add_argument("--most-preempted", type=float, default=0.02)
    parser.add_argument("--live", action="store_true")
    parser.add_argument("--resume", action="store_true")
    options = parser.parse_args()
    os.environ["REPRISE_SNAPSHOT"] = "0"
    bench = Bench(options)
    bench.check_platform(options.platform)
    programs = read_programs(options.programs, options.only.split(",") if options.only else None)
    kept = bench.folder / "undisturbed_pairs.json"
    results = {program.name: [] for program in programs}
    if options.resume and kept.exists():
        results.update(json.loads(kept.read_text(encoding="utf-8")))
    end, done = time.monotonic() + options.seconds_in_all, False
    while not done:
        for program in sorted(programs, key=lambda program: len(results[program.name])):
            number = len(results[program.name])
            trace = bench.folder / f"{program.name}-{number}.reprise"
            row = pair(bench, program, trace, number % 2 == 0, options.live)
            results[program.name].append({**row, "ranks": program.ranks, "trace": str(trace)})
            done = time.monotonic() >= end
            if done:
                break
    for rows in results.values():
        for row in rows:
            if "trace" in row:
                replay(bench, row, options.platform)
    kept.write_text(json.dumps(results, indent=1), encoding="utf-8")
    print(table(results, options.most_preempted))


if __name__ == "__main__":
    main()
