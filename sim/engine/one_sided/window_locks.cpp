// SPDX-License-Identifier: MIT
#include "sim/engine/one_sided/window_locks.hpp"

#include <algorithm>

namespace reprise::sim {

void WindowLocks::claim(const Claim& claim, std::vector<std::uint32_t>& granted) {
  const Waiting waiting{claim, next_number_++};
  if (claim.member == kAll) {
    waiting_for_all_.push_back(waiting);
    grant_all(granted);
    return;
  }
  Member& member = members_[claim.member];
  if (claim.exclusive) exclusive_waiting_.insert(waiting.number);
  member.waiting.push_back(waiting);
  settle(member, granted);
  if (!member.waiting.empty()) members_with_waiting_.insert(claim.member);
}

void WindowLocks::release(std::int32_t target, bool exclusive,
                          std::vector<std::uint32_t>& granted) {
  if (target == kAll) {
    all_held_ = std::max(0, all_held_ - 1);
  } else {
    Member& member = members_[target];
    if (exclusive && member.exclusive) --exclusive_held_;
    if (exclusive)
      member.exclusive = false;
    else
      member.shared = std::max(0, member.shared - 1);
    settle(member, granted);
  }
  // What one grant makes possible may be anywhere: exclusive locks and those for all exclude each other.
  for (bool changed = true; changed;) {
    changed = grant_all(granted);
    for (auto entry = members_with_waiting_.begin(); entry != members_with_waiting_.end();) {
      Member& member = members_[*entry];
      changed = settle(member, granted) || changed;
      entry = member.waiting.empty() ? members_with_waiting_.erase(entry) : std::next(entry);
    }
  }
}

bool WindowLocks::settle(Member& member, std::vector<std::uint32_t>& granted) {
  bool changed = false;
  while (!member.waiting.empty() && !member.exclusive) {
    const auto [claim, number] = member.waiting.front();
    const bool behind_all = !waiting_for_all_.empty() && waiting_for_all_.front().number < number;
    if (claim.exclusive && (member.shared > 0 || all_held_ > 0 || behind_all)) break;
    if (claim.exclusive) {
      member.exclusive = true;
      ++exclusive_held_;
      exclusive_waiting_.erase(number);
    } else {
      ++member.shared;
    }
    member.waiting.pop_front();
    granted.push_back(claim.id);
    changed = true;
  }
  return changed;
}

bool WindowLocks::grant_all(std::vector<std::uint32_t>& granted) {
  bool changed = false;
  while (!waiting_for_all_.empty() && exclusive_held_ == 0) {
    const auto [claim, number] = waiting_for_all_.front();
    if (!exclusive_waiting_.empty() && *exclusive_waiting_.begin() < number) break;
    ++all_held_;
    waiting_for_all_.pop_front();
    granted.push_back(claim.id);
    changed = true;
  }
  return changed;
}

}  // namespace reprise::sim
