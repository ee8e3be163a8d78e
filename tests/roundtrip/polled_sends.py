#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A pool of send buffers whose sends are found complete by chance: polls are counted, and the trace has the structure of the program.

usage: polled_sends.py --bin FOLDER --launcher MPIRUN PROGRAM MODE        PROGRAM: send_buffers

On 4 ranks the polls (testall: MPI_Testall, test: MPI_Test) and waits that completed something are as many as the program counts itself; `trace check` finds no
error; a strict replay plays all operations on two machines and three networks.
testall, test  with --completions exact and without; however many steps there are, the program is stored as its nine calls, whose loop folds and whose ranks are
               one, and as two polls of each rank at most: which of its places for polls these stand at is chance, and where they differ they do not fold.
               A rank whose first poll succeeds at once has that one as a call of its own, and the iteration around it apart from its loop.
waits          in its second half the program waits for its sends: from the first wait on they have requests again, and those before are a loss with their number.
crash          the last rank ends by a signal: what was saved is salvaged, holds such sends, and is played.
"""
import os
import re
import tempfile

from recordings import (
    answer,
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
POLLS = {"testall": "MPI_Testall", "test": "MPI_Test", "waits": "MPI_Test", "crash": "MPI_Test"}
LOST = "sends waited for whose completion is in no call"
CUT = "MPI calls beyond the point that all ranks reached"
BUFFERS = 200  # of each rank
OTHER_CALLS = 9  # of the program, from MPI_Init to MPI_Finalize
CALLS_OF_STEP = 6
KEPT_POLLS = 2  # of each rank, that stand for all that completed something
STORED = re.compile(r"^ *(?:ranks [^:]*: )?@\d+ (MPI_\w+)(.*)$", re.MULTILINE)


def recorded(options, folder, steps, completions):
    """What `trace info` says."""
    trace = f"{completions}-{steps}.reprise"
    settings = ("--completions", completions, "--order", "none")
    lines = record(options, folder, trace, settings, RANKS, steps, options.mode)
    expect(lines[1:] == ["send_buffers: ok"], f"{trace}: printed {lines}")
    info = info_of(options, folder, trace)
    counted = [int(word) for word in lines[0].split()]
    made = [info["procedures"].get(name, 0) for name in (POLLS[options.mode], "MPI_Wait")]
    expect(made == counted, f"{trace}: {made} polls and waits, the program made {counted}")
    expect_consistent(options, folder, trace)
    expect_strict_replays(options, folder, trace, info["operations"], NETWORKS)
    return info


def fold(options, folder):
    exact, few, many = (
        recorded(options, folder, *case) for case in ((100, "exact"), (100, "represented"), (400, "represented"))
    )
    for info in (exact, few, many):
        expect(info["losses"] == [], f"losses {info['losses']}")
    poll = POLLS[options.mode]
    for steps, info in ((100, few), (400, many)):
        stored = STORED.findall(run([options.reprise, "trace", "dump", f"represented-{steps}.reprise"], folder))
        polls = sum(name == poll for name, _ in stored)
        # Before any poll had failed it was not known that these sends complete by chance.
        at_once = sum(name == poll and "further_calls" not in rest for name, rest in stored)
        others = len(stored) - polls
        expect(len(stored) == info["compressed_operations"], f"{steps} steps: {stored}")
        apart = others - OTHER_CALLS
        expect(
            0 <= apart <= CALLS_OF_STEP * at_once, f"{steps} steps: {others} calls beside {poll} are stored: {stored}"
        )
        expect(0 < polls <= KEPT_POLLS * RANKS, f"{steps} steps: {polls} of {poll} are stored")
        print(
            f"{steps} steps: {others} calls stored, and {polls} of {poll}; all of 100: {exact['compressed_operations']}"
        )


def wait_again(options, folder):
    info = recorded(options, folder, 200, "represented")
    losses = {loss["name"]: (loss["severity"], loss["count"]) for loss in info["losses"]}
    severity, count = losses.pop(LOST, ("", 0))
    expect(losses == {}, f"losses {losses}")
    # Only sends that were under way when the program began to wait.
    expect((severity, count > 0, count <= RANKS * BUFFERS) == ("notice", True, True), f"{LOST}: {severity}, {count}")
    expect(info["procedures"]["MPI_Wait"] > 2 * count, f"{info['procedures']['MPI_Wait']} waits, {count} of them lost")
    print(f"{info['procedures']['MPI_Wait']} waits, {count} of them for sends without a request")


def salvage(options, folder):
    os.environ["REPRISE_SNAPSHOT"] = "0.05"
    record(options, folder, "run.reprise", (), RANKS, 100000, "crash", may_fail=True)
    infos = {}
    for name, whole in (("salvaged", []), ("whole", ["--whole"])):
        trace = f"{name}.reprise"
        run([options.reprise, "trace", "salvage", "run.reprise.parts", *whole, "-o", trace], folder)
        infos[name] = info = info_of(options, folder, trace)
        expect(info["complete"] is False, f"{trace}: complete")
        expect(info["completions"] is not None, f"{trace}: no send was found complete by chance")
        polls, sends = (info["procedures"].get(name, 0) for name in ("MPI_Test", "MPI_Isend"))
        expect(polls <= sends > 0, f"{trace}: {polls} polls of {sends} sends")
        expect(LOST not in [loss["name"] for loss in info["losses"]], f"{trace}: {info['losses']}")
    expect(infos["whole"]["procedures"].get("MPI_Test", 0) > 0, "no polls were saved")
    # The polls stand behind all calls of a rank: they are cut off with its end, and counted.
    cut = sum(loss["count"] for loss in infos["salvaged"]["losses"] if loss["name"] == CUT)
    kept, saved = (infos[name]["operations"] for name in ("salvaged", "whole"))
    expect(kept + cut == saved, f"{kept} operations kept, {cut} cut off, {saved} saved")
    expect_consistent(options, folder, "salvaged.reprise", ("notice", "partial"))
    outcome = answer(options, folder, "replay", "salvaged.reprise", "--platform", "infiniband-edr")
    info = info_of(options, folder, "salvaged.reprise")
    expect(
        outcome.get("operations") == info["operations"], f"{outcome.get('operations')} of {info['operations']} played"
    )
    print(f"{info['operations']} operations salvaged, stored as {info['compressed_operations']}")


def main():
    made = parser(__doc__)
    made.add_argument("mode", choices=list(POLLS))
    options = options_of(made)
    with tempfile.TemporaryDirectory() as folder:
        {"waits": wait_again, "crash": salvage}.get(options.mode, fold)(options, folder)
    finish()


if __name__ == "__main__":
    main()
