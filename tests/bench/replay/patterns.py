#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Communication patterns as traces in text form, of any number of ranks and steps, a few kilobytes each.

usage: patterns.py PATTERN RANKS STEPS [--bytes N] [--compute-us X] [--deltas none|mean|jitter] > TRACE.txt

  halo         2D 5-point halo exchange (Irecv, Isend, Waitall) and an 8-byte allreduce a step
  wavefront    as LU: each rank receives from north and west, computes, sends to south and east; one sweep there, one back
  cg           as CG: exchanges with the partners in its row at distance 1, 2, 4 …, one with its transposed place, two reductions
  alltoall     one alltoall a step
  incast       all ranks send to rank 0, then a barrier
  collectives  bcast, reduce, allreduce, allgather, scan, barrier on the world and an allreduce on the row
  permutation  four exchanges a step, each with the partners of a fixed random order of the ranks
  bursts       eight messages a rank at once, to random partners
  mixed        1 MB (100 times --bytes) to a random partner, meanwhile a chain of 8-byte exchanges with other ranks

Deltas: `mean` gives four classes of ranks (number modulo 4) that compute 0, 3, 6 and 9 % longer; `jitter` draws each of their deltas
from five bins that spread over ± 10 %.
"""
import argparse
import random
import sys

CLASSES = 4
SPREAD = (0.90, 0.95, 1.00, 1.05, 1.10)


def grid(ranks):
    """Columns and rows, columns the larger number."""
    rows = int(ranks**0.5)
    while ranks % rows:
        rows -= 1
    return ranks // rows, rows


def listed(ranks):
    """A set of ranks as the text form writes it, in runs of constant stride."""
    ranks, parts, at = sorted(ranks), [], 0
    while at < len(ranks):
        end = at + 1
        if end < len(ranks):
            stride = ranks[end] - ranks[at]
            while end + 1 < len(ranks) and ranks[end + 1] - ranks[end] == stride:
                end += 1
            if stride > 1 and end - at < 2:  # two apart are no run
                end = at
        else:
            end = at
        stride = ranks[end] - ranks[end - 1] if end > at else 1
        parts.append(
            str(ranks[at]) if end == at else f"{ranks[at]}-{ranks[end]}" + (f":{stride}" if stride > 1 else "")
        )
        at = end + 1
    return ",".join(parts)


class Pattern:
    def __init__(self, options):
        self.ranks, self.steps = options.ranks, options.steps
        self.bytes, self.compute_ns, self.deltas = options.bytes, round(options.compute_us * 1000), options.deltas
        self.columns, self.rows = grid(self.ranks)

    def on(self, holds, call):
        """The call, for the ranks of which it holds; nothing where there is none."""
        ranks = [r for r in range(self.ranks) if holds(r % self.columns, r // self.columns)]
        return f"ranks {listed(ranks)}: {call}" if ranks else ""

    def delta(self, share=1.0, plays=1):
        """A compute delta: what comes behind a call; `plays` times in a step."""
        if self.deltas == "none":
            return ""
        classes = min(CLASSES, self.ranks)
        texts = []
        for index in range(classes):
            members = range(index, self.ranks, classes)
            count = len(members) * self.steps * plays
            mean = max(1, round(self.compute_ns * share * (1 + 0.03 * index)))
            if self.deltas == "mean":
                values = [(mean, count)]
            else:
                values = [
                    (max(1, round(mean * s)), count // 5 + (1 if i < count % 5 else 0)) for i, s in enumerate(SPREAD)
                ]
                values = [(v, n) for v, n in values if n]
            total = sum(v * n for v, n in values)
            squares = sum(v * v * n for v, n in values)
            bins = ", ".join(f"{n}/{v * n}" for v, n in values)
            texts.append(
                f"{listed(members)}: (limit=5 count={count} sum={total} squares={squares >> 64}:{squares & (2**64 - 1)} "
                f"min={values[0][0]}@{index} max={values[-1][0]}@{index} bins=[{bins}])"
            )
        return " | compute {" + "; ".join(texts) + "}"

    def computing(self, call, **kind):
        """A call of all ranks, before which they compute."""
        return f"all: {call}{self.delta(**kind)}"

    def halo(self):
        right, down = self.columns - 1, self.rows - 1
        sides = [
            (lambda x, y: x > 0, "-1", 0, 1),
            (lambda x, y: x < right, "+1", 1, 0),
            (lambda x, y: y > 0, f"-{self.columns}", 2, 3),
            (lambda x, y: y < down, f"+{self.columns}", 3, 2),
        ]
        lines = [
            self.on(holds, f"MPI_Irecv peer={peer} tag={theirs} bytes={self.bytes} request={own}")
            for holds, peer, own, theirs in sides
        ]
        lines += [
            self.on(holds, f"MPI_Isend peer={peer} tag={own} bytes={self.bytes} request={own + 4}")
            for holds, peer, own, theirs in sides
        ]
        there = {}
        for rank in range(self.ranks):
            x, y = rank % self.columns, rank // self.columns
            slots = tuple(own for holds, _, own, _ in sides if holds(x, y))
            there.setdefault(slots, []).append(rank)
        for slots, ranks in there.items():
            if slots:
                requests = ", ".join(str(s) for s in slots + tuple(s + 4 for s in slots))
                lines.append(f"ranks {listed(ranks)}: MPI_Waitall at wait requests=[{requests}]")
        return lines + [self.computing("MPI_Allreduce send_bytes=8")]

    def wavefront(self):
        right, down, lines = self.columns - 1, self.rows - 1, []
        for back in (False, True):
            side, far = ("+1", f"+{self.columns}") if back else ("-1", f"-{self.columns}")
            gone, left = ("-1", f"-{self.columns}") if back else ("+1", f"+{self.columns}")
            from_side = (lambda x, y: x < right) if back else (lambda x, y: x > 0)
            from_far = (lambda x, y: y < down) if back else (lambda x, y: y > 0)
            to_side = (lambda x, y: x > 0) if back else (lambda x, y: x < right)
            to_far = (lambda x, y: y > 0) if back else (lambda x, y: y < down)
            lines += [
                self.on(from_side, f"MPI_Recv peer={side} tag=1 bytes={self.bytes}"),
                self.on(from_far, f"MPI_Recv peer={far} tag=2 bytes={self.bytes}"),
                self.computing("MPI_Sendrecv peer=null receive_peer=null tag=0 bytes=0 receive_bytes=0", share=0.5),
                self.on(to_side, f"MPI_Send peer={gone} tag=1 bytes={self.bytes}"),
                self.on(to_far, f"MPI_Send peer={left} tag=2 bytes={self.bytes}"),
            ]
        return lines

    def cg(self):
        lines, distance = [], 1
        while distance < self.columns and self.columns % (2 * distance) == 0:
            lines.append(
                f"all: MPI_Sendrecv peer=^{distance} receive_peer=^{distance} tag=1 receive_tag=1 bytes={self.bytes} receive_bytes={self.bytes}"
            )
            distance *= 2
        half = self.ranks // 2
        if half:
            lines.append(
                f"all: MPI_Sendrecv peer=+{half} receive_peer=-{half} tag=2 receive_tag=2 bytes={self.bytes} receive_bytes={self.bytes}"
            )
        return lines + [self.computing("MPI_Allreduce send_bytes=8"), "all: MPI_Allreduce send_bytes=8"]

    def alltoall(self):
        return [self.computing(f"MPI_Alltoall send_bytes={self.bytes} receive_bytes_per_peer={self.bytes}")]

    def incast(self):
        first = 9  # the code of rank 1
        peers = f"{first}..{first + self.ranks - 2}" if self.ranks > 2 else str(first)
        if self.ranks > 2 and self.steps > 1:
            peers = f"({peers})*{self.steps}"
        return [
            f"ranks 0: loop {self.ranks - 1} {{",
            f"ranks 0: MPI_Recv peer=absolute:{peers} tag=1 bytes={self.bytes}",
            "}",
            f"ranks 1-{self.ranks - 1}: MPI_Send peer=0 tag=1 bytes={self.bytes}",
            self.computing("MPI_Barrier"),
        ]

    def shuffled(self, seed):
        """Lines' ranks by how far their partner in a random order is: {distance: ranks}; nobody has itself. Always the same."""
        order, by_distance = list(range(self.ranks)), {}
        random.Random(seed).shuffle(order)
        for at, rank in enumerate(order):
            by_distance.setdefault((order[(at + 1) % self.ranks] - rank) % self.ranks, []).append(rank)
        return by_distance

    def to_shuffled(self, seed, size, tag, request):
        """Each rank receives from the one and sends to the other of its neighbours in that order, non-blocking."""
        lines, there = [], self.shuffled(seed)
        for distance, ranks in sorted(there.items()):
            receivers = [(rank + distance) % self.ranks for rank in ranks]
            lines.append(
                f"ranks {listed(receivers)}: MPI_Irecv peer=-{distance} tag={tag} bytes={size} request={request}"
            )
        for distance, ranks in sorted(there.items()):
            lines.append(
                f"ranks {listed(ranks)}: MPI_Isend peer=+{distance} tag={tag} bytes={size} request={request + 1}"
            )
        return lines

    def permutation(self):
        lines = []
        for round_ in range(4):
            lines += self.to_shuffled(round_, self.bytes, round_, 0)
            lines.append(self.computing("MPI_Waitall requests=[0, 1]", share=0.25, plays=4))
        return lines

    def bursts(self):
        lines, burst = [], 8
        for one in range(burst):
            lines += self.to_shuffled(one, self.bytes, one, 2 * one)
        requests = ", ".join(map(str, range(2 * burst)))
        return lines + [self.computing(f"MPI_Waitall requests=[{requests}]")]

    def mixed(self):
        lines = self.to_shuffled(0, 100 * self.bytes, 0, 0)
        for one in range(8):
            lines += self.to_shuffled(1 + one % 4, 8, 1 + one, 2) + ["all: MPI_Waitall requests=[2, 3]"]
        return lines + [self.computing("MPI_Waitall requests=[0, 1]")]

    def collectives(self):
        return [
            f"all: MPI_Bcast peer=0 send_bytes={self.bytes}",
            f"all: MPI_Reduce peer=0 send_bytes={self.bytes}",
            f"all: MPI_Allreduce send_bytes={self.bytes}",
            "all: MPI_Allgather send_bytes=64 receive_bytes_per_peer=64",
            "all: MPI_Scan send_bytes=8",
            "all: MPI_Allreduce comm=2 send_bytes=64",
            self.computing("MPI_Barrier"),
        ]

    def text(self, name):
        tables = []
        if name == "collectives":
            for row in range(self.rows):
                first = row * self.columns
                tables.append(f"communicator 2: {first}..{first + self.columns - 1}")
        body = [line for line in getattr(self, name)() if line]
        return "\n".join(
            [
                "reprise-text 1",
                f"ranks {self.ranks}",
                f'program "{name}"',
                "timing histogram",
                "bins 5",
                *tables,
                "thread 0 {",
                f"loop {self.steps} {{",
                *body,
                "}",
                "}",
                "",
            ]
        )


PATTERNS = ("halo", "wavefront", "cg", "alltoall", "incast", "collectives")
LOADED = ("permutation", "bursts", "mixed")  # what networks.py loads links with, besides


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pattern", choices=PATTERNS + LOADED)
    parser.add_argument("ranks", type=int)
    parser.add_argument("steps", type=int)
    parser.add_argument("--bytes", type=int, default=256)
    parser.add_argument("--compute-us", type=float, default=100)
    parser.add_argument("--deltas", choices=("none", "mean", "jitter"), default="jitter")
    options = parser.parse_args()
    if options.ranks < 2:
        parser.error("a pattern needs two ranks or more")
    sys.stdout.write(Pattern(options).text(options.pattern))


if __name__ == "__main__":
    main()
