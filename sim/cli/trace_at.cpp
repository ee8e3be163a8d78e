// SPDX-License-Identifier: MIT
// reprise trace at: which call each rank was in at a time, and in which iteration of which loops.
#include <algorithm>
#include <map>
#include <tuple>

#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/engine/compute/delta_player.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/iterations/main_loop.hpp"
#include "trace-io/timing_tree/timing_tree.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using nlohmann::ordered_json;
using trace_io::TimingTree;

constexpr const char* kFormats = "text|csv|json";

struct RankPlace {
  Rank rank;
  std::size_t thread = 0;
  double ends = 0;                         // seconds: of the rank's last call
  std::optional<TimingTree::Place> place;  // none: it had ended
};

double seconds(TimingTree::Ticks ticks) { return TimingTree::seconds(ticks).value; }

std::vector<RankPlace> places_at(const trace_io::Trace& trace, Seconds time,
                                 const std::vector<Rank>& ranks) {
  sim::DeltaPlayer mean(sim::Deltas::mean, 0);
  std::vector<RankPlace> places;
  for (const Rank rank : ranks)
    for (std::size_t thread = 0; thread < trace.threads.size(); ++thread) {
      sim::DeltaState state;
      state.rank = rank;
      const TimingTree tree(trace, thread, rank, [&](const trace_io::DeltaClass& delta) {
        return mean.play(delta, state);
      });
      if (thread > 0 && tree.total() == 0) continue;
      places.push_back({rank, thread, seconds(tree.total()), tree.at(TimingTree::ticks(time))});
    }
  return places;
}

bool is_computing(const TimingTree::Place& place, Seconds time) {
  return TimingTree::ticks(time) < place.enter;
}

std::string state_text(const RankPlace& one, Seconds time) {
  return !one.place ? "ended" : is_computing(*one.place, time) ? "computing" : "in the call";
}

// How long the rank had been computing, or in the call.
double since(const TimingTree::Place& place, Seconds time) {
  return seconds(TimingTree::ticks(time) - (is_computing(place, time) ? place.begin : place.enter));
}

std::string iteration_text(const trace_io::Trace& trace, const TimingTree::Iteration& one) {
  const std::string of = one.number < one.complete
                             ? grouped(one.number) + " of " + grouped(one.complete)
                             : grouped(one.number) + ", left in the middle,";
  return "iteration " + of + " of " + loop_text(trace, *one.loop);
}

// Ranks that are at one place, as a block of lines.
std::string as_text(const trace_io::Trace& trace, const std::vector<RankPlace>& places,
                    Seconds time, double end) {
  using Key = std::tuple<std::string, trace_io::SiteId, std::string>;
  std::map<Key, std::vector<const RankPlace*>> groups;
  std::vector<Key> order;
  for (const auto& one : places) {
    std::string loops;
    if (one.place)
      for (const auto& iteration : one.place->loops)
        loops += "  " + iteration_text(trace, iteration) + "\n";
    const Key key{state_text(one, time), one.place ? one.place->site : trace_io::kNoSite, loops};
    auto& group = groups[key];
    if (group.empty()) order.push_back(key);
    group.push_back(&one);
  }
  std::string text = seconds_text(time) + " of " + seconds_text(Seconds{end}) +
                     ", every time its mean; iterations are counted from 0\n";
  for (const Key& key : order) {
    const auto& group = groups[key];
    std::vector<Rank> ranks;
    double least = 0, most = 0;
    for (const auto* one : group) {
      if (ranks.empty() || ranks.back() != one->rank) ranks.push_back(one->rank);
      const double time_there = one->place ? since(*one->place, time) : time.value - one->ends;
      least = one == group.front() ? time_there : std::min(least, time_there);
      most = std::max(most, time_there);
    }
    const auto& [state, site, loops] = key;
    text += (ranks.size() == 1 ? "\nrank " : "\nranks ") +
            trace_io::RankList::from_ranks(ranks).text() + ": ";
    if (site == trace_io::kNoSite)
      text += "ended";
    else
      text += (state == "computing" ? "computing before " : "in ") + site_text(trace, site);
    text += ", for " + (least == most ? "" : formatted("%.9g to ", least)) +
            formatted("%.9g s\n", most) + loops;
  }
  return text;
}

