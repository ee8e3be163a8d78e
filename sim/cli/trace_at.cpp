// SPDX-License-Identifier: MIT
// reprise trace at: which call each rank was in at a time, and in which iteration of which loops.
#include <algorithm>

#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/engine/deltas/delta_player.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/rank_places.hpp"
#include "sim/text/recorded_time.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/end_groups.hpp"
#include "trace-io/timing_tree/run_begin.hpp"
#include "trace-io/timing_tree/timing_tree.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using trace_io::TimingTree;

constexpr const char* kAtFormats = "text|csv|json";

double seconds(TimingTree::Ticks ticks) { return TimingTree::seconds(ticks).value; }

// TIME and ORIGIN, where the rank's run begins, by the tree.
RankPlace::Call call_of(const TimingTree::Place& place, TimingTree::Ticks time,
                        TimingTree::Ticks origin) {
  RankPlace::Call call;
  call.site = place.site;
  call.begin = seconds(place.begin - origin);
  call.enter = seconds(place.enter - origin);
  call.end = seconds(place.end - origin);
  call.is_computing = time < place.enter;
  call.for_so_long = seconds(time - (call.is_computing ? place.begin : place.enter));
  for (const auto& one : place.loops) call.loops.push_back({one.loop, one.number, one.complete});
  return call;
}

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
      RankPlace& one = places.emplace_back();
      one.rank = rank;
      one.thread = thread;
      const TimingTree::Ticks origin = trace_io::run_begin(trace, tree);
      one.ends = seconds(tree.total() - origin);
      if (const auto place = tree.at(TimingTree::ticks(time) + origin))
        one.call = call_of(*place, TimingTree::ticks(time) + origin, origin);
    }
  return places;
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

std::string at_text(const trace_io::Trace& trace, const std::vector<RankPlace>& places,
                    Seconds time, Seconds end) {
  std::string note = means_over_ranks_note(trace.header, end);
  if (note.empty()) note = recorded_time_note(trace, end);
  return seconds_text(time) + " of " + seconds_text(end) +
         ", every time its mean; iterations are counted from 0\n" +
         (note.empty() ? "" : "note: " + note + "\n") + places_text(trace, places, time.value);
}

// Up to when there are calls, and what ranks were in then.
std::string span_text(const trace_io::Trace& trace, const std::string& path, double end) {
  std::string text = "the calls of " + path + " are from 0 s up to " + formatted("%.9g s", end);
  for (const std::string& one : trace_io::end_texts(trace)) text += "; " + one;
  return text;
}

}  // namespace

int trace_at(const Arguments& arguments) {
  Syntax syntax{"trace at",
                "reprise trace at FILE TIME [OPTIONS]",
                "Shows which call each rank was in at a time, such as 12.5s after its "
                "MPI_Init: the call, the iterations of the\nenclosing loops, and for how long. "
                "Searches the folded trace; every time is the mean on its path.",
                po::options_description("options"),
                {"FILE", "TIME"}};
  syntax.options.add_options()("rank", po::value<std::string>()->value_name("N"), "this rank only");
  add_output_options(syntax.options, kAtFormats);
  const auto values = parse(syntax, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, syntax.verb, kAtFormats);
  const auto path = required(*values, syntax.verb, "FILE");
  const Seconds time = parse_seconds(required(*values, syntax.verb, "TIME"), "TIME");
  const auto trace = trace_io::load(path);
  const auto places = places_at(trace, time, ranks_asked(*values, trace));
  double end = 0;
  for (const auto& one : places) end = std::max(end, one.ends);
  if (time.value >= end)
    throw InputError("TIME", to_text(time) + " is past the end", span_text(trace, path, end));
  if (format == "csv")
    write_output(*values, csv_text(places_rows(trace, places, time.value)));
  else if (format == "json")
    write_output(*values, json_text({{"format", 1},
                                     {"time_s", time.value},
                                     {"end_s", end},
                                     {"ranks", places_json(trace, places, time.value)}}));
  else
    write_output(*values, at_text(trace, places, time, Seconds{end}));
  return kDone;
}

}  // namespace reprise::cli
