#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails where a case file is not listed in CMakeLists.txt, or a listed one is not there.

usage: every_case_is_listed.py FOLDER NAME…
"""
import pathlib
import sys

present = {path.stem for path in pathlib.Path(sys.argv[1]).glob("*.case")}
listed = set(sys.argv[2:])
for name in sorted(present - listed):
    print(f"{name}.case is not listed in tests/cli/CMakeLists.txt")
for name in sorted(listed - present):
    print(f"{name}.case is listed in tests/cli/CMakeLists.txt, but not there")
sys.exit(1 if present != listed else 0)
