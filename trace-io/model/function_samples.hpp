// SPDX-License-Identifier: MIT
// Which functions ranks computed in, by samples of their CPU time (`reprise record --functions sample`).
//
// Sample   what a thread was executing when it had used up another period of CPU time: the function, and the call path that led to it.
// Stack    a call path of the trace (Trace::call_paths), innermost first. Its innermost frame is the first byte of the function that was
//          executing, plus one, so that it is read as return addresses are; where no unwind table knows the function, the address itself, plus one.
// Path     samples between two calls are counted with the compute times they are of: the call before and the call after, as PathDeltas have them.
// In MPI   samples inside a call are kept apart, with the innermost function alone: copying, packing and polling are told by it.
// Classes  ranks whose functions are alike share their counts (merge/function_samples.hpp), so that the size hardly grows with the ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/event.hpp"
#include "trace-io/model/rank_list.hpp"

namespace reprise::trace_io {

struct StackSamples {
  std::uint32_t stack = 0;  // index into Trace::call_paths, of at least one frame
  std::uint64_t count = 0;  // at least 1
  friend bool operator==(const StackSamples&, const StackSamples&) = default;
};

struct PathSamples {
  SiteId predecessor = kNoSite;      // none: the site is a thread's first; inside calls always none
  SiteId site = kNoSite;             // the call after, or the one that the samples are inside of
  std::vector<StackSamples> stacks;  // ascending by stack, not empty
  friend bool operator==(const PathSamples&, const PathSamples&) = default;
};

struct SampledRanks {
  RankList ranks;
  std::vector<PathSamples> compute, communicate;  // ascending by site, then by predecessor
};

struct FunctionSamples {
  std::uint32_t rate = 0;   // that was asked for, per second of CPU time of a thread
  bool are_precise = true;  // taken when they were due, not at the kernel's next tick; on all ranks
  std::uint64_t own = 0;    // in the recorder itself, of all ranks
  std::uint64_t left_out = 0;         // for want of room, or where recording was off
  std::vector<SampledRanks> classes;  // disjoint, in the order of their lowest ranks
};

inline constexpr std::uint32_t kDefaultSamplingRate = 200, kHighestSamplingRate = 10'000;
inline constexpr std::uint64_t kMostSamples = std::uint64_t{1} << 48U;  // of one count

}  // namespace reprise::trace_io
