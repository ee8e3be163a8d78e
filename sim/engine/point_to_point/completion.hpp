// SPDX-License-Identifier: MIT
// The Wait and Test family, cancel and free. A Test that succeeded is replayed as the Wait it became.
//
// Of calls that complete any or some of their requests (Waitany, Waitsome, and the tests that became them):
// Order   such a call takes the requests that complete first in the simulation, as many as it took when it was recorded. Of
//         requests that are complete at the same moment the recorded ones come first, then the earlier, then the lower slot.
// Slots   the trace goes on with the slots that completed when it was recorded. Where another request completes, the two change
//         places: the one still under way moves to the slot that the trace believes under way. So a loop completes each of
//         its requests once, whatever the order.
// Sound   a correct recording cannot deadlock by this: take the first call in recorded order that is stuck. All calls before it
//         were carried out, so as many requests of its set can complete as had completed when it was recorded, and fewer
//         have been taken.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/loop/runtime.hpp"
#include "sim/engine/point_to_point/transport.hpp"

namespace reprise::sim {

class Completion {
 public:
  Completion(Runtime& runtime, Transport& transport)
      : runtime_(runtime), transport_(transport), requests_(runtime.requests()) {}

  Progress wait_all(std::uint32_t actor, std::span<const std::int64_t> slots);
  Progress wait_any(std::uint32_t actor, const EventFields&);  // or some
  Progress cancel(std::uint32_t actor, std::int64_t slot);
  Progress free(std::uint32_t actor, std::int64_t slot);
  Progress empty_buffer(std::uint32_t actor);

  // Calls that completed other requests than when they were recorded.
  std::uint64_t reordered() const { return reordered_; }

 private:
  bool gather_candidates(std::uint32_t actor, std::span<const std::int64_t> slots);
  bool are_choices(const Actor&, std::span<const std::int64_t> recorded);
  void take_candidates(Actor&, std::span<const std::int64_t> recorded);

  Runtime& runtime_;
  Transport& transport_;
  Pool<Request>& requests_;
  std::uint64_t reordered_ = 0;
  std::vector<std::int64_t> handed_in_, taken_;  // of the call looked at, in order
};

}  // namespace reprise::sim
