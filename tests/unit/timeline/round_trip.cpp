// SPDX-License-Identifier: MIT
#include "tests/unit/timeline/round_trip.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <vector>

#include "sim/export/timeline/recorded_timelines.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/import/import.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise {
using namespace trace_io;
namespace {

// A call, with its call path where places have names, communicators as their members.
std::vector<std::string> calls_of(const Trace& trace, const CommunicatorTable& table,
                                  const Programs& programs, Rank rank, bool with_paths) {
  Cursor cursor(programs, rank, 0);
  std::vector<std::string> calls;
  while (cursor.advance()) {
    std::string text(cursor.procedure().name);
    std::size_t scalar = 0, vector = 0;
    for (const auto& spec : fields(cursor.procedure())) {
      if (spec.is_vector) {
        text += " |";
        for (const auto value : cursor.vector(vector)) text += " " + std::to_string(value);
        ++vector;
        continue;
      }
      const std::int64_t value = cursor.scalars()[scalar++];
      text += " " + std::to_string(value);
      const auto place = spec.field == Field::comm || spec.field == Field::new_comm
                             ? table.place(rank, value)
                             : std::nullopt;
      if (!place || !place->definition) continue;
      for (std::int32_t m = 0; m < place->size; ++m)
        text += "," + std::to_string(table.member(*place->definition, place->group, m)->value);
    }
    if (with_paths)
      for (const Frame& frame : trace.call_paths[trace.sites[cursor.site()].call_path].frames)
        for (const FrameName& name : trace.frame_names)
          if (name.frame == frame)
            text += " < " + name.function + " " + name.file + ":" + std::to_string(name.line);
    calls.push_back(text);
  }
  return calls;
}

// ns of all ranks: in each procedure, and between each and the one before.
using Times = std::map<std::pair<std::string, std::string>, std::int64_t>;

Times times_of(const Trace& trace) {
  Times sums;
  const auto name = [&](SiteId site) {
    return site == kNoSite ? std::string() : std::string(procedure_of(trace, site).name);
  };
  for (const auto& thread : trace.threads)
    for_each_leaf(thread, [&](const Leaf& leaf) {
      for (const auto& path : leaf.compute)
        for (const auto& delta : path.classes)
          sums[{name(path.predecessor), name(leaf.site)}] += delta.durations.sum().value;
      for (const auto& delta : leaf.communicate)
        sums[{"in", name(leaf.site)}] += delta.durations.sum().value;
    });
  std::erase_if(sums, [](const auto& sum) { return sum.second == 0; });
  return sums;
}

// What is written: every call at its time. The time before a rank's first call is no compute time.
Times times_of_timeline(const Programs& programs, std::int32_t ranks) {
  sim::RecordedTimelines timelines(programs, sim::Deltas::ordered, 1);
  Times sums;
  for (std::int32_t r = 0; r < ranks; ++r) {
    if (!programs.has(Rank{r}, 0)) continue;
    Cursor cursor(programs, Rank{r}, 0);
    std::int64_t end = -1;
    std::string before;
    while (timelines.next(Rank{r}) && cursor.advance()) {
      const sim::TimedCall& call = timelines.call(Rank{r});
      const std::string name(cursor.procedure().name);
      if (end >= 0) sums[{before, name}] += call.begin - end;
      sums[{"in", name}] += call.end - call.begin;
      end = call.end;
      before = name;
    }
  }
  std::erase_if(sums, [](const auto& sum) { return sum.second == 0; });
  return sums;
}

}  // namespace

void check_round_trip(const Trace& before, const std::string& path, sim::TimelineFormat format) {
  std::string pattern = (std::filesystem::temp_directory_path() / "reprise-trip-XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(pattern.data());
  const auto to = folder / (format == sim::TimelineFormat::otf2 ? "archive" : "trace.prv");
  const auto summary = sim::export_timeline(before, path, format, {}, to.string());
  const std::vector<std::string> files = {summary.path};
  const Trace after = format_of("auto", files).import(files, {});
  std::filesystem::remove_all(folder);

  REQUIRE(after.header.ranks == before.header.ranks);
  const CommunicatorTable table_before(before), table_after(after);
  const Programs programs_before(before), programs_after(after);
  for (std::int32_t r = 0; r < before.header.ranks; ++r) {
    CAPTURE(path, r);
    const bool has_paths =
        !before.frame_names.empty() && !before.frame_names.front().function.empty();
    const auto expected = calls_of(before, table_before, programs_before, Rank{r}, has_paths);
    const auto read = calls_of(after, table_after, programs_after, Rank{r}, has_paths);
    REQUIRE(read.size() == expected.size());
    for (std::size_t i = 0; i < read.size(); ++i) REQUIRE(read[i] == expected[i]);
  }
  if (before.frame_names.empty()) CHECK(after.frame_names.empty());
  for (const auto& finding : check(after)) CHECK(finding.severity != Severity::error);
  CHECK(times_of(after) == times_of_timeline(programs_before, before.header.ranks));
  REQUIRE(after.header.hosts.size() == before.header.hosts.size());
}

}  // namespace reprise
