#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many bytes the traces of programs take, at several numbers of ranks and steps, as tables in Markdown.

usage: run.py [--reprise PATH] [--launcher COMMAND] [--ranks 4,16,64] [--steps 100,1000,10000] [--times N] [--seconds N]
                      [--keep FOLDER] [--merging] NAME=COMMAND...

COMMAND is split at blanks; {ranks} and {steps} in it are replaced. Programs that take {steps} get a table of their own with a row for each
number of ranks, the growth from the fewest steps to the most, and the largest growth from one number of steps to the next; others a
row each with the growth from the fewest ranks to the most. The CPU clock is recorded: ranks may share cores.
With --times, each case is recorded so often, and the median is shown: sizes vary by a few percent with the times that were recorded.
With --merging, a further table says how long merging took.
A program that is not there, fails or takes longer than --seconds has "-" in its place, and the reason is told below the tables.
With --keep, traces stay in FOLDER and those already there are not recorded again.

example: run.py "heat2d=build/bin/heat2d {steps} 128" "EP S=npb/bin/ep.S.{ranks}"
growth with the steps: run.py --ranks 4 --steps 100,400,1600,6400 --times 5 "heat2d=build/bin/heat2d {steps} 128"
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile


def numbers(text):
    return [int(word) for word in text.split(",")]


class Recorder:
    def __init__(self, options, folder):
        self.options, self.folder, self.reasons, self.merging = options, folder, [], []

    def size(self, name, command, ranks, steps):
        """Bytes of the trace, the median of all; None where there is none."""
        title = f"{name}, {steps} steps" if "{steps}" in command else name
        traces = []
        for time in range(self.options.times):
            case = re.sub(r"\W+", "_", f"{title}.{ranks}" + (f".{time}" if time > 0 else ""))
            traces.append(self.folder / f"{case}.reprise")
            if traces[-1].exists():
                continue
            reason = self.record(traces[-1], ranks, command.format(ranks=ranks, steps=steps).split())
            if reason:
                self.reasons.append(f"{title} on {ranks} ranks: {reason}")
                return None
        self.note_merging(title, ranks, traces[0])
        return round(statistics.median(trace.stat().st_size for trace in traces))

    def note_merging(self, title, ranks, trace):
        command = [self.options.reprise, "trace", "info", str(trace), "--format", "json"]
        info = json.loads(subprocess.run(command, capture_output=True).stdout)
        run, wall, cpu = info["elapsed_s"], info["merge"]["elapsed_s"], info["merge"]["cpu_s"]
        if run > 0 and wall > 0:
            self.merging.append([title, ranks, f"{run:.3g}", f"{wall:.2g}", f"{cpu:.2g}", f"{wall / run:.2%}"])

    def record(self, trace, ranks, words):
        """The reason why there is no trace, "" where there is one."""
        if not shutil.which(words[0]):
            return "there is no such program"
        line = [
            self.options.reprise,
            "record",
            "--clock",
            "cpu",
            "--force",
            "-o",
            str(trace),
            "--",
            *self.options.launcher.split(),
            "-n",
            str(ranks),
            *words,
        ]
        started = subprocess.Popen(
            line,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd=self.folder,
            start_new_session=True,
        )
        try:
            told, _ = started.communicate(timeout=self.options.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGTERM)
            started.communicate()
            return f"takes longer than {self.options.seconds} s here"
        if started.returncode == 0 and trace.exists():
            return ""
        lines = [
            line.strip() for line in told.splitlines() if re.search("error|must|invalid|abort", line, re.IGNORECASE)
        ]
        return lines[0] if lines else f"exit {started.returncode}"


def factor(sizes):
    return f"{sizes[-1] / sizes[0]:.2f}" if sizes[0] and sizes[-1] else "-"


def largest_step(sizes):
    factors = [after / before for before, after in zip(sizes, sizes[1:]) if before and after]
    return f"{max(factors):.2f}" if factors else "-"


def row(cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(cells):
    row(cells)
    print("|" + "---|" * len(cells))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--reprise", default="reprise")
    parser.add_argument("--launcher", default="mpirun")
    parser.add_argument("--ranks", type=numbers, default=[4, 16, 64])
    parser.add_argument("--steps", type=numbers, default=[100, 1000, 10000])
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--merging", action="store_true")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1",
        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
        OMPI_MCA_rmaps_base_oversubscribe="1",
        OMPI_MCA_mpi_yield_when_idle="1",
    )
    programs = [program.split("=", 1) for program in options.programs]
    for program in programs:
        if len(program) != 2:
            parser.error(f'"{program[0]}" is not NAME=COMMAND')
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        recorder = Recorder(options, folder.resolve())
        for name, command in programs:
            if "{steps}" not in command:
                continue
            head([f"{name}, ranks", *(f"{steps} steps" for steps in options.steps), "factor", "largest step"])
            columns = []
            for ranks in options.ranks:
                sizes = [recorder.size(name, command, ranks, steps) for steps in options.steps]
                row([ranks, *(size or "-" for size in sizes), factor(sizes), largest_step(sizes)])
                columns.append(sizes)
            row(["factor", *(factor(column) for column in zip(*columns)), "", ""])
            print()
        others = [program for program in programs if "{steps}" not in program[1]]
        if others:
            head(["program", *(f"{ranks} ranks" for ranks in options.ranks), "factor"])
            for name, command in others:
                sizes = [recorder.size(name, command, ranks, 0) for ranks in options.ranks]
                row([name, *(size or "-" for size in sizes), factor(sizes)])
            print()
        if options.merging:
            head(
                [
                    "program",
                    "ranks",
                    "run, s",
                    "merging in MPI_Finalize, s",
                    "CPU time of all ranks, s",
                    "share of the run",
                ]
            )
            for cells in recorder.merging:
                row(cells)
            print()
        for reason in recorder.reasons:
            print(f"- {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
