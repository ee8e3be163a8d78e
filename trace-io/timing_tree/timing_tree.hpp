// SPDX-License-Identifier: MIT
// Where a rank is at a time: its folded program with times at its edges, searched and never unrolled.
//
// Source    Ratn, Mueller, de Supinski, Schulz, ICS 2008, §3.5: leaves are calls with their delta times, inner nodes loops with their
//           iterations and the time of their body; a search looks for the child whose stretch holds the time, in a loop for the
//           iteration, and goes down.
// Times     what one execution takes is asked of the caller, class by class: means, so that all executions on one path are
//           alike. Which path an execution of a call came on, the call before it says (timing_paths.hpp). Counted in ticks of 1/1024 ns
//           in 128 bits: nothing rounds but each duration once, so the tree and a walk along the trace agree to the last tick.
// Stretches half open: at the moment at which a call ends its successor has begun. A call that takes no time is never found.
// Varying   loops whose iterations differ from execution to execution, and calls that come on several paths, have no fixed time; how much
//           their first k executions take are prefix sums of folded sequences (prefix_sums.hpp).
// Cost      made: O(nodes and terms of the rank), and O(passes) of loops whose body's last call differs from pass to pass. at(): O(depth · log
//           width) where times are fixed, each node of varying time on the way adds a sum, and one more for each of log(iterations)
//           steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/base/quantity.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct TimingNode;

class TimingTree {
 public:
  using Ticks = WideSigned;
  static constexpr double kTicks = 1024e9;  // in a second
  // What one execution of a class takes this rank.
  using Duration = std::function<Seconds(const DeltaClass&)>;

  // The trace must outlive this. Throws InputError where one duration is longer than 4 000 000 s. REQUIRES: check_structure() has found nothing.
  TimingTree(const Trace&, std::size_t thread, Rank, const Duration&);
  TimingTree(TimingTree&&) noexcept;
  ~TimingTree();

  struct Iteration {
    const Loop* loop = nullptr;
    std::uint64_t number = 0;  // from 0
    std::uint64_t complete =
        0;  // iterations of this execution; number == complete: in one that is left in the middle
    friend bool operator==(const Iteration&, const Iteration&) = default;
  };
  struct Place {
    SiteId site = kNoSite;
    std::vector<Iteration> loops;  // outermost first
    Ticks begin = 0;               // of the computing before the call
    Ticks enter = 0, end = 0;      // of the call
  };
  std::optional<Place> at(Ticks) const;  // none before 0 and from total() on
  Ticks total() const;

  static Ticks ticks(Seconds);  // the nearest; at most 1e25 s
  static Seconds seconds(Ticks ticks) { return Seconds{static_cast<double>(ticks) / kTicks}; }

 private:
  std::unique_ptr<TimingNode> root_;  // a loop of one pass
};

}  // namespace reprise::trace_io
