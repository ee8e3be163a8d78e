#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Preemption is seen: a rank that shares its core with another process is recorded, and compared with what the system says of it.

usage: preemption.py --bin FOLDER --launcher MPIRUN --recorder LIBRARY --other-system LIBRARY PROGRAM MODE

MODE is one of preempted.c's, or: registers, where the C library has no rseq and the recorder registers it; without, where the kernel has none;
off, where the user does not want it; slow_clock, where the CPU clock is not the kernel's; samples, where functions are sampled, so that signals disturb
nearly all intervals. Recorded in CPU time, the compute times sum up to the thread's CPU time to 3 %, whatever
the mode. In wall time they sum up to the CPU time as well where preemption is seen (and what the thread waits of
its own will, where it does that once), and to the wall time (to 10 %) where it is not or where the thread waits in each step. Where preemption is wanted and not seen a loss of the trace says so, else there is none.
What the recorder does wrong is wrong in every recording; a third process that takes the core between a clock reading of the program and the recorder's
is not. So a comparison that fails is made again with a new recording, RECORDINGS times at most, and has failed where all of them have.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from imbalance import recorded_seconds, run

RECORDINGS = 4
TOLERANCE = {"cpu": 0.03, "cpu and waits": 0.03, "wall": 0.1}  # others may take the core in a call as well
NO_RSEQ = "ranks whose preemption is not detected: rseq is not available"
# mode: why no preemption is seen
UNSEEN = {
    "without": "rseq is not available",
    "off": "REPRISE_PREEMPTION is none",
    "slow_clock": "the CPU clock is not the kernel's",
}
# Under the CPU clock, of what waits of its own will between calls.
ASLEEP = (
    "ranks that slept outside MPI (waiting for other threads, files or timers), which --clock cpu leaves out: "
    "record with --clock wall and a core for every thread"
)
LATE = (
    "ranks that slept outside MPI (waiting for other threads, files or timers) and then waited for a core, "
    "which --clock wall counts as computing: record again with a core for every thread"
)
WAITING = ("sleeps", "forks")
FOREIGN = "times whose preemption is not detected: the program uses rseq"
# mode: the program's own mode, variables, what wall time sums up to (None: somewhere between), losses
MODES = {
    "plain": ("plain", {}, "cpu", []),
    "sleeps": ("sleeps", {}, "wall", []),
    "threads": ("threads", {}, "cpu", []),
    "forks": ("forks", {}, "cpu and waits", []),
    "own": ("own", {}, "wall", [FOREIGN]),
    "takes": ("takes", {}, None, [FOREIGN]),
    "samples": ("plain", {"REPRISE_FUNCTIONS": "sample:1000"}, "cpu", []),
    "registers": ("threads", {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}, "cpu", []),
    "without": ("plain", {"GLIBC_TUNABLES": "glibc.pthread.rseq=0", "OTHER_SYSTEM": "no_rseq"}, "wall", [NO_RSEQ]),
    "slow_clock": ("plain", {"OTHER_SYSTEM": "slow_clock"}, "wall", []),
    "off": ("plain", {"REPRISE_PREEMPTION": "none"}, "wall", []),
}


def told(pattern, text):
    found = re.search(pattern, text)
    if not found:
        sys.exit(f"no {pattern!r} in {text!r}")
    return [float(number) for number in found.groups()]


def beside_a_competitor(command, core, folder):
    """The process's end, and what it tells of its time: CPU, wall, waited."""
    for _ in range(5):  # a scheduler may leave the core to one of the two for long
        compete = [sys.executable, "-c", "print(flush=True)\nwhile True: pass"]
        with subprocess.Popen(["taskset", "-c", core, *compete], stdout=subprocess.PIPE) as competitor:
            try:
                competitor.stdout.readline()
                done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=90)
            finally:
                competitor.kill()
        if done.returncode != 0:
            sys.exit(f"exit {done.returncode}: {done.stderr}")
        cpu, wall, waited = told(r"computed ([\d.]+) of ([\d.]+), waited ([\d.]+)", done.stdout)
        if wall > 1.2 * cpu:
            return done, cpu, wall, waited
    sys.exit(f"nobody shared the core: {cpu} s of {wall} s")


