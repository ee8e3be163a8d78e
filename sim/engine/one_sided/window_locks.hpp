// SPDX-License-Identifier: MIT
// Who holds and who waits for the locks of one window (MPI 3.1 §11.5.3).
//
// Rules   an exclusive lock of a member excludes every other lock of that member and all locks of lock_all; shared locks and those of
//         lock_all go together. Claims are granted in the order of their arrival: nobody passes somebody who waits for the same member,
//         and neither lock_all passes exclusive claims that wait, nor they it.
// Cost    O(log waiting) per claim and release.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

namespace reprise::sim {

class WindowLocks {
 public:
  static constexpr std::int32_t kAll = -1;
  struct Claim {
    std::uint32_t id = 0;     // the caller's
    std::int32_t member = 0;  // or kAll
    bool exclusive = false;
  };

  // Appends the ids of the claims that are granted by it, in the order of their arrival.
  void claim(const Claim&, std::vector<std::uint32_t>& granted);
  void release(std::int32_t member, bool exclusive, std::vector<std::uint32_t>& granted);

 private:
  struct Waiting {
    Claim claim;
    std::uint64_t number;
  };
  struct Member {
    std::int32_t shared = 0;
    bool exclusive = false;
    std::deque<Waiting> waiting;
  };
  bool settle(Member&, std::vector<std::uint32_t>& granted);
  bool grant_all(std::vector<std::uint32_t>& granted);

  std::map<std::int32_t, Member> members_;  // those that are or were locked
  std::deque<Waiting> waiting_for_all_;
  std::set<std::uint64_t> exclusive_waiting_;  // numbers
  std::set<std::int32_t> members_with_waiting_;
  std::int32_t all_held_ = 0, exclusive_held_ = 0;
  std::uint64_t next_number_ = 0;
};

}  // namespace reprise::sim
