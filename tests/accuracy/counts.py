#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are calls and bytes the same in mpiP's report of a program, in our trace of it, and in mpiP's report of the live replay?

usage: counts.py --bin FOLDER --mpip libmpiP.so --programs LIST -o FOLDER [--only NAMES]

A row for each program: how many numbers were compared (calls and bytes of operations and of call sites, on every rank) and how many
differ: the program's report against the trace, against the live replay's report, and the trace against the live replay's report. Programs
that do not do the same twice (hpcc draws random orders) can only agree in the last column. Differences and what could not be compared are listed below with the
reasons that `reprise validate` gives. Exit status 1 where anything differs.
"""
import argparse
import json
import sys

from programs import Bench, add_common_options, read_programs


def compare(bench, ours, report):
    done = bench.reprise("validate", ours, "--mpip", report, "--counts-only", "--format", "json", check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    add_common_options(parser)
    options = parser.parse_args()
    bench = Bench(options)
    bad, notes = 0, []
    print(
        "| program | ranks | MPI calls | trace, program under mpiP | live replay under mpiP, program under mpiP | "
        "trace, live replay under mpiP |\n|---|---|---|---|---|---|"
    )
    for program in read_programs(options.programs, options.only.split(",") if options.only else None):
        cells = []
        calls = ""
        try:
            trace = bench.folder / f"{program.name}.reprise"
            bench.record(program, trace)
            calls = str(json.loads(bench.reprise("trace", "info", trace, "--format", "json").stdout)["operations"])
            report = bench.under_mpip(program, program.name)
            live = bench.under_mpip(
                program, program.name + "-live", [bench.bin / "reprise-live", trace, "--compute", "0.01x"]
            )
            for what, ours, theirs in (
                ("trace", trace, report),
                ("live replay", report, live),
                ("trace and live replay", trace, live),
            ):
                answer = compare(bench, ours, theirs)
                checks = [c for c in answer["checks"] if c["what"] in ("calls", "bytes")]
                failed = [c for c in checks if not c["ok"]]
                bad += len(failed)
                cells.append(f"{len(checks)} equal" if not failed else f"**{len(failed)} of {len(checks)} differ**")
                notes += [
                    f"{program.name}, {what}: {c['what']} of {c['key']}: {c['ours']:.12g}, mpiP {c['mpip']:.12g}"
                    for c in failed
                ]
                for skipped in answer["skipped"]:
                    if skipped["what"] in ("calls", "bytes"):
                        notes.append(
                            f"{program.name}, {what}: {skipped['what']} of {skipped['key']} not compared: {skipped['reason']}"
                        )
        except (RuntimeError, OSError) as error:
            bad += 1
            cells = (cells + ["-", "-", "-"])[:3]
            notes.append(f"{program.name}: {error}")
        print("| " + " | ".join([program.name, str(program.ranks), calls, *cells]) + " |", flush=True)
    print()
    for note in dict.fromkeys(notes):
        print(f"- {note}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
