// SPDX-License-Identifier: MIT
// A rank's communicators as the replay needs them: where messages meet, and world ranks of peers in one step.
//
// Cost  the first use of an index asks the CommunicatorTable; later uses are a vector access.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/fetch.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::sim {

struct CommunicatorView {
  std::uint32_t number = 0;  // 0 world, 1 self, then the trace's definitions
  std::uint32_t context =
      0;  // where its collectives meet: its number, or that of a window or file made on it
  trace_io::CommunicatorTable::Place place;
  std::uint32_t entered = 0;  // collectives that this rank has entered on it
  std::vector<std::int32_t> sources,
      destinations;  // of a topology, in its ranks; CollectiveCall::kNobody for none

  std::int32_t members() const { return place.size + place.remote_size; }  // of both groups
  std::int32_t frame_size() const { return place.is_inter() ? place.remote_size : place.size; }
};

class Communicators {
 public:
  explicit Communicators(const trace_io::Trace& trace)
      : table_(trace),
        views_(static_cast<std::size_t>(trace.header.ranks)),
        contexts_(2 + static_cast<std::uint32_t>(trace.communicators.size())) {}

  // Null where the rank has no such communicator. Pointers stay valid.
  CommunicatorView* view(std::int32_t rank, std::int64_t index);
  // The rank will soon ask for the world, 3 to 1 steps from now: asks the processor for it, a load of the way at a time. Changes nothing.
  void prepare(std::int32_t rank, unsigned steps) const {
    const auto& views = views_[static_cast<std::size_t>(rank)];
    if (steps == 3) fetch(views);
    if (steps > 2 || views.empty()) return;
    if (steps == 2) fetch(views.front());
    if (steps == 1 && views.front() != nullptr) fetch(*views.front());
  }
  // World ranks; −1 where there is none. Of a peer (remote group, if there is one); of a member as schedules count them.
  std::int32_t peer(std::int32_t rank, const CommunicatorView&, std::int64_t peer) const;
  std::int32_t member(std::int32_t rank, const CommunicatorView&, std::int32_t member) const;
  // The same without a rank: the world rank of member m of a group.
  std::int32_t group_member(std::uint32_t number, std::uint32_t group, std::int32_t m) const;
  // How many collectives the rank has entered on a communicator; 0 where it has not used it.
  std::uint32_t entered(std::int32_t rank, std::uint32_t number) const;
  // O(members).
  bool is_member(std::int32_t rank, std::uint32_t number) const;
  // Contexts below this are the communicators'.
  std::uint32_t contexts() const { return contexts_; }
  std::int32_t ranks() const { return static_cast<std::int32_t>(views_.size()); }

 private:
  trace_io::CommunicatorTable table_;
  std::vector<std::vector<std::unique_ptr<CommunicatorView>>>
      views_;  // by rank, by index; null until used
  std::uint32_t contexts_;
};

}  // namespace reprise::sim
