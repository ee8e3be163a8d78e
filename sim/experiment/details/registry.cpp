// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "sim/experiment/details/detail.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::sim {

#define X(detail) extern const Detail detail;
#include "sim/experiment/details/details.def"
#undef X

namespace {

constexpr auto kDetails = std::to_array<const Detail*>({
#define X(detail) &(detail),
#include "sim/experiment/details/details.def"
#undef X
});

std::vector<std::string> known_names() {
  std::vector<std::string> names;
  for (const Detail* detail : kDetails) names.emplace_back(detail->name);
  names.emplace_back("all");
  return names;
}

void ask(const Detail& detail, Details& asked) {
  if (std::find(asked.begin(), asked.end(), &detail) == asked.end()) asked.push_back(&detail);
}

}  // namespace

std::span<const Detail* const> all_details() { return kDetails; }

Details parse_details(const std::string& list) {
  Details asked;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    begin = end + 1;
    const auto found = std::find_if(kDetails.begin(), kDetails.end(),
                                    [&](const Detail* detail) { return name == detail->name; });
    if (found != kDetails.end()) {
      ask(**found, asked);
    } else if (name == "all") {
      for (const Detail* detail : kDetails) ask(*detail, asked);
    } else {
      const auto names = known_names();
      const auto nearest = nearest_word(name, names);
      std::string known;
      for (const auto& one : names) known += (known.empty() ? "" : ", ") + one;
      throw InputError("--details", "\"" + name + "\" is none of " + known,
                       nearest ? "did you mean \"" + *nearest + "\"?" : "");
    }
  }
  return asked;
}

std::string details_help() {
  std::string names, costs;
  for (const Detail* detail : kDetails) {
    names += (names.empty() ? "" : ", ") + std::string(detail->name);
    if (!detail->cost.empty())
      costs += (costs.empty() ? "; " : ", ") + std::string(detail->name) + " " +
               std::string(detail->cost);
  }
  return "further parts of the answer: " + names + " or all" + costs;
}

Details cheap_details() {
  Details details;
  for (const Detail* detail : kDetails)
    if (!detail->many_replays) details.push_back(detail);
  return details;
}

Watched watched_for(const Details& details) {
  Watched all;
  for (const Detail* detail : details) {
    all.calls |= detail->watched.calls;
    all.timeline |= detail->watched.timeline;
    all.traffic |= detail->watched.traffic;
    all.pairs |= detail->watched.pairs;
    all.iterations |= detail->watched.iterations;
    all.path |= detail->watched.path;
    all.slopes |= detail->watched.slopes;
    all.waits |= detail->watched.waits;
    all.delays |= detail->watched.delays;
  }
  return all;
}

}  // namespace reprise::sim
