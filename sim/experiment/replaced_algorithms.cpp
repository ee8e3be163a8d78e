// SPDX-License-Identifier: MIT
#include "sim/experiment/replaced_algorithms.hpp"

#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using Replaced = platforms::SettingsUse::Replaced;

std::string calls_text(const Replaced& one, bool is_forwarded) {
  const std::string all = counted(one.of_calls, "call");
  if (one.calls == one.of_calls)
    return is_forwarded ? "all calls" : one.calls == 1 ? "its only call" : "all " + all;
  return grouped(one.calls) + " of " + all + (is_forwarded ? " that were not fast-forwarded" : "");
}

}  // namespace

std::vector<std::string> describe_replaced(const Outcome& outcome) {
  const bool is_forwarded = outcome.forwarded.skipped_iterations > 0;
  std::vector<std::string> texts;
  for (const Replaced& one : outcome.used.replaced)
    texts.push_back("/mpi/collectives/" + one.operation + ": " + one.asked + " was asked for, " +
                    one.played + " was played in " + calls_text(one, is_forwarded) + " (" +
                    one.reason + ")" +
                    (one.library.empty() ? "" : ", as " + one.library + " does"));
  return texts;
}

void add_replaced(nlohmann::ordered_json& json, const Outcome& outcome) {
  if (outcome.used.replaced.empty()) return;
  auto rows = nlohmann::ordered_json::array();
  for (const Replaced& one : outcome.used.replaced)
    rows.push_back({{"operation", one.operation},
                    {"asked", one.asked},
                    {"played", one.played},
                    {"reason", one.reason},
                    {"calls", one.calls},
                    {"of_calls", one.of_calls}});
  json["replaced_algorithms"] = std::move(rows);
}

}  // namespace reprise::sim
