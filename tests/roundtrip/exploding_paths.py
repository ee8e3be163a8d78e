#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program whose call paths explode: what is kept of them, and that everything else is as exact as ever.

usage: exploding_paths.py --bin FOLDER --launcher MPIRUN PROGRAM        PROGRAM: deep_recursion

10 000 call paths through one line, on 2 ranks. By default 8192 are kept whole, the others are shortened, and each report counts those as a loss, which is
none of --strict; calls are as many as the program makes, four times the rounds take hardly more stored calls, and the shortened paths have 4 frames.
REPRISE_CALLPATH=full keeps all.
"""
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

RANKS, PATHS, WHOLE = 2, 10000, 8192
LOST = "call paths kept to their innermost frames, because there were too many"


def recorded(options, folder, call_path, rounds):
    """What `trace info` says, and its losses by name."""
    trace = f"{call_path}-{rounds}.reprise"
    os.environ["REPRISE_CALLPATH"] = call_path
    lines = record(options, folder, trace, ("--order", "none"), RANKS, PATHS, rounds)
    expect(lines == ["deep_recursion: ok"], f"{trace}: printed {lines}")
    info = info_of(options, folder, trace)
    made = info["procedures"]["MPI_Allreduce"]
    expect(made == RANKS * PATHS * rounds, f"{trace}: {made} calls")
    expect_consistent(options, folder, trace)
    expect_strict_replays(options, folder, trace, info["operations"])
    return info, {loss["name"]: (loss["severity"], loss["count"]) for loss in info["losses"]}


def main():
    options = options_of(parser(__doc__))
    with tempfile.TemporaryDirectory() as folder:
        short, losses = recorded(options, folder, "auto", 3)
        severity, count = losses.pop(LOST, ("", 0))
        expect(losses == {}, f"losses {losses}")
        expect((severity, 0 < count <= RANKS * 16) == ("notice", True), f"{LOST}: {severity}, {count}")
        named = f"notice: {LOST}, {count} times"
        for verb in (["trace", "info"], ["replay", "--platform", "infiniband-edr"]):
            text = run([options.reprise, *verb, "auto-3.reprise"], folder)
            expect(named in text, f"{' '.join(verb)} does not say '{named}': {text}")
        longer, _ = recorded(options, folder, "auto", 12)
        full, losses = recorded(options, folder, "full", 3)
        expect(losses == {}, f"losses of all paths {losses}")
        stored = [info["compressed_operations"] for info in (short, longer, full)]
        # Paths that share a site stand in loops of their own among the whole ones.
        expect(WHOLE < stored[0] < 1.3 * PATHS, f"{stored[0]} stored calls")
        expect(stored[1] < 1.02 * stored[0], f"{stored[1]} stored calls of 12 rounds, {stored[0]} of 3")
        expect(PATHS <= stored[2] < PATHS + 10, f"{stored[2]} stored calls of all paths")
        print(f"stored calls: {stored[0]} and {stored[1]} of 3 and 12 rounds, {stored[2]} where all paths are kept")
    finish()


if __name__ == "__main__":
    main()
