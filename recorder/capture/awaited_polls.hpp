// SPDX-License-Identifier: MIT
// Whether a program that polls waits, or works and looks in passing: which time of failed polls is waiting, and which is computing.
//
// Why      `while (!flag) MPI_Test(…)` waits for as long as a partner takes, and a replay finds out anew how long that is. A program that tests
//          after each piece of work spends the time of its polls whatever its partners do. Gaps between polls do not show which: the work may
//          take less than the poll.
// Waiting  the polls of a place (procedure and return address) before a success there, unless
//            it succeeds at the first try since the latest other call: polls elsewhere have not waited for it; or
//            the program goes on without it: polls have failed there, no awaited poll elsewhere has succeeded since, and then came a call
//            that is no poll. So does a place kCycles successes long after it was seen.
// Cost     a failed poll: a look at the place before; an event: one look, where places are known one at each of them. At most kPlaces, later ones wait.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace reprise::recorder {

class AwaitedPolls {
 public:
  using Place = std::uint64_t;  // 0: of no interest
  static constexpr std::uint8_t kCycles = 4;
  static constexpr std::size_t kPlaces = 16;

  void failed(Place place) {
    if (place == 0) return;
    if (place != latest_) [[unlikely]] {
      at_ = find(place);
      latest_ = place;
    }
    if (at_ == nullptr) {
      has_failed_elsewhere_ = true;
      return;
    }
    at_->has_failed = at_->is_open = is_any_ = true;
  }
  // Whether the failed polls since the last event waited for it.
  bool succeeded(Place place) {
    Known* const here = find(place);
    const bool awaited = here != nullptr ? here->has_failed : has_failed_elsewhere_;
    const bool in_passing = here != nullptr && here->in_passing > 0;
    if (here != nullptr) {
      if (!here->was_left && here->in_passing > 0) --here->in_passing;
      here->was_left = here->is_open = false;
    }
    for (Known& one : known()) {
      one.has_failed = false;
      if (awaited) one.is_open = false;
    }
    has_failed_elsewhere_ = false;
    return awaited && !in_passing;
  }
  // An event that is no poll.
  void called() {
    if (!is_any_ && !has_failed_elsewhere_) [[likely]]
      return;
    is_any_ = has_failed_elsewhere_ = false;
    for (Known& one : known()) {
      if (one.is_open) {
        one.in_passing = kCycles;
        one.was_left = true;
      }
      one.has_failed = one.is_open = false;
    }
  }

 private:
  struct Known {
    Place place = 0;
    bool has_failed = false;  // since the last event
    bool is_open = false;     // and the program may go on without it
    bool was_left = false;    // it has done so since the last success
    std::uint8_t in_passing = 0;
  };
  std::span<Known> known() { return std::span(places_).first(count_); }
  // Null where there is no room for another one.
  Known* find(Place place) {
    const auto found = std::ranges::find(known(), place, &Known::place);
    if (found != known().end()) return &*found;
    if (count_ == kPlaces) return nullptr;
    places_[count_].place = place;
    return &places_[count_++];
  }

  std::array<Known, kPlaces> places_{};
  std::size_t count_ = 0;
  Place latest_ = 0;
  Known* at_ = nullptr;  // of `latest_`
  bool is_any_ = false;  // open
  bool has_failed_elsewhere_ = false;
};

}  // namespace reprise::recorder
