#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A transport sweep that takes what is ready: what is kept of the order in which requests completed.

usage: completions.py --bin FOLDER --launcher MPIRUN PROGRAM        PROGRAM: sweep_polls

On 4 ranks the calls that completed something are as many as the program counts itself, with representatives and call by call; the trace has
no error that `trace check` finds, and a strict replay plays it on two machines. With representatives four times the steps take no tenth more bytes: how
well the first phases fold differs from run to run (3.4 to 5.0 kB of the same program), so the smallest of five recordings is compared with the largest of
five of fewer steps; call by call it would be over three times as large.
"""
import tempfile

from recordings import expect, expect_consistent, expect_strict_replays, finish, info_of, options_of, parser, record

RANKS = 4
POLLS = ("MPI_Testany", "MPI_Testsome", "MPI_Waitsome")


def recorded(options, folder, steps, completions, number=0):
    trace = f"{completions}-{steps}-{number}.reprise"
    settings = ("--completions", completions, "--order", "none")
    lines = record(options, folder, trace, settings, RANKS, steps, "count")
    expect(lines[1:] == ["sweep_polls: ok"], f"{trace}: printed {lines!r}")
    info = info_of(options, folder, trace)
    counted = [int(word) for word in lines[0].split()]
    made = [info["procedures"].get(name, 0) for name in POLLS]
    expect(made == counted, f"{trace}: {made} calls of {POLLS}, the program made {counted}")
    expect(info["losses"] == [], f"{trace}: losses {info['losses']}")
    phases = info.get("completions")
    if completions == "exact":
        expect(phases is None, f"{trace}: phases {phases} of exact completions")
    else:
        expect(phases is not None and phases["represented"] > 0.8 * phases["phases"] > 0, f"{trace}: phases {phases}")
    expect_consistent(options, folder, trace)
    expect_strict_replays(options, folder, trace, info["operations"])
    return info["file_bytes"]


def main():
    options = options_of(parser(__doc__))
    with tempfile.TemporaryDirectory() as folder:
        recorded(options, folder, 30, "exact")
        few = [recorded(options, folder, 600, "represented", n) for n in range(5)]
        many = [recorded(options, folder, 2400, "represented", n) for n in range(5)]
        expect(min(many) <= 1.1 * max(few), f"{few} bytes, with four times the steps {many}")
        print(f"{few} bytes for 600 steps, {many} for 2400")
    finish()


if __name__ == "__main__":
    main()
