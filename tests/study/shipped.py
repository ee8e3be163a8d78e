#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs a shipped study as its reader would: the commands that its README shows (lines indented by four blanks), in a copy of its folder.
Every simulation must be done, and every point have a time.

usage: shipped.py --bin FOLDER --launcher MPIRUN STUDY_FOLDER
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("folder")
    options = parser.parse_args()
    source = pathlib.Path(options.folder)
    commands = [
        line.strip()
        for line in (source / "README.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("    reprise ")
    ]
    assert len(commands) >= 2, f"{source}/README.md shows no commands"
    with tempfile.TemporaryDirectory() as name:
        # two levels deep, as in the source tree, where the files' schemas are
        folder = pathlib.Path(name) / "scenarios" / source.name
        shutil.copytree(source, folder)
        environment = os.environ | {
            "PATH": f"{options.bin}:{os.environ['PATH']}",
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_hwloc_base_binding_policy": "none",
        }
        for command in commands:
            words = [options.launcher if word == "mpirun" else word for word in command.split("#")[0].split()]
            done = subprocess.run(
                words, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=200
            )
            print(f"$ {command}\n{done.stdout}{done.stderr}")
            assert done.returncode == 0, f"exit status {done.returncode}"
        results = json.loads(next(folder.glob("*.results/results.json")).read_text(encoding="utf-8"))
        assert results["points"]
        for point in results["points"]:
            assert point["status"] == "done", point
            assert point["speedup"] > 0, point
    return 0


if __name__ == "__main__":
    sys.exit(main())
