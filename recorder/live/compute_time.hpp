// SPDX-License-Identifier: MIT
// What the program computed between two MPI calls: which of the recorded durations a call gets, and waiting it out.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "trace-io/model/trace.hpp"
#include "trace-io/order/played_order.hpp"

namespace reprise::live {

// ordered       as recorded, one after the other, what has no order shuffled by seed and rank (trace-io/order/played_order.hpp).
// mean          the mean of the distribution every time.
// distribution  a bin by its share, at places of a golden-ratio sequence: the n-th execution of any length has its bins as often as
//               the recording, to within one (Weyl; Kuipers and Niederreiter, "Uniform Distribution of Sequences", 1974), so that
//               totals stay true, and ranks start at different places.
// sample        a bin drawn at random, as the paper does it.
enum class Deltas : std::uint8_t { ordered, mean, distribution, sample };

// What is played is scaled to the rank's own mean where the ranks of a class have scale factors.
// Memory: some 150 bytes for each class of durations that the rank meets.
class DeltaDraws {
 public:
  DeltaDraws(Deltas mode, std::uint64_t seed, Rank rank)
      : mode_(mode),
        seed_(seed),
        rank_(rank),
        state_(seed * 0x9e3779b97f4a7c15u ^
               static_cast<std::uint64_t>(rank.value) * 0xbf58476d1ce4e5b9u) {}

  double nanoseconds(const trace_io::DeltaClass&);

 private:
  struct Known {
    std::uint64_t next = 0;
    double scale = 1;
    std::unique_ptr<const trace_io::PlayedOrder> order{};  // mode `ordered`
    trace_io::PlayedOrder::OfRank in_order{};
  };
  double played(const trace_io::Distribution&, Known&);
  double uniform();  // 0 ≤ u < 1

  Deltas mode_;
  std::uint64_t seed_;
  Rank rank_;
  std::uint64_t state_;
  std::unordered_map<const trace_io::DeltaClass*, Known> known_;  // never iterated
};

// Waits out computed time.
//
// wall   until that much time has passed since the end of the call before: a spin where the rank has a core of its own, as a program that
//        computes keeps it; else nanosleep for most of it, so that other ranks of the node can run, then a spin. A sleep ends some 50 us
//        late, never equally late on two ranks, and ranks that wait for each other take the latest each time.
// cpu    spinning until this thread has used that much processor time since then.
// What walking the trace costs lies within the time that is waited out, not on top of it.
// Not seen by anybody who watches MPI. Cost: none beyond the time asked for; a tenth of a microsecond where it has passed already.
class ComputeWait {
 public:
  ComputeWait(trace_io::Clock clock, bool has_own_core)
      : clock_(clock), may_sleep_(clock == trace_io::Clock::wall && !has_own_core) {
    mark();
  }

  void mark();  // an MPI call has just returned
  void wait_out(double nanoseconds);
  // Of the waits to come, however many it takes.
  void leave_out(std::int64_t nanoseconds) { left_out_ += static_cast<double>(nanoseconds); }

 private:
  std::int64_t now() const;  // ns

  trace_io::Clock clock_;
  bool may_sleep_;
  std::int64_t mark_ = 0;
  double owed_ = 0;      // fractions of a nanosecond, and what earlier waits were too long by
  double left_out_ = 0;  // not taken from a wait yet
};

}  // namespace reprise::live
