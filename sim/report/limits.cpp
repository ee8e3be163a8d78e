// SPDX-License-Identifier: MIT
// What limits a point's run, in words: by POP's factors, and what moving data spends its time on.
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "sim/report/number_text.hpp"
#include "sim/report/study_view.hpp"

namespace reprise::sim::report {

using nlohmann::ordered_json;

namespace {

// The link with a bandwidth of its own on which most of what CAUSE takes is spent: ", on the link level 1 down of node 5"; empty where there is none.
std::string link_text(const ordered_json& parts, const std::set<std::string_view>& cause,
                      double whole) {
  std::map<std::pair<std::string, std::string>, double> links;
  for (const auto& part : parts)
    if (const std::string link = part.value("link", "");
        !link.empty() && cause.contains(text_of(part, "part")))
      links[{part.value("where", ""), link}] += number_at(part, "seconds");
  for (const auto& [link, seconds] : links)
    if (seconds > whole / 2) return ", on the link " + link.first + " of " + link.second;
  return "";
}

// What moving data spends most of the critical path on: ", mostly MPI overhead: 66 % of the critical path"; empty where the path is not known.
std::string moving_text(const PointView& point) {
  if (point.path == nullptr) return "";
  struct Cause {
    const char* name;
    std::set<std::string_view> parts;
    double seconds = 0;
  };
  Cause causes[] = {
      {"MPI overhead",
       {"send overhead", "receive overhead", "copy", "cold caches", "combine", "acknowledgement"}},
      {"latency", {"latency", "handshake"}},
      {"bandwidth", {"transfer"}},
      {"links that messages share", {"sharing or queueing"}},
      {"storage", {"storage"}}};
  for (const auto& part : part_of(*point.path, "parts"))
    for (Cause& cause : causes)
      if (cause.parts.contains(text_of(part, "part"))) cause.seconds += number_at(part, "seconds");
  const Cause* most = std::ranges::max_element(causes, {}, &Cause::seconds);
  const double whole = number_at(*point.path, "time_s");
  if (most->seconds <= 0 || whole <= 0) return "";
  return std::string(", mostly ") + most->name + ": " + percent(most->seconds / whole) +
         " of the critical path" +
         link_text(part_of(*point.path, "parts"), most->parts, most->seconds) +
         (point.recordings > 1 ? " of recording 1" : "");
}

// What computing is at the pace of.
std::string computing_of(const PointView& point) {
  if (point.at_memory <= 0.5 * point.compute) return "computing";
  return "memory bandwidth: " + percent(point.at_memory / point.compute) +
         " of the computing is limited by it, and computing";
}

}  // namespace

namespace {

struct Limit {
  std::string cause, evidence;  // "uneven work between ranks", "load balance 71 %"
  bool is_of_messages = false, is_moving = false;
};

// POP's factors of the parallel efficiency: the smallest names the cause. Without the replay on an ideal network that serialisation and transfer
// need, the run less the mean time of communicating stands for it, so that both name the same cause but where two are about equal.
struct PopFactors {
  double parallel, load_balance, serialisation, transfer;
};

PopFactors factors_of(const PointView& point) {
  if (point.efficiencies != nullptr) {
    const auto& e = *point.efficiencies;
    return {number_at(e, "parallel"), number_at(e, "load_balance"), number_at(e, "serialisation"),
            number_at(e, "transfer")};
  }
  const double whole = point.compute + point.communication + point.wait;
  const double ideal = whole - point.communication;
  const double most = point.load_balance > 0 ? point.compute / point.load_balance : point.compute;
  return {point.compute / whole, point.load_balance, ideal > 0 ? std::min(1.0, most / ideal) : 1,
          ideal / whole};
}

Limit limit_at(const PointView& point) {
  const double whole = point.compute + point.communication + point.wait;
  if (point.efficiencies == nullptr && whole <= 0) return {};
  const PopFactors factors = factors_of(point);
  const auto evidence = [&](const char* name, double efficiency, double time) {
    return point.efficiencies != nullptr ? name + (" " + percent(efficiency))
                                         : percent(time / whole) + " of the time";
  };
  // The share that the row has as well; the efficiency is that of the run time, to which ranks that end early do not compute.
  if (factors.parallel >= 0.9)
    return {computing_of(point),
            percent(whole > 0 ? point.compute / whole : factors.parallel) + " of the time"};
  if (factors.load_balance <= factors.serialisation && factors.load_balance <= factors.transfer)
    return {"uneven work between ranks", "load balance " + percent(factors.load_balance)};
  if (factors.serialisation <= factors.transfer)
    return {"ranks waiting for one another",
            evidence("serialisation efficiency", factors.serialisation, point.wait), true};
  return {"moving data", evidence("transfer efficiency", factors.transfer, point.communication),
          true, true};
}

// Where ranks compute for two thirds of the time, what messages and waiting could give back is the lesser part: "computing (88 % of the time), then ".
// Not of uneven work, which is computing itself.
std::string computing_before(const PointView& point, const Limit& limit) {
  const double whole = point.compute + point.communication + point.wait;
  if (!limit.is_of_messages || whole <= 0 || point.compute < 2 * whole / 3) return "";
  return computing_of(point) + " (" + percent(point.compute / whole) + " of the time), then ";
}

// Of the recordings that something else limits than their mean: "; recordings 2 and 4 alone by moving data".
std::string other_limits(const PointView& point, const std::string& cause) {
  std::map<std::string, std::vector<std::string>> others;
  for (const auto& one : part_of(*point.json, "by_recording")) {
    PointView alone;
    alone.compute = number_at(one, "compute_s");
    alone.communication = number_at(one, "communication_s");
    alone.wait = number_at(one, "wait_s");
    alone.load_balance = number_at(one, "load_balance", 1);
    alone.at_memory = number_at(part_of(one, "memory"), "time_s");
    alone.efficiencies = find(one, "efficiencies");
    const Limit limit = limit_at(alone);
    // Numbers in the cause, of memory bandwidth, differ from recording to recording.
    if (limit.cause.substr(0, limit.cause.find(':')) != cause.substr(0, cause.find(':')))
      others[limit.cause].push_back(text_of(one, "recording"));
  }
  std::string text;
  for (const auto& [other, numbers] : others) {
    text += numbers.size() == 1 ? "; recording " : "; recordings ";
    for (std::size_t i = 0; i < numbers.size(); ++i)
      text += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + numbers[i];
    text += " alone by " + other;
  }
  return text;
}

}  // namespace

// Of several recordings in their mean, with those that something else limits.
std::string limit_of(const PointView& point) {
  if (!point.is_done) return "";
  const Limit limit = limit_at(point);
  if (limit.cause.empty()) return "";
  std::string text = computing_before(point, limit) + limit.cause + " (" + limit.evidence + ")";
  if (limit.is_moving) text += moving_text(point);
  if (point.recordings < 2) return text;
  return text + ", in the mean of " + counted(point.recordings, "recording") +
         other_limits(point, limit.cause);
}

}  // namespace reprise::sim::report
