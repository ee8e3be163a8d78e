// SPDX-License-Identifier: MIT
// Streams of events for the tests of folding, and the round trip: events → compressor → one-rank trace → cursor → events.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace-io/compress/thread_compressor.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io::testing {

using Stream = std::vector<Event>;

// Site s is a call of procedure s mod 4: MPI_Barrier (comm), MPI_Send (comm, peer, tag, bytes), MPI_Waitany (four vectors),
// MPI_Init (nothing).
Trace trace_with_sites(std::uint32_t sites, Rank rank, std::int32_t ranks);

// An event of the site whose fields depend on `seed` in an irregular way; constant where `seed` is.
Event event_at(SiteId site, std::uint64_t seed = 0);
// Events of the sites, all with the same fields for the same site.
Stream stream_of(const std::vector<SiteId>& sites);

void append(ThreadCompressor&, const Event&, Nanoseconds compute = {},
            Nanoseconds communicate = {});

Stream decoded(const Trace&, Rank rank);
Stream decoded(std::vector<Node> program, std::uint32_t sites, Rank rank = Rank{0});

std::size_t node_count(const std::vector<Node>&);
// Nodes and all terms of all their sequences.
std::size_t size_of(const std::vector<Node>&);

// "A B loop(C D)": sites as letters (0 is A), without counts.
std::string shape(const std::vector<Node>&);
std::vector<Node> folded(const Stream&);

}  // namespace reprise::trace_io::testing
