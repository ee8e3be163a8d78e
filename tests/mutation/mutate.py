#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the tests notice when the code is wrong? Changes one token or statement at a time, builds, and runs the tests.

usage: mutate.py run [FOLDER...] [--count N] [--seed S] [--minutes M] [--results FILE] [--work FOLDER] [--tests A,B]
       mutate.py again --results FILE      run the survivors of FILE anew (after tests were written)
       mutate.py report FILE
       mutate.py --self-test

A FOLDER is the beginning of paths: sim/engine, sim/engine/compute. Every folder gives the same number of mutants, and of each kind as many,
drawn by the seed. Works on a copy of the tree in --work (build-mutation/), built without the recorder, so the tree itself is never
changed. A warning is an error, as always: a mutant that the compiler refuses does not count. Each mutant builds one test program after the
other, in the order of TESTS, and stops at the first that fails; a program that comes out the same, byte for byte, is not run. A test that
takes five times as long as with the unchanged code hangs: killed.
Results are lines of JSON; mutants that FILE holds already are not run again, so a run that was stopped is continued by the same command.
Survivors which change nothing that a test could see stand in equivalent.json with the reason.
"""
import argparse
import collections
import json
import pathlib
import random
import re
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutants as mutation  # noqa: E402
from workshop import ROOT, TESTS, Workshop, run  # noqa: E402

FOLDERS = ("sim/engine", "sim/engine/compute", "sim/collectives", "sim/network", "trace-io/merge", "trace-io/order")
MOST_DEPENDENTS = 12  # a header that more files include costs a build of minutes


def dependents(root):
    """How many .cpp files include each project file, directly or not."""
    include = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
    direct = {}
    for top in ("sim", "trace-io", "platforms"):
        for path in (root / top).rglob("*.[chd]*"):
            if path.suffix in (".cpp", ".hpp", ".def"):
                direct[path.relative_to(root).as_posix()] = include.findall(path.read_text(encoding="utf-8"))
    counts = collections.Counter()
    for name in direct:
        if name.endswith(".cpp"):
            seen, pending = {name}, [name]
            while pending:
                for other in direct.get(pending.pop(), ()):
                    if other not in seen:
                        seen.add(other)
                        pending.append(other)
            counts.update(seen)
    return counts


def candidates(root, folders):
    """Mutants by folder; a file belongs to the longest folder that its path begins with."""
    counts = dependents(root)
    found = {folder: [] for folder in folders}
    for path in sorted(p for top in ("sim", "trace-io", "platforms") for p in (root / top).rglob("*.[ch]pp")):
        name = path.relative_to(root).as_posix()
        folder = max((f for f in folders if name.startswith(f)), key=len, default=None)
        if folder is not None and counts[name] <= MOST_DEPENDENTS:
            found[folder].extend(mutation.mutants_of(name, path.read_text(encoding="utf-8")))
    return found


def sample(found, count, seed):
    """Turn by turn from each folder, and in a folder from each kind, at most one of a line."""
    chooser = random.Random(seed)
    sampling_orders = []
    for folder in sorted(found):
        kinds = collections.defaultdict(list)
        for mutant in found[folder]:
            kinds[mutant.kind].append(mutant)
        for kind in sorted(kinds):
            chooser.shuffle(kinds[kind])
        order, lines = [], set()
        names = sorted(kinds)
        chooser.shuffle(names)
        while any(kinds.values()):
            for kind in names:
                while kinds[kind]:
                    mutant = kinds[kind].pop()
                    if (mutant.file, mutant.line) not in lines:
                        lines.add((mutant.file, mutant.line))
                        order.append(mutant)
                        break
        sampling_orders.append(order)
    chosen = []
    for turn in range(max(map(len, sampling_orders), default=0)):
        for order in sampling_orders:
            if turn < len(order) and len(chosen) < count:
                chosen.append(order[turn])
    return chosen


def identity(row):
    """What a mutant is, wherever its line has moved to."""
    return row["file"], row["code"], row["column"], row["old"], row["new"]


def read_rows(file):
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def row_of(mutant, verdict, by, seconds):
    fields = ("file", "line", "column", "kind", "old", "new", "code")
    return {**{key: getattr(mutant, key) for key in fields}, "verdict": verdict, "by": by, "seconds": round(seconds, 1)}


def run_mutants(options, chosen):
    workshop = Workshop(options.work.resolve(), tuple(options.tests.split(",")))
    workshop.copy_tree()
    workshop.configure()
    workshop.check_unchanged()
    began = time.monotonic()
    with open(options.results, "a", encoding="utf-8") as out:
        for number, mutant in enumerate(chosen, 1):
            if options.minutes and time.monotonic() - began > 60 * options.minutes:
                print(f"stopped after {options.minutes} minutes", flush=True)
                break
            at = time.monotonic()
            verdict, by = workshop.verdict(mutant)
            out.write(json.dumps(row_of(mutant, verdict, by, time.monotonic() - at)) + "\n")
            out.flush()
            print(f"{number}/{len(chosen)} {mutant.name}: {verdict} ({by}, {time.monotonic() - at:.0f} s)", flush=True)


def report(rows, folders, judged):
    """The table, then every survivor that has not been judged."""
    latest = {identity(row): row for row in rows}  # a mutant run again counts once, as it was last
    equivalent = {identity(row): row["reason"] for row in judged}
    counts = collections.defaultdict(collections.Counter)
    open_survivors, closed = [], []
    for row in latest.values():
        verdict = row["verdict"]
        if verdict == "survived" and identity(row) in equivalent:
            verdict = "equivalent"
            closed.append((row, equivalent[identity(row)]))
        elif verdict == "survived":
            open_survivors.append(row)
        folder = max((f for f in folders if row["file"].startswith(f)), key=len, default="other")
        counts[folder][verdict] += 1
        counts["all"][verdict] += 1
    yield "| folder | mutants | killed | survived | equivalent | not built | killed of those that count |"
    yield "|---|---|---|---|---|---|---|"
    for folder in [*sorted(f for f in counts if f != "all"), "all"]:
        c = counts[folder]
        counted = c["killed"] + c["survived"]
        share = f"{100 * c['killed'] / counted:.1f} %" if counted else "-"
        yield f"| {folder} | {sum(c.values())} | {c['killed']} | {c['survived']} | {c['equivalent']} | {c['not built']} | {share} |"
    for row in open_survivors:
        yield f"survived: {row['file']}:{row['line']}:{row['column']} {' '.join(row['old'].split())} -> {row['new'] or '(nothing)'}   {row['code']}"
    for row, reason in closed:
        yield f"equivalent: {row['file']}:{row['line']}:{row['column']} {' '.join(row['old'].split())} -> {row['new'] or '(nothing)'}: {reason}"


def self_test():
    source = """#include <x>
