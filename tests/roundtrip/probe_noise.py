#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The probe's measurements of noise and of the recorder's own overhead: their files hold what they must, and replay reads the first.

usage: probe_noise.py --bin FOLDER --launcher MPIRUN --probe reprise-probe

No figure is held to any value but signs and sums: the machine may be busy. A trace whose ranks compute for 10 s must take longer with the
noise of this machine than without, by the noise that the answer tells; damaged signatures are refused with their place.
"""
import json
import pathlib
import sys
import tempfile

from probe_run import programs, run

TRACE = "reprise-text 1\nranks 2\nthread 0 {\nMPI_Barrier | compute 10s\n}\n"


def check_signature(signature):
    assert signature["format"] == 1 and signature["measured_by"] == "reprise-probe --noise", signature
    assert signature["for"] == "1 s" and signature["arrivals"] in ("periodic", "random"), signature
    assert [core["core"] for core in signature["cores"]] == [0, 1], signature
    for core in signature["cores"]:
        shares = [row["share"] for row in core["durations"]]
        assert ("every" in core) == bool(shares) and (not shares or abs(sum(shares) - 1) < 1e-6), core
        lengths = [float(row["duration"].removesuffix(" us")) for row in core["durations"]]
        assert lengths == sorted(lengths) and all(length > 0 for length in lengths), core


def check_curve(curve):
    assert curve["measured_by"] == "reprise-probe --recorder" and list(curve["curves"]) == ["call", "completion"]
    for kind, points in curve["curves"].items():
        assert [point["calls_per_s"] for point in points][:3] == [10, 30, 100] and points[-1]["calls_per_s"] == 0, kind
        assert all(point["replications"] >= 8 and point["error_s"] >= 0 for point in points), kind
        # Back to back nothing but the recorder's own part is there: two readings of a clock at the least.
        assert points[-1]["overhead_s"] > 0 and points[-1]["period_s"] < points[0]["period_s"], (kind, points)


def main():
    launch, reprise, probe = programs(__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        table = run([*launch, probe, "--noise", "--for", "1", "-o", "noise.json"], folder)
        assert len(table.splitlines()) == 3, table
        signature = json.loads((folder / "noise.json").read_text())
        check_signature(signature)
        (folder / "in.txt").write_text(TRACE)
        run([reprise, "trace", "assemble", "in.txt", "-o", "in.reprise"], folder)
        replay = [reprise, "replay", "in.reprise", "-p", "infiniband-edr", "--format", "json"]
        quiet = json.loads(run(replay, folder))["predicted_time_s"]
        noisy = json.loads(run([*replay, "--noise", "noise.json"], folder))
        assert any(core["durations"] for core in signature["cores"]), "nothing interrupted this machine for 1 s"
        assert noisy["predicted_time_s"] > quiet, (quiet, noisy["predicted_time_s"])
        signature["cores"][0]["durations"] = [{"share": 0.5, "duration": "1 us"}]
        signature["cores"][0]["every"] = "1 ms"
        (folder / "half.json").write_text(json.dumps(signature))
        said = run([*replay, "--noise", "half.json"], folder, 2)
        assert "half.json at /cores/0/durations: shares that add up to 0.5, not 1" in said, said
        run([probe, "--recorder", "--for", "1", "-o", "curve.json"], folder)
        check_curve(json.loads((folder / "curve.json").read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
