#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python module reads what this build of the command writes; with and without pandas, which is stood in for.

usage: python_module.py REPRISE SOURCE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

PANDAS = "class DataFrame:  # no list, and nothing that lists have\n    def __init__(self, rows):\n        pass\n"


def check_answer(reprise, folder):
    answer = reprise.read(folder / "answer.json")
    assert isinstance(answer, reprise.Answer)
    assert [row["rank"] for row in answer.ranks] == [0, 1]
    assert all(
        abs(row["compute_s"] + row["communication_s"] + row["wait_s"] - row["finish_s"]) < 1e-9 for row in answer.ranks
    )
    assert answer.predicted_time == max(row["finish_s"] for row in answer.ranks)
    # 100 messages of 8 KiB, and an allreduce of 8 bytes each time, in each direction
    sent = {(row["from_rank"], row["to_rank"]): row["bytes"] for row in answer.table("matrix")}
    assert sent == {(0, 1): 820_000, (1, 0): 820_000}, sent
    bins = answer.table("timeline")
    shares = [row["compute"] + row["communication"] + row["wait"] for row in bins]
    assert {row["first_rank"] for row in bins} == {0, 1}
    assert abs(shares[0] - 1) < 1e-3 and max(shares) < 1.001, shares  # the last bins are not full
    path = sum(row["seconds"] for row in answer.table("critical_path"))
    assert abs(path - answer.predicted_time) < 1e-9, path
    assert {"call_sites", "link_classes", "ranks", "wait_states", "delay_costs"} <= set(answer.tables)
    assert answer.table("efficiencies")[0]["parallel"] <= 1
    assert answer.how_sure == answer["how_sure"] != ""
    assert answer.rows("ranks") == answer.ranks and max(answer.rows("call_sites"), key=lambda row: row["wait_s"])
    each = answer.rows("iterations")
    assert [(row["first_iteration"], row["last_iteration"]) for row in each] == [(i, i) for i in range(len(each))]
    assert all(row["time_largest"] >= row["time_median"] >= row["time_smallest"] > 0 for row in each)
    assert sum(row["calls_median"] for row in each) == 300, each  # a send, a receive, an allreduce
    by_rank = answer.rows("iterations_by_rank")
    assert len(by_rank) == 2 * len(each) and {(row["first_rank"], row["last_rank"]) for row in by_rank} == {
        (0, 0),
        (1, 1),
    }
    assert max(row["time"] for row in by_rank if row["first_iteration"] == 3) == each[3]["time_largest"]
    try:
        answer.table("nothing")
    except KeyError as error:
        assert "call_sites" in str(error)
    else:
        raise AssertionError("a table that is not there was given")


def check_study(reprise, folder):
    study = reprise.read(folder / "latency.results/results.json")
    assert isinstance(study, reprise.Study)
    assert study.name == "latency" and study.axes == ["latency", "network"]
    assert [(row["latency"], row["network"]) for row in study.points][:2] == [("0.5x", "shared"), ("0.5x", "alone")]
    assert len(study.points) == 5 and all(row["status"] == "done" for row in study.points)
    baseline = next(row for row in study.points if (row["latency"], row["network"]) == ("1x", "shared"))
    assert baseline["speedup"] == 1
    assert any(row["network"] == "alone" for row in study.table("link_classes"))
    assert "offers" not in study.tables


BASKET = """{"format": 1, "name": "basket", "question": "?", "platform": "test-pair",
  "applications": [{"label": "a", "trace": "pingpong.reprise"}, {"label": "b", "trace": "pingpong.reprise", "weight": 3}],
  "axes": [{"name": "latency", "path": "/network/link/latency", "multiply_by": [1, 4]}]}"""


# Axes whose names are those of columns.
NAMED = """{"format": 1, "name": "named", "question": "?", "platform": "test-pair",
  "applications": [{"label": "a", "trace": "pingpong.reprise"}, {"label": "b", "trace": "pingpong.reprise"}],
  "axes": [{"name": "nodes", "values": [{"label": "two", "placement": "cyclic"}, {"label": "one", "placement": "block"}]},
           {"name": "status", "values": [{"label": "as it is"}]}, {"name": "label", "values": [{"label": "none"}]}]}"""


