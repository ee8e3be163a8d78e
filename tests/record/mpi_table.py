#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""recorder/mpi_calls.def against an MPI library and the recorder built for it.

usage: mpi_table.py TABLE MPI_LIBRARY RECORDER     exit 0 when they agree, 1 with one line per difference

- every MPI_ procedure that the library exports has exactly one row: silence is a bug;
- every row that says "wrapped" and that the library has is exported by the recorder, in C, as the mpi_f08 binding, and under Open MPI
  as the older Fortran bindings;
- the recorder exports nothing else but the hooks of -finstrument-functions: a traced program must not see our symbols, our unwinder's or our C++ library's.
"""
import collections
import re
import subprocess
import sys

ROW = re.compile(r"^(RECORDED|HANDWRITTEN|LIFECYCLE|LOCAL|UNMODELLED)\((\w+)", re.MULTILINE)


def exported(path):
    listing = subprocess.run(["nm", "-D", "--defined-only", path], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in listing.splitlines() if line.split()[-2] in "TWVBDRiu"}


def rows(path):
    with open(path, encoding="utf-8") as table:
        found = ROW.findall(table.read())
    count = collections.Counter(name for _, name in found)
    return {name if name.startswith("MPI") else "MPI_" + name: what for what, name in found}, count


def differences(table, library, recorder):
    row, count = rows(table)
    for name, times in count.items():
        if times > 1:
            yield f"{name} has {times} rows"
    theirs = {name for name in exported(library) if name.startswith("MPI_")}
    if not theirs:
        yield f"{library} exports no MPI procedures"
    for name in sorted(theirs - row.keys()):
        yield f"{name} is exported by {library} and has no row"
    ours = exported(recorder)
    wrapped = {name for name in theirs if row.get(name) not in (None, "LOCAL")}
    for name in sorted(wrapped - ours):
        yield f"{name} is {row[name]} but the recorder does not export it"
    endings = ["_f08_"] + (["_"] if "mpi_send_" in ours else [])
    for name in sorted(wrapped):
        for ending in endings if not name.endswith("_c") else []:  # large counts have Fortran names of another form
            if name.lower() + ending not in ours:
                yield f"{name.lower()}{ending} is not exported by the recorder"
    spellings = {
        s
        for name in row
        for s in (name, name.upper(), name.lower(), name.lower() + "_", name.lower() + "__", name.lower() + "_f08_")
    }
    hooks = {"__cyg_profile_func_enter", "__cyg_profile_func_exit"}  # of -finstrument-functions
    for name in sorted(hooks - ours):
        yield f"{name} is not exported by the recorder"
    for name in sorted(ours - spellings - hooks):
        yield f"{name} is exported by the recorder: a traced program would see it"


if __name__ == "__main__":
    found = list(differences(*sys.argv[1:]))
    print("\n".join(found))
    sys.exit(1 if found else 0)
