# SPDX-License-Identifier: MIT
"""A copy of the tree that mutants are built and tested in."""
import functools
import hashlib
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import mutants as mutation

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = "golden_outcomes"
# The test programs that know these folders, in this order; the golden outcomes come last.
TESTS = ("test_order", "test_merge", "test_folding", "test_model", "test_files", "test_physics", GOLDEN)
QUICK = 0.3  # seconds
MEMORY = 8 << 30  # bytes of addresses of a test: a loop that does not end may fill the machine before its time is up
CACHE = ("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache")
# The preset that everyone builds: what ccache has need not be compiled.
OPTIONS = ("--preset", "release", "-DREPRISE_BUILD_RECORDER=OFF")


def run(command, timeout=None, **options):
    """Exit status, or None when the time was up: then the command and all its children are ended."""
    process = subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options
    )
    try:
        return process.wait(timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


class Workshop:
    """A copy of the tree, its build and its tests."""

    def __init__(self, folder, tests=TESTS):
        self.source, self.build = folder / "source", folder / "source" / "build"
        self.tests = tests
        self.durations = {}

    def copy_tree(self):
        listed = subprocess.run(
            ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=True
        )
        wanted = {name for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
        for path in [p for p in self.source.rglob("*") if p.is_file() and not p.is_relative_to(self.build)]:
            if path.relative_to(self.source).as_posix() not in wanted:
                path.unlink()
        for name in wanted:
            copy = self.source / name
            if not copy.exists() or copy.read_bytes() != (ROOT / name).read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, copy)

    def configure(self):
        linker = next((name for program, name in (("mold", "mold"), ("ld.lld", "lld")) if shutil.which(program)), None)
        link = [f"-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld={linker}"] if linker else []
        cache = CACHE if shutil.which("ccache") else ()
        subprocess.run(["cmake", *OPTIONS, *link, *cache], cwd=self.source, check=True, stdout=subprocess.DEVNULL)
        named = subprocess.run(
            ["ninja", "-C", self.build, "-t", "targets", "all"], capture_output=True, text=True, check=True
        ).stdout
        programs = sorted(set(re.findall(r"^bin/(test_\w+):", named, re.MULTILINE)))
        self.programs = [name for name in self.tests if name in programs]
        if set(self.tests) - set(programs) - {GOLDEN}:
            sys.exit(
                f"mutate.py: error: no test program {set(self.tests) - set(programs) - {GOLDEN}}\n  write the names of the programs in TESTS"
            )

    def ninja(self, target, timeout=None):
        return run(["ninja", "-C", self.build, "-j", str(os.cpu_count()), target], timeout)

    def stages(self):
        """(name, file that is linked, command that tests it)"""
        for name in self.programs:
            program = [str(self.build / "bin" / name), "--abort", "--rng-seed", "1"]
            for pace in ("quick", "slow"):
                names = self.build / f"{name}.{pace}"
                if names.exists():
                    yield f"{name} ({pace})", f"bin/{name}", [*program, "--input-file", str(names)]
        if GOLDEN in self.tests:
            script = ROOT / "tests/golden/outcomes/run.py"
            yield GOLDEN, "bin/reprise", [sys.executable, str(script), str(self.build / "bin" / "reprise")]

    def digest(self, file):
        return hashlib.sha256((self.build / file).read_bytes()).hexdigest()

    def test(self, name, command, timeout=None):
        began = time.monotonic()
        environment = {**os.environ, "RC_PARAMS": "seed=1"}
        limit = functools.partial(resource.setrlimit, resource.RLIMIT_AS, (MEMORY, MEMORY))
        status = run(command, timeout, cwd=self.build, env=environment, preexec_fn=limit)
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
                # A comma ends a name, also in a file of names: a case whose name has one would not run, and nothing would say so.
                file.write_text("\n".join(names).replace(",", "\\,") + "\n")
                self.check_selected(program[0], file, names)
            else:
                file.unlink(missing_ok=True)

    @staticmethod
    def check_selected(program, file, names):
        command = [program, "--input-file", str(file), "--list-test-names-only"]
        selected = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
        if sorted(selected) != sorted(names):
            sys.exit(
                f"mutate.py: error: {program} selects {len(selected)} of {len(names)} test cases\n  see: {' '.join(command)}"
            )

    def check_unchanged(self):
        """Everything passes before anything is changed; takes the time of each stage."""
        for target in (*(f"bin/{name}" for name in self.programs), *(["bin/reprise"] if GOLDEN in self.tests else [])):
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
            status, _ = self.test(name, command, timeout=5 * self.durations[name] + 10)
            if status != 0:
                return ("killed", name) if status is not None else ("killed", name + " hangs")
        return ("survived", " ".join(ran)) if ran else ("equivalent", "the same programs")
