// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>

#include "sim/answers/answer.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

ordered_json efficiencies_json(const Efficiencies& e) {
  return {{"parallel", e.parallel},           {"load_balance", e.load_balance},
          {"communication", e.communication}, {"serialisation", e.serialisation},
          {"transfer", e.transfer},           {"ideal_network_time_s", e.ideal_time.value}};
}

ordered_json links_json(const std::vector<LinkClassUse>& classes) {
  auto rows = ordered_json::array();
  for (const auto& use : classes)
    rows.push_back({{"name", use.name},
                    {"busy_share", use.busy_share},
                    {"mean_busy_share", use.mean_busy_share},
                    {"bytes", static_cast<std::uint64_t>(use.bytes)},
                    {"links", use.links},
                    {"used_links", use.used_links}});
  return rows;
}

ordered_json sensitivities_json(const std::vector<Sensitivity>& all) {
  auto rows = ordered_json::array();
  for (const auto& one : all) {
    ordered_json row = {{"parameter", name_of(one.parameter)},
                        {"elasticity", one.elasticity},
                        {"uncertainty", one.uncertainty},
                        {"costs_5_percent_at", nullptr}};
    if (one.costs_5_percent_at) row["costs_5_percent_at"] = *one.costs_5_percent_at;
    rows.push_back(std::move(row));
  }
  return rows;
}

ordered_json call_sites_json(const std::vector<CallSiteUse>& uses) {
  auto rows = ordered_json::array();
  for (const auto& use : uses) {
    const CallAccount& a = use.account;
    rows.push_back({{"site", use.site},
                    {"procedure", use.procedure},
                    {"place", use.place},
                    {"ranks", use.ranks},
                    {"calls", a.calls},
                    {"bytes", a.bytes},
                    {"compute_s", a.compute},
                    {"communication_s", a.in_mpi - a.wait},
                    {"wait_s", a.wait},
                    {"shortest_s", a.shortest},
                    {"longest_s", a.longest}});
  }
  return rows;
}

// VALUES as rows of WIDTH.
template <class Values, class Number>
ordered_json rows_of(const Values& values, std::size_t width, Number number) {
  auto rows = ordered_json::array();
  for (std::size_t first = 0; first < values.size(); first += width) {
    auto row = ordered_json::array();
    for (std::size_t i = first; i < first + width; ++i) row.push_back(number(values[i]));
    rows.push_back(std::move(row));
  }
  return rows;
}

ordered_json matrix_json(const TrafficMatrix& matrix) {
  const std::size_t size = matrix.first_ranks.size() - 1;
  const auto as_is = [](std::uint64_t value) { return value; };
  return {{"first_ranks", matrix.first_ranks},
          {"bytes", rows_of(matrix.bytes, size, as_is)},
          {"messages", rows_of(matrix.messages, size, as_is)}};
}

ordered_json timeline_json(const TimeLine& line) {
  // Four decimals are more than a picture shows, and keep the answer small.
  const auto rounded = [](double share) { return std::round(share * 1e4) / 1e4; };
  using Share = TimeBins::Share;
  return {
      {"bin_s", line.bin.value},
      {"first_ranks", line.first_ranks},
      {"compute",
       rows_of(line.shares, line.bins, [&](const Share& s) { return rounded(s.compute); })},
      {"communication",
       rows_of(line.shares, line.bins, [&](const Share& s) { return rounded(s.communication); })},
      {"wait", rows_of(line.shares, line.bins, [&](const Share& s) { return rounded(s.wait); })}};
}

}  // namespace

ordered_json to_json(const Answer& answer) {
  auto json = ordered_json::object();
  if (answer.efficiencies) json["efficiencies"] = efficiencies_json(*answer.efficiencies);
  if (answer.link_classes) json["link_classes"] = links_json(*answer.link_classes);
  if (answer.sensitivities) json["sensitivities"] = sensitivities_json(*answer.sensitivities);
  if (answer.call_sites) json["call_sites"] = call_sites_json(*answer.call_sites);
  if (answer.matrix) json["matrix"] = matrix_json(*answer.matrix);
  if (answer.timeline) json["timeline"] = timeline_json(*answer.timeline);
  return json;
}

}  // namespace reprise::sim
