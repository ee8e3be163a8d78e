#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The application's heap is its own: what the recorder keeps is elsewhere.

usage: own_heap.py --bin FOLDER --launcher MPIRUN PROGRAM (own_heap.c)

A program whose calls cannot be folded makes the recorder keep some hundred kilobytes: its heap grows by none of them. Where it damages its heap, malloc ends it, and the part
of the rank still holds every call up to then.
"""
import os
import pathlib
import sys
import tempfile

import recordings
from recordings import expect

RANKS, MESSAGES = 2, 51_000
FEW = 8192  # bytes: buffers of files and the like


def main():
    options = recordings.options_of(recordings.parser(__doc__))
    os.environ["OMPI_MCA_opal_signal"] = ""  # its handler would allocate, and wait for ever
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        grown = recordings.record(options, folder, "whole.reprise", [], RANKS)
        expect(len(grown) == RANKS and all(int(bytes_) <= FEW for bytes_ in grown), f"the heap grew by {grown} bytes")
        size = (folder / "whole.reprise").stat().st_size
        expect(size > 10 * FEW, f"a trace of {size} bytes needs no memory: the test shows nothing")
        recordings.record(options, folder, "dead.reprise", [], 1, "damaged", may_fail=True)
        recordings.run([options.reprise, "trace", "salvage", "dead.reprise.parts", "-o", "dead.reprise"], folder)
        calls = recordings.info_of(options, folder, "dead.reprise")["procedures"].get("MPI_Sendrecv", 0)
        expect(calls == MESSAGES, f"{calls} calls are left of {MESSAGES}")
    recordings.finish()


if __name__ == "__main__":
    sys.exit(main())
