#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program whose long steps come on all ranks at once, and that dies: its salvaged trace is played in recorded order, like a whole one.

usage: salvaged_order.py --bin FOLDER --launcher MPIRUN PROGRAM (long_steps.c)

The truth is the program's own computing, 68 ms in 100 steps of CPU time: shuffled rank by rank, the steps take more than twice as long. Each
of the two replays, on a network that costs nothing, is within a fifth of it.
"""
import json
import pathlib
import sys
import tempfile

import recordings
from recordings import expect

RANKS, STEPS = 4, 100
TRUTH = STEPS * (0.9 * 2e-4 + 0.1 * 5e-3)
IDEAL = {
    "format": 1,
    "name": "ideal",
    "source": "made up: messages take no time",
    "nodes": {"count": 1, "cores": RANKS},
    "intra_node": {"bandwidth": "1000 TB/s", "latency": "0 s"},
    "mpi": {"eager_limit": "64 KiB", "send_overhead": "0 s", "recv_overhead": "0 s"},
}


def main():
    options = recordings.options_of(recordings.parser(__doc__))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "ideal.json").write_text(json.dumps(IDEAL), encoding="utf-8")
        recordings.record(options, folder, "whole.reprise", ["--clock", "cpu"], RANKS, STEPS)
        recordings.record(options, folder, "dead.reprise", ["--clock", "cpu"], RANKS, 2 * STEPS, STEPS, may_fail=True)
        recordings.run([options.reprise, "trace", "salvage", "dead.reprise.parts", "-o", "dead.reprise"], folder)
        for trace in ("whole.reprise", "dead.reprise"):
            answer = recordings.answer(options, folder, "replay", trace, "-p", "ideal.json")
            time = answer["predicted_time_s"]
            expect(0.9 * TRUTH <= time <= 1.2 * TRUTH, f"{trace}: {time} s, computed {TRUTH} s")
    recordings.finish()


if __name__ == "__main__":
    sys.exit(main())