ordered_json row_of(const trace_io::Trace& trace, const RankPlace& one, Seconds time) {
  const bool is_over = !one.place;
  const auto or_null = [&](double value) { return is_over ? ordered_json() : ordered_json(value); };
  const auto place = one.place.value_or(TimingTree::Place{});
  return {{"rank", one.rank.value},
          {"thread", one.thread},
          {"state", is_over                     ? "ended"
                    : is_computing(place, time) ? "compute"
                                                : "call"},
          {"site", is_over ? ordered_json() : ordered_json(place.site)},
          {"call", is_over ? ordered_json() : ordered_json(site_text(trace, place.site))},
          {"begin_s", or_null(seconds(place.begin))},
          {"enter_s", or_null(seconds(place.enter))},
          {"end_s", or_null(seconds(place.end))},
          {"for_s", is_over ? time.value - one.ends : since(place, time)},
          {"ends_s", one.ends}};
}

std::string as_csv(const trace_io::Trace& trace, const std::vector<RankPlace>& places,
                   Seconds time) {
  auto rows = ordered_json::array();
  for (const auto& one : places) {
    auto row = row_of(trace, one, time);
    std::string iterations;
    if (one.place)
      for (const auto& iteration : one.place->loops)
        iterations += (iterations.empty() ? "" : " ") + std::to_string(iteration.number);
    row["iterations"] = iterations;
    rows.push_back(std::move(row));
  }
  return csv_text(rows);
}

std::string as_json(const trace_io::Trace& trace, const std::vector<RankPlace>& places,
                    Seconds time, double end) {
  ordered_json answer = {
      {"format", 1}, {"time_s", time.value}, {"end_s", end}, {"ranks", ordered_json::array()}};
  for (const auto& one : places) {
    auto row = row_of(trace, one, time);
    row["loops"] = ordered_json::array();
    if (one.place)
      for (const auto& iteration : one.place->loops)
        row["loops"].push_back({{"loop", loop_text(trace, *iteration.loop)},
                                {"iteration", iteration.number},
                                {"iterations", iteration.complete}});
    answer["ranks"].push_back(std::move(row));
  }
  return json_text(answer);
}

std::vector<Rank> ranks_asked(const po::variables_map& values, const trace_io::Trace& trace) {
  if (values.count("rank") == 0) return trace.header.recorded.ranks();
  const Rank rank{static_cast<std::int32_t>(
      whole_number(values, "rank", 0, static_cast<std::uint64_t>(trace.header.ranks - 1)))};
  if (!trace.header.recorded.contains(rank))
    throw InputError("--rank", "rank " + std::to_string(rank.value) + " is not in the trace",
                     "it holds ranks " + trace.header.recorded.text());
  return {rank};
}

}  // namespace

int trace_at(const Arguments& arguments) {
  Syntax syntax{"trace at",
                "reprise trace at FILE TIME [OPTIONS]",
                "Which call each rank was in at a time, such as 12.5s, since it called MPI_Init: "
                "the call, the iterations of the\nloops around it, and for how long. Searched in "
                "the folded trace; every time is its mean on its path.",
                po::options_description("options"),
                {"FILE", "TIME"}};
  syntax.options.add_options()("rank", po::value<std::string>()->value_name("N"),
                               "of one rank only");
  add_output_options(syntax.options, kFormats);
  const auto values = parse(syntax, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, syntax.verb, kFormats);
  const auto path = required(*values, syntax.verb, "FILE");
  const Seconds time = parse_seconds(required(*values, syntax.verb, "TIME"), "TIME");
  const auto trace = trace_io::load(path);
  const auto places = places_at(trace, time, ranks_asked(*values, trace));
  double end = 0;
  for (const auto& one : places) end = std::max(end, one.ends);
  if (time.value >= end)
    throw InputError("TIME", to_text(time) + " is past the end",
                     "the calls of " + path + " are from 0 s up to " + formatted("%.9g s", end));
  write_output(*values, format == "csv"    ? as_csv(trace, places, time)
                        : format == "json" ? as_json(trace, places, time, end)
                                           : as_text(trace, places, time, end));
  return kDone;
}

}  // namespace reprise::cli
