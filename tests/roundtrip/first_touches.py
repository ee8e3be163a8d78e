#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Receiving into memory that was never touched is the receiver's own work, and receiving into memory in use is not.

usage: first_touches.py --bin FOLDER --launcher MPIRUN PROGRAM (first_touches.c)

Under either clock: what computing before the receives of new memory has more than before those of used memory is the time that the program
itself takes for as many first touches, within a factor of three (a page costs what the machine's other work makes of it); a notice has it. Without new memory there is
no notice.
"""
import json
import pathlib
import sys
import tempfile

import recordings
from recordings import expect

NOTICE = (
    "ranks that touched memory first inside MPI calls (as in receiving into a new array): the kernel's time for these "
    "pages counts as computing before the call, not as communicating"
)
RANKS, MESSAGES = 2, 8
IDEAL = {
    "format": 1,
    "name": "ideal",
    "source": "made up: messages take no time",
    "nodes": {"count": 1, "cores": 2},
    "intra_node": {"bandwidth": "1000 TB/s", "latency": "0 s"},
    "mpi": {"eager_limit": "64 KiB", "send_overhead": "0 s", "recv_overhead": "0 s"},
}


def receives(options, folder, trace):
    """Seconds of computing before all receives, and how many there are."""
    answer = recordings.answer(options, folder, "replay", trace, "-p", "ideal.json", "--details", "call-sites")
    sites = [site for site in answer["call_sites"] if site["procedure"] == "MPI_Recv"]
    return sum(site["compute_s"] for site in sites), sum(site["calls"] for site in sites)


def compare(options, folder, clock):
    computing, touching, losses = {}, {}, {}
    for mode in ("used", "new"):
        trace = f"{mode}.{clock}.reprise"
        lines = recordings.record(options, folder, trace, ["--clock", clock], RANKS, mode)
        touching[mode] = next(float(line.split()[1]) for line in lines if line.startswith("touching"))
        computing[mode], calls = receives(options, folder, trace)
        expect(calls == MESSAGES, f"{clock}, {mode}: {calls} receives")
        losses[mode] = {loss["name"]: loss for loss in recordings.info_of(options, folder, trace)["losses"]}
    more = computing["new"] - computing["used"]
    expect(touching["new"] / 3 <= more <= 3 * touching["new"], f"{clock}: {more} s, touching takes {touching}")
    expect(NOTICE not in losses["used"], f"{clock}: {losses['used']}")
    if more > 0.02:
        expect(NOTICE in losses["new"], f"{clock}: {losses['new']}")
        expect(losses["new"][NOTICE]["severity"] == "notice", f"{clock}: {losses['new']}")
        expect(0.5 * more <= losses["new"][NOTICE]["time_s"] <= 1.5 * more, f"{clock}: {losses['new']}, {more}")


def main():
    options = recordings.options_of(recordings.parser(__doc__))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "ideal.json").write_text(json.dumps(IDEAL), encoding="utf-8")
        for clock in ("wall", "cpu"):
            compare(options, folder, clock)
    recordings.finish()


if __name__ == "__main__":
    sys.exit(main())
