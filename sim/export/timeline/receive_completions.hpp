// SPDX-License-Identifier: MIT
// When the program learns that a message has come: at the end of the call that completes its receive, which may be long after it came.
//
// Paraver's physical receive is that time: readers look for it in a call that receives or waits (prv2dim leaves the wait out otherwise).
// Cost  of a call: O(1) and a look-up; of a message O(log) of a rank's receives; 32 bytes a receive.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/export/timeline/timed_call.hpp"

namespace reprise::sim {

class ReceiveCompletions {
 public:
  explicit ReceiveCompletions(std::size_t ranks) : sides_(ranks) {}

  // A rank's calls in their order, their requests numbered.
  void call(Rank, const TimedCall&);
  // Of a message, whose receive was posted then: ns; when it came where no call seen completes it.
  // REQUIRES: all calls were told. Each receive is given out once.
  std::int64_t of(const TimedMessage&);

 private:
  struct Receive {
    std::int64_t tag = 0, completed = 0;
    bool is_taken = false;
  };
  struct Side {
    std::multimap<std::int64_t, Receive> receives;  // by when they were posted
    std::map<std::int64_t, std::multimap<std::int64_t, Receive>::iterator> open;  // by request
  };
  std::vector<Side> sides_;
};

}  // namespace reprise::sim
