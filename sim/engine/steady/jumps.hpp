// SPDX-License-Identifier: MIT
// Who leaves out iterations now: of loops inside each other, and of two ways of watching one loop.
#pragma once

#include <cstdint>

namespace reprise::sim {

struct Jumps {
  std::uint64_t made = 0;       // by ranks
  std::uint64_t under_way = 0;  // ranks that have yet to make one that has been decided
  bool is_taping = false;       // a period must be replayed as it is, the loops inside it included
  bool may_begin() const { return under_way == 0 && !is_taping; }
};

}  // namespace reprise::sim