// a < b
int f(int a, const std::vector<int>& v) {
  if (a < 3 && !v.empty()) return 0;
  REPRISE_ASSERT(a < 4, "x");
  v.reserve(5);
  x.y[3] += a * 2;
  if (int b = 3; b > 1) h->z(b);
  throw Error("a" + text(1));
}
struct A { virtual int f() const = 0; };
void prepare(int steps) const { if (steps > 2) fetch(x); }
"""
    got = [f"{m.line} {m.old} -> {m.new}" for m in mutation.mutants_of("a.cpp", source)]
    expected = [
        "4 a < 3 && !v.empty() -> !(a < 3 && !v.empty())",
        "4 < -> <=", "4 3 -> 4", "4 3 -> 2", "4 && -> ||", "4 ! -> ", "4 0 -> 1",
        "7 3 -> 4", "7 3 -> 2", "7 += -> -=", "7 * -> /", "7 2 -> 3", "7 2 -> 1",
        "8 3 -> 4", "8 3 -> 2", "8 > -> >=", "8 1 -> 2", "8 1 -> 0",
        "7 x.y[3] += a * 2 -> ", "8 h->z(b) -> ",
    ]  # fmt: skip
    assert got == expected, "\n".join(got)
    one = next(mutation.mutants_of("a.cpp", source))
    assert "if (!(a < 3 && !v.empty())) return 0;" in mutation.apply(source, one)
    first = sample({"a": list(mutation.mutants_of("a.cpp", source))}, 5, 1)
    assert first == sample({"a": list(mutation.mutants_of("a.cpp", source))}, 5, 1) and len(
        {m.line for m in first}
    ) == len(first)
    rows = [row_of(m, verdict, "t", 1) for m, verdict in zip(first, ("killed", "survived", "survived"))]
    judged = [{**rows[2], "reason": "same value"}]
    lines = list(report(rows, ("a",), judged))
    assert lines[2] == "| a | 3 | 1 | 1 | 1 | 0 | 50.0 % |" and lines[-1].endswith(": same value"), "\n".join(lines)
    with tempfile.TemporaryDirectory() as folder:
        assert run(["sleep", "30"], timeout=0.1, cwd=folder) is None


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("action", choices=("run", "again", "report"))
    parser.add_argument("what", nargs="*")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--results", type=pathlib.Path, default=pathlib.Path("mutants.jsonl"))
    parser.add_argument("--tests", default=",".join(TESTS))
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-mutation")
    options = parser.parse_args()
    judged = json.loads((pathlib.Path(__file__).parent / "equivalent.json").read_text(encoding="utf-8"))
    if options.action == "report":
        print(
            "\n".join(report([row for file in options.what for row in read_rows(pathlib.Path(file))], FOLDERS, judged))
        )
        return
    folders = tuple(options.what) or FOLDERS
    found = candidates(ROOT, folders)
    rows = read_rows(options.results)
    if options.action == "again":
        wanted = {
            identity(row) for row in {identity(row): row for row in rows}.values() if row["verdict"] == "survived"
        }
        every = {identity(vars(m)): m for folder in found.values() for m in folder}
        chosen = [every[key] for key in wanted if key in every]
    else:
        done = {identity(row) for row in rows}
        chosen = [m for m in sample(found, options.count, options.seed) if identity(vars(m)) not in done]
    run_mutants(options, chosen)
    print("\n".join(report(read_rows(options.results), folders, judged)))


if __name__ == "__main__":
    main()
