// SPDX-License-Identifier: MIT
// The recording of a process, its losses and its parts.
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
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
    static Handles own;
    all_handles = &own;  // other tests have theirs
    handles().communicators.begin(0, 1, 3, 8, nothing);
    Settings settings;
    const std::string output =
        (std::filesystem::temp_directory_path() / ("recorder." + std::to_string(getpid())))
            .string();
    std::strncpy(settings.output, output.c_str(), Settings::kPathRoom - 1);
    settings.first_snapshot_s = 1e-9;
    return *Recording::begin(settings, RecordingClock::stopped(),
                             {3, 8, "a library 1.0", "a host"});
  }();
  return recording;
}

}  // namespace

TEST_CASE("snapshots come late enough at first and cost less than a three-hundredth of the time") {
  SnapshotPlan plan;
  REQUIRE_FALSE(plan.is_due(1e9));  // nothing is planned
  plan.begin(100, 0.25);
  REQUIRE_FALSE(plan.is_due(100.2));
  const double cost = 0.05;  // s
  double spent = 0;
  int snapshots = 0;
  for (double now = 100.25; now < 700; now += 0.001) {
    if (!plan.is_due(now)) continue;
    REQUIRE_FALSE(plan.is_due(now + 1));  // another thread
    plan.done(now, now + cost, true);
    REQUIRE(spent <= (now - 100) / 300);
    spent += cost;
    ++snapshots;
  }
  REQUIRE(snapshots > 4);
}

TEST_CASE("a rank that is killed has lost a tenth of its run, or as much as a snapshot may cost") {
  SnapshotPlan plan;
  plan.begin(0, 0.1);
  double last = 0;
  for (double now = 0.1; now < 600; now += 0.01) {
    if (!plan.is_due(now)) continue;
    plan.done(now, now + 1e-4, true);
    REQUIRE(now - last <= 0.1 + now / 9 + 0.02);
    last = now;
  }
  REQUIRE(last > 500);
}

TEST_CASE("a snapshot that could not be written is tried again soon") {
  SnapshotPlan plan;
  plan.begin(0, 1);
  REQUIRE(plan.is_due(1));
  plan.done(1, 1, false);
  REQUIRE(plan.is_due(1.001));
}

TEST_CASE("a large program is not written before its cost is small against the run") {
  SnapshotPlan plan;
  plan.begin(0, 0.25);
  REQUIRE(plan.is_due(0.25));
  REQUIRE(plan.is_too_large(5'000'000, 0.25));  // 50 ms, by the guess
  REQUIRE_FALSE(plan.is_due(14.9));
  REQUIRE(plan.is_due(15.1));
  REQUIRE_FALSE(plan.is_too_large(5'000'000, 15.1));
  plan.done(15.1, 15.2, true);
  REQUIRE_FALSE(plan.is_due(45));
  REQUIRE(plan.is_due(45.3));
  REQUIRE_FALSE(plan.is_too_large(5'000'000, 45.3));
  plan.done(45.3, 45.35, true);  // a byte took 10 ns
  REQUIRE(plan.is_due(75.4));
  REQUIRE(plan.is_too_large(20'000'000, 75.4));  // four times as much as before
  REQUIRE_FALSE(plan.is_due(105.3));
  REQUIRE(plan.is_due(105.4));
  REQUIRE_FALSE(plan.is_too_large(20'000'000, 105.4));
}

namespace {

constexpr std::uint64_t kSlow = 50'000'000;  // ns
int snapshots_written = 0;

bool write_slowly(Recording& recording, bool) noexcept {
  recording.clock.advance(kSlow);
  ++snapshots_written;
  return true;
}

void call_after(Recording& recording, ThreadRecorder& thread, std::uint64_t compute) {
  static std::uintptr_t words[2];
  words[1] = reinterpret_cast<std::uintptr_t>(words);
  recording.clock.advance(compute);
  const std::uint64_t begin = recording.clock.now(thread.time, Interval::compute);
  recording.clock.advance(7);
  thread.description().clear();
  thread.description().scalar(0);  // the communicator
  const std::uint64_t end = recording.clock.now(thread.time, Interval::communicate);
  thread.append(1, "MPI_Barrier", words, recording.clock, {begin, end}, {});
  if (recording.clock.between(thread.last_look, thread.last_end()) >= kLookInterval)
    look_for_snapshot(recording, thread, end, write_slowly);
}

}  // namespace

