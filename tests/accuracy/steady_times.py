#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far replays are from the time that programs take, on a machine that does not stay the same.

usage: steady_times.py --bin FOLDER --programs LIST --state PROBE.json [--state …] -o FOLDER [--repetitions 5] [--launcher MPIRUN]

The cores of a virtual machine change place, and messages between two ranks then take two, three or six times as long (docs/RESULTS.md, "A machine that is
three"). A measurement of reprise-probe is of one such state; its reference says of which. Every run here (bare, recorded, live replay) carries
machine_state.so, which times the same reference inside MPI_Init and MPI_Finalize; a run counts for the state that it began and ended in, and for none if
these differ. A program is run, bare and recorded by turns, until a state has enough of both, or after eight times as many runs. Simulated replays are on
the platform of the state that was recorded in. Medians; errors against the bare runs of the same state.

Writes steady_times.json and steady_times.md to FOLDER. Two ranks and the wall clock. Not part of CI.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys

from programs import HERE, Bench, add_common_options, read_programs

TRIES = 8


class State:
    def __init__(self, bench, probe):
        reference = next(one for one in json.loads(probe.read_text())["references"] if one["path"] == "intra_node")
        self.us, self.name = reference["time_s"] * 1e6, f"{reference['time_s'] * 1e6:.0f} us"
        self.platform = bench.folder / f"{probe.stem}.platform.json"
        bench.reprise("platform", "calibrate", probe, "-o", self.platform, "-q")

    def is_at(self, us, factor):
        return self.us / factor <= us <= self.us * factor


class SteadyBench(Bench):
    """Runs that tell the state that they were in."""

    def __init__(self, options):
        super().__init__(options)
        self.states = [State(self, pathlib.Path(name)) for name in options.state]
        self.factor = options.factor
        library = self.folder / "machine_state.so"
        source = HERE / "machine_state.c"
        subprocess.run(["mpicc", "-O2", "-shared", "-fPIC", source, "-o", library, "-ldl"], check=True)
        self.library = library

    def in_state(self, run):
        """(what RUN gives, the state that it was in or None)."""
        stamps = self.folder / "machine_state.txt"
        stamps.unlink(missing_ok=True)
        result = run({"MACHINE_STATE": stamps})
        begin, end = map(float, stamps.read_text().split()[-2:])
        at = [state for state in self.states if state.is_at(begin, self.factor) and state.is_at(end, self.factor)]
        return result, at[0] if at else None

    def bare(self, program):
        told = self.folder / "run_clock.txt"

        def run(environment):
            told.unlink(missing_ok=True)
            preload = f"{self.clock()}:{self.library}"
            self.mpirun(
                program.ranks,
                {**environment, "LD_PRELOAD": preload, "RUN_CLOCK": told},
                program.command,
                program.folder,
            )
            return float(told.read_text().split()[-1])

        return self.in_state(run)

    def recorded(self, program, trace):
        def run(environment):
            os.environ["LD_PRELOAD"] = str(self.library)
            try:
                self.mpirun(
                    program.ranks,
                    environment,
                    program.command,
                    program.folder,
                    before=[self.bin / "reprise", "record", "-q", "--force", "-o", trace, "--"],
                )
            finally:
                del os.environ["LD_PRELOAD"]
            return json.loads(self.reprise("trace", "info", trace, "--format", "json").stdout)["elapsed_s"]

        return self.in_state(run)

    def live_in_state(self, program, trace):
        def run(environment):
            command = [self.bin / "reprise-live", trace, "--stats"]
            _, err = self.mpirun(program.ranks, {**environment, "LD_PRELOAD": self.library}, command)
            lines = [line for line in err.splitlines() if line.startswith("reprise-live: ") and line.endswith(" s")]
            return float(lines[-1].split()[1])

        return self.in_state(run)


def study(bench, program, repetitions):
    """{state's name: {"bare": [s], "recorded": [s], "simulated": [s], "simulated, means": [s], "live": [s]}, "changed": runs of no state}."""
    rows = {
        state.name: {"bare": [], "recorded": [], "simulated": [], "simulated, means": [], "live": []}
        for state in bench.states
    }
    changed = runs = 0
    trace = bench.folder / f"{program.name}.reprise"
    for runs in range(TRIES * repetitions):
        time, state = bench.bare(program)
        changed += state is None
        if state:
            rows[state.name]["bare"].append(time)
        time, state = bench.recorded(program, trace)
        changed += state is None
        if state:
            row = rows[state.name]
            row["recorded"].append(time)
            row["simulated"].append(bench.simulated(trace, state.platform)["predicted_time_s"])
            row["simulated, means"].append(
                bench.simulated(trace, state.platform, "--deltas", "mean")["predicted_time_s"]
            )
        time, state = bench.live_in_state(program, trace)
        if state:
            rows[state.name]["live"].append(time)
        if any(min(len(row["bare"]), len(row["recorded"])) >= repetitions for row in rows.values()):
            break
    return {"states": rows, "changed": changed, "runs": 2 * (runs + 1)}


def error(row, key):
    return 100 * (statistics.median(row[key]) / statistics.median(row["bare"]) - 1) if row[key] else None


def table(results, least):
    methods = ["recorded", "live", "simulated", "simulated, means"]
    lines = [
        "| program | state | runs: bare, recorded | bare, s | spread | "
        + " | ".join(methods)
        + " | simulated against recorded |",
        "|---" * (6 + len(methods)) + "|",
    ]
    errors = {method: [] for method in [*methods, "own"]}
    for name, result in results.items():
        for state, row in result["states"].items():
            if min(len(row["bare"]), len(row["recorded"])) < least:
                continue
            bare = statistics.median(row["bare"])
            spread = 100 * (max(row["bare"]) - min(row["bare"])) / bare
            cells = []
            for method in methods:
                value = error(row, method)
                cells.append("" if value is None else f"{value:+.1f} %")
                if value is not None:
                    errors[method].append(value)
            own = 100 * (statistics.median(a / b for a, b in zip(row["simulated"], row["recorded"])) - 1)
            errors["own"].append(own)
            counts = f"{len(row['bare'])}, {len(row['recorded'])}"
            lines.append(
                f"| {name} | {state} | {counts} | {bare:.4f} | {spread:.1f} % | {' | '.join(cells)} | {own:+.1f} % |"
            )
    for label, pick in (
        ("median of the magnitudes", lambda e: f"{statistics.median(map(abs, e)):.1f} %"),
        ("range", lambda e: f"{min(e):+.1f} … {max(e):+.1f} %"),
    ):
        lines.append(f"| {label} | | | | | " + " | ".join(pick(e) if e else "" for e in errors.values()) + " |")
    changed, runs = (sum(result[key] for result in results.values()) for key in ("changed", "runs"))
    return (
        "\n".join(lines)
        + f"\n\n{changed} of {runs} bare and recorded runs began and ended in different states, or in one that was not measured.\n"
    )


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    add_common_options(parser)
    parser.add_argument("--state", action="append", required=True, help="what reprise-probe wrote in one state")
    parser.add_argument("--factor", type=float, default=1.5, help="references within it are of one state")
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    bench, results, failures = SteadyBench(options), {}, []
    for program in read_programs(options.programs, options.only.split(",") if options.only else None):
        try:
            results[program.name] = study(bench, program, options.repetitions)
        except (RuntimeError, OSError) as problem:
            failures.append(f"{program.name}: {problem}")
            continue
        (bench.folder / "steady_times.json").write_text(json.dumps(results, indent=1), encoding="utf-8")
        print(table({program.name: results[program.name]}, 2).splitlines()[2:3], file=sys.stderr, flush=True)
    if not results:
        sys.exit("no program could be measured:\n" + "\n".join(failures))
    text = table(results, min(3, options.repetitions)) + "".join(f"- {failure}\n" for failure in failures)
    (bench.folder / "steady_times.md").write_text(text, encoding="utf-8")
    print(text)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
