// SPDX-License-Identifier: MIT
// Sends of one thread whose completion the program only looks up now and then, and never waits for: they are recorded without a request (trace-io/file/unawaited_sends.hpp), and
// polls that find them complete are no calls of their own.
//
// Why      at which poll such a send is found complete is chance, and differs from rank to rank and from step to step: as a call of its own it would keep loops from
//          folding and ranks from being merged, though nothing that the program does depends on it. Libraries that look after buffers of their own do so in each
//          of their operations (BLACS).
// Which    those started at a place in the program (return address) one of whose sends was found complete by a Test or Testall, of sends alone, after such a poll had failed and
//          the thread had made another MPI call in between. That is found out once.
// Called   what was started before that has a number in the trace, and is said to complete at the end of the program, before MPI_Finalize: in a call of the
//          procedure that found it complete, with all its other such calls as further ones (trace-io/model/completions.hpp).
// Waiting  a poll repeated kWaiting times without another MPI call waits, and so does a Wait. If either ends such a send, what is started at that place
//          is waited for again from now on, for good, and a loss counts the completion that is in no call.
// Not so   receives and persistent requests, since what follows may depend on them; Testany and Testsome (completion_phases.hpp); threads that share requests.
// Cost     nothing until the first such place; then a hash look-up a non-blocking send.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace-io/model/event.hpp"

namespace reprise::recorder {

class ChanceSends {
 public:
  using Place = std::uintptr_t;  // a return address; 0: none
  static constexpr std::uint64_t kWaiting = 256;

  explicit ChanceSends(bool is_enabled) : is_enabled_(is_enabled) {}

  bool is_enabled() const { return is_enabled_; }
  bool is_awaited(Place started_at) const {
    if (places_.empty()) [[likely]]
      return true;
    const auto found = places_.find(started_at);
    return found == places_.end() || found->second;
  }
  // One of the place's sends completed by chance. May throw std::bad_alloc.
  void found_by_chance(Place started_at) { places_.try_emplace(started_at, false); }
  // One of them was waited for.
  void waited_for(Place started_at) { places_[started_at] = true; }

  // The polls that are no calls of their own, of one procedure.
  struct Found {
    trace_io::SiteId site = trace_io::kNoSite;  // of the first one
    std::uint64_t polls = 0;
    std::vector<std::uint32_t> slots;  // of requests that have a number
  };
  Found by_test, by_test_all;

 private:
  bool is_enabled_;
  std::unordered_map<Place, bool> places_;  // whether its sends are waited for after all
};

}  // namespace reprise::recorder
