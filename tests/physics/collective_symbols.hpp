// SPDX-License-Identifier: MIT
// Executes collective schedules on symbols instead of time: who ends up with what.
//
// A block's content is the set of items reduced into it. Sends are synchronous (a round ends when its messages have been received),
// the strictest reading of the schedule: what ends here ends with every protocol. Checked on the way: both sides of a message
// agree on bytes and blocks, its bytes are those of its blocks, nothing is combined twice, nothing is received that is there already
// (unless `may_repeat`), nothing is left over, everyone comes to the end. What a round's steps
// combine is combined in their order.
#pragma once

#include <string>
#include <vector>

#include "sim/collectives/schedule.hpp"

namespace reprise::test {

using Content = std::vector<int>;  // ascending

struct Party {
  sim::CollectiveCall call;
  std::vector<Content> input, work;  // by block
  std::vector<std::uint64_t>
      block_bytes;  // of the work blocks, where a message's bytes must be its blocks'
  int group_begin = 0,
      other_begin = 0;  // of the own and of the remote group, in the list of parties
};

// Empty where the execution went well, else what went wrong first.
std::string execute(const sim::Algorithm&, std::vector<Party>&, bool in_order = false,
                    bool may_repeat = false);

// n members of one communicator, each with `call` and `blocks` empty blocks in input and work.
std::vector<Party> members(int n, const sim::CollectiveCall& call, int blocks);
Content up_to(int n);  // 0 … n−1

}  // namespace reprise::test
