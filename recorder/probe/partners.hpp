// SPDX-License-Identifier: MIT
// Who measures with whom: two ranks of one node, two ranks of different nodes, and as many pairs inside nodes as there are.
#pragma once

#include <mpi.h>

#include <vector>

namespace reprise::probe {

struct Pair {
  int one = -1, other = -1;
  bool has(int rank) const { return one == rank || other == rank; }
  int partner_of(int rank) const { return rank == one ? other : one; }
};

struct Partners {
  int rank = 0, ranks = 1, nodes = 1;
  std::vector<Pair>
      inside;  // disjoint pairs, both ranks of one node; all of one node, the one with most
  std::vector<Pair> between;  // of the first ranks of two nodes; empty where there is one node
};

// Collective over MPI_COMM_WORLD.
Partners find_partners();

// A meeting in which those who wait leave their core to others: ranks that do not measure must not disturb.
void meet_quietly();

}  // namespace reprise::probe
