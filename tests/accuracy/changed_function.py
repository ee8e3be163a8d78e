#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether a rule for a function predicts the run in which that function really takes another time.

usage: changed_function.py --bin FOLDER --programs LIST --rule RULE [--path-rule RULE] [--pairs 8] [--launcher MPIRUN] -o FOLDER

LIST names two programs, first the program as it is, then the same with the function changed for real, such as

    as-it-is 2 two_kernels 1000 80 2
    twice    2 two_kernels 1000 80 4          with --rule function:evaluate_terms=2x --path-rule main=2x

Pairs, alternating which comes first: the first program recorded (--functions sample --clock cpu), both bare. Each recording is replayed as it is (against
the first program's bare run: what recording, replay and the machine's scatter make), with the rule, and with the rule for call paths (both against the
second's bare run). Prints the errors, their medians and the error of the medians. The machine must be left alone; two ranks or fewer than its cores.
"""
import argparse
import json
import statistics

from programs import Bench, add_common_options, read_programs


def percent(value):
    return f"{100 * value:+.1f} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_common_options(parser)
    parser.add_argument("--rule", required=True)
    parser.add_argument("--path-rule", default="")
    parser.add_argument("--pairs", type=int, default=8)
    options = parser.parse_args()
    bench = Bench(options)
    before, after = read_programs(options.programs, options.only)
    rules = {"unchanged": [], "function": ["--compute", options.rule]}
    if options.path_rule:
        rules["call path"] = ["--compute", options.path_rule]
    measured = {name: [] for name in ("before", "after")}
    predicted = {name: [] for name in rules}
    trace = bench.folder / "changed_function.reprise"
    for pair in range(options.pairs):
        for name, program in sorted((("before", before), ("after", after)), reverse=pair % 2 == 0):
            measured[name].append(bench.timed(program))
        bench.record(before, trace, "cpu", ["--functions", "sample"])
        for name, rule in rules.items():
            answer = bench.reprise("replay", trace, "--format", "json", *rule)
            predicted[name].append(json.loads(answer.stdout)["predicted_time_s"])
    for name in rules:
        truth = measured["before" if name == "unchanged" else "after"]
        errors = [time / true - 1 for time, true in zip(predicted[name], truth)]
        of_medians = statistics.median(predicted[name]) / statistics.median(truth) - 1
        print(
            f"{name}: median {percent(statistics.median(errors))} ({percent(min(errors))} … {percent(max(errors))}), "
            f"medians over medians {percent(of_medians)}"
        )


if __name__ == "__main__":
    main()
