// SPDX-License-Identifier: MIT
// The recording of a process, its losses and its parts.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <thread>

#include "recorder/capture/handles.hpp"
#include "recorder/finish/snapshot.hpp"
#include "trace-io/file/trace_file.hpp"

using namespace reprise;
using namespace reprise::recorder;

namespace {

CommunicatorFacts nothing(HandleKey) { return {}; }

// There is one recording in a process.
Recording& the_recording() {
  static Recording& recording = [&]() -> Recording& {
    all_handles = new Handles;
    handles().communicators.begin(0, 1, 3, 8, nothing);
    Settings settings;
    const std::string output =
        (std::filesystem::temp_directory_path() / ("recorder." + std::to_string(getpid())))
            .string();
    std::strncpy(settings.output, output.c_str(), Settings::kPathRoom - 1);
    return *Recording::begin(settings, RecordingClock{}, {3, 8, "a library 1.0", "a host"});
  }();
  return recording;
}

}  // namespace

TEST_CASE("losses of one name are added up and listed by name") {
  Losses losses;
  losses.add("b", trace_io::Severity::partial, Nanoseconds{5});
  losses.add("a", trace_io::Severity::error, Nanoseconds{1}, 3);
  losses.add("b", trace_io::Severity::partial, Nanoseconds{7});
  const auto rows = losses.rows();
  REQUIRE(rows.size() == 2);
  REQUIRE(rows[0].name == "a");
  REQUIRE(rows[0].count == 3);
  REQUIRE(rows[1].count == 2);
  REQUIRE(rows[1].time == Nanoseconds{12});
}

TEST_CASE("a trace of the recording says who recorded what where") {
  Recording& recording = the_recording();
  REQUIRE(Recording::is_on());
  REQUIRE(Recording::this_thread() != nullptr);
  REQUIRE(Recording::this_thread() == Recording::this_thread());
  const auto trace = recording.trace(true);
  REQUIRE(trace.header.ranks == 8);
  REQUIRE(trace.header.recorded == trace_io::RankList::single(Rank{3}));
  REQUIRE(trace.header.mpi_library == "a library 1.0");
  REQUIRE(trace.header.hosts.at(0).name == "a host");
  REQUIRE(trace.header.complete);
  REQUIRE_FALSE(recording.trace(false).header.complete);
}

TEST_CASE("a part is a trace of its rank, marked incomplete, and can be removed") {
  Recording& recording = the_recording();
  REQUIRE(write_part(recording, false));
  const std::string folder = std::string(recording.settings.output) + ".parts";
  const auto part = trace_io::load(folder + "/rank-3.part");
  REQUIRE_FALSE(part.header.complete);
  REQUIRE(part.header.recorded == trace_io::RankList::single(Rank{3}));
  remove_part(recording);
  remove_parts_folder(recording);
  REQUIRE_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("parts of an earlier run are removed, whoever wrote them") {
  Recording& recording = the_recording();
  REQUIRE(write_part(recording, false));
  remove_stale_parts(recording.settings, 8);
  const std::string folder = std::string(recording.settings.output) + ".parts";
  REQUIRE_FALSE(std::filesystem::exists(folder + "/rank-3.part"));
  remove_parts_folder(recording);
}

TEST_CASE("a thread that is appending keeps others from a snapshot, one at rest does not") {
  Recording& recording = the_recording();
  ThreadRecorder* other = nullptr;
  std::thread([&] { other = Recording::this_thread(); }).join();
  REQUIRE(other != nullptr);
  {
    std::vector<std::unique_lock<std::mutex>> locks;
    REQUIRE(recording.try_pause(locks));
  }
  const std::lock_guard busy(other->mutex());
  std::vector<std::unique_lock<std::mutex>> locks;
  bool paused = true;
  // A second try_lock by the owner would be undefined.
  std::thread([&] {
    paused = recording.try_pause(locks);
    locks.clear();
  }).join();
  REQUIRE_FALSE(paused);
  REQUIRE(recording.is_at_rest());
}
