#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A recording says what it does not see: sleep between calls under the CPU clock, and the CPU time of threads that call no MPI.

usage: unseen_time.py --bin FOLDER --launcher MPIRUN PROGRAM (unseen_time.c)

Every mode of the program, under the CPU clock with and without the detection of preemption, and under the wall clock: the losses are those of the mode and no others, in the
trace and in an answer of a replay. Their times are those that the program tells: of sleep at most that, and half of it at least, for a thread
that is woken may wait for a core; of other threads to 10 %.
"""
import os
import pathlib
import re
import sys
import tempfile

import recordings
from recordings import expect

ASLEEP = (
    "ranks that slept outside MPI (waiting for other threads, files or timers), which --clock cpu leaves out: "
    "record with --clock wall and a core for every thread"
)
OTHERS = "ranks that used CPU time in threads that call no MPI: compute times are those of the threads that call it"
SEVERITY = {ASLEEP: "partial", OTHERS: "notice"}
# mode: losses under the CPU clock, under the wall clock
MODES = {
    "plain": ([], []),
    "naps": ([ASLEEP], []),
    "team": ([ASLEEP, OTHERS], [OTHERS]),
    "beside": ([OTHERS], [OTHERS]),
    "inside": ([], []),
}
RANKS = 2


def compare(options, folder, mode, clock, preemption):
    what = f"{mode}, {clock}, {preemption}"
    os.environ["REPRISE_PREEMPTION"] = preemption
    trace = f"{mode}.{clock}.{preemption}.reprise"
    lines = recordings.record(options, folder, trace, ["--clock", clock], RANKS, mode)
    told = [re.fullmatch(r"rank \d slept ([\d.]+), others ([\d.]+)", line) for line in lines]
    told = [[float(time) for time in found.groups()] for found in told if found]
    expect(len(told) == RANKS, f"{what}: {lines}")
    slept, others = (sum(times) for times in zip(*told))
    losses = {loss["name"]: loss for loss in recordings.info_of(options, folder, trace)["losses"]}
    expected = MODES[mode][clock == "wall"]
    expect(sorted(losses) == sorted(expected), f"{what}: {sorted(losses)}")
    for name, loss in losses.items():
        least, most = (0.5 * slept, 1.02 * slept) if name == ASLEEP else (0.9 * others, 1.1 * others)
        expect(loss["severity"] == SEVERITY.get(name), f"{what}: {loss}")
        expect(loss["count"] == RANKS, f"{what}: {loss}")
        expect(least <= loss["time_s"] <= most, f"{what}: {loss}, not from {least} to {most}")
    replayed = recordings.answer(options, folder, "replay", trace)["losses"]
    expect({loss["name"]: loss for loss in replayed} == losses, f"{what}: {replayed} in the replay")


def main():
    options = recordings.options_of(recordings.parser(__doc__))
    with tempfile.TemporaryDirectory() as folder:
        for mode in MODES:
            for clock in ("cpu", "wall"):
                for preemption in ("rseq", "none") if clock == "cpu" else ("rseq",):
                    compare(options, pathlib.Path(folder), mode, clock, preemption)
    recordings.finish()


if __name__ == "__main__":
    sys.exit(main())
