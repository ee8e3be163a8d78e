#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A recording says what it does not see: sleep between calls under the CPU clock, the CPU time of threads that call no MPI, and what is
computed before MPI_Init.

usage: unseen_time.py --bin FOLDER --launcher MPIRUN PROGRAM (unseen_time.c)

Every mode of the program, under the CPU clock with and without the detection of preemption, and under the wall clock: the losses are those of the mode and no others, in the
trace and in an answer of a replay. Their times are those that the program tells: of sleep at most that, and half of it at least, for a thread
that is woken may wait for a core, which is a notice under the wall clock where it did so for long; of other threads, and before MPI_Init, to 10 %. Beside processes that take the
cores, naps are answered with that notice, and its time is what they took beyond ten milliseconds each.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import recordings
from recordings import expect

ASLEEP = (
    "ranks that slept outside MPI (waiting for other threads, files or timers), which --clock cpu leaves out: "
    "record with --clock wall and a core for every thread"
)
OTHERS = "ranks that used CPU time in threads that call no MPI: compute times are those of the threads that call it"
LATE = (
    "ranks that slept outside MPI (waiting for other threads, files or timers) and then waited for a core, "
    "which --clock wall counts as computing: record again with a core for every thread"
)
BEFORE = "ranks that computed before MPI_Init: that time is in no prediction"
SEVERITY = {ASLEEP: "partial", OTHERS: "notice", BEFORE: "notice"}
NAPS, NAP = 30, 0.01
# mode: losses under the CPU clock, under the wall clock
MODES = {
    "plain": ([], []),
    "naps": ([ASLEEP], []),
    "team": ([ASLEEP, OTHERS], [OTHERS]),
    "beside": ([OTHERS], [OTHERS]),
    "inside": ([], []),
    "before": ([BEFORE], [BEFORE]),
}
RANKS = 2


def compare(options, folder, mode, clock, preemption):
    what = f"{mode}, {clock}, {preemption}"
    os.environ["REPRISE_PREEMPTION"] = preemption
    trace = f"{mode}.{clock}.{preemption}.reprise"
    lines = recordings.record(options, folder, trace, ["--clock", clock], RANKS, mode)
    told = [re.fullmatch(r"rank \d slept ([\d.]+), others ([\d.]+), before ([\d.]+)", line) for line in lines]
    told = [[float(time) for time in found.groups()] for found in told if found]
    expect(len(told) == RANKS, f"{what}: {lines}")
    slept, others, before = (sum(times) for times in zip(*told))
    losses = {loss["name"]: loss for loss in recordings.info_of(options, folder, trace)["losses"]}
    late = losses.pop(LATE, None)
    expect(late is None or clock == "wall" and mode in ("naps", "team"), f"{what}: {late}")
    expected = MODES[mode][clock == "wall"]
    expect(sorted(losses) == sorted(expected), f"{what}: {sorted(losses)}")
    for name, loss in losses.items():
        time = before if name == BEFORE else others
        least, most = (0.5 * slept, 1.02 * slept) if name == ASLEEP else (0.9 * time, 1.1 * time)
        expect(loss["severity"] == SEVERITY.get(name), f"{what}: {loss}")
        expect(loss["count"] == RANKS, f"{what}: {loss}")
        expect(least <= loss["time_s"] <= most, f"{what}: {loss}, not from {least} to {most}")
    replayed = recordings.answer(options, folder, "replay", trace)["losses"]
    replayed = {loss["name"]: loss for loss in replayed}
    expect(replayed.pop(LATE, None) == late, f"{what}: {replayed} in the replay")
    expect(replayed == losses, f"{what}: {replayed} in the replay")


def late_awake(options, folder):
    """A core is taken by as many processes that a thread that wakes does not get it at once."""
    core = min(os.sched_getaffinity(0))
    spinning = [sys.executable, "-c", "while True: pass"]
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    others = [subprocess.Popen(spinning) for _ in range(4)]
    os.environ["REPRISE_PREEMPTION"] = "rseq"
    try:
        lines = recordings.record(options, folder, "late.reprise", ["--clock", "wall"], RANKS, "naps")
    finally:
        for other in others:
            other.kill()
            other.wait()
        os.sched_setaffinity(0, before)
    slept = sum(float(line.split()[3].rstrip(",")) for line in lines if line.startswith("rank "))
    losses = {loss["name"]: loss for loss in recordings.info_of(options, folder, "late.reprise")["losses"]}
    beyond = slept - RANKS * NAPS * NAP
    if beyond > 0.3 * slept:
        expect(LATE in losses, f"late: {beyond} of {slept} s beyond the naps, {losses}")
    if LATE in losses:
        time = losses[LATE]["time_s"]
        expect(time <= 1.02 * beyond + 0.1, f"late: {time} of {beyond} s")  # it may lose its core awake, too
        expect(losses[LATE]["severity"] == "notice", f"late: {losses}")


def main():
    options = recordings.options_of(recordings.parser(__doc__))
    with tempfile.TemporaryDirectory() as folder:
        for mode in MODES:
            for clock in ("cpu", "wall"):
                for preemption in ("rseq", "none") if clock == "cpu" else ("rseq",):
                    compare(options, pathlib.Path(folder), mode, clock, preemption)
        late_awake(options, pathlib.Path(folder))
    recordings.finish()


if __name__ == "__main__":
    sys.exit(main())