def check_named(reprise, folder):
    study = reprise.read(folder / "named.results/results.json")
    for name in ("points", "offers", "offer_applications"):
        rows = study.rows(name)
        assert {row["nodes"] for row in rows} == {"one", "two"}, rows
        assert all(row["status"] == "as it is" and row["label"] == "none" for row in rows), rows
    assert all(row["status_value"] == "done" for row in study.rows("points"))
    assert all("application" not in row and row["nodes_value"] == 2 for row in study.rows("offers"))
    found = {(row["application"], row["nodes"], row["nodes_value"]) for row in study.rows("offer_applications")}
    assert found == {("a", "two", 2), ("b", "two", 2), ("a", "one", 2), ("b", "one", 2)}, found
    head = (folder / "named.results/results.csv").read_text().splitlines()[0]
    assert head.startswith("application,nodes,status,label,status_value,reason,"), head


def check_basket(reprise, folder):
    study = reprise.read(folder / "basket.results/results.json")
    best, other = study.table("offers")
    assert (best["latency"], other["latency"]) == ("1x", "4x"), (best, other)
    assert best["is_baseline"] and best["best"] == "alone" and best["missing"] == "" and "best" not in other
    assert other["against_best_ratio"] > 1 > other["speedup"]
    times = [(row["latency"], row["label"], row["time_s"]) for row in study.table("offer_applications")]
    assert [time[:2] for time in times] == [("1x", "a"), ("1x", "b"), ("4x", "a"), ("4x", "b")], times
    assert times[0][2] == times[1][2] < times[2][2] == times[3][2], times


NOTES = """{"format": 1, "name": "notes", "question": "?", "traces": ["r1.reprise", "r2.reprise"], "platform": "test-pair",
  "axes": [{"name": "ranks", "values": [{"label": "as recorded"}, {"label": "64", "ranks": 64}]}]}"""


def check_notes(reprise, folder, text):
    """Two disturbed recordings, and a point that fails; TEXT is what the command printed."""
    study = reprise.read(folder / "notes.results/results.json")
    printed = [line[len("note: ") :] for line in text.splitlines() if line.startswith("note: ")]
    assert study.remarks == printed, (study.remarks, printed)
    assert any(remark.startswith("2 recordings were disturbed: of r1.reprise ") for remark in printed), printed
    first, failed = study.rows("points")
    assert len(first["remarks"]) >= 2 and failed["remarks"] == [], (first, failed)
    assert failed["status"] == "failed" and failed["predicted_time_s"] is None
    done = [row for row in study.rows("points") if row["status"] == "done"]  # as docs/PYTHON.md has it
    assert min(done, key=lambda row: row["predicted_time_s"]) == first
    lossy = reprise.read(folder / "lossy.results/results.json")
    assert all({"name", "severity", "count"} <= set(row) for row in lossy.table("losses")), lossy.tables
    assert lossy.table("losses")


def check_refusals(reprise, folder):
    for name, text in (
        ("trace.reprise", b"\x89RPR\x00"),
        ("text.json", b"no"),
        ("other.json", b'{"a": 1}'),
        ("n.json", b"3"),
    ):
        (folder / name).write_bytes(text)
        try:
            reprise.read(folder / name)
        except reprise.NotAnAnswer as error:
            assert name in str(error)
        else:
            raise AssertionError(f"{name} was read")


def check_version(source):
    """The module's version is the project's."""
    of_module = re.search(r'^version = "(.*)"', (source / "python/pyproject.toml").read_text(), re.MULTILINE).group(1)
    of_project = re.search(r"project\(reprise VERSION (\S+)", (source / "CMakeLists.txt").read_text()).group(1)
    assert of_module == of_project, f"python/pyproject.toml says {of_module}, CMakeLists.txt {of_project}"


