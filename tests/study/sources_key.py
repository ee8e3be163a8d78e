#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The name of the engine changes with each source that decides an answer, and with no other.

usage: sources_key.py --root FOLDER --list engine_sources.txt --script SourcesKey.cmake

In a copy of the tree one file of each folder and kind (.cpp, .hpp, .def) is changed at a time. Every header of the project that a listed
source includes, by whatever way, must count, and the build must make the name anew when it changes.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def key_of(root, listing, script):
    header = root / "key.hpp"
    subprocess.run(
        ["cmake", f"-DROOT={root}", f"-DFILE={listing}", "-DVERSION=1", f"-DOUTPUT={header}", "-P", script], check=True
    )
    return re.search(r'kEngineSources = "([0-9a-f]{16})"', header.read_text(encoding="utf-8")).group(1)


def included(root, files):
    """The files, and all that they include in the project."""
    seen, pending = set(), list(files)
    while pending:
        name = pending.pop()
        if name in seen or not (root / name).exists():  # generated ones are made of sources that count
            continue
        seen.add(name)
        pending += INCLUDE.findall((root / name).read_text(encoding="utf-8"))
    return seen


def changes_key(file, before, key):
    text = file.read_bytes()
    file.write_bytes(text + b"\n")
    changed = key() != before
    file.write_bytes(text)
    return changed


def main():
    parser = argparse.ArgumentParser()
    for name in ("--root", "--list", "--script"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    sources = arguments.list.read_text(encoding="utf-8").split()
    needed = included(arguments.root, sources)
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        for name in {str(pathlib.PurePath(name).parent) for name in needed} | {"sim/cli"}:
            (copy / name).mkdir(parents=True, exist_ok=True)
            for file in (arguments.root / name).iterdir():
                if file.suffix in (".cpp", ".hpp", ".def"):
                    shutil.copy(file, copy / name / file.name)

        def key():
            return key_of(copy, arguments.list, arguments.script)

        before = key()
        if key() != before:
            failures.append("the key differs though nothing was changed")
        one_of_each = {
            (str(pathlib.PurePath(name).parent), pathlib.PurePath(name).suffix): name for name in sorted(needed)
        }
        for (where, kind), name in one_of_each.items():
            if not changes_key(copy / name, before, key):
                failures.append(f"{name} ({kind} of {where}) decides answers, and is not in the key")
        depends = set((copy / "key.hpp.d").read_text(encoding="utf-8").replace("\\\n", " ").split()[1:])
        for name in sorted(needed):
            if str(copy / name) not in depends:
                failures.append(f"{name} decides answers, and is not in the depfile")
        if changes_key(copy / "sim/cli/main.cpp", before, key):
            failures.append("sim/cli/main.cpp decides no answer, and is in the key")
        for name in sorted(needed - set(sources)):
            if str(pathlib.PurePath(name).parent) not in {str(pathlib.PurePath(source).parent) for source in sources}:
                failures.append(f"{name} is included, and no source beside it is listed")
        if len({where for where, _ in one_of_each}) < 20:
            failures.append("fewer than 20 folders: the list is not whole")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
