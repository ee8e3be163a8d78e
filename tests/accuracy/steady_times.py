#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far replays are from the time that programs take, on a machine that does not stay the same.

usage: steady_times.py --bin FOLDER --programs LIST --state PROBE.json [--state …] -o FOLDER [--repetitions 5] [--own-messages] [--launcher MPIRUN]

The cores of a virtual machine change place, and messages between two ranks then take two, three or six times as long (docs/RESULTS.md, "A machine that is
three"). A measurement of reprise-probe is of one such state; its reference says of which. Every run here (bare, recorded, live replay) carries
machine_state.so, which times the same reference inside MPI_Init and MPI_Finalize; a run counts for the state that it began and ended in, and for none if
these differ. A program is run, bare and recorded by turns, until a state has enough of both, or after eight times as many runs. Simulated replays are on
the platform of the state that was recorded in; with --own-messages also on the platform that the recording's own messages make (every message is sampled
then), and on the machine that is assumed without. Medians; errors against the bare runs of the same state. A replay leaves out the preemption that was
recorded; bare runs had theirs, so there is a column with it (--noise recorded).

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
        self.factor, self.own_messages = options.factor, options.own_messages
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
        sampled = ["--messages", "sample:100%"] if self.own_messages else []

        def run(environment):
            os.environ["LD_PRELOAD"] = str(self.library)
            try:
                self.mpirun(
                    program.ranks,
                    environment,
                    program.command,
                    program.folder,
                    before=[self.bin / "reprise", "record", "-q", "--force", *sampled, "-o", trace, "--"],
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


def replays(bench, trace, state):
    """{method: seconds}."""
    if bench.own_messages:
        plain = bench.folder / "plain.reprise"
        bench.reprise("trace", "dump", trace, "-o", plain.with_suffix(".txt"))
        text = plain.with_suffix(".txt").read_text().splitlines()
        plain.with_suffix(".txt").write_text("\n".join(line for line in text if not line.startswith("message")) + "\n")
        bench.reprise("trace", "assemble", plain.with_suffix(".txt"), "-o", plain, "--force")
        return {
            "probe": bench.simulated(trace, state.platform)["predicted_time_s"],
            "own messages": predicted(bench, trace),
            "assumed": predicted(bench, plain),
        }
    return {
        "simulated": bench.simulated(trace, state.platform)["predicted_time_s"],
        "simulated, preemption": bench.simulated(trace, state.platform, "--noise", "recorded")["predicted_time_s"],
        "simulated, means": bench.simulated(trace, state.platform, "--deltas", "mean")["predicted_time_s"],
    }


def predicted(bench, trace):
    """On the machine that the trace itself tells of."""
    return json.loads(bench.reprise("replay", trace, "--format", "json").stdout)["predicted_time_s"]


def study(bench, program, repetitions):
    """{"states": {state's name: {"bare": [s], "recorded": [s], "live": [s], a method: [s] …}}, "changed": runs of no state, "runs": of all}."""
    rows = {state.name: {"bare": [], "recorded": [], "live": []} for state in bench.states}
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
            rows[state.name]["recorded"].append(time)
            for method, seconds in replays(bench, trace, state).items():
                rows[state.name].setdefault(method, []).append(seconds)
        if not bench.own_messages:
            time, state = bench.live_in_state(program, trace)
            if state:
                rows[state.name]["live"].append(time)
        if any(min(len(row["bare"]), len(row["recorded"])) >= repetitions for row in rows.values()):
            break
    return {"states": rows, "changed": changed, "runs": 2 * (runs + 1)}


def error(row, key, than):
    return 100 * (statistics.median(row[key]) / statistics.median(row[than]) - 1) if row.get(key) else None


def table(results, least):
    kept = {
        (name, state): row
        for name, result in results.items()
        for state, row in result["states"].items()
        if min(len(row["bare"]), len(row["recorded"])) >= least
    }
    methods = list(
        dict.fromkeys(key for row in kept.values() for key in row if key not in ("bare", "recorded", "live"))
    )
    columns = [("recorded", "bare")] + [("live", "bare")] * any(row["live"] for row in kept.values())
    columns += [(method, "bare") for method in methods] + [(method, "recorded") for method in methods]
    titles = [key if than == "bare" else f"{key}, against recorded" for key, than in columns]
    lines = [
        "| program | state | runs: bare, recorded | bare, s | spread | " + " | ".join(titles) + " |",
        "|---" * (5 + len(columns)) + "|",
    ]
    errors = [[] for _ in columns]
    for (name, state), row in kept.items():
        bare = statistics.median(row["bare"])
        spread = 100 * (max(row["bare"]) - min(row["bare"])) / bare
        values = [error(row, *column) for column in columns]
        for all_of_column, value in zip(errors, values):
            all_of_column += [value] if value is not None else []
        cells = " | ".join("" if value is None else f"{value:+.1f} %" for value in values)
        counts = f"{len(row['bare'])}, {len(row['recorded'])}"
        lines.append(f"| {name} | {state} | {counts} | {bare:.4f} | {spread:.1f} % | {cells} |")
    for label, pick in (
        ("median of the magnitudes", lambda e: f"{statistics.median(map(abs, e)):.1f} %"),
        ("range", lambda e: f"{min(e):+.1f} … {max(e):+.1f} %"),
    ):
        lines.append(f"| {label} | | | | | " + " | ".join(pick(e) if e else "" for e in errors) + " |")
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
    parser.add_argument(
        "--own-messages",
        action="store_true",
        help="compare platforms: the probe's, the recording's own messages', the assumed one",
    )
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
