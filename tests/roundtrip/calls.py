#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Call streams: a program whose calls are known has just these in its streams, on each rank and thread, and is otherwise left alone.

usage: calls.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM

The program (instrumented.cpp) calls in loops, recursion and threads, leaves by longjmp and exceptions, has a signal handler and forks. What it
enters and leaves is told here, event by event. A crash leaves streams that are readable up to it.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile


# What the program calls in completes().
COMPLETES = (
    "Comm_dup Isend Recv Wait Ibarrier Waitall Ibarrier Waitany Ibarrier Waitsome "
    "Send_init Start Wait Startall Wait Request_free Test Comm_free"
).split()


class Truth:
    """The events of the main thread: names as they are entered, None for a leave."""

    def __init__(self):
        self.events = []

    def call(self, name, *inside):
        self.events.append(name)
        for one in inside:
            one()
        self.events.append(None)

    def leaf(self):
        self.call("leaf")

    def fib(self, n):
        inside = [] if n < 2 else [lambda: self.fib(n - 1), lambda: self.fib(n - 2)]
        self.call("fib", *inside)

    def left(self, name, depth):
        """Functions in each other that are left at once: by the time the next one is entered they are gone."""
        self.events += [name] * (depth + 1) + [None] * (depth + 1)

    def before_finalize(self):
        self.events.append("main")
        self.leaf()
        for _ in range(100):
            self.leaf()
            self.call("communicate", lambda: self.call("MPI_Allreduce"))
        self.call("completes", *(lambda name=name: self.call("MPI_" + name) for name in COMPLETES))
        self.fib(12)
        for _ in range(10):
            self.call("jumps", lambda: self.left("deep_jump", 5), self.leaf)
        self.call("throws", *(3 * [lambda: self.left("deep_throw", 4), self.leaf]))
        for _ in range(20):
            self.call("on_signal", self.leaf)
        self.call("forks")

    def whole(self):
        self.before_finalize()
        self.call("MPI_Finalize")
        self.leaf()
        self.events.append(None)
        return self.events

    def crashed(self):
        self.before_finalize()
        self.events.append("crash")
        self.leaf()
        return self.events


def run(command, folder, fails=None):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=200)
    if fails is not None and (done.returncode != 0) != fails:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")
    return done


def plain(name):
    return name.split("(")[0]


def events(reprise, folder, name, rank, thread, may_lack=False):
    """With `may_lack`, none where the rank has no stream: the launcher kills it when another has crashed, maybe before it wrote its first block."""
    words = [reprise, "trace", "calls", name, "--stream", "--rank", rank, "--thread", thread, "--format", "json"]
    words += ["--count", 10**9]
    done = run(words, folder, None if may_lack else False)
    if may_lack and done.returncode == 2 and "have no stream" in done.stderr:
        return []
    told = json.loads(done.stdout)
    names = [plain(event["function"]) if event["what"] == "enter" else None for event in told["events"]]
    # constructors of what the program is linked with come before main
    return names[names.index("main") :] if "main" in names else names


def difference(got, wanted, what):
    if got == wanted:
        return []
    at = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b), min(len(got), len(wanted)))
    return [
        f"{what}: {len(got)} events, {len(wanted)} expected, at {at}: {got[max(at-3,0):at+6]} for {wanted[max(at-3,0):at+6]}"
    ]


def compare(options, folder):
    """What is wrong, as sentences."""
    reprise = options.bin.resolve() / "reprise"
    program = [options.launcher, "-n", options.ranks, options.program.resolve()]
    wrong = []
    for modes in ("trace", "trace,timed"):
        words = [reprise, "record", "--force", "--functions", modes, "-o", "run.reprise", "--"]
        recorded = run(words + program, folder, False)
        if "streams of calls" not in recorded.stderr or (folder / "run.calls.parts").exists():
            wrong.append(f"{modes}: {recorded.stderr}")
        for rank in range(options.ranks):
            wrong += difference(events(reprise, folder, "run.calls", rank, 0), Truth().whole(), f"{modes}, rank {rank}")
            wanted = ["worker"] + 1000 * ["leaf", None] + [None]
            wrong += difference(
                events(reprise, folder, "run.calls", rank, 1), wanted, f"{modes}, thread of rank {rank}"
            )
    flat = json.loads(run([reprise, "trace", "calls", "run.calls", "--flat", "--format", "json"], folder, False).stdout)
    rows = {plain(row["function"]): row for row in flat["functions"]}
    if rows["fib"]["calls"] != 465 * options.ranks or rows["MPI_Allreduce"]["calls"] != 100 * options.ranks:
        wrong.append(f"the flat profile: {rows['fib']} {rows['MPI_Allreduce']}")
    if not 0 < rows["fib"]["exclusive_s"] <= rows["fib"]["inclusive_s"] <= rows["main"]["inclusive_s"]:
        wrong.append(f"times: {rows['fib']} {rows['main']}")

    words = [reprise, "record", "--functions", "trace", "-o", "crash.reprise", "--"]
    run(words + program + ["crash"], folder, True)
    for rank in range(options.ranks):
        got = events(reprise, folder, "crash.calls", rank, 0, may_lack=True)
        truth = Truth().crashed()
        if got and got != truth[: len(got)]:
            wrong += difference(got, truth, f"crash, rank {rank}")
        if (
            rank == 0
            and len(got) < len(truth) - 2
            and not any(
                len(events(reprise, folder, "crash.calls", other, 0, may_lack=True)) >= len(truth) - 2
                for other in range(options.ranks)
            )
        ):
            wrong.append(f"a crash: {len(got)} of {len(truth)} events on rank 0, fewer on others")

    alone = run(program, folder)
    if (recorded.returncode, recorded.stdout) != (alone.returncode, alone.stdout):
        wrong.append(f"recorded it prints {recorded.stdout}, alone {alone.stdout}")
    return wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    with tempfile.TemporaryDirectory() as folder:
        wrong = compare(options, pathlib.Path(folder))
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
