#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where the bytes of traces are: each column of the payload (trace-io/FORMAT.md), as it is and compressed alone. A Markdown table.

usage: columns.py TRACE…

Columns are compressed by the program zstd at level 19, each without what precedes it in the file: together they take somewhat more than the
payload. Traces of version 3 or later.
"""
import pathlib
import subprocess
import sys

COLUMNS = (
    "header text build_ids call_paths sites communicators rank_lists sequences structure fields deltas bin_counts bin_times extremes "
    "extreme_ranks squares order coded"
).split()
VERSION = 8  # byte of a file
CODED_VERSION = 7  # the first with the last column
HEAD = 36  # bytes of a file before the payload
FRAME = 9  # bytes that zstd adds to what it compresses


def zstd(arguments, content):
    return subprocess.run(
        ["zstd", "--quiet", "--stdout", *arguments], input=content, capture_output=True, check=True
    ).stdout


def columns_of(trace):
    content = trace.read_bytes()
    payload = zstd(["--decompress"], content[HEAD:])
    lengths, at = [], 0
    columns = COLUMNS if content[VERSION] >= CODED_VERSION else COLUMNS[:-1]
    for _ in columns:
        length = shift = 0
        while True:
            byte = payload[at]
            at += 1
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        lengths.append(length)
    for name, length in zip(columns, lengths):
        yield name, payload[at : at + length]
        at += length
    if len(columns) < len(COLUMNS):
        yield COLUMNS[-1], b""


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    traces = [pathlib.Path(argument) for argument in sys.argv[1:]]
    print("| column | " + " | ".join(f"{trace.name} | compressed" for trace in traces) + " |")
    print("|---" * (1 + 2 * len(traces)) + "|")
    rows = {name: [] for name in COLUMNS}
    for trace in traces:
        for name, content in columns_of(trace):
            alone = len(zstd(["-19", "--no-check"], content)) - FRAME if content else 0
            rows[name] += [str(len(content)), str(alone)]
    for name, cells in rows.items():
        print(f"| {name} | " + " | ".join(cells) + " |")
    print("| file | " + " | ".join(f"{trace.stat().st_size} | " for trace in traces) + " |")


if __name__ == "__main__":
    main()
