// SPDX-License-Identifier: MIT
// Who sent to the receives from anybody of a ScalaTrace file, which does not say it.
//
// Why       left open, a replay lets such a receive take whatever comes first, also what another receive was to take: a program that told its
//           messages apart by their tags then stops for ever.
// How       all ranks are taken through their calls together, without time. Sends wait for their receives, collectives on MPI_COMM_WORLD for
//           all ranks. A receive from anybody takes nothing until nobody can go on; then all of them that may take what has been sent
//           take the earliest, and so forth. What comes out at the end is one order in which the program can run, whatever messages
//           are buffered: it is assumed, and named as a loss.
// Not       receives from anybody on other communicators; programs of more than kMostEvents calls; programs that cannot go on
//           so, as they need messages to be buffered. They stay as they are.
// Cost      O(calls of all ranks); memory: a number for each receive from anybody.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

inline constexpr std::uint64_t kMostEvents = std::uint64_t{1} << 25;

// Writes the senders into the traces of single ranks, rank 0 first; false where that is not to be had. `sizes_are_tags`: a message is as large
// as the receive that takes it; else by their tags.
bool place_senders(std::vector<Trace>& ranks, bool sizes_are_tags);

}  // namespace reprise::trace_io
