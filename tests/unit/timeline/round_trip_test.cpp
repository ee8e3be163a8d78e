// SPDX-License-Identifier: MIT
// Recorded traces written as OTF2 and Paraver and imported again: the same calls, fields, communicators, and times.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/export/timeline/prv_call_numbers.hpp"
#include "sim/export/timeline/recorded_timeline.hpp"
#include "sim/export/timeline/timeline_export.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/import/import.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/walk/cursor.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

// A call with its call path, communicators as their members.
std::vector<std::string> calls_of(const Trace& trace, const CommunicatorTable& table,
                                  const Programs& programs, Rank rank) {
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
    for (const Frame& frame : trace.call_paths[trace.sites[cursor.site()].call_path].frames)
      for (const FrameName& name : trace.frame_names)
        if (name.frame == frame)
          text += " < " + name.function + " " + name.file + ":" + std::to_string(name.line);
    calls.push_back(text);
  }
  return calls;
}

using Times = std::pair<std::int64_t, std::int64_t>;  // ns of all ranks, (compute, in MPI)

Times times_of(const Trace& trace) {
  Times sums{0, 0};
  for (const auto& thread : trace.threads)
    for_each_leaf(thread, [&](const Leaf& leaf) {
      for (const auto& path : leaf.compute)
        for (const auto& delta : path.classes) sums.first += delta.durations.sum().value;
      for (const auto& delta : leaf.communicate) sums.second += delta.durations.sum().value;
    });
  return sums;
}

// What is written: every call at its time. The time before a rank's first call is no compute time.
Times times_of_timeline(const Programs& programs, std::int32_t ranks) {
  sim::DeltaPlayer compute(sim::Deltas::ordered, 1), communicate(sim::Deltas::ordered, 1);
  Times sums{0, 0};
  for (std::int32_t r = 0; r < ranks; ++r) {
    sim::RecordedTimeline timeline(programs, compute, communicate, Rank{r});
    for (std::int64_t end = -1; timeline.next(); end = timeline.call().end) {
      if (end >= 0) sums.first += timeline.call().begin - end;
      sums.second += timeline.call().end - timeline.call().begin;
    }
  }
  return sums;
}

void check_round_trip(const std::string& path, sim::TimelineFormat format) {
  const Trace before = load(path);
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
    const auto expected = calls_of(before, table_before, programs_before, Rank{r});
    CHECK(calls_of(after, table_after, programs_after, Rank{r}) == expected);
  }
  for (const auto& finding : check(after)) CHECK(finding.severity != Severity::error);
  CHECK(times_of(after) == times_of_timeline(programs_before, before.header.ranks));
  REQUIRE(after.header.hosts.size() == before.header.hosts.size());
}

const std::string kRecorded = std::string(REPRISE_GOLDEN_DIRECTORY) + "/recorded/";

}  // namespace

TEST_CASE("timeline: recorded traces come back from OTF2", "[timeline]") {
  for (const char* name : {"heat2d", "nonblocking", "collectives", "communicators", "persistent",
                           "nonblocking_collectives"})
    check_round_trip(kRecorded + name + ".reprise", sim::TimelineFormat::otf2);
}

TEST_CASE("timeline: recorded traces come back from Paraver", "[timeline]") {
  for (const char* name :
       {"heat2d", "nonblocking", "collectives", "persistent", "nonblocking_collectives"})
    check_round_trip(kRecorded + name + ".reprise", sim::TimelineFormat::prv);
  CHECK_THROWS_WITH(
      sim::export_timeline(load(kRecorded + "communicators.reprise"), "", sim::TimelineFormat::prv,
                           {}, "nowhere.prv"),
      "nowhere.prv: a Paraver trace has no intercommunicators\n  export the trace as OTF2");
}

TEST_CASE("timeline: Paraver files number procedures as Extrae does", "[timeline]") {
  // The first, and some that a tool which knows them by number was seen to need.
  CHECK(sim::extrae_number("MPI_Send") == 1);
  CHECK(sim::extrae_number("MPI_Finalize") == 32);
  CHECK(sim::extrae_number("MPI_Sendrecv") == 41);
  CHECK(sim::extrae_number("MPI_Sendrecv_replace") == 42);
  CHECK(sim::extrae_number("MPI_Raccumulate") == 0);
}

TEST_CASE("timeline: more than is allowed is refused before anything is written", "[timeline]") {
  const std::string path = kRecorded + "heat2d.reprise";
  sim::TimelineSettings settings;
  settings.most_bytes = 1000;
  CHECK_THROWS_AS(
      sim::export_timeline(load(path), path, sim::TimelineFormat::prv, settings, "nowhere.prv"),
      InputError);
  CHECK_FALSE(std::filesystem::exists("nowhere.prv"));
  settings.most_bytes = 1'000'000'000;
  CHECK_THROWS_WITH(
      sim::export_timeline(load(path), path, sim::TimelineFormat::prv, settings, "nowhere.txt"),
      "nowhere.txt: is not a name for a Paraver trace\n  use a name that ends in .prv: -o "
      "NAME.prv");
}
