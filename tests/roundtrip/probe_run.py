# SPDX-License-Identifier: MIT
"""What the tests of reprise-probe share: their options, where the programs are, and how one is run."""
import argparse
import os
import pathlib
import subprocess
import sys


def run(command, folder, status=0):
    """stdout of a command that ends with this status; stderr where that is a failure."""
    done = subprocess.run([str(word) for word in command], cwd=folder, text=True, capture_output=True, timeout=200)
    if done.returncode != status:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout if status == 0 else done.stderr


def programs(usage):
    """(how two ranks are launched, reprise, the probe), from the command line."""
    parser = argparse.ArgumentParser(usage=usage)
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--launcher", required=True)
    parser.add_argument("--probe", required=True)
    options = parser.parse_args()
    os.environ.update(
        OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1"
    )
    folder = options.bin.resolve()
    return [options.launcher, "-n", "2"], folder / "reprise", folder / options.probe
