#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The live replay of a recorded program, recorded itself: the second trace has the structure of the first.

usage: live.py --bin FOLDER --launcher MPIRUN --live reprise-live --ranks N [--by-chance] [--exact] PROGRAM

Equal are: nodes, loops and their iterations, ranks, procedures, and every field of every call, in order. Left out are times, call
sites (numbered by first appearance, so that their pattern counts), polls and what wildcards matched, which chance decides.
With --by-chance the order of completions decides what the program does next: then the calls and bytes per procedure are equal.
With --exact completions are recorded call by call. Without, phases may stand for others: then calls that complete some of several requests may
differ in number, and reprise-live says so.
"""
import argparse
import difflib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

HEADER = re.compile(
    r"^(program|mpi_library|elapsed|host|module|path|frame|site|procedure|bins|timing|clock|merged|loss|order|apart|compensation|preempted)\b"
)
CHANCE = re.compile(
    r" (polls|matched_peers?|matched_tags?)=(<[^>]*>|\{[^}]*\}|\[[^\]]*\]|\([^()]*(\([^()]*\)[^()]*)*\)\S*|\S+)"
)


def run(command, folder):
    started = subprocess.Popen(
        [str(word) for word in command],
        cwd=folder,
        text=True,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        stdout, stderr = started.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)  # ranks that wait for each other would spin for ever
        sys.exit(f"{' '.join(map(str, command))}: still running after two minutes")
    done = subprocess.CompletedProcess(command, started.returncode, stdout, stderr)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def counts(reprise, trace, folder):
    told = json.loads(run([reprise, "trace", "info", trace, "--format", "json"], folder).stdout)
    calls = {name: count for name, count in told["procedures"].items() if "Test" not in name and "robe" not in name}
    return [f"{name} {count} {told.get('bytes', {}).get(name, 0)}" for name, count in sorted(calls.items())]


def structure(reprise, trace, folder):
    """The dump's programs, line by line, without what times and chance decide."""
    numbers, lines = {}, []
    for line in run([reprise, "trace", "dump", trace], folder).stdout.splitlines():
        if HEADER.match(line) or re.match(r"^\s*\|", line):
            continue
        line = re.sub(r" \| .*", "", line)
        line = CHANCE.sub("", line)
        lines.append(re.sub(r"@(\d+)", lambda site: f"@{numbers.setdefault(site.group(1), len(numbers))}", line))
    return lines


def of_some(line):
    return re.match(r"MPI_(Wait|Test)(any|some) ", line)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--live", required=True)
    parser.add_argument("--ranks", type=int, required=True)
    parser.add_argument("--by-chance", action="store_true")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    reprise, live = options.bin.resolve() / "reprise", options.bin.resolve() / options.live
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    # As in run.py: what Debian's libraries do with the recorder and without.
    os.environ.setdefault("OMPI_MCA_osc", "^rdma")
    os.environ.update(UCX_LOG_LEVEL="fatal")
    with tempfile.TemporaryDirectory() as folder:
        launch = [options.launcher, "-n", options.ranks]
        record = [reprise, "record", "--clock", "cpu"]
        if options.exact:
            record += ["--completions", "exact"]
        run([*record, "-o", "run.reprise", "--", *launch, options.program.resolve()], folder)
        replayed = run([*record, "-o", "live.reprise", "--", *launch, live, "run.reprise"], folder)
        look = counts if options.by_chance else structure
        before, after = (look(reprise, trace, folder) for trace in ("run.reprise", "live.reprise"))
        if "was not called" in replayed.stderr:
            print(replayed.stderr)
        if not options.exact and "phases represent others" in replayed.stderr:
            before, after = ([line for line in lines if not of_some(line)] for lines in (before, after))
        if before != after or "was not called" in replayed.stderr:
            print(
                "\n".join(
                    difflib.unified_diff(before, after, "recorded", "recorded of the live replay", lineterm="", n=1)
                )
            )
            return 1
        if len(before) < 4:
            sys.exit("the dump holds no program: this test would prove nothing")
    return 0


if __name__ == "__main__":
    sys.exit(main())
