// SPDX-License-Identifier: MIT
// Recorded traces written as OTF2 and Paraver and imported again: the same calls, fields, communicators, and times.
#include "tests/unit/timeline/round_trip.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "sim/export/timeline/prv_call_numbers.hpp"
#include "sim/export/timeline/timeline_export.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

const std::string kRecorded = std::string(REPRISE_GOLDEN_DIRECTORY) + "/recorded/";

}  // namespace

TEST_CASE("timeline: recorded traces come back from OTF2", "[timeline]") {
  for (const char* name : {"heat2d", "nonblocking", "collectives", "communicators", "persistent",
                           "nonblocking_collectives"})
    check_round_trip(load(kRecorded + name + ".reprise"), name, sim::TimelineFormat::otf2);
}

// In the archive they are in a region that stands for the program.
TEST_CASE("timeline: calls without call paths come back from OTF2 without any", "[timeline]") {
  Trace trace = load(kRecorded + "heat2d.reprise");
  for (auto& path : trace.call_paths) path.frames.clear();
  trace.frame_names.clear();
  check_round_trip(trace, "no paths", sim::TimelineFormat::otf2);
}

TEST_CASE("timeline: recorded traces come back from Paraver", "[timeline]") {
  for (const char* name :
       {"heat2d", "nonblocking", "collectives", "persistent", "nonblocking_collectives"})
    check_round_trip(load(kRecorded + name + ".reprise"), name, sim::TimelineFormat::prv);
  CHECK_THROWS_WITH(
      sim::export_timeline(load(kRecorded + "communicators.reprise"), "", sim::TimelineFormat::prv,
                           {}, "nowhere.prv"),
      "nowhere.prv: a Paraver trace has no intercommunicators\n  export the trace as OTF2");
}

TEST_CASE("timeline: sends that nothing waits for come back as such", "[timeline]") {
  const Trace trace = assemble(
      "reprise-text 1\nranks 3\nhost \"one\" cores 4 ranks 0-2\nthread 0 {\n  MPI_Init\n  loop 5 "
      "{\n"
      "    MPI_Isend peer=+1 tag=1 bytes=8 request=(-2, -1*4)\n    MPI_Irecv peer=-1 tag=1 "
      "bytes=8 request=-2\n    MPI_Wait request=-2\n  }\n  MPI_Testall requests=[-2]\n"
      "  MPI_Finalize\n}\n",
      "t.txt");
  check_round_trip(trace, "unawaited", sim::TimelineFormat::otf2);
  check_round_trip(trace, "unawaited", sim::TimelineFormat::prv);
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
