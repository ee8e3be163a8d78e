#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-tidy, warnings as errors, on what has changed since a commit.

usage: tidy.py BUILD [--root ROOT] [--all | FILE...] [--jobs N] [--results FILE]
       tidy.py --self-test

The commit stands in checked_since.txt beside this script; changed files are those that differ from it, committed or not. A changed header is
checked through one source file that includes it. --all takes every source file that BUILD compiles (an hour of CPU time: some 5 s a file).
With --results, files that FILE names as clean with the same contents are left out, so that a run can be continued. What --all has found in
files that are older than the commit stays until they are changed; after a run that found nothing the commit can be moved on.
Exit: 0 clean, 1 with one line per finding, 77 where there is no version control to ask.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FINDING = re.compile(
    r"^(?P<file>/\S+?):(?P<line>\d+):\d+: (?:error|warning): (?P<text>.*) \[(?P<check>[^\],]+)[^\]]*\]$", re.MULTILINE
)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def changed_files(root, commit):
    """Paths that differ from `commit`, and new ones; None where there is no repository."""
    git = ["git", "-C", str(root), "-c", "core.quotepath=off"]
    if subprocess.run([*git, "rev-parse", "--git-dir"], capture_output=True, check=False).returncode != 0:
        return None
    if subprocess.run([*git, "cat-file", "-e", commit + "^{commit}"], capture_output=True, check=False).returncode != 0:
        where = pathlib.Path(__file__).name
        sys.exit(
            f"{where}: error: commit {commit} is not in this clone\n  git fetch --unshallow, or write a later clean commit into checked_since.txt"
        )
    differing = subprocess.run(
        [*git, "diff", "--name-only", "--diff-filter=d", commit], capture_output=True, text=True, check=True
    ).stdout
    new = subprocess.run(
        [*git, "ls-files", "--others", "--exclude-standard"], capture_output=True, text=True, check=True
    ).stdout
    return set(differing.splitlines()) | set(new.splitlines())


def commands_by_source(build):
    """The folder of a compile_commands.json in which sources that the build compiles together (cmake/UnityByFolder.cmake) have one entry each."""
    entries = []
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = pathlib.Path(entry["directory"], entry["file"])
        parts = (
            re.findall(r'^#include "([^"]+)"', path.read_text(encoding="utf-8"), re.MULTILINE)
            if path.suffix == ".cxx"
            else []
        )
        entries += [{**entry, "file": one, "command": entry["command"].replace(entry["file"], one)} for one in parts]
        if not parts:
            entries.append(entry)
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(entries), encoding="utf-8")
    return folder


def compiled_files(build, root):
    """Source files of the tree that the build compiles, relative to the root."""
    entries = json.loads((commands_by_source(build) / "compile_commands.json").read_text(encoding="utf-8"))
    paths = {pathlib.Path(entry["directory"], entry["file"]).resolve() for entry in entries}
    return sorted(
        p.relative_to(root).as_posix()
        for p in paths
        if p.suffix == ".cpp" and p.is_relative_to(root) and not p.is_relative_to(build)
    )


def includes(root, name):
    path = root / name
    return INCLUDE.findall(path.read_text(encoding="utf-8")) if path.is_file() else []


def closure(root, name, known):
    """All project files that `name` includes."""
    seen, pending = set(), [name]
    while pending:
        one = pending.pop()
        if one not in known:
            known[one] = includes(root, one)
        for other in known[one]:
            if other not in seen:
                seen.add(other)
                pending.append(other)
    return seen


def sources_to_check(root, compiled, changed):
    """Each changed source file, and for each changed header that none of them includes the source file of its name, else the leanest."""
    chosen = {name for name in compiled if name in changed}
    known = {}
    closures = {name: closure(root, name, known) for name in compiled}
    for header in sorted(name for name in changed if name.endswith((".hpp", ".def"))):
        users = [name for name in compiled if header in closures[name]]
        if users and not chosen.intersection(users):
            own = header.rsplit(".", 1)[0] + ".cpp"
            chosen.add(own if own in users else min(users, key=lambda name: (len(closures[name]), name)))
    return sorted(chosen)


def check(build, root, name):
    """clang-tidy on one file: its findings as lines."""
    done = subprocess.run(
        ["clang-tidy", "-p", build / "tidy", "--quiet", root / name], capture_output=True, text=True, check=False
    )
    found = []
    for match in FINDING.finditer(done.stdout):
        path = pathlib.Path(match["file"])
        place = path.relative_to(root).as_posix() if path.is_relative_to(root) else path
        found.append(
            f"{place}:{match['line']}: {match['text']} ({match['check']})\n  mend it, or give the reason in a NOLINT comment"
        )
    if done.returncode != 0 and not found:
        found.append(
            f"{name}: clang-tidy ended with status {done.returncode}\n  clang-tidy -p {build / 'tidy'} {name}: {done.stderr.strip()[-300:]}"
        )
    return found


