// SPDX-License-Identifier: MIT
#include "sim/comparison/renamed_waiting.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

constexpr double kCancels = 0.5;    // the smaller change, of the larger one
constexpr double kSameRanks = 0.5;  // of the smaller change
constexpr double kMatters = 0.01;   // of all waiting

// What changes from A to B.
struct Changes {
  std::map<std::string, double> by_state;
  std::map<std::int64_t, RenamedWaiting> by_rank;
  double waiting[2] = {0, 0};
};

void add(Changes& changes, const ordered_json& wait_states, int side) {
  const double sign = side == 0 ? -1 : 1;
  for (const auto& row : wait_states["by_rank"]) {
    std::string state = row.value("state", "");
    if (state.starts_with("late sender")) state = "late sender";
    const double seconds = row.value("seconds", 0.0);
    changes.waiting[side] += seconds;
    changes.by_state[state] += sign * seconds;
    RenamedWaiting& rank = changes.by_rank[row.value("rank", std::int64_t{0})];
    if (state == "late sender") rank.late_sender_s += sign * seconds;
    if (state == "late receiver") rank.late_receiver_s += sign * seconds;
  }
}

double smaller(const RenamedWaiting& one) {
  if (one.late_receiver_s * one.late_sender_s >= 0) return 0;
  return std::min(std::abs(one.late_receiver_s), std::abs(one.late_sender_s));
}

}  // namespace

std::optional<RenamedWaiting> renamed_waiting(const ordered_json& a, const ordered_json& b) {
  Changes changes;
  for (const int side : {0, 1}) {
    const ordered_json& answer = side == 0 ? a : b;
    const auto found = answer.find("wait_states");
    if (found == answer.end() || !found->contains("by_rank")) return std::nullopt;
    add(changes, *found, side);
  }
  const RenamedWaiting all{changes.by_state["late receiver"], changes.by_state["late sender"]};
  const double least = smaller(all);
  if (least <= kMatters * std::max(changes.waiting[0], changes.waiting[1])) return std::nullopt;
  if (least < kCancels * std::max(std::abs(all.late_receiver_s), std::abs(all.late_sender_s)))
    return std::nullopt;
  for (const auto& [state, change] : changes.by_state)
    if (state != "late receiver" && state != "late sender" && std::abs(change) > least)
      return std::nullopt;
  double on_same_ranks = 0;
  for (const auto& [rank, its] : changes.by_rank)
    if (its.late_receiver_s * all.late_receiver_s > 0) on_same_ranks += smaller(its);
  if (on_same_ranks < kSameRanks * least) return std::nullopt;
  return all;
}

}  // namespace reprise::sim
