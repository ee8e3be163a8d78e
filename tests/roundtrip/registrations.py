#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The recorder registers nothing to be called at exit once MPI_Init is over: each 32nd registration takes memory of the application's heap.

usage: registrations.py --bin FOLDER --launcher MPIRUN PROGRAM (registrations.c)

A handler of fatal signals waited for ever where the heap was damaged: what writes a part had registered a destructor when it was first used.
"""
import os
import pathlib
import sys
import tempfile

import recordings
from recordings import expect

RANKS = 2


def main():
    options = recordings.options_of(recordings.parser(__doc__))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for end in ([], ["die"]):
            owners = folder / "owners.txt"
            recordings.record(options, folder, "run.reprise", ["--force"], RANKS, owners, *end, may_fail=True)
            lines = owners.read_text().splitlines()
            owners.unlink()
            own = [line for line in lines if os.path.basename(line) == os.path.basename(options.program)]
            expect(len(own) == RANKS, f"{end}: the program's own registrations are not seen: {lines}")
            expect(not any("reprise" in os.path.basename(line) for line in lines), f"{end}: {lines}")
        recordings.run([options.reprise, "trace", "salvage", "run.reprise.parts", "-o", "dead.reprise"], folder)
        calls = recordings.info_of(options, folder, "dead.reprise")["procedures"].get("MPI_Sendrecv", 0)
        expect(calls > 0, "nothing was saved when the program died")
    recordings.finish()


if __name__ == "__main__":
    sys.exit(main())
