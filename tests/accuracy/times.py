#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far live and simulated replays are from the time that programs take.

usage: times.py --bin FOLDER [--mpip libmpiP.so] --programs LIST --platform FILE -o FOLDER [--repetitions 5] [--clock wall|cpu] [--cores N]
       times.py --join FOLDER,FOLDER,… -o FOLDER

Every repetition runs a program bare, under the recorder and under mpiP (if that is given), replays its trace live (from the ranks' own traces, and merged)
and in simulation on FILE, the machine itself as `reprise platform calibrate` describes it. Times are from the end of MPI_Init to the
start of MPI_Finalize on the slowest rank; errors are medians against the bare runs' median. The wall clock needs a core for every rank.
*ideal* is a replay where messages cost nothing (order/ideal.json): how much of the time is messages. *with noise* is one with what preempted the
recorded run (--noise recorded): bare runs on a machine with other processes hold as much, and the default leaves it out.

With --clock cpu, for more ranks than cores, nothing is replayed live: the simulated replay is compared with the bare time on a machine of
--cores cores, and on one with a core for every rank against the time that the busiest rank computes, below which no run can fall.

--join: one table of several such runs of the wall clock, each with its own calibration: medians over the repetitions of all of them. On a machine whose speed changes
from minute to minute, three runs of five repetitions see three states of it where one run of fifteen spends them on one program after the other.

Writes times.json (every figure), times.md and, with mpiP, times.svg (aggregated time, computing and MPI apart) to FOLDER. Not part of CI.
"""
import argparse
import json
import pathlib
import re
import statistics
import sys

from picture import bars
from programs import HERE, Bench, add_common_options, read_programs

TASK = re.compile(r"^ +(\d+|\*) +(\S+) +(\S+) +(\S+)$")


def mpip_times(report):
    """(the slowest rank's application time, Σ application time, Σ MPI time) in seconds."""
    slowest = 0.0
    for line in report.read_text(encoding="utf-8", errors="replace").split("Callsites")[0].splitlines():
        row = TASK.match(line)
        if row and row[1] == "*":
            return slowest, float(row[2]), float(row[3])
        if row:
            slowest = max(slowest, float(row[2]))
    sys.exit(f"{report}: no table of tasks")


def split_of(answer):
    """Σ over ranks of (time, time in MPI) of a simulated replay."""
    inside = sum(rank["communication_s"] + rank["wait_s"] for rank in answer["ranks"])
    return inside + sum(rank["compute_s"] for rank in answer["ranks"]), inside


def wall_repetition(bench, program, platform, deltas):
    trace = bench.folder / f"{program.name}.reprise"
    row = {"bare": bench.timed(program), "recorded": bench.record(program, trace)}
    if bench.mpip:
        row["mpip"], total, inside = mpip_times(bench.under_mpip(program, program.name))
        row["split mpip"] = [total, inside]
    row["live ranks"] = bench.live(program.ranks, f"{trace}.parts")
    row["live merged"] = bench.live(program.ranks, trace)
    if bench.mpip:
        live_report = bench.under_mpip(program, program.name + "-live", [bench.bin / "reprise-live", trace])
        row["split live"] = list(mpip_times(live_report)[1:])
    row["simulated, means"] = bench.simulated(trace, platform, "--deltas", "mean")["predicted_time_s"]
    ideal = HERE / "order" / "ideal.json"
    noisy = bench.simulated(trace, platform, "--deltas", deltas, "--noise", "recorded")
    row["simulated, with noise"] = noisy["predicted_time_s"]
    row["ideal"] = bench.simulated(trace, ideal, "--placement", "cyclic", "--deltas", deltas)["predicted_time_s"]
    answer = bench.simulated(trace, platform, "--deltas", deltas)
    row["simulated"], row["split simulated"] = answer["predicted_time_s"], list(split_of(answer))
    return row


def cpu_repetition(bench, program, platform, deltas, cores):
    trace = bench.folder / f"{program.name}.cpu.reprise"
    row = {"bare": bench.timed(program), "recorded": bench.record(program, trace, "cpu")}
    shared = bench.simulated(trace, platform, "--deltas", deltas, "--set", f"/nodes/cores={cores}")
    alone = bench.simulated(trace, platform, "--deltas", deltas, "--set", f"/nodes/cores={program.ranks}")
    row["simulated"] = shared["predicted_time_s"]
    row["simulated a core each"] = alone["predicted_time_s"]
    row["busiest rank"] = max(rank["compute_s"] for rank in alone["ranks"])
    row["all ranks over cores"] = sum(rank["compute_s"] for rank in alone["ranks"]) / cores
    return row


def median(rows, key):
    return statistics.median(row[key] for row in rows)


def error(rows, key):
    return 100 * (median(rows, key) / median(rows, "bare") - 1)


def spread(rows, key):
    values = [row[key] for row in rows]
    return 100 * (max(values) - min(values)) / statistics.median(values)


def wall_table(results):
    methods = ["recorded", "mpip", "live ranks", "live merged", "simulated", "simulated, means"]
    methods += ["simulated, with noise", "ideal"]
    methods = [method for method in methods if all(method in row for rows in results.values() for row in rows)]
    lines = ["| program | bare, s | spread | " + " | ".join(methods) + " |", "|---" * (3 + len(methods)) + "|"]
    for name, rows in results.items():
        cells = [f"{error(rows, method):+.1f} %" for method in methods]
        lines.append(
            f"| {name} | {median(rows, 'bare'):.4f} | {spread(rows, 'bare'):.1f} % | " + " | ".join(cells) + " |"
        )
    for label, pick in (
        ("median of the magnitudes", lambda e: f"{statistics.median(map(abs, e)):.1f} %"),
        ("range", lambda e: f"{min(e):+.1f} … {max(e):+.1f} %"),
    ):
        cells = [pick([error(rows, method) for rows in results.values()]) for method in methods]
        lines.append(f"| {label} | | | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def cpu_table(results, cores):
    lines = [
        f"| program | bare, s | spread | simulated on {cores} cores | computing of all ranks over {cores} cores | "
        "simulated, a core each, over the busiest rank's computing |",
        "|---|---|---|---|---|---|",
    ]
    for name, rows in results.items():
        ratio = median(rows, "simulated a core each") / median(rows, "busiest rank")
        lines.append(
            f"| {name} | {median(rows, 'bare'):.4f} | {spread(rows, 'bare'):.1f} % | {error(rows, 'simulated'):+.1f} % | "
            f"{error(rows, 'all ranks over cores'):+.1f} % | {ratio:.3f} |"
        )
    return "\n".join(lines) + "\n"


def join(arguments):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--join", required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args(arguments)
    results = {}
    for folder in options.join.split(","):
        for name, rows in json.loads((pathlib.Path(folder) / "times.json").read_text(encoding="utf-8")).items():
            results.setdefault(name, []).extend(rows)
    options.output.mkdir(parents=True, exist_ok=True)
    (options.output / "times.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    table = wall_table(results)
    (options.output / "times.md").write_text(table, encoding="utf-8")
    print(table)


def main():
    if any(word.split("=")[0] == "--join" for word in sys.argv):
        return join(sys.argv[1:])
    parser = argparse.ArgumentParser(usage=__doc__)
    add_common_options(parser)
    parser.add_argument("--platform", required=True)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--deltas", default="ordered")
    options = parser.parse_args()
    bench, results, failures = Bench(options), {}, []
    bench.check_platform(options.platform)
    for program in read_programs(options.programs, options.only.split(",") if options.only else None):
        rows = []
        try:
            for _ in range(options.repetitions):
                rows.append(
                    wall_repetition(bench, program, options.platform, options.deltas)
                    if options.clock == "wall"
                    else cpu_repetition(bench, program, options.platform, options.deltas, options.cores)
                )
        except (RuntimeError, OSError) as problem:
            failures.append(f"{program.name}: {problem}")
            continue
        name = f"{program.name} ({program.ranks})"
        results[name] = rows
        print(
            f"{name}: bare {median(rows, 'bare'):.4f} s, simulated {error(rows, 'simulated'):+.1f} %",
            file=sys.stderr,
            flush=True,
        )
    (bench.folder / "times.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    if not results:
        sys.exit("no program could be measured:\n" + "\n".join(failures))
    table = wall_table(results) if options.clock == "wall" else cpu_table(results, options.cores)
    if options.clock == "wall" and bench.mpip:
        groups = {
            name: {
                what: [statistics.median(row[f"split {what}"][i] for row in rows) for i in (0, 1)]
                for what in ("mpip", "live", "simulated")
            }
            for name, rows in results.items()
        }
        (bench.folder / "times.svg").write_text(bars(groups), encoding="utf-8")
    table += "".join(f"- {failure}\n" for failure in failures)
    (bench.folder / "times.md").write_text(table, encoding="utf-8")
    print(table)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
