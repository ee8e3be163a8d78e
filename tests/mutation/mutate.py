#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the tests notice when the code is wrong? Changes one token or statement at a time, builds, and runs the tests.

usage: mutate.py run [FOLDER...] [--count N] [--seed S] [--minutes M] [--results FILE] [--work FOLDER]
       mutate.py again --results FILE      run the survivors of FILE anew (after tests were written)
       mutate.py report FILE
       mutate.py --self-test

A FOLDER is the beginning of paths: sim/engine, sim/engine/deltas. Every folder gives the same number of mutants, and of each kind as many,
drawn by the seed. Works on a copy of the tree in --work (build-mutation/), built with -O1 and without the recorder, so the tree itself is never
changed. Each mutant builds one test program after the other, in the order of TESTS, and stops at the first that fails; a program that comes out
the same, byte for byte, is not run. A test that takes ten times as long as with the unchanged code hangs: killed.
Results are lines of JSON; mutants that FILE holds already are not run again, so a run that was stopped is continued by the same command.
Survivors which change nothing that a test could see stand in equivalent.json with the reason.
"""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutants as mutation  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("sim/engine", "sim/engine/deltas", "sim/collectives", "sim/network", "trace-io/merge")
# The test programs that know these folders, in this order; the command line's tests come last.
TESTS = ("test_merge", "test_folding", "test_model", "test_files", "test_physics")
QUICK = 0.3  # seconds
MOST_DEPENDENTS = 12  # a header that more files include costs a build of minutes
CACHE = ("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache")
OPTIONS = ("-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1 -w", "-DREPRISE_BUILD_RECORDER=OFF")


def run(command, timeout=None, **options):
    """Exit status, or None when the time was up: then the command and all its children are ended."""
    process = subprocess.Popen(
        command,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **options,
    )
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


class Workshop:
    """A copy of the tree, its build and its tests."""

    def __init__(self, folder):
        self.source, self.build = folder / "source", folder / "build"
        self.durations = {}

    def copy_tree(self):
        listed = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"],
            capture_output=True,
            text=True,
            check=True,
        )
        wanted = {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
        for path in [p for p in self.source.rglob("*") if p.is_file()]:
            if path.relative_to(self.source).as_posix() not in wanted:
                path.unlink()
        for name in wanted:
            copy = self.source / name
            if not copy.exists() or copy.read_bytes() != (ROOT / name).read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, copy)

    def configure(self):
        linker = next(
            (name for program, name in (("mold", "mold"), ("ld.lld", "lld")) if shutil.which(program)),
            None,
        )
        link = [f"-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld={linker}"] if linker else []
        cache = CACHE if shutil.which("ccache") else ()
        subprocess.run(
            ["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", *OPTIONS, *link, *cache],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        named = subprocess.run(
            ["ninja", "-C", self.build, "-t", "targets", "all"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        programs = sorted(set(re.findall(r"^bin/(test_\w+):", named, re.MULTILINE)))
        self.programs = [name for name in TESTS if name in programs]
        if len(self.programs) != len(TESTS):
            sys.exit(
                f"mutate.py: error: no test program {set(TESTS) - set(programs)}\n  write the names of the programs in TESTS"
            )

    def ninja(self, target, timeout=None):
        return run(["ninja", "-C", self.build, "-j", str(os.cpu_count()), target], timeout)

    def stages(self):
        """(name, file that is linked, command that tests it)"""
        for name in self.programs:
            # Programs with random input stay as they are: one seed.
            yield name, f"bin/{name}", [
                str(self.build / "bin" / name),
                "--abort",
                "--rng-seed",
                "1",
            ]
        labels = [
            "ctest",
            "--test-dir",
            str(self.build),
            "-L",
            "^cli$",
            "--stop-on-failure",
            "-j",
            "1",
        ]
        yield "cli.golden_outcomes", "bin/reprise", [*labels, "-R", "cli.golden_outcomes"]
        yield "cli", "bin/reprise", [*labels, "-E", "cli.golden_outcomes|cli.man_page"]

    def digest(self, file):
        return hashlib.sha256((self.build / file).read_bytes()).hexdigest()

    def test(self, name, command, timeout=None):
        began = time.monotonic()
        environment = {**os.environ, "RC_PARAMS": "seed=1"}
        status = run(command, timeout, cwd=self.build, env=environment)
        return status, time.monotonic() - began

    def divide_by_duration(self, name):
        """The test cases that take longer than QUICK come after all others, in two files of names."""
        program = [str(self.build / "bin" / name), "--durations", "yes", "--rng-seed", "1"]
        environment = {**os.environ, "RC_PARAMS": "seed=1"}
        told = subprocess.run(
            program, capture_output=True, text=True, cwd=self.build, env=environment, check=False
        ).stdout
        seconds = {case: float(time) for time, case in re.findall(r"^([\d.]+) s: (.*)$", told, re.MULTILINE)}
        listed = subprocess.run(
            [program[0], "--list-test-names-only"], capture_output=True, text=True, check=False
        ).stdout
        cases = {"quick": [], "slow": []}
        for case in listed.splitlines():
            cases["slow" if seconds.get(case, 0) > QUICK else "quick"].append(case)
        for pace, names in cases.items():
            file = self.build / f"{name}.{pace}"
            if names:
                file.write_text("\n".join(names) + "\n")
            else:
                file.unlink(missing_ok=True)

    def check_unchanged(self):
        """Everything passes before anything is changed; takes the time of each stage."""
        for target in (*(f"bin/{name}" for name in self.programs), "bin/reprise"):
            if self.ninja(target) != 0:
                sys.exit(f"mutate.py: error: the unchanged tree does not build\n  see: ninja -C {self.build} {target}")
        for name in self.programs:
            self.divide_by_duration(name)
        self.unchanged = {file: self.digest(file) for _, file, _ in self.stages()}
        for name, _, command in self.stages():
            status, self.durations[name] = self.test(name, command)
            if status != 0:
                sys.exit(f"mutate.py: error: {name} fails on the unchanged tree\n  see: {' '.join(command)}")
            print(f"  unchanged: {name} {self.durations[name]:.1f} s", flush=True)

    def verdict(self, mutant):
        path = self.source / mutant.file
        original = path.read_text(encoding="utf-8")
        path.write_text(mutation.apply(original, mutant), encoding="utf-8")
        try:
            return self.first_failure()
        finally:
            path.write_text(original, encoding="utf-8")

    def first_failure(self):
        ran = []
        built = {}
        for name, file, command in self.stages():
            if file not in built:
                if self.ninja(file, timeout=600) != 0:
                    return "not built", file
                built[file] = self.digest(file) != self.unchanged[file]
            if not built[file]:
                continue
            ran.append(name)
            status, _ = self.test(name, command, timeout=10 * self.durations[name] + 5)
            if status != 0:
                return ("killed", name) if status is not None else ("killed", name + " hangs")
        return ("survived", " ".join(ran)) if ran else ("equivalent", "the same programs")


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
            seen, todo = {name}, [name]
            while todo:
                for other in direct.get(todo.pop(), ()):
                    if other not in seen:
                        seen.add(other)
                        todo.append(other)
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
    decks = []
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
        decks.append(order)
    chosen = []
    for turn in range(max(map(len, decks), default=0)):
        for order in decks:
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
    return {
        **{key: getattr(mutant, key) for key in fields},
        "verdict": verdict,
        "by": by,
        "seconds": round(seconds, 1),
    }


def run_mutants(options, chosen):
    workshop = Workshop(options.work.resolve())
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
            print(
                f"{number}/{len(chosen)} {mutant.name}: {verdict} ({by}, {time.monotonic() - at:.0f} s)",
                flush=True,
            )


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
    parser.add_argument("--work", type=pathlib.Path, default=ROOT / "build-mutation")
    options = parser.parse_args()
    judged = json.loads((pathlib.Path(__file__).parent / "equivalent.json").read_text(encoding="utf-8"))
    if options.action == "report":
        print(
            "\n".join(
                report(
                    [row for file in options.what for row in read_rows(pathlib.Path(file))],
                    FOLDERS,
                    judged,
                )
            )
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
