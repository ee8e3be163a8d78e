#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Outcomes of replays that an optimisation must not change: the benchmark patterns on a small fat tree, on every network.

usage: run.py REPRISE [--update]

Held in outcomes.json: predicted time, calls, messages, and each rank's times, within 1e-9 of the predicted time; with every iteration
replayed, and fast-forwarded. A change of the model that is meant (docs/MODEL.md says so) renews the file with --update.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BENCH = HERE.parents[1] / "bench" / "replay"
sys.dont_write_bytecode = True
sys.path.insert(0, str(BENCH))
import machine  # noqa: E402
import patterns  # noqa: E402

RANKS, STEPS = 12, 60
MODES = (("mean", ()), ("distribution", ("--no-fast-forward",)))


def outcome(reprise, trace, platform, network, deltas, options):
    done = subprocess.run(
        [
            reprise,
            "replay",
            trace,
            "-p",
            platform,
            "--network",
            network,
            "--deltas",
            deltas,
            *options,
            "--format",
            "json",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    answer = json.loads(done.stdout)
    times = [[rank[key] for key in ("compute_s", "communication_s", "wait_s", "finish_s")] for rank in answer["ranks"]]
    return {
        "predicted_time_s": answer["predicted_time_s"],
        "operations": answer["operations"],
        "messages": answer["messages"],
        "ranks": times,
    }


def all_outcomes(reprise):
    outcomes = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        platform = folder / "machine.json"
        platform.write_text(json.dumps(machine.machine(RANKS)))
        for pattern in patterns.PATTERNS:
            for size in (256, 100_000):
                text, trace = folder / "trace.txt", folder / "trace.reprise"
                with open(text, "w") as out:
                    subprocess.run(
                        [sys.executable, BENCH / "patterns.py", pattern, str(RANKS), str(STEPS), "--bytes", str(size)],
                        stdout=out,
                        check=True,
                    )
                subprocess.run([reprise, "trace", "assemble", text, "-o", trace, "--force"], check=True)
                for network in ("flow", "fluid", "queue", "uncontended"):
                    for deltas, options in MODES:
                        outcomes[f"{pattern} {size} {network} {deltas}"] = outcome(
                            reprise, trace, platform, network, deltas, options
                        )
    return outcomes


def differences(expected, got):
    for name in sorted(expected.keys() | got.keys()):
        if name not in expected or name not in got:
            yield f"{name}: in one only"
            continue
        a, b = expected[name], got[name]
        allowed = 1e-9 * a["predicted_time_s"]
        for key in ("operations", "messages"):
            if a[key] != b[key]:
                yield f"{name}: {key} {a[key]} is now {b[key]}"
        if abs(a["predicted_time_s"] - b["predicted_time_s"]) > allowed:
            yield f"{name}: predicted time {a['predicted_time_s']} is now {b['predicted_time_s']}"
        elif any(abs(x - y) > allowed for one, other in zip(a["ranks"], b["ranks"]) for x, y in zip(one, other)):
            yield f"{name}: times of ranks differ"


def main():
    reprise, held = sys.argv[1], HERE / "outcomes.json"
    got = all_outcomes(reprise)
    if "--update" in sys.argv:
        rows = (f"{json.dumps(name)}: {json.dumps(value)}" for name, value in got.items())
        held.write_text("{\n" + ",\n".join(rows) + "\n}\n")
        return 0
    found = list(differences(json.loads(held.read_text()), got))
    print("\n".join(found) if found else f"{len(got)} outcomes are as they were")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
