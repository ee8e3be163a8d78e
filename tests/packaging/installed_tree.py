#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`cmake --install` into a new prefix, which is then moved, and used from there: record, replay, study, documents.

usage: installed_tree.py --cmake CMAKE --build FOLDER [--mpicc MPICC]
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import used_tree  # noqa: E402


def libraries_of(build):
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(r"^CMAKE_INSTALL_LIBDIR:\w+=(.*)$", cache, re.MULTILINE).group(1)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--mpicc")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch).resolve()
        subprocess.run(
            [options.cmake, "--install", options.build, "--prefix", scratch / "first"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        (scratch / "first").rename(scratch / "moved")
        (scratch / "work").mkdir()
        used_tree.check(scratch / "moved", libraries_of(options.build), scratch / "work", options.mpicc)
    return 0


if __name__ == "__main__":
    sys.exit(main())