def main():
    command, source = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    cases = source / "tests/cli/cases"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        variables = dict(os.environ, REPRISE_PLATFORM_PATH=str(cases / "platforms"), PYTHONDONTWRITEBYTECODE="1")
        variables["PYTHONPATH"] = str(source / "python")

        def run(*words, **more):
            return subprocess.run(
                words, cwd=folder, env=variables | more, check=True, capture_output=True, encoding="utf-8"
            ).stdout

        run(command, "trace", "assemble", cases / "traces/pingpong.txt", "-o", "pingpong.reprise")
        details = "call-sites,matrix,timeline,links,critical-path,wait-states,delay-costs,efficiencies,iterations"
        run(
            command,
            "replay",
            "pingpong.reprise",
            "-p",
            "test-pair",
            "--details",
            details,
            "--format",
            "json",
            "-o",
            "answer.json",
        )
        (folder / "latency.json").write_text((cases / "studies/latency.json").read_text())
        run(command, "study", "latency.json", "-j", "1")
        (folder / "basket.json").write_text(BASKET)
        run(command, "study", "basket.json", "-j", "1")
        (folder / "named.json").write_text(NAMED)
        run(command, "study", "named.json", "-j", "1")

        for number in (1, 2):
            text = (cases / "traces/preempted.txt").read_text().replace("compute 10ms", f"compute 1{number}ms")
            (folder / f"r{number}.txt").write_text(text)
            run(command, "trace", "assemble", f"r{number}.txt", "-o", f"r{number}.reprise")
        (folder / "notes.json").write_text(NOTES)
        notes = run(command, "study", "notes.json", "-j", "1")
        run(command, "trace", "assemble", cases / "traces/lossy.txt", "-o", "lossy.reprise")
        (folder / "lossy.json").write_text(
            '{"format": 1, "name": "lossy", "question": "?", "trace": "lossy.reprise", "platform": "test-pair"}'
        )
        run(command, "study", "lossy.json", "-j", "1")

        sys.dont_write_bytecode = True
        sys.modules["pandas"] = None  # as where it is not installed
        sys.path.insert(0, str(source / "python"))
        import reprise

        check_version(source)
        check_answer(reprise, folder)
        check_study(reprise, folder)
        check_basket(reprise, folder)
        check_named(reprise, folder)
        check_notes(reprise, folder, notes)
        check_refusals(reprise, folder)

        # the worked script, as lists and as frames
        script = source / "scenarios/network-upgrade/explore.py"
        (folder / "without").mkdir()
        (folder / "without/pandas.py").write_text("raise ImportError('not here')\n")
        (folder / "with").mkdir()
        (folder / "with/pandas.py").write_text(PANDAS)
        module = variables["PYTHONPATH"]
        texts = [
            run("python3", script, "latency.results/results.json", PYTHONPATH=f"{folder / which}:{module}")
            for which in ("without", "with")
        ]
        assert texts[0] == texts[1] and "latency 0.5x, network alone" in texts[0], texts
        read = "import reprise, sys; print(type(reprise.read(sys.argv[1]).ranks).__name__)"
        kinds = [
            run("python3", "-c", read, "answer.json", PYTHONPATH=f"{folder / which}:{module}").strip()
            for which in ("without", "with")
        ]
        assert kinds == ["list", "DataFrame"], kinds
        # the example of docs/PYTHON.md
        page = (source / "docs/PYTHON.md").read_text(encoding="utf-8")
        example = textwrap.dedent(
            re.search(r"(?:^ {4}.*\n|^\n)+", page[page.index("    import reprise") :], re.M).group(0)
        )
        example = example.replace("network-upgrade.results", "latency.results")
        texts = [
            run("python3", "-c", example, PYTHONPATH=f"{folder / which}:{module}") for which in ("without", "with")
        ]
        assert texts[0] == texts[1] and "latency 0.5x" in texts[0], texts
    return 0


if __name__ == "__main__":
    sys.exit(main())
