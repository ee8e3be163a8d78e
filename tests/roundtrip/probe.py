#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The probe measures this machine for a second, and a platform is made of it that can be replayed on.

usage: probe.py --bin FOLDER --launcher MPIRUN --probe reprise-probe

Held: the file's series and sizes, times that grow with size as they must, a platform that `platform check` finds nothing wrong with, whose
numbers all have sources. No figure is held to any value: the machine may be busy.
"""
import json
import pathlib
import sys
import tempfile

from probe_run import programs, run


def check_measurement(measured):
    assert measured["format"] == 1 and measured["ranks"] == 2 and measured["nodes"] == 1, measured
    cold = [one for one in measured["series"] if "after_s" in one]
    assert {one["what"] for one in cold} == {
        "cold_send",
        "cold_recv",
        "cold_copy",
    }, cold  # all sizes are eager or copied
    times = sorted({one["after_s"] for one in cold})
    assert times[0] == 0 and len(times) >= 2, times
    series = {one["what"]: one["rows"] for one in measured["series"] if one not in cold}
    assert list(series) == ["pingpong", "send_overhead", "recv_overhead", "exchange", "copy", "reduce"], list(series)
    assert [row["bytes"] for row in series["pingpong"]] == [row["bytes"] for row in series["exchange"]]
    assert series["pingpong"][0]["bytes"] == 0 and series["pingpong"][-1]["bytes"] == 65536
    for name, rows in series.items():
        for row in rows:
            assert row["samples"] > 0 and row["low_s"] <= row["median_s"] <= row["high_s"], (name, row)
    assert all(row["low_s"] > 0 for row in series["pingpong"] + series["exchange"])
    limit = measured["eager_limits"][0]
    assert limit["path"] == "intra_node" and 0 <= limit["bytes"] <= 65536, limit


def main():
    launch, reprise, probe = programs(__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run([*launch, probe, "--seconds", "1", "--most", "64 KiB", "-o", "m.json"], folder)
        check_measurement(json.loads((folder / "m.json").read_text()))
        report = run(
            [reprise, "platform", "calibrate", "m.json", "--cores", "2", "--most-error", "10000%", "-o", "mine.json"],
            folder,
        )
        assert "inside a node: " in report, report
        refused = run([reprise, "platform", "calibrate", "m.json", "--nodes", "2", "-o", "two.json"], folder, status=2)
        assert "only times inside a node were measured" in refused and "two.json" not in refused, refused
        assert sorted(one.name for one in folder.iterdir()) == ["m.json", "mine.json"], "a file that nobody asked for"
        platform = json.loads((folder / "mine.json").read_text())
        assert platform["name"] == "mine" and platform["nodes"] == {"count": 1, "cores": 2}, platform["nodes"]
        assert platform["mpi"]["cold_caches"], platform["mpi"]
        for part in (platform["mpi"], platform["intra_node"]):
            missing = [key for key in part if key not in part["source"] and key not in ("source", "uncertainty")]
            assert not missing, missing
        assert "fine" in run([reprise, "platform", "check", "mine.json"], folder)
        text = "reprise-text 1\nranks 2\nthread 0 {\nMPI_Allreduce send_bytes=4kB element_bytes=8 commutes=1\n}\n"
        (folder / "in.txt").write_text(text)
        run([reprise, "trace", "assemble", "in.txt", "-o", "in.reprise"], folder)
        answer = json.loads(run([reprise, "replay", "in.reprise", "-p", "mine.json", "--format", "json"], folder))
        assert answer["predicted_time_s"] > 0, answer
        band = answer["calibration"]
        assert band["low_s"] <= answer["predicted_time_s"] <= band["high_s"], answer
    return 0


if __name__ == "__main__":
    sys.exit(main())
