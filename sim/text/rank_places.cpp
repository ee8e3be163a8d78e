// SPDX-License-Identifier: MIT
#include "sim/text/rank_places.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/text/numbers.hpp"
#include "trace-io/iterations/main_loop.hpp"

namespace reprise {
namespace {

using nlohmann::ordered_json;

std::string state_of(const RankPlace& one) {
  return !one.call ? "ended" : one.call->is_computing ? "compute" : "call";
}

double so_long(const RankPlace& one, double time) {
  return one.call ? one.call->for_so_long : time - one.ends;
}

// Of nested loops that begin with the same call: which one it is.
std::string level_text(const trace_io::Trace& trace, const std::vector<RankPlace::Iteration>& loops,
                       std::size_t at) {
  const std::string name = loop_text(trace, *loops[at].loop);
  const auto is_named = [&](const auto& one) { return loop_text(trace, *one.loop) == name; };
  const auto alike = std::count_if(loops.begin(), loops.end(), is_named);
  if (alike < 2) return "";
  const auto before =
      std::count_if(loops.begin(), loops.begin() + static_cast<std::ptrdiff_t>(at), is_named);
  return before == 0 ? " (outer)" : before + 1 == alike ? " (inner)" : " (middle)";
}

std::string iteration_text(const trace_io::Trace& trace, const RankPlace::Iteration& one) {
  const std::string of = one.number < one.complete
                             ? grouped(one.number) + " of " + grouped(one.complete)
                             : grouped(one.number) + ", left in the middle,";
  return "iteration " + of + " of " + loop_text(trace, *one.loop);
}

std::string what_text(const trace_io::Trace& trace, const RankPlace& one) {
  if (!one.call) return "ended";
  return (one.call->is_computing ? "computing before " : "in ") + site_text(trace, one.call->site) +
         (!one.call->never_ends    ? ""
          : one.call->is_computing ? ", which never ends: a deadlock"
                                   : ", forever: a deadlock");
}

ordered_json row_of(const trace_io::Trace& trace, const RankPlace& one, double time) {
  const auto of_call = [&](const auto& value) {
    return one.call ? ordered_json(value(*one.call)) : ordered_json();
  };
  using Call = RankPlace::Call;
  return {{"rank", one.rank.value},
          {"thread", one.thread},
          {"state", state_of(one)},
          {"site", of_call([](const Call& call) { return call.site; })},
          {"call", of_call([&](const Call& call) { return site_text(trace, call.site); })},
          {"begin_s", of_call([](const Call& call) { return call.begin; })},
          {"enter_s", of_call([](const Call& call) { return call.enter; })},
          {"end_s", of_call([](const Call& call) { return call.end; })},
          {"for_s", so_long(one, time)},
          {"ends_s", one.ends}};
}

}  // namespace

std::string places_text(const trace_io::Trace& trace, const std::vector<RankPlace>& places,
                        double time) {
  using Key = std::pair<std::string, std::string>;
  std::map<Key, std::vector<const RankPlace*>> groups;
  std::vector<Key> order;
  for (const RankPlace& one : places) {
    std::string loops;
    if (one.call)
      for (std::size_t i = 0; i < one.call->loops.size(); ++i)
        loops += "  " + iteration_text(trace, one.call->loops[i]) +
                 level_text(trace, one.call->loops, i) + "\n";
    const Key key{what_text(trace, one), loops};
    auto& group = groups[key];
    if (group.empty()) order.push_back(key);
    group.push_back(&one);
  }
  std::string text;
  for (const Key& key : order) {
    const auto& group = groups[key];
    std::vector<Rank> ranks;
    double least = so_long(*group.front(), time), most = least;
    for (const RankPlace* one : group) {
      if (ranks.empty() || ranks.back() != one->rank) ranks.push_back(one->rank);
      least = std::min(least, so_long(*one, time));
      most = std::max(most, so_long(*one, time));
    }
    text += (ranks.size() == 1 ? "\nrank " : "\nranks ") +
            trace_io::RankList::from_ranks(ranks).text() + ": " + key.first + ", for " +
            (least == most ? "" : duration_text(Seconds{least}) + " to ") +
            duration_text(Seconds{most}) + "\n" + key.second;
  }
  return text;
}

ordered_json places_rows(const trace_io::Trace& trace, const std::vector<RankPlace>& places,
                         double time) {
  auto rows = ordered_json::array();
  for (const RankPlace& one : places) {
    auto row = row_of(trace, one, time);
    std::string iterations;
    if (one.call)
      for (const auto& iteration : one.call->loops)
        iterations += (iterations.empty() ? "" : " ") + std::to_string(iteration.number);
    row["iterations"] = iterations;
    rows.push_back(std::move(row));
  }
  return rows;
}

ordered_json places_json(const trace_io::Trace& trace, const std::vector<RankPlace>& places,
                         double time) {
  auto rows = ordered_json::array();
  for (const RankPlace& one : places) {
    auto row = row_of(trace, one, time);
    if (one.call && one.call->never_ends) row["never_ends"] = true;
    row["loops"] = ordered_json::array();
    if (one.call)
      for (const auto& iteration : one.call->loops)
        row["loops"].push_back({{"loop", loop_text(trace, *iteration.loop)},
                                {"iteration", iteration.number},
                                {"iterations", iteration.complete}});
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace reprise
