// SPDX-License-Identifier: MIT
// A job as tests see it: what every rank called, from which one-rank traces are built and to which merged traces decode.
//
// Places stand for call paths: every rank numbers its sites by first use, so that merging has to renumber them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trace-io/compress/thread_compressor.hpp"
#include "trace-io/model/event.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io::testing {

struct Call {
  std::uint32_t place = 0;  // index into Job::procedures
  std::vector<std::int64_t> scalars;
  std::vector<std::vector<std::int64_t>> vectors;
  Nanoseconds compute{}, communicate{};
};
// Of the lossless part.
bool same_call(const Call&, const Call&);

struct Job {
  std::int32_t ranks = 1;
  Timing timing = Timing::path;
  Bytes order_budget{};                                  // 0: no order
  bool keeps_order = false;                              // ranks log compute times in their order
  std::vector<std::string> procedures;                   // of each place
  std::vector<std::vector<Call>> calls;                  // of each rank, on thread 0
  std::vector<std::vector<Communicator>> communicators;  // of each rank, from index 2 on
};

Trace trace_of_rank(const Job&, std::int32_t rank);
// The same before there is a trace: all but the program, which the compressor has.
struct RecordedRank {
  Trace tables;
  ThreadCompressor thread;
};
RecordedRank recorded_rank(const Job&, std::int32_t rank);

using Chooser = std::function<std::size_t(std::size_t)>;  // a number below the given one
Trace merged_in_tree(const Job&);                         // neighbours first, as over MPI
Trace merged_in_any_order(const Job&,
                          const Chooser&);  // any two of those left over, again and again

std::vector<Call> decoded(const Trace&, std::int32_t rank);

// Sum over all nodes.
struct Size {
  std::size_t nodes = 0;
  std::size_t entries = 0;       // of all fields, iterations and exits
  std::size_t most_entries = 0;  // of one field
  std::size_t classes = 0;
};
Size size_of(const std::vector<Node>&);

}  // namespace reprise::trace_io::testing
