// SPDX-License-Identifier: MIT
// Whether everything that was sent has been received, told by one number: what a send adds its receive takes away again.
//
// A term is a 64-bit mix of who, to whom, where and with what tag, so that sums cancel by chance once in 2⁶⁴. Wildcards have no
// such term and leave a balance that does not come out even.
#pragma once

#include <cstdint>

#include "sim/counter_random.hpp"
#include "sim/engine/loop/request.hpp"

namespace reprise::sim {

inline std::uint64_t message_term(std::int32_t from, std::int32_t to, Context context,
                                  std::int32_t tag) {
  const auto word = [](std::int32_t high, std::uint32_t low) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 | low;
  };
  return mixed(word(from, static_cast<std::uint32_t>(to)) * 0x2545f4914f6cdd1du ^
               word(tag, context.value));
}

// Of one member's entry into a collective of so many members: over all members the terms cancel.
inline std::uint64_t collective_term(std::uint32_t communicator, bool is_first_member,
                                     std::int32_t members) {
  const std::uint64_t term = mixed(~std::uint64_t{communicator});
  return is_first_member ? term * static_cast<std::uint64_t>(1 - static_cast<std::int64_t>(members))
                         : term;
}

}  // namespace reprise::sim
