// SPDX-License-Identifier: MIT
#include "sim/engine/tape/event_graph.hpp"

#include <algorithm>

namespace reprise::sim {

void EventGraph::advance(const DeltaPlayer& player, const std::vector<const DeltaState*>& played) {
  sends_[0].swap(sends_[1]);
  posts_[0].swap(posts_[1]);
  for (const Event& event : events_) {
    double& clock = clocks_[event.rank];
    clock += event.lead;
    switch (event.kind) {
      case Event::Kind::compute: {
        const double time = event.factor * player.play(slots_[event.a], *played[event.rank]).value;
        clock += time;
        computed_at_[event.b] += time;
        computed_[event.rank] += time;
        break;
      }
      case Event::Kind::send:
        sends_[0][event.a] = clock;
        break;
      case Event::Kind::post:
        posts_[0][event.a] = clock;
        break;
      case Event::Kind::message: {
        const double sent = sends_[event.is_a_before ? 1 : 0][event.a];
        clock = std::max(clock, sent + event.takes);
        if (event.copy > 0 && sent + event.factor < posts_[event.is_b_before ? 1 : 0][event.b])
          clock += event.copy;
        break;
      }
      case Event::Kind::rendezvous:
        clock = std::max(clock, std::max(sends_[event.is_a_before ? 1 : 0][event.a] + event.factor,
                                         posts_[event.is_b_before ? 1 : 0][event.b]) +
                                    event.takes);
        break;
    }
    clock += event.after;
  }
  for (std::size_t place = 0; place < places_.size(); ++place) {
    computed_at_[place] += places_[place].constant;
    computed_[places_[place].rank] += places_[place].constant;
  }
  for (std::size_t rank = 0; rank < clocks_.size(); ++rank) clocks_[rank] += ends_[rank];
  ++periods_;
}

double EventGraph::latest() const { return *std::max_element(clocks_.begin(), clocks_.end()); }

void EventGraph::set_plays(std::uint32_t rank, DeltaState& played) const {
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slot_ranks_[i] == rank) DeltaPlayer::set_plays(played, slots_[i]);
}

}  // namespace reprise::sim
