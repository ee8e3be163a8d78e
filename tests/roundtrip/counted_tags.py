#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A library that numbers its operations by tags, as BLACS does: a trace has the steps from tag to tag, which take no bytes.

usage: counted_tags.py --bin FOLDER --launcher MPIRUN PROGRAM        PROGRAM: counted_tags

On 4 ranks, with few steps and with sixteen times as many: the trace is no more than 250 bytes larger than that of the same program with one tag for everything;
`trace check` finds no error; strict replays of the shorter ones play all operations on two machines and three networks; with nothing left out the simulated time is that of
the program with one tag, to the last digit: the same messages meet each other. Without durations of a run, which are noise: --compute '*=0x'.
"""
import json
import os
import tempfile

from recordings import (
    expect,
    expect_consistent,
    expect_strict_replays,
    finish,
    info_of,
    options_of,
    parser,
    record,
    run,
)

RANKS = 4
NETWORKS = ("flow", "queue", "uncontended")
STEPS = (100, 1600)
MORE = 250  # bytes: the first tags of each call, until they are known to count, and where the counter begins again


def recorded(options, folder, steps, *mode):
    trace = f"{steps}{''.join(mode)}.reprise"
    lines = record(options, folder, trace, ("--order", "none"), RANKS, steps, *mode)
    expect(lines == ["counted_tags: ok"], f"{trace}: printed {lines}")
    info = info_of(options, folder, trace)
    expect(info["losses"] == [], f"{trace}: losses {info['losses']}")
    expect_consistent(options, folder, trace)
    if steps == STEPS[0]:
        expect_strict_replays(options, folder, trace, info["operations"], NETWORKS)
    command = [options.reprise, "replay", trace, "-p", "infiniband-edr", "--compute", "*=0x", "--no-fast-forward"]
    answer = json.loads(run([*command, "--format", "json"], folder))
    return os.path.getsize(os.path.join(folder, trace)), info["operations"], answer["predicted_time_s"]


def main():
    options = options_of(parser(__doc__))
    with tempfile.TemporaryDirectory() as folder:
        for steps in STEPS:
            counted, plain = recorded(options, folder, steps), recorded(options, folder, steps, "plain")
            print(f"{steps} steps: {counted[0]} bytes, {plain[0]} with one tag")
            expect(counted[0] <= plain[0] + MORE, f"{steps} steps: {counted[0]} bytes, {plain[0]} with one tag")
            expect(counted[1:] == plain[1:], f"{steps} steps: {counted[1:]} operations and seconds, not {plain[1:]}")
        text = run([options.reprise, "trace", "dump", f"{STEPS[1]}.reprise"], folder)
        for step in ("last+1", "last+0"):
            expect(f"{step}*" in text, f"no tag is {step} often")
    finish()


if __name__ == "__main__":
    main()
