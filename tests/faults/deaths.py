#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many recordings of runs that died can be replayed?

usage: deaths.py --bin FOLDER [--deaths 200] [--seed 1] [--snapshot SECONDS] --program NAME -- MPIRUN… PROGRAM…

Records the program again and again and ends it at a random moment: one rank, or all of them, by SIGKILL, SIGTERM, SIGSEGV or SIGABRT. What is left is salvaged
(`trace salvage`), checked (`trace check`) and replayed. Prints a line for each kind of death, and what became of each run that could not be replayed. For a
night; not part of CI, since the moments are.
"""
import argparse
import collections
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT]


def ranks_of(program, group):
    """The processes of the program among those of the process group's session."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if pathlib.Path(os.fsdecode(words[0])).name == program and group in environment:
            found.append(int(entry.name))
    return sorted(found)


def die(options, folder, chance, length):
    """Records one run that dies; returns (kind, outcome)."""
    mark = f"DEATHS_OF={folder}"
    environment = dict(os.environ, DEATHS_OF=str(folder))
    if options.snapshot:
        environment["REPRISE_SNAPSHOT"] = options.snapshot
    command = [options.reprise, "record", "-o", "run.reprise", "--", *options.command]
    moment, what, is_all = chance.uniform(0.1, 0.8) * length, chance.choice(SIGNALS), chance.random() < 0.3
    kind = f"{what.name} to {'all ranks' if is_all else 'one rank'}"
    with open(os.path.join(folder, "log"), "wb") as log:
        running = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        time.sleep(moment)
        ranks = ranks_of(options.program, mark.encode())
        for rank in ranks if is_all else ranks and [chance.choice(ranks)]:
            try:
                os.kill(rank, what)
            except ProcessLookupError:
                pass
        try:
            running.wait(60)
        except subprocess.TimeoutExpired:
            running.kill()
            return kind, "hung"
    return kind, outcome_of(options, folder)


def outcome_of(options, folder):
    def reprise(*words):
        return subprocess.run([options.reprise, *words], cwd=folder, capture_output=True, text=True, timeout=120)

    if os.path.exists(os.path.join(folder, "run.reprise")):
        return "was over"
    if not os.path.isdir(os.path.join(folder, "run.reprise.parts")):
        return "before MPI_Init was over"
    salvaged = reprise("trace", "salvage", "run.reprise.parts", "-o", "saved.reprise")
    if salvaged.returncode != 0:
        return "nothing saved: " + salvaged.stderr.splitlines()[0]
    replayed = reprise("replay", "saved.reprise", "-p", "infiniband-edr")
    return "replays" if replayed.returncode == 0 else "does not replay: " + replayed.stderr.splitlines()[0]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--deaths", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--snapshot")
    parser.add_argument("--program", required=True, help="the name of the ranks' executable")
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    options.reprise = options.bin.resolve() / "reprise"
    options.command = [os.path.abspath(word) if os.path.isfile(word) else word for word in options.command]
    chance = random.Random(options.seed)
    began = time.monotonic()
    subprocess.run(options.command, check=True, capture_output=True)
    length = time.monotonic() - began
    outcomes = collections.defaultdict(collections.Counter)
    for _ in range(options.deaths):
        with tempfile.TemporaryDirectory() as folder:
            kind, outcome = die(options, folder, chance, length)
        outcomes[kind][outcome.split(":")[0]] += 1
        if outcome.startswith(("does not", "hung", "nothing")):
            print(outcome, flush=True)
    for kind in sorted(outcomes):
        print(f"{kind}: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes[kind].items())))
    everything = sum(outcomes.values(), collections.Counter())
    saved = sum(count for outcome, count in everything.items() if outcome.startswith(("replays", "does not", "hung")))
    print(f"in all: {dict(everything)}; {everything['replays']} of {saved} saved ones replay")


if __name__ == "__main__":
    main()
