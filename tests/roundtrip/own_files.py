#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A recording says what ranks write to files by themselves, whose time counts as computing; not what MPI-IO writes for them.

usage: own_files.py --bin FOLDER --launcher MPIRUN PROGRAM (own_files.c)

Each mode of the program: write() and fsync() are a notice with the MiB that the program wrote, to a tenth, in the trace and in an answer of a replay; MPI-IO, also in
pieces whose calls are short, and files in memory are none. Files stand in the folder of the program's build: one in memory has no blocks to count.
"""
import os
import pathlib
import resource
import sys
import tempfile

import recordings
from recordings import expect

NOTICE = (
    "files that ranks wrote or read outside MPI-IO (write, fsync, read): the time counts as computing, "
    "which --compute scales and /storage does not change"
)
RANKS, MIB = 2, 2 * 8 * 4
MEMORY = "/dev/shm"


def counts_blocks(folder):
    """Whether the kernel counts what is written there: not of a file system in memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_oublock
    with open(folder / "probe", "wb") as file:
        file.write(bytes(1 << 20))
        file.flush()
        os.fsync(file.fileno())
    return resource.getrusage(resource.RUSAGE_SELF).ru_oublock - before >= 2048


def compare(options, folder, mode, clock, place):
    what, trace = f"{mode}, {clock}", f"{mode}.{clock}.reprise"
    recordings.record(options, folder, trace, ["--clock", clock], RANKS, mode, place)
    found = [loss for loss in recordings.info_of(options, folder, trace)["losses"] if loss["name"] == NOTICE]
    replayed = [
        loss for loss in recordings.answer(options, folder, "replay", trace)["losses"] if loss["name"] == NOTICE
    ]
    expect(replayed == found, f"{what}: {replayed} in the replay, {found} in the trace")
    if mode != "own":
        expect(found == [], f"{what}: {found}")
        return
    expect(len(found) == 1, f"{what}: {found}")
    for loss in found:
        expect(loss["severity"] == "notice", f"{what}: {loss}")
        expect(0.9 * MIB <= loss["count"] <= 1.1 * MIB, f"{what}: {loss}, written {MIB} MiB")
        text = recordings.run([options.reprise, "trace", "info", trace], folder)
        expect(f"{NOTICE}, {loss['count']} MiB\n" in text, f"{what}: {text}")


def main():
    options = recordings.options_of(recordings.parser(__doc__))
    with tempfile.TemporaryDirectory(dir=options.program.parent) as folder:
        folder = pathlib.Path(folder)
        if not counts_blocks(folder):
            print("SKIPPED: the kernel counts no blocks of files here")
            return 77
        for mode in ("none", "own", "mpi", "pieces"):
            compare(options, folder, mode, "wall", folder)
        compare(options, folder, "own", "cpu", folder)
        if os.access(MEMORY, os.W_OK):
            compare(options, folder, "memory", "wall", MEMORY)
    recordings.finish()


if __name__ == "__main__":
    sys.exit(main())
