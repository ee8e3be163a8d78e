// SPDX-License-Identifier: MIT
// What is measured (measurement.hpp tells what each time is of). All are called by every rank; who has no part in a pattern waits.
//
// After  the LogP parameters by Culler, Liu, Martin, Yoshikawa (Assessing Fast Network Interfaces, IEEE Micro 16(1), 1996): o_s is
//        the time in a send, o_r the time in a receive that is called when its message has come; the ping-pong over sizes gives the
//        rest, piece by piece, as SMPI is calibrated (Clauss, Stillwell, Genaud, Suter, Casanova, Quinson, Single Node On-Line Simulation of
//        MPI Applications with SMPI, IPDPS 2011).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "recorder/probe/measurement.hpp"

namespace reprise::probe {

// Who measures with whom: two ranks of one node, two ranks of different nodes, and as many pairs inside nodes as there are.
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

class MachineState;

struct Plan {
  std::vector<std::uint64_t> sizes;  // ascending
  double seconds_per_row = 0.05;
  MachineState* state = nullptr;  // REQUIRES for the patterns: not null
};

// Rows stand on rank 0; elsewhere they are empty.
Series ping_pong(const Partners&, const Pair&, const std::string& path, const Plan&);
Series exchange(const Partners&, const std::vector<Pair>&, const std::string& path, const Plan&);
Series send_overhead(const Partners&, const Pair&, const std::string& path, const Plan&);
Series recv_overhead(const Partners&, const Pair&, const std::string& path, const Plan&);
// By halving: whether a send waits for a receive that is late although its rank is inside MPI.
EagerLimit eager_limit(const Partners&, const Pair&, const std::string& path, std::uint64_t most);
// Whether a send by rendezvous goes on while the receiver, its receive posted, computes.
bool is_asynchronous(const Partners&, const Pair&, std::uint64_t bytes);

// The patterns cold_*, after computing over more and more data, from none to 128 MiB, as long as one takes at most so many seconds.
void cold_caches(const Partners&, const Pair&, const std::string& path, std::uint64_t eager_limit,
                 const Plan&, double seconds_a_level, std::vector<Series>& into);

// Of every rank at once, as in a reduction; rank 0's times.
Series copy(const Plan&);
Series reduce_local(const Plan&);

// WHAT: "barrier", "bcast", "allreduce", "alltoall".
Series collective(const Partners&, const std::string& what, const Plan&);

// The sizes that a piecewise fit can tell pieces by: 0 and 1, powers of two and, from 64 B to 4 MiB, their one and a half fold.
std::vector<std::uint64_t> usual_sizes(std::uint64_t most);

}  // namespace reprise::probe