def fingerprint(root, name):
    contents = hashlib.sha256((root / ".clang-tidy").read_bytes())
    for one in sorted(closure(root, name, {}) | {name}):
        path = root / one
        contents.update(path.read_bytes() if path.is_file() else b"")
    return contents.hexdigest()


def check_all(build, root, names, jobs, results):
    """Findings of all files, each once; files clean before are skipped."""
    clean = set(results.read_text(encoding="utf-8").split()) if results and results.exists() else set()
    names = [name for name in names if fingerprint(root, name) not in clean]
    found = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(check, build, root, name): name for name in names}
        for done in concurrent.futures.as_completed(running):
            fresh = [line for line in done.result() if line not in found]
            found.extend(fresh)
            if results:
                print("\n".join([f"# {running[done]}", *fresh]), flush=True)
            if results and not done.result():
                with open(results, "a", encoding="utf-8") as out:
                    out.write(fingerprint(root, running[done]) + "\n")
    return len(names), found


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        (root / "a").mkdir()
        (root / "a/one.hpp").write_text("#pragma once\ninline int OneOf() { return 1; }\n")
        (root / "a/one.cpp").write_text('#include "a/one.hpp"\n')
        (root / "a/two.cpp").write_text('#include "a/one.hpp"\nint two() { return OneOf(); }\n')
        shutil.copy(HERE.parents[1] / ".clang-tidy", root)
        config = root / ".clang-tidy"
        config.write_text(re.sub(r"HeaderFilterRegex:.*", "HeaderFilterRegex: '/a/'", config.read_text()))
        command = [
            {"directory": folder, "file": f"a/{name}.cpp", "command": f"c++ -I{root} -c a/{name}.cpp"}
            for name in ("one",)
        ]
        together = root / "build/unity_a_0_cxx.cxx"
        command.append({"directory": folder, "file": str(together), "command": f"c++ -I{root} -c {together}"})
        build = root / "build"
        build.mkdir()
        together.write_text(f'/* generated */\n\n#include "{root}/a/two.cpp"\n')
        (build / "compile_commands.json").write_text(json.dumps(command))
        compiled = compiled_files(build, root)
        assert compiled == ["a/one.cpp", "a/two.cpp"]
        assert sources_to_check(root, compiled, {"a/one.hpp"}) == ["a/one.cpp"]
        assert sources_to_check(root, compiled, {"a/one.hpp", "a/two.cpp"}) == ["a/two.cpp"]
        expected = [
            "a/one.hpp:2: invalid case style for function 'OneOf' (readability-identifier-naming)\n"
            "  mend it, or give the reason in a NOLINT comment"
        ]
        assert check(build, root, "a/two.cpp") == expected, check(build, root, "a/two.cpp")
        git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b"]
        assert changed_files(root, "HEAD") is None
        for step in (["init", "-q"], ["add", "a/one.cpp"], ["commit", "-qm", "a"]):
            subprocess.run([*git, *step], check=True)
        (root / "a/one.cpp").write_text("int one = 1;\n")
        assert {"a/one.cpp", "a/two.cpp"} <= changed_files(root, "HEAD") and "a/none.cpp" not in changed_files(
            root, "HEAD"
        )


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--root", type=pathlib.Path, default=HERE.parents[1])
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=pathlib.Path)
    options = parser.parse_args()
    if not shutil.which("clang-tidy"):
        print("clang-tidy is not installed\n  ./bootstrap deps")
        return 1
    root, build = options.root.resolve(), options.build.resolve()
    compiled = compiled_files(build, root)
    if options.files:
        names = options.files
    elif options.all:
        names = compiled
    else:
        changed = changed_files(root, (HERE / "checked_since.txt").read_text(encoding="utf-8").split()[0])
        if changed is None:
            print("no version control here: nothing to compare with")
            return 77
        if ".clang-tidy" in changed:
            print(
                ".clang-tidy:1: has changed since the commit in checked_since.txt\n  run tidy.py with --all, mend what it finds, then move the commit on"
            )
            return 1
        names = sources_to_check(root, compiled, changed)
    checked, found = check_all(build, root, names, options.jobs, options.results)
    print("\n".join(found) if found else f"{checked} files are clean")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
