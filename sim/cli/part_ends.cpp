// SPDX-License-Identifier: MIT
#include "sim/cli/part_ends.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/engine/deltas/delta_player.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/iterations/main_loop.hpp"
#include "trace-io/timing_tree/run_begin.hpp"
#include "trace-io/timing_tree/timing_tree.hpp"

namespace reprise::cli {
namespace {

constexpr std::size_t kMostGroups = 4, kLongestList = 40;
// A rank that was inside a call of iteration 500 has its last recorded call in 499.
constexpr const char* kCounted = " (counted from 0; a call counts once it has returned)";

bool are_in_one_loop(const std::vector<PartEnd>& ends) {
  return std::ranges::all_of(ends, [&](const PartEnd& one) {
    return !one.loops.empty() && one.loops.front() == ends.front().loops.front();
  });
}

// How many levels of loops tell the ends apart: the outermost one, unless all are in the same iteration of it.
std::size_t levels_of(const std::vector<PartEnd>& ends) {
  const bool is_one = std::ranges::all_of(ends, [&](const PartEnd& one) {
    return one.iterations.front() == ends.front().iterations.front();
  });
  return is_one ? ~std::size_t{0} : 1;
}

std::vector<std::uint64_t> place_of(const PartEnd& end, std::size_t levels) {
  auto place = end.iterations;
  place.resize(std::min(place.size(), levels));
  return place;
}

// "10", or "10/2": iteration 10 of the outermost loop, 2 of the one within it.
std::string place_text(const std::vector<std::uint64_t>& place) {
  std::string text;
  for (const std::uint64_t one : place) text += (text.empty() ? "" : "/") + grouped(one);
  return text;
}

std::string ranks_text(std::vector<Rank> ranks) {
  const auto count = ranks.size();
  const std::string list = trace_io::RankList::from_ranks(std::move(ranks)).text();
  if (list.size() > kLongestList) return counted(count, "rank");
  return (count == 1 ? "rank " : "ranks ") + list;
}

std::string others_by_iteration(const std::vector<PartEnd>& ends, std::size_t first) {
  const std::size_t levels = levels_of(ends);
  std::map<std::vector<std::uint64_t>, std::vector<Rank>> groups;
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (i != first) groups[place_of(ends[i], levels)].push_back(ends[i].rank);
  const auto here = place_of(ends[first], levels);
  if (groups.size() == 1 && groups.begin()->first == here)
    return "; the others ended in that iteration, too";
  if (groups.size() > kMostGroups)
    return "; recorded calls of the others end in iterations " + place_text(groups.begin()->first) +
           " to " + place_text(groups.rbegin()->first) + kCounted;
  std::string text;
  for (const auto& [place, ranks] : groups)
    text += (text.empty() ? "; recorded calls of " + ranks_text(ranks) + " end in iteration "
                          : ", of " + ranks_text(ranks) + " in ") +
            place_text(place);
  return text + kCounted;
}

std::string others_by_time(const std::vector<PartEnd>& ends, std::size_t first) {
  const bool by_snapshot =
      std::ranges::all_of(ends, [](const PartEnd& one) { return one.snapshot.value > 0; });
  Seconds least{1e300}, most{0};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (i == first) continue;
    const Seconds time = by_snapshot ? ends[i].snapshot : ends[i].run;
    least = std::min(least, time);
    most = std::max(most, time);
  }
  const std::string range = seconds_text(least) == seconds_text(most)
                                ? seconds_text(most)
                                : seconds_text(least) + " to " + seconds_text(most);
  return by_snapshot ? "; those of the others were " + range + " into it"
                     : "; the others came " + range + " into theirs";
}

}  // namespace

PartEnd end_of(const trace_io::Trace& trace) {
  PartEnd end;
  end.rank = trace.header.recorded.front();
  end.snapshot = trace.header.elapsed.seconds();
  if (trace.threads.empty()) return end;
  sim::DeltaPlayer mean(sim::Deltas::mean, 0);
  sim::DeltaState state;
  state.rank = end.rank;
  const trace_io::TimingTree tree(trace, 0, state.rank, [&](const trace_io::DeltaClass& delta) {
    return mean.play(delta, state);
  });
  end.run = trace_io::TimingTree::seconds(
      std::max<trace_io::TimingTree::Ticks>(0, tree.total() - trace_io::run_begin(trace, tree)));
  const auto last = tree.at(tree.total() - 1);
  if (!last) return end;
  for (const auto& one : last->loops) {
    end.iterations.push_back(one.number);
    end.loops.push_back(trace_io::loop_text(trace, *one.loop));
  }
  return end;
}

std::size_t first_end(const std::vector<PartEnd>& ends, const std::vector<std::size_t>& places) {
  const bool by_iteration = are_in_one_loop(ends);
  const bool by_snapshot =
      std::ranges::all_of(ends, [](const PartEnd& one) { return one.snapshot.value > 0; });
  const auto is_before = [&](const PartEnd& a, const PartEnd& b) {
    if (by_iteration && a.iterations != b.iterations) return a.iterations < b.iterations;
    if (by_snapshot && a.snapshot.value != b.snapshot.value)
      return a.snapshot.value < b.snapshot.value;
    return std::tie(a.run.value, a.rank.value) < std::tie(b.run.value, b.rank.value);
  };
  std::vector<std::size_t> candidates = places;
  for (std::size_t i = 0; places.empty() && i < ends.size(); ++i) candidates.push_back(i);
  return *std::ranges::min_element(
      candidates, [&](std::size_t a, std::size_t b) { return is_before(ends[a], ends[b]); });
}

bool are_apart(const std::vector<PartEnd>& ends) {
  return !std::ranges::all_of(ends, [&](const PartEnd& one) {
    return one.iterations.empty() == ends.front().iterations.empty() &&
           (one.iterations.empty() || (one.iterations.front() == ends.front().iterations.front() &&
                                       one.loops.front() == ends.front().loops.front()));
  });
}

std::string ends_text(const std::vector<PartEnd>& ends, std::size_t first,
                      const std::string& loop) {
  const PartEnd& one = ends[first];
  const bool by_iteration = are_in_one_loop(ends);
  std::string text = "rank " + std::to_string(one.rank.value) + "'s part ends first";
  if (one.snapshot.value > 0)
    text += ": its last snapshot was " + seconds_text(one.snapshot) + " into the run";
  else if (!by_iteration && one.run.value > 0)
    text += ", " + seconds_text(one.run) + " into its run";
  if (by_iteration)
    text += ", in iteration " + place_text(place_of(one, levels_of(ends))) + " of " + loop;
  if (ends.size() == 1) return text;
  return text + (by_iteration ? others_by_iteration(ends, first) : others_by_time(ends, first));
}

}  // namespace reprise::cli
