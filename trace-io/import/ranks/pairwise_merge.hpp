// SPDX-License-Identifier: MIT
// Traces of neighbouring ranks, merged pairwise as they come: as many wait as the number of ranks has binary ones.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "trace-io/merge/merge.hpp"

namespace reprise::trace_io {

class PairwiseMerge {
 public:
  void add(Trace trace) {
    std::size_t ranks = 1;
    for (; !waiting_.empty() && waiting_.back().ranks == ranks; ranks *= 2)
      trace = take(std::move(trace));
    waiting_.push_back({ranks, std::move(trace)});
  }
  Trace finish() {  // REQUIRES: something was added
    Trace all = std::move(waiting_.back().trace);
    waiting_.pop_back();
    while (!waiting_.empty()) all = take(std::move(all));
    return all;
  }

 private:
  struct Part {
    std::size_t ranks;
    Trace trace;
  };
  Trace take(Trace later) {
    Trace both = merge(std::move(waiting_.back().trace), std::move(later));
    waiting_.pop_back();
    return both;
  }
  std::vector<Part> waiting_;
};

}  // namespace reprise::trace_io
