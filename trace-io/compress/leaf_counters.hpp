// SPDX-License-Identifier: MIT
// What is recorded of a leaf's calls: parameters as sequences, times as bins and their order.
//
// Why apart   a call touches these each kMost-th time only (waiting_calls.hpp). Without them a leaf takes 256 bytes, not 512: where 20 000 leaves take turns, their pages
//             fit the TLB, which saves 9 ns a call in a virtual machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trace-io/model/distribution.hpp"
#include "trace-io/model/event.hpp"
#include "trace-io/model/order_log.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

struct LeafCounters {
  struct Vector {
    ValueSequence values, lengths;
  };
  struct ComputePath {
    SiteId predecessor = kNoSite;
    Distribution compute;
    OrderLog order;  // empty where none is kept
    void add(Nanoseconds time, Rank rank, bool in_order) {
      compute.add(time, rank);
      if (in_order) order.add(time);
    }
    void add_all(std::span<const std::uint32_t> times, Rank rank, bool in_order) {
      compute.add_all(times, rank);
      if (!in_order) return;
      for (const auto time : times) order.add(Nanoseconds{time});
    }
  };

  LeafCounters(Rank its_rank, std::uint32_t bin_limit, BinRule rule, bool order)
      : rank(its_rank), keeps_order(order), communicate(bin_limit, rule) {}
  std::size_t path_after(SiteId predecessor);  // its place in paths
  void add_vectors(const EventView&);
  void add_extras(const EventView&);
  void append(LeafCounters&& later);

  Rank rank;  // of extremes
  bool keeps_order;
  std::vector<ValueSequence> scalars;
  std::vector<Vector> vectors;
  std::vector<ComputePath> paths;  // in order of first use
  std::size_t latest_path = 0;
  Distribution communicate;
  std::uint64_t polls = 0;
  std::int64_t further = 0;  // calls beyond the executions (model/completions.hpp)
  std::uint64_t added = 0;   // executions whose times do not wait
  std::uint64_t bytes = 0;   // as PayloadBytes counts them; only where iterations are recorded
};

}  // namespace reprise::trace_io