TEST_CASE("a slow snapshot leaves the deltas untouched and is counted apart") {
  Recording& recording = the_recording();
  ThreadRecorder& thread = *Recording::this_thread();
  plan_snapshots(recording);
  int calls = 0;
  for (; snapshots_written < 2 && calls < 10'000; ++calls) {
    call_after(recording, thread, 1'000'000);
    std::this_thread::sleep_for(std::chrono::microseconds(200));  // plans go by the real clock
  }
  REQUIRE(snapshots_written == 2);
  call_after(recording, thread, 1'000'000);
  ++calls;
  REQUIRE(thread.rare_time.snapshot_count == static_cast<std::uint64_t>(snapshots_written));
  REQUIRE(thread.rare_time.snapshots.value == snapshots_written * static_cast<std::int64_t>(kSlow));
  REQUIRE(recording.recorder_time().snapshots == thread.rare_time.snapshots);
  Nanoseconds compute{}, communicate{};
  const auto sum_up = [&](const auto& self, const std::vector<trace_io::Node>& nodes) -> void {
    for (const trace_io::Node& node : nodes) {
      if (const auto* loop = std::get_if<trace_io::Loop>(&node.content)) {
        self(self, loop->body);
        continue;
      }
      const auto& leaf = std::get<trace_io::Leaf>(node.content);
      for (const auto& path : leaf.compute)
        for (const auto& alike : path.classes) compute += alike.durations.sum();
      for (const auto& alike : leaf.communicate) communicate += alike.durations.sum();
    }
  };
  sum_up(sum_up, thread.program(trace_io::ThreadCompressor::Detail::iterations));
  REQUIRE(compute == Nanoseconds{calls * std::int64_t{1'000'000}});
  REQUIRE(communicate == Nanoseconds{calls * std::int64_t{7}});
}

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

namespace {

// A thread from its start to its end, which makes one call.
ThreadRecorder* run_short_thread() {
  ThreadRecorder* own = nullptr;
  std::thread([&own] {
    own = Recording::this_thread();
    call_after(the_recording(), *own, 1000);
  }).join();
  return own;
}

}  // namespace

TEST_CASE("a thread that has ended takes what its calls take, not what further ones would") {
  constexpr std::size_t kThreads = 32, kMost = 8192;  // bytes a thread
  the_recording();
  REQUIRE(Recording::this_thread() != nullptr);
  run_short_thread();
  const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  for (std::size_t i = 0; i < kThreads; ++i) REQUIRE(run_short_thread()->events() == 1);
  const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  CHECK(after - before < kThreads * kMost);
}

TEST_CASE("a thread that calls again after its end goes on in its own recording") {
  static pthread_key_t late;  // its destructor comes after that of the recorder's key
  static ThreadRecorder* again;
  Recording& recording = the_recording();
  REQUIRE(Recording::this_thread() != nullptr);
  REQUIRE(pthread_key_create(&late, [](void* own) {
            again = Recording::this_thread();
            if (again == own) call_after(the_recording(), *again, 1000);
          }) == 0);
  const std::size_t threads = recording.compressors().size();
  ThreadRecorder* own = nullptr;
  std::thread([&own] {
    own = Recording::this_thread();
    call_after(the_recording(), *own, 1000);
    call_after(the_recording(), *own, 1000);
    pthread_setspecific(late, own);
  }).join();
  pthread_key_delete(late);
  CHECK(again == own);
  CHECK(own->events() == 3);
  CHECK(recording.compressors().size() == threads + 1);
  CHECK(own->program(trace_io::ThreadCompressor::Detail::iterations).size() == 1);  // a loop
}

// The last one of this file: the recording stays so.
TEST_CASE("threads that end during MPI_Finalize keep their memory") {
  Recording& recording = the_recording();
  REQUIRE(Recording::this_thread() != nullptr);
  recording.keep_ended_threads();
  static pthread_key_t late;
  static std::size_t kept;
  REQUIRE(pthread_key_create(&late, [](void* own) {
            kept = static_cast<ThreadRecorder*>(own)->memory_bytes();
          }) == 0);
  std::size_t before = 0;
  std::thread([&before] {
    ThreadRecorder* own = Recording::this_thread();
    call_after(the_recording(), *own, 1000);
    before = own->memory_bytes();
    pthread_setspecific(late, own);
  }).join();
  pthread_key_delete(late);
  CHECK(kept == before);
}
