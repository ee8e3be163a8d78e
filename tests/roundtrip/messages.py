#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Sampled messages against what the program knows: both sides choose the same ones, and none is taken for another.

usage: messages.py --bin FOLDER --launcher MPIRUN --ranks N PROGRAM MODE        PROGRAM: sampled_messages

MODE plain: wildcards, Waitany, Waitsome, persistent requests, Sendrecv, matched probes, Cancel, a sub- and an intercommunicator; threads: a
stream for each of two threads; shared: one stream for both, which has no order that anybody knows. Two messages on one stream differ in size, so a pair that
is none shows (the loss "sampled messages whose two sides differ"). With 100 % every message that the program has sent is there; with 10 % as many
as the binomial distribution allows in 99 of 100 programs: the choice is by a hash, so a run says the same each time.
"""
import math
import tempfile

from recordings import expect, expect_consistent, finish, info_of, options_of, parser, record

STEPS = 20
LOST = "message streams of unknown order, none of them sampled"


def recorded(options, folder, which, name):
    """What the program has sent, what the trace says of messages, and its losses by name."""
    trace = f"{name}.reprise"
    lines = record(options, folder, trace, ("--messages", which), options.ranks, options.mode, STEPS)
    expect(lines[1:] == ["sampled_messages: ok"], f"{which}: printed {lines!r}")
    expect_consistent(options, folder, trace, ("notice", "partial"))
    info = info_of(options, folder, trace)
    losses = {
        loss["name"]: loss["count"] for loss in info["losses"] if "message" in loss["name"] or "sampled" in loss["name"]
    }
    return int(lines[0].split()[0]), info["messages"], losses


def main():
    made = parser(__doc__)
    made.add_argument("--ranks", type=int, required=True)
    made.add_argument("mode")
    options = options_of(made)
    with tempfile.TemporaryDirectory() as folder:
        sent, all_of_them, losses = recorded(options, folder, "sample:100%", "all")
        if options.mode == "shared":
            expect(losses == {LOST: 2 * options.ranks}, f"losses {losses}")
            expect(all_of_them["joined"] == 0, f"{all_of_them} of a stream without order")
        else:
            expect(losses == {}, f"losses {losses}")
            expect(
                all_of_them == {"mode": "random", "sent": sent, "chosen": sent, "joined": sent},
                f"{all_of_them} of {sent}",
            )
            sent, some, losses = recorded(options, folder, "sample:10%", "some")
            reach = 2.576 * math.sqrt(sent * 0.1 * 0.9)
            expect(losses == {}, f"10 %: losses {losses}")
            expect(abs(some["chosen"] - 0.1 * sent) <= reach, f"10 %: {some['chosen']} of {sent}")
            expect(some["joined"] == some["chosen"], f"10 %: {some}")
            print(f"{sent} messages, {some['joined']} of them sampled at 10 %")
    finish()


if __name__ == "__main__":
    main()
