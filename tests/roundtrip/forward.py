#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A recording replayed with nothing left out is the same answer, to the last byte, whichever way that is asked for.

usage: forward.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM

The program (scenarios/heat2d/heat2d.c) is recorded and replayed on each network: --forward-within 0, 0% and --no-fast-forward give equal bytes, with
accounts of every call site. By default calls and messages are the same as well, however many iterations were left out.
"""
import json
import tempfile

from recordings import expect, finish, options_of, parser, record, run

NETWORKS = ("flow", "fluid", "queue", "uncontended")
NOTHING = (("--no-fast-forward",), ("--forward-within", "0"), ("--forward-within", "0%"))


def main():
    made = parser(__doc__)
    made.add_argument("--ranks", type=int, required=True)
    options = options_of(made)
    with tempfile.TemporaryDirectory() as folder:
        record(options, folder, "run.reprise", ("--clock", "cpu"), options.ranks, 300, 64)
        for network in NETWORKS:
            command = [options.reprise, "replay", "run.reprise", "-p", "infiniband-edr", "--network", network]
            command += ["--format", "json", "--details", "call-sites"]
            whole, *others = (run([*command, *nothing], folder) for nothing in NOTHING)
            expect(all(other == whole for other in others), f"{network}: {NOTHING} are not the same answer")
            full, usual = json.loads(whole), json.loads(run(command, folder))
            left_out = full["fast_forward"]["skipped_iterations"]
            expect(left_out == 0, f"{network}: {left_out} iterations were left out although that was forbidden")
            for what in ("operations", "messages"):
                expect(usual[what] == full[what], f"{network}: {usual[what]} {what} by default, {full[what]} in full")
            print(f"{network}: {usual['fast_forward']['skipped_iterations']} iterations left out by default")
    finish()


if __name__ == "__main__":
    main()
