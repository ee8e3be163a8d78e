// SPDX-License-Identifier: MIT
// What ranks wait for, in Scalasca's terms (Geimer, Wolf, Wylie, Ábrahám, Becker, Mohr, "The Scalasca performance toolset architecture",
// CCPE 22(6), 2010; its pattern documentation has the definitions).
//
// Waits      those of the outcome (sim/outcome.hpp), each put under one name, so that a rank's states add up to its wait.
//   late sender            a receive waits until the send is called
//   wrong order            the same, while a message that was sent before is there and not asked for
//   late receiver          a rendezvous send waits until the receive is posted
//   wait at barrier, N×N   until the last member has entered; the rest of the waiting in the call is the completion
//   early reduce           the root waits until the first of the others has entered
//   late broadcast         others than the root wait until the root has entered (also scatter)
//   early scan             a member waits until the last of those before it has entered
//   late post, early wait  Win_start until the windows are posted, Win_wait until the accesses are complete
//   wait at fence          in fences, and where windows are made and freed
//   lock contention        until a lock is free
//   storage                members of a collective access, until all have come
//   within collective      the waiting of collectives that is none of these: for what other members do in its rounds
//   other                  what is left
// Cost      where somebody asks: a look-up a wait, a time for each member of a collective under way. Else nothing.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::sim {

enum class WaitState : std::uint8_t {
  late_sender,
  wrong_order,
  late_receiver,
  at_barrier,
  barrier_completion,
  at_all_to_all,
  all_to_all_completion,
  early_reduce,
  late_broadcast,
  early_scan,
  late_post,
  early_wait,
  at_fence,
  lock_contention,
  storage,
  within_collective,
  other,
};
inline constexpr std::array<std::string_view, 17> kWaitStateNames{"late sender",
                                                                  "late sender, wrong order",
                                                                  "late receiver",
                                                                  "wait at barrier",
                                                                  "barrier completion",
                                                                  "wait at N×N",
                                                                  "N×N completion",
                                                                  "early reduce",
                                                                  "late broadcast",
                                                                  "early scan",
                                                                  "late post",
                                                                  "early wait",
                                                                  "wait at fence",
                                                                  "lock contention",
                                                                  "storage",
                                                                  "within collective",
                                                                  "other"};
inline std::string_view name_of(WaitState state) {
  return kWaitStateNames[static_cast<std::size_t>(state)];
}

class WaitStates {
 public:
  struct Key {
    std::int32_t rank = 0;
    trace_io::SiteId site = trace_io::kNoSite;
    WaitState state = WaitState::other;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  using Accounts = std::map<Key, double>;  // seconds

  // Where a member of a collective stands.
  struct Entry {
    std::uint32_t context = 0, sequence = 0;
    std::int32_t member = 0, members = 0;
    std::int32_t root = -1;  // as `member` counts
    trace_io::Collective operation = trace_io::Collective::none;
    bool is_fence = false;  // of a window
  };

  void begin() {
    accounts_.clear();
    runs_.clear();
    calls_.clear();
    requests_.clear();
  }
  void add(std::int32_t rank, trace_io::SiteId site, WaitState state, double seconds) {
    if (seconds > 0) accounts_[{rank, site, state}] += seconds;
  }
  // A member's run of a collective: entered at AT, waited, left by RANK at SITE.
  void enter(std::uint32_t run, const Entry& entry, double at);
  void step(std::uint32_t run, double from, double seconds);
  void leave(std::uint32_t run, std::int32_t rank, trace_io::SiteId site);
  // It goes on beside its rank, which will wait for the request.
  void leave_to(std::uint32_t run, std::uint32_t request);
  WaitState state_of(std::uint32_t request) const;
  // A receive has met a message while one that was sent earlier was there.
  void mark_wrong_order(std::uint32_t request) { requests_[request] = WaitState::wrong_order; }
  void forget(std::uint32_t request) { requests_.erase(request); }

  const Accounts& accounts() const { return accounts_; }

 private:
  struct Call {
    std::vector<double> entered;  // by member; below 0: not yet
    std::int32_t left = 0;
  };
  struct Run {
    Entry entry;
    std::vector<std::pair<double, double>> waits;  // from, seconds
  };
  using CallKey = std::pair<std::uint32_t, std::uint32_t>;
  // Until when the waiting is for others to enter, and what it is called until and from then.
  std::tuple<double, WaitState, WaitState> split(const Entry&, const Call&) const;
  void over(const Entry&);

  Accounts accounts_;
  std::vector<Run> runs_;
  std::map<CallKey, Call> calls_;
  std::map<std::uint32_t, WaitState> requests_;
};

}  // namespace reprise::sim
