// SPDX-License-Identifier: MIT
// Programs by chance that could have run: what one rank sends another one receives, collectives are entered by all members.
//
// Taken    blocking and nonblocking messages, completed in several ways, persistent ones, receives and probes of anybody, MPI_PROC_NULL,
//          collectives with and without root, blocking or not, with lists per rank; on the world, a duplicate, and the halves of a split, of two ranks or more (a communicator of one is MPI_COMM_SELF when it comes back); loops in
//          loops; times that differ from call to call and from rank to rank, polls.
// Seeds    the same seed gives the same program on every machine.
#pragma once

#include <cstdint>
#include <string>

namespace reprise {

// In the text form of traces (trace-io/text/SYNTAX.md).
std::string random_program(std::uint64_t seed);

}  // namespace reprise
