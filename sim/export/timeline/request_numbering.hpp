// SPDX-License-Identifier: MIT
// The numbers of a rank's requests on a timeline: never used again, unlike the slots of a trace.
//
// Unknown  requests that were started before the first call that is seen, and persistent ones, have no number: −1.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "sim/export/timeline/timed_call.hpp"

namespace reprise::sim {

class RequestNumbering {
 public:
  // Sets `started`, `named` and `ended` of the rank's next call. Cost: a look-up for each request of the call.
  void number(TimedCall&);

 private:
  std::int64_t number_of(std::int64_t slot) const;

  std::unordered_map<std::int64_t, std::int64_t> numbers_;  // slot → number
  std::int64_t next_ = 0;
};

}  // namespace reprise::sim
