// SPDX-License-Identifier: MIT
// Who is in a communicator: mostly the ranks that mean it by an index of theirs, too.
#pragma once

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// The world ranks of all its groups that are among `recorded`. Values that are no ranks are left out; a group so large that it
// cannot be one has no members.
inline RankList members_of(const Communicator& communicator, const RankList& recorded) {
  constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 22;
  std::vector<Rank> members;
  for (const ValueSequence& group : communicator.groups) {
    if (group.size() > kMostRanks) continue;
    for (ValueSequence::Cursor cursor(group); !cursor.at_end();) {
      const std::int64_t rank = cursor.next();
      if (rank < 0 || rank >= static_cast<std::int64_t>(kMostRanks)) continue;
      if (recorded.contains(Rank{static_cast<std::int32_t>(rank)}))
        members.push_back(Rank{static_cast<std::int32_t>(rank)});
    }
  }
  return RankList::from_ranks(std::move(members));
}

}  // namespace reprise::trace_io
