#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A recording that ends by a signal says in which call each rank was, and for how long.

usage: hang.py --bin FOLDER --launcher MPIRUN PROGRAM (hang.c)

Each mode of the program, under either clock: where each rank was, by the JSON of `trace info`; the time is the second until the signal comes, and not much more.
The text of `trace info`, `trace check`, `trace at` past the last call and a replay tell it, and no replay blames the time on cores that ranks waited for. Of a
process that SIGKILL ended a line says that nothing is known; launchers do that to those that are left when one has ended, so that may be said of any but one.
"""
import pathlib
import subprocess
import sys
import tempfile

import recordings
from recordings import expect

RANKS = 3
# mode: place and call of each rank
MODES = {
    "stuck": [("inside", "MPI_Recv"), ("inside", "MPI_Barrier"), ("polling", "MPI_Iprobe")],
    "loop": [("inside", "MPI_Barrier"), ("inside", "MPI_Barrier"), ("outside", "MPI_Barrier")],
    "finalize": [("inside", "MPI_Finalize"), ("inside", "MPI_Finalize"), ("outside", "MPI_Barrier")],
    "exit": [("outside", "MPI_Barrier")] * 3,
}
UNKNOWN = "at the end is not known: nothing was saved after the last snapshot"
WORDS = {"inside": "had been in", "polling": "had polled by", "outside": "had been outside MPI"}


def ranks_of(text):
    ranks = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        ranks += range(int(first), int(last or first) + 1)
    return ranks


def salvage(options, folder, mode, clock, what):
    trace = f"{mode}.{clock}.reprise"
    recordings.record(options, folder, trace, ["--clock", clock], RANKS, mode, may_fail=True)
    if not (folder / f"{trace}.parts").is_dir():
        expect(False, f"{what}: there are no parts")
        recordings.finish()
    whole = f"{mode}.{clock}.salvaged.reprise"
    recordings.run([options.reprise, "trace", "salvage", f"{trace}.parts", "-o", whole], folder)
    return whole


def compare(options, folder, mode, clock):
    what = f"{mode}, {clock}"
    trace = salvage(options, folder, mode, clock, what)
    ends = recordings.info_of(options, folder, trace)["ends"]
    known = {rank: end for end in ends for rank in ranks_of(end["ranks"])}
    text = recordings.run([options.reprise, "trace", "info", trace], folder)
    check = recordings.run([options.reprise, "trace", "check", trace], folder, may_fail=True)
    expect(known, f"{what}: nothing is known of any rank: {text}")
    for rank, (place, call) in enumerate(MODES[mode]):
        end = known.get(rank)
        if end is None:
            expect(UNKNOWN in text and UNKNOWN in check, f"{what}: nothing is told of rank {rank}: {text}, {check}")
            continue
        expect(end["place"] == place, f"{what}: rank {rank}: {end}")
        expect(end.get("call", "").startswith(f"{call} at hang.c:"), f"{what}: rank {rank}: {end}")
        expect(end.get("signal") == (None if mode == "exit" else 15), f"{what}: rank {rank}: {end}")
        if mode != "exit":
            expect(0.8 <= end["least_s"] <= end["most_s"] <= 5, f"{what}: rank {rank}: {end}")
        words = f"{WORDS[place]} {call} at hang.c:" if place != "outside" else WORDS[place]
        expect(words in text and words in check, f"{what}: {words!r} is not in {text} or {check}")
    if mode in ("stuck", "loop"):
        past_the_end(options, folder, trace, what)


def past_the_end(options, folder, trace, what):
    late = subprocess.run([options.reprise, "trace", "at", trace, "100s"], cwd=folder, capture_output=True, text=True)
    expect(late.returncode == 2 and ("ended it" in late.stderr or "ended them" in late.stderr), f"{what}: {late}")
    replay = recordings.run([options.reprise, "replay", trace, "-p", "infiniband-edr"], folder)
    expect("waited for cores" not in replay, f"{what}: {replay}")
    expect("calls that had not returned when the recording ended" in replay or "unknown" in replay, f"{what}: {replay}")
    expect("SIGTERM ended" in replay, f"{what}: {replay}")


def killed(options, folder):
    """A part that was written while the program ran tells nothing of the end; launchers may ask the others politely once the first is dead."""
    trace = salvage(options, folder, "killed", "wall", "killed")
    text = recordings.run([options.reprise, "trace", "info", trace], folder)
    expect(UNKNOWN in text, f"killed: {text}")


def main():
    options = recordings.options_of(recordings.parser(__doc__))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for mode in MODES:
            for clock in ("wall", "cpu") if mode == "stuck" else ("wall",):
                compare(options, folder, mode, clock)
        killed(options, folder)
    recordings.finish()


if __name__ == "__main__":
    sys.exit(main())
