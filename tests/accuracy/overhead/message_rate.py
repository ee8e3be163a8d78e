#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is left of the recorder's own time in recorded compute times, and what compensation makes of it.

usage: message_rate.py --bin FOLDER -o FOLDER [--runs 30] [--added "5 us"] [--mode self|requests] [--messages N] [--lines N]
       message_rate.py --bin FOLDER --check       (a test: what must hold on a busy machine as well)

A message-rate program (message_rate.c) runs uninstrumented, recorded as it is, and recorded with compensation, in turns. Every rank sends to
itself, so no rank waits for another and nothing but its own events stands in its time: the sum of a rank's recorded times in and between
its messages is a prediction of the time that it takes unrecorded. (Where ranks wait for each other, what one does late makes another wait:
that is for a replay, which predicts waiting anew.) Compared with the uninstrumented mean:

  instrumented   what the recorded program itself measures
  recorded       the sum of recorded times without compensation: those recorded with it and what it took off
  constant       likewise, less one constant for each event: the recorder's own time between calls in a row, as traditional methods take it
  frequency      the sum of recorded times, compensated by the frequency of each event

All times are CPU times, so that others on the machine disturb little.

--added makes every wrapper slower by a time that the recorder does not see (REPRISE_ADDED_OVERHEAD). Output: a Markdown table.
"""
import argparse
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MESSAGES = ("MPI_Sendrecv", "MPI_Irecv", "MPI_Isend", "MPI_Waitall", "MPI_Send", "MPI_Recv")
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def run(command, environment=None):
    done = subprocess.run(
        [str(word) for word in command], env={**os.environ, **(environment or {})}, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def recorded_seconds(dump):
    """Times in and before messages: their sums, and how many messages' events there were."""
    seconds, events, inside = {"compute": 0.0, "communicate": 0.0}, 0, False
    for line in dump.splitlines():
        statement = re.match(r" *(?:@\d+ )?(?:ranks? [^:]*: |all: )?(?:@\d+ )?\"?(MPI_\w+)", line)
        if statement:
            inside = statement[1] in MESSAGES
        for kind, text in re.findall(r"\| (compute|communicate)([^|]*)", line) if inside else ():
            for count, total in re.findall(r"count=(\d+) sum=(\d+)", text):
                seconds[kind] += int(total) * 1e-9
                events += int(count) if kind == "communicate" else 0
            for number, unit in re.findall(r" (\d+)(ns|us|ms|s)$", text.strip()):
                seconds[kind] += int(number) * UNITS[unit]
                events += 1 if kind == "communicate" else 0
    return seconds["compute"], seconds["communicate"], events


class Program:
    def __init__(self, options, folder):
        self.bin, self.folder = options.bin.resolve(), folder
        self.words = [options.mode, options.messages, options.lines]
        self.launch = [options.launcher, "-n", options.ranks]
        self.ranks, self.added = options.ranks, options.added
        self.binary = options.program or folder / "message_rate"
        if not options.program:
            run([options.compiler, "-O2", HERE / "message_rate.c", "-o", self.binary])
        self.recorder = options.recorder or self.bin.parent / "lib/libreprise-recorder.so"

    def bare(self):
        return float(run([*self.launch, self.binary, *self.words]))

    def recorded(self, compensation):
        """What the program measures; compute, communicate, events; trace info."""
        trace = self.folder / f"{compensation}.reprise"
        variables = {"LD_PRELOAD": self.recorder, "REPRISE_OUTPUT": trace, "REPRISE_COMPENSATION": compensation}
        variables |= {"REPRISE_SNAPSHOT": "0", "REPRISE_CLOCK": "cpu"}
        if self.added:
            variables["REPRISE_ADDED_OVERHEAD"] = self.added
        words = [f"{name}={value}" for name, value in variables.items()]
        own = float(run([*self.launch, "env", *words, self.binary, *self.words]))
        times = recorded_seconds(run([self.bin / "reprise", "trace", "dump", trace]))
        info = json.loads(run([self.bin / "reprise", "trace", "info", trace, "--format", "json"]))
        return own, times, info


