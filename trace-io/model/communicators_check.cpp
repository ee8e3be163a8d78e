// SPDX-License-Identifier: MIT
#include <algorithm>

#include "trace-io/base/error.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::trace_io {
namespace {

// The members, ascending.
std::vector<std::int32_t> checked_members(const ValueSequence& group, std::int32_t ranks,
                                          const std::string& where) {
  if (group.empty()) throw InputError(where, "a group has no members");
  if (group.size() > static_cast<std::uint64_t>(ranks))  // before anything is unrolled
    throw InputError(where, "a group has " + std::to_string(group.size()) +
                                " members, but the trace has " + std::to_string(ranks) + " ranks");
  std::vector<std::int32_t> members;
  members.reserve(group.size());
  for (ValueSequence::Cursor cursor(group); !cursor.at_end();) {
    const std::int64_t rank = cursor.next();
    if (rank < 0 || rank >= ranks)
      throw InputError(where, "member " + std::to_string(rank) + " is not one of the " +
                                  std::to_string(ranks) + " ranks of the trace");
    members.push_back(static_cast<std::int32_t>(rank));
  }
  std::sort(members.begin(), members.end());
  return members;
}

// All members, ascending.
std::vector<std::int32_t> check_definition(const Communicator& communicator, std::int32_t ranks,
                                           const std::string& where) {
  const auto& groups = communicator.groups;
  if (groups.empty() || groups.size() > 2)
    throw InputError(where, "it has " + std::to_string(groups.size()) + " groups",
                     "a communicator has one group, an intercommunicator two");
  std::vector<std::int32_t> all = checked_members(groups[0], ranks, where);
  if (groups.size() == 2) {
    const std::vector<std::int32_t> remote = checked_members(groups[1], ranks, where);
    if (remote.front() < all.front())
      throw InputError(where, "group 1 has the lowest rank, " + std::to_string(remote.front()),
                       "the group with the lowest rank comes first");
    all.insert(all.end(), remote.begin(), remote.end());
    std::sort(all.begin(), all.end());
  }
  const auto twice = std::adjacent_find(all.begin(), all.end());
  if (twice != all.end())
    throw InputError(where, "rank " + std::to_string(*twice) + " is a member twice");
  return all;
}

}  // namespace

void check_communicators(const Trace& trace, const std::string& where) {
  std::vector<RankList> members;
  for (std::size_t i = 0; i < trace.communicators.size(); ++i) {
    const auto all = check_definition(trace.communicators[i], trace.header.ranks,
                                      where + ": communicator " + std::to_string(i));
    std::vector<Rank> ranks(all.size());
    std::transform(all.begin(), all.end(), ranks.begin(),
                   [](std::int32_t rank) { return Rank{rank}; });
    members.push_back(RankList::from_ranks(std::move(ranks)));
  }
  for (std::size_t i = 0; i < trace.communicator_indices.size(); ++i) {
    const std::string place = where + ": communicator index " +
                              std::to_string(i + static_cast<std::size_t>(kFirstOwnIndex));
    std::vector<Rank> users;
    for (const CommunicatorUse& use : trace.communicator_indices[i]) {
      if (use.communicator >= members.size())
        throw InputError(place, "communicator " + std::to_string(use.communicator) +
                                    " is not one of the " + std::to_string(members.size()) +
                                    " that are defined");
      const RankList strangers = use.ranks.minus(members[use.communicator]);
      if (!strangers.empty())
        throw InputError(place, "rank " + std::to_string(strangers.front().value) +
                                    " is not a member of communicator " +
                                    std::to_string(use.communicator));
      const auto ranks = use.ranks.ranks();
      users.insert(users.end(), ranks.begin(), ranks.end());
    }
    std::sort(users.begin(), users.end());
    const auto twice = std::adjacent_find(users.begin(), users.end());
    if (twice != users.end())
      throw InputError(place, "rank " + std::to_string(twice->value) + " has it twice");
  }
}

}  // namespace reprise::trace_io