def compare(options, folder, clock):
    """What is wrong, as sentences."""
    program_mode, variables, wall_is, unseen = MODES[options.mode]
    losses = unseen + [ASLEEP] * (clock == "cpu" and options.mode in WAITING)
    reprise = options.bin.resolve() / "reprise"
    core = str(min(os.sched_getaffinity(0)))
    libraries = [str(options.recorder.resolve())]
    if "OTHER_SYSTEM" in variables:
        libraries.append(str(options.other_system.resolve()))
    words = {"LD_PRELOAD": ":".join(libraries), "REPRISE_CLOCK": clock, "REPRISE_OUTPUT": f"{clock}.reprise"}
    words.update(variables, REPRISE_VERBOSE="1", REPRISE_SNAPSHOT="0")
    launch = [options.launcher, "-n", "1", "taskset", "-c", core, "env", *(f"{k}={v}" for k, v in words.items())]
    done, cpu, wall, waited = beside_a_competitor([*launch, options.program.resolve(), program_mode], core, folder)
    recorded = recorded_seconds(run([reprise, "trace", "dump", f"{clock}.reprise"], folder))
    information = json.loads(run([reprise, "trace", "info", f"{clock}.reprise", "--format", "json"], folder))
    found = {loss["name"]: loss for loss in information["losses"]}
    expected = cpu if clock == "cpu" else {"cpu": cpu, "cpu and waits": cpu + waited, "wall": wall}.get(wall_is)
    line = next((line for line in done.stderr.splitlines() if "preemption" in line), "")
    print(
        f"{options.mode}, {clock}: {recorded:.3f} s recorded, {cpu:.3f} s CPU, {wall:.3f} s wall, {waited:.3f} s waited\n{line}"
    )
    wrong = []
    tolerance = TOLERANCE["cpu" if clock == "cpu" else wall_is or "wall"]
    if expected and abs(recorded / expected - 1) > tolerance:
        wrong.append(f"{clock}: {recorded} s recorded, not {expected} s")
    if not expected and not (1 - tolerance) * cpu < recorded < (1 + tolerance) * wall:
        wrong.append(f"{clock}: {recorded} s recorded, not between {cpu} s and {wall} s")
    if clock == "wall" and options.mode in WAITING:
        found.pop(LATE, None)  # it may have, beside a competitor
    if sorted(found) != losses:
        wrong.append(f"{clock}: losses {sorted(found)}, not {losses}")
    for name, loss in found.items():
        if loss["severity"] != ("partial" if name == ASLEEP else "notice"):
            wrong.append(f"{name}: is {loss['severity']}")
    if options.mode in UNSEEN:
        if f"; preemption is not detected: {UNSEEN[options.mode]})\n" not in done.stderr:
            wrong.append(f"{clock}: nothing said about preemption: {done.stderr}")
    elif not unseen:
        count, excess = told(r"preemption: (\d+) compute times, ([\d.]+) ms subtracted from them", done.stderr)
        if options.mode != "sleeps" and (count < 10 or abs(excess * 1e-3 / (wall - cpu - waited) - 1) > 0.1):
            wrong.append(f"{clock}: preempted {count} times for {excess} ms, not {wall - cpu - waited} s")
    return wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--recorder", type=pathlib.Path, required=True)
    parser.add_argument("--other-system", type=pathlib.Path, required=True)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("mode", choices=MODES)
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    for clock in ("cpu", "wall"):
        for _ in range(RECORDINGS):
            with tempfile.TemporaryDirectory() as folder:
                wrong = compare(options, pathlib.Path(folder), clock)
            print("\n".join(wrong))
            if not wrong:
                break
        else:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