def mean_and_error(values):
    return statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def study(options):
    options.output.mkdir(parents=True, exist_ok=True)
    program = Program(options, options.output)
    rows = {name: [] for name in ("uninstrumented", "instrumented", "recorded", "constant", "frequency")}
    per_event, curve = [], {}
    for _ in range(options.runs):
        rows["uninstrumented"].append(program.bare())
        own, (compute, inside, events), info = program.recorded("on")
        rows["instrumented"].append(own)
        curve, taken = info["compensation"], info["times_apart"]["compensation"]
        all_recorded = compute + inside + taken["sum_s"]
        rows["recorded"].append(all_recorded / program.ranks)
        rows["frequency"].append((compute + inside) / program.ranks)
        rows["constant"].append((all_recorded - curve["call"][0]["overhead_s"] * events) / program.ranks)
        per_event.append(taken["sum_s"] / taken["count"])
    truth, error = mean_and_error(rows["uninstrumented"])
    print(f"{options.mode}, {options.messages} messages, {options.lines} lines between, added {options.added or '0'}")
    print("\n| | mean, s | standard error, s | against uninstrumented |")
    print("|---|---|---|---|")
    for name, values in rows.items():
        mean, its_error = mean_and_error(values)
        off = f"{100 * (mean / truth - 1):+.2f} %, {abs(mean - truth) / math.hypot(error, its_error or 0):.2f} SE"
        print(f"| {name} | {mean:.6f} | {its_error:.6f} | {off if name != 'uninstrumented' else ''} |")
    print(f"\ntaken off an event: {1e9 * statistics.mean(per_event):.1f} ns in the mean")
    for kind in ("call", "completion"):
        points = (f"{1e9 * p['overhead_s']:.0f} ns every {1e9 * p['period_s']:.0f} ns" for p in curve[kind])
        print(f"overhead before a {kind}: {', '.join(points)}")
    (options.output / "message_rate.json").write_text(json.dumps({"rows": rows, "curve": curve}, indent=1))


def check(options):
    """With 100 us added to each wrapper, whatever else the machine does."""
    added, options.added = 100e-6, "100 us"
    options.messages, options.lines = 400, 0
    with tempfile.TemporaryDirectory() as folder:
        program = Program(options, pathlib.Path(folder))
        _, (plain, _, events), without = program.recorded("off")
        _, (compensated, _, _), info = program.recorded("on")
    wrong = []
    if "compensation" in without or "compensation" in without["times_apart"]:
        wrong.append("REPRISE_COMPENSATION=off: the trace has a compensation")
    # every millisecond the recorder looks whether a snapshot is due, and leaves out what has passed since the event
    if plain < 0.8 * added * events:
        wrong.append(f"{plain} s computed in {events} events, of which nine of ten have 100 us each")
    taken = info["times_apart"]["compensation"]
    if taken["count"] < events:
        wrong.append(f"{taken['count']} compute times compensated, there are {events} and more")
    if compensated + taken["sum_s"] < 0.8 * added * events or compensated > plain / 2:
        wrong.append(f"{compensated} s computed and {taken['sum_s']} s taken off, without compensation {plain} s")
    for kind in ("call", "completion"):
        for point in info["compensation"][kind][:3]:
            if point["overhead_s"] < added / 2:
                wrong.append(f"overhead before a {kind}: {point}")
    print("\n".join(wrong) or f"{taken['sum_s']:.4f} s of {plain:.4f} s taken off")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("overhead"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--added", default="")
    parser.add_argument("--mode", choices=("self", "requests"), default="self")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--lines", type=int, default=16)
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--launcher", default="mpirun")
    parser.add_argument("--compiler", default="mpicc")
    parser.add_argument("--recorder", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path)
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    if options.check:
        return check(options)
    study(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
