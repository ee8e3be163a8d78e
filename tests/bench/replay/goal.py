#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Time-independent traces as a schedule for LogGOPSim (GOAL text), so that it simulates the same calls.

usage: goal.py FOLDER/ti.txt > SCHEDULE.goal        (FOLDER: of reprise export --format ti)

Calls of a rank follow one another; what a non-blocking call began is waited for where the trace waits. Collectives are the messages of
our `simple` algorithms: allreduce and scan by recursive doubling, barrier by dissemination, bcast and reduce by binomial trees, allgather in a ring,
alltoall pairwise. Computing: 1 flop is 1 ns, as `export` writes it. What else a trace may hold is refused.
"""
import collections
import pathlib
import sys

ELEMENT = 8  # bytes: SimGrid's default datatype is MPI_DOUBLE
ONE_BYTE = "6"


class Schedule:
    """Of one rank: each operation comes behind those of `behind`."""

    def __init__(self, rank, ranks, out):
        self.rank, self.ranks, self.out = rank, ranks, out
        self.count, self.behind, self.calls = 0, [], 0
        self.pending = collections.defaultdict(collections.deque)  # (source, destination, tag): operations
        self.order = []

    def add(self, text, behind):
        self.count += 1
        self.out.write(f"l{self.count}: {text}\n")
        for one in behind:
            self.out.write(f"l{self.count} requires l{one}\n")
        return self.count

    def send(self, size, to, tag, behind):
        return self.add(f"send {max(1, size)}b to {to} tag {tag}", behind)

    def receive(self, size, source, tag, behind):
        return self.add(f"recv {max(1, size)}b from {source} tag {tag}", behind)

    def together(self, *operations):
        """All of them at once, then the next: (is_send, size, peer, tag)."""
        behind = self.behind
        self.behind = [
            (self.send if is_send else self.receive)(size, peer, tag, behind) for is_send, size, peer, tag in operations
        ] or behind

    def exchange(self, size, to, source, tag):
        self.together((True, size, to, tag), (False, size, source, tag))

    def step(self, words):
        name, values = words[0], words[1:]
        if name in ("init", "finalize"):
            return
        if name == "compute":
            self.behind = [self.add(f"calc {round(float(values[0]))}", self.behind)]
        elif name in ("send", "isend", "recv", "irecv"):
            self.message(name, int(values[0]), int(values[1]), int(values[2]))
        elif name == "wait":
            done = self.pending[tuple(map(int, values))].popleft()
            self.order.remove(done)
            self.behind = self.behind + [done]
        elif name == "waitall":
            self.behind = self.behind + self.order
            self.order.clear()
            self.pending.clear()
        else:
            self.calls += 1
            self.collective(name, values, 100_000 + self.calls % 1000 * 100)

    def message(self, name, peer, tag, size):
        is_send = name.endswith("send")
        operation = (self.send if is_send else self.receive)(size, peer, tag, self.behind)
        if not name.startswith("i"):
            self.behind = [operation]
            return
        key = (self.rank, peer, tag) if is_send else (peer, self.rank, tag)
        self.pending[key].append(operation)
        self.order.append(operation)

    def collective(self, name, values, tag):
        rank, ranks = self.rank, self.ranks
        rounds = (ranks - 1).bit_length()
        if name == "barrier":
            for k in range(rounds):
                self.exchange(0, (rank + (1 << k)) % ranks, (rank - (1 << k)) % ranks, tag + k)
        elif name == "allreduce":
            self.allreduce(int(values[0]) * ELEMENT, tag)
        elif name == "scan":
            for k in range(rounds):
                to, source = rank + (1 << k), rank - (1 << k)
                size = int(values[0]) * ELEMENT
                self.together(
                    *([(True, size, to, tag + k)] if to < ranks else []),
                    *([(False, size, source, tag + k)] if source >= 0 else []),
                )
        elif name in ("bcast", "reduce"):
            self.tree(name == "bcast", int(values[0]) * (1 if values[-1] == ONE_BYTE else ELEMENT), tag)
        elif name == "allgather":
            for k in range(ranks - 1):
                self.exchange(int(values[0]), (rank + 1) % ranks, (rank - 1) % ranks, tag)
        elif name == "alltoall":
            for k in range(1, ranks):
                self.exchange(int(values[0]), (rank + k) % ranks, (rank - k) % ranks, tag)
        else:
            sys.exit(f"goal.py: {name} has no schedule here")

    def allreduce(self, size, tag):
        rank, ranks = self.rank, self.ranks
        whole = 1 << (ranks.bit_length() - 1)
        if rank >= whole:
            self.together((True, size, rank - whole, tag))
            self.together((False, size, rank - whole, tag + 90))
            return
        if rank + whole < ranks:
            self.together((False, size, rank + whole, tag))
        for k in range(whole.bit_length() - 1):
            self.exchange(size, rank ^ (1 << k), rank ^ (1 << k), tag + 1 + k)
        if rank + whole < ranks:
            self.together((True, size, rank + whole, tag + 90))

    def tree(self, is_bcast, size, tag):
        """Binomial, the root is rank 0."""
        rank, ranks = self.rank, self.ranks
        lowest = (rank & -rank) if rank else 1 << (ranks - 1).bit_length()
        children = []
        while lowest > 1:
            lowest >>= 1
            if rank + lowest < ranks:
                children.append(rank + lowest)
        parent = rank & (rank - 1)
        up = [(False, size, child, tag) for child in reversed(children)]
        down = [(True, size, child, tag) for child in children]
        above = [(is_bcast is False, size, parent, tag)] if rank else []
        for one in above + down if is_bcast else up + above:
            self.together(one)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    index = pathlib.Path(sys.argv[1])
    files = [index.parent / line.strip() for line in index.read_text().splitlines() if line.strip()]
    out = sys.stdout
    out.write(f"num_ranks {len(files)}\n")
    for rank, file in enumerate(files):
        out.write(f"rank {rank} {{\n")
        schedule = Schedule(rank, len(files), out)
        with open(file) as lines:
            for line in lines:
                schedule.step(line.split()[1:])
        out.write("}\n")


if __name__ == "__main__":
    main()
