#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sizes that follow no rule stay exact, and cost what they are: two bytes each at most.

usage: varying.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM

The program (programs/varying.c) is recorded and exported call by call; every count of every call on every rank equals the one that is
computed here. Above the trace of a regular program (REGULAR bytes) there are at most two bytes for each number that differs: the counts
of the all-to-alls on every rank, the sizes of the ring's messages and the number of rounds, alike on all ranks.
"""
import argparse
import itertools
import os
import pathlib
import subprocess
import sys
import tempfile

STEPS = 200  # of programs/varying.c
REGULAR = 1500  # bytes: what remains of the trace when the numbers are constant, generously


def numbers():
    state = 42
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        yield state >> 52


def expected(ranks):
    """Of each rank its calls, and how many numbers differ."""
    calls = [[] for _ in range(ranks)]
    stream, varying = numbers(), 0
    for _ in range(STEPS):
        sizes = [[next(stream) for _ in range(ranks)] for _ in range(ranks)]
        rounds = list(itertools.islice(stream, next(stream) % 6))
        for rank, called in enumerate(calls):
            called.append(("alltoallv", sizes[rank], [row[rank] for row in sizes]))
            called += [("exchange", size) for size in rounds]
        varying += 2 * ranks * ranks + 1 + len(rounds)
    return calls, varying


def exported(path, ranks):
    calls = []
    for line in path.read_text().splitlines():
        words = line.split()
        if words[1] == "alltoallv":
            counts = list(map(int, words[2:]))
            calls.append(("alltoallv", counts[1 : ranks + 1], counts[ranks + 2 : 2 * ranks + 2]))
        elif words[1] == "irecv":
            received = int(words[4])
        elif words[1] == "isend":
            calls.append(("exchange", received) if received == int(words[4]) else ("exchange", received, int(words[4])))
    return calls


def run(command, folder):
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}: {done.stderr}")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    reprise = options.bin.resolve() / "reprise"
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(
            [
                reprise,
                "record",
                "--clock",
                "cpu",
                "-o",
                "run.reprise",
                "--",
                options.launcher,
                "-n",
                options.ranks,
                options.program.resolve(),
            ],
            folder,
        )
        run([reprise, "trace", "check", "--strict", "run.reprise"], folder)
        run([reprise, "export", "run.reprise", "-o", "lines"], folder)
        wanted, varying = expected(options.ranks)
        for rank, calls in enumerate(wanted):
            if exported(folder / "lines" / f"rank-{rank}.txt", options.ranks) != calls:
                sys.exit(f"rank {rank}: its calls are not those that the program made")
        size = (folder / "run.reprise").stat().st_size
        print(f"{varying} numbers in {size} bytes")
        return 0 if size <= REGULAR + 2 * varying else 1


if __name__ == "__main__":
    sys.exit(main())
