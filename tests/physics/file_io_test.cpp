// SPDX-License-Identifier: MIT
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

// Of the storage: bandwidths, latencies.
constexpr double kRead = 2e9, kWrite = 1e9, kAccess = 100e-6, kMetadata = 1e-3;

platforms::Platform with_storage(
    platforms::Platform machine,
    platforms::Storage::Kind kind = platforms::Storage::Kind::kShared) {
  machine.storage = platforms::Storage{
      kind, BytesPerSecond{kRead}, BytesPerSecond{kWrite}, Seconds{kAccess}, Seconds{kMetadata}, {},
      {}};
  return machine;
}

// Files of each rank's own, open from the start; times count from there.
double own_files(int ranks, const std::string& calls, const platforms::Platform& machine,
                 int rank) {
  return finish(simulate_calls(ranks, "MPI_File_open comm=1\n" + calls, machine), rank) - kMetadata;
}

double alone(double bytes, double bandwidth) { return kAccess + bytes / bandwidth; }

}  // namespace

TEST_CASE("file: opening, resizing, flushing, closing and deleting take the metadata latency",
          "[physics]") {
  const auto machine = with_storage(star(2));
  CHECK(finish(simulate_calls(2, "MPI_File_open", machine), 0) == near(eager(0) + kMetadata));
  for (const char* call :
       {"MPI_File_close", "MPI_File_set_size", "MPI_File_preallocate", "MPI_File_sync"})
    CHECK(finish(simulate_calls(2, std::string("MPI_File_open\n") + call, machine), 1) ==
          near(2 * (eager(0) + kMetadata)));
  for (const char* call : {"MPI_File_set_view", "MPI_File_seek_shared", "MPI_File_set_atomicity"})
    CHECK(finish(simulate_calls(2, std::string("MPI_File_open\n") + call, machine), 1) ==
          near(2 * eager(0) + kMetadata));
  CHECK(finish(simulate_calls(2, "MPI_File_open\nMPI_File_seek", machine), 1) ==
        near(eager(0) + kMetadata));
  CHECK(finish(simulate_calls(2, "ranks 1: MPI_File_delete", machine), 1) == near(kMetadata));
}

TEST_CASE("file: an access alone takes its latency and its bytes", "[physics]") {
  const auto machine = with_storage(star(1));
  for (const char* call : {"MPI_File_write", "MPI_File_write_at"})
    CHECK(own_files(1, std::string(call) + " bytes=1MB comm=1", machine, 0) ==
          near(alone(1e6, kWrite)));
  CHECK(own_files(1, "MPI_File_read comm=1 bytes=1MB", machine, 0) == near(alone(1e6, kRead)));
  CHECK(own_files(1, "MPI_File_write_shared comm=1 bytes=1MB", machine, 0) ==
        near(kAccess + alone(1e6, kWrite)));
}

TEST_CASE("file: concurrent accesses share the bandwidth evenly", "[physics]") {
  const auto machine = with_storage(star(2));
  CHECK(own_files(2, "MPI_File_write comm=1 bytes=1MB", machine, 0) == near(alone(2e6, kWrite)));
  // 1 MB and 3 MB: the shorter at half speed, then the longer alone.
  const std::string unequal = "MPI_File_write comm=1 bytes={0: 1MB; 1: 3MB}";
  CHECK(own_files(2, unequal, machine, 0) == near(alone(2e6, kWrite)));
  CHECK(own_files(2, unequal, machine, 1) == near(alone(4e6, kWrite)));
}

// System: rank 1 begins when rank 0 is half through.
TEST_CASE("file: an access that comes later slows down what is under way", "[physics]") {
  const auto machine = with_storage(star(2));
  const std::string calls = "MPI_File_write comm=1 bytes=1MB | compute {0: 0us; 1: 500us}";
  CHECK(own_files(2, calls, machine, 0) == near(kAccess + 1.5e6 / kWrite));
  CHECK(own_files(2, calls, machine, 1) == near(kAccess + 2e6 / kWrite));
}

TEST_CASE("file: reads and writes do not take from each other", "[physics]") {
  const auto machine = with_storage(star(2));
  const std::string calls =
      "ranks 0: MPI_File_write comm=1 bytes=1MB\nranks 1: MPI_File_read comm=1 bytes=1MB";
  CHECK(own_files(2, calls, machine, 0) == near(alone(1e6, kWrite)));
  CHECK(own_files(2, calls, machine, 1) == near(alone(1e6, kRead)));
}

TEST_CASE("file: the storage of a node is shared by its ranks alone", "[physics]") {
  const auto machine = with_storage(star(2, 2), platforms::Storage::Kind::kPerNode);
  const std::string calls = "ranks 0,1,2: MPI_File_write comm=1 bytes=1MB";
  CHECK(own_files(4, calls, machine, 1) == near(alone(2e6, kWrite)));
  CHECK(own_files(4, calls, machine, 2) == near(alone(1e6, kWrite)));
}

TEST_CASE("file: one access gets no more than a client can have", "[physics]") {
  auto machine = with_storage(star(3));
  machine.storage->per_client_bandwidth = BytesPerSecond{kWrite / 2};
  CHECK(own_files(1, "MPI_File_write comm=1 bytes=1MB", machine, 0) ==
        near(alone(1e6, kWrite / 2)));
  CHECK(own_files(2, "MPI_File_write comm=1 bytes=1MB", machine, 0) ==
        near(alone(1e6, kWrite / 2)));
  CHECK(own_files(3, "MPI_File_write comm=1 bytes=1MB", machine, 0) ==
        near(alone(1e6, kWrite / 3)));
}

TEST_CASE("file: each access occupies the storage for its cost", "[physics]") {
  auto machine = with_storage(star(4));
  machine.storage->operation_cost = Seconds{20e-6};
  CHECK(own_files(4, "MPI_File_write comm=1 bytes=0", machine, 3) == near(kAccess + 4 * 20e-6));
  CHECK(own_files(1, "loop 10 { MPI_File_read comm=1 bytes=1MB }", machine, 0) ==
        near(10 * (alone(1e6, kRead) + 20e-6)));
}

TEST_CASE("file: a non-blocking access goes on while the rank computes", "[physics]") {
  const auto machine = with_storage(star(1));
  for (const char* call : {"MPI_File_iwrite", "MPI_File_iwrite_at", "MPI_File_iwrite_all"}) {
    const std::string start = std::string(call) + " comm=1 bytes=1MB request=0\nMPI_Wait request=0";
    CHECK(own_files(1, start, machine, 0) == near(alone(1e6, kWrite)));
    CHECK(own_files(1, start + " | compute 5ms", machine, 0) == near(5e-3));
  }
}

// System: two ranks write 1 MB each, one of them late by 1 ms.
TEST_CASE("file: a collective access brings the members together before and after", "[physics]") {
  const auto machine = with_storage(star(2));
  const auto time = [&](const std::string& calls, int rank) {
    return finish(simulate_calls(2, "MPI_File_open\n" + calls, machine), rank) - eager(0) -
           kMetadata;
  };
  for (const char* call : {"MPI_File_write_all", "MPI_File_write_at_all", "MPI_File_write_ordered"})
    CHECK(time(std::string(call) + " bytes=1MB", 0) ==
          near(eager(0) + alone(2e6, kWrite) + eager(0)));
  CHECK(time("MPI_File_read_all bytes=0", 0) == near(2 * eager(0)));
  const double late = time("MPI_File_read_all bytes=1MB | compute {0: 0us; 1: 1ms}", 0);
  CHECK(late > 1e-3 + alone(2e6, kRead));
  // Rank 1 has nothing to read, and leaves with rank 0 all the same.
  CHECK(time("MPI_File_read_all bytes={0: 1MB; 1: 0}", 1) ==
        near(eager(0) + alone(1e6, kRead) + eager(0)));
}

TEST_CASE("file: the two halves of a split collective frame what goes on", "[physics]") {
  const auto machine = with_storage(star(2));
  const auto time = [&](const std::string& calls) {
    return finish(simulate_calls(2, "MPI_File_open\n" + calls, machine), 0) - eager(0) - kMetadata;
  };
  const std::string begin = "MPI_File_write_all_begin bytes=1MB\nMPI_File_write_all_end";
  CHECK(time(begin) == near(eager(0) + alone(2e6, kWrite) + eager(0)));
  CHECK(time(begin + " | compute 9ms") == near(9e-3));
}

TEST_CASE("file: collectives that are under way together keep their members apart", "[physics]") {
  const auto machine = with_storage(star(2));
  const auto outcome = simulate_calls(2, R"(MPI_File_open
      MPI_File_iwrite_all bytes={0: 0; 1: 5MB} request=0
      MPI_File_iwrite_all bytes={0: 5MB; 1: 0} request=1 | compute {0: 0us; 1: 10ms}
      MPI_Waitall requests=[0, 1]
      MPI_File_close)",
                                      machine);
  CHECK(outcome.predicted_time.value > 10e-3 + alone(5e6, kWrite) + kMetadata);
}

TEST_CASE("file: opened and closed again and again", "[physics]") {
  const auto outcome = simulate_calls(
      2, "loop 100 {\nMPI_File_open\nMPI_File_write_all bytes=1kB\nMPI_File_close\n}",
      with_storage(star(2)));
  CHECK(outcome.predicted_time.value ==
        near(100 * (4 * eager(0) + 2 * kMetadata + alone(2e3, kWrite))));
}

TEST_CASE("file: without a storage calls take their recorded time, which is told", "[physics]") {
  const auto outcome = simulate_calls(2, R"(MPI_File_open | communicate 1ms
      MPI_File_iwrite bytes=1MB request=0 | communicate 2ms
      MPI_Wait request=0 | communicate 7ms
      MPI_File_close | communicate 3ms)",
                                      star(2));
  CHECK(outcome.predicted_time.value == near(6e-3));
  REQUIRE(outcome.losses.size() == 3);
  CHECK(outcome.losses[0].name == "MPI_File_close replayed as its recorded time");
  CHECK(outcome.losses[1].name == "MPI_File_iwrite replayed as its recorded time");
  CHECK(outcome.losses[1].count == 2);
  CHECK(outcome.losses[1].time == Nanoseconds{4'000'000});
}

TEST_CASE("file: a call on no file and half a split collective are errors", "[physics]") {
  const auto machine = with_storage(star(2));
  const std::string hint = "\n  `reprise trace check` lists further problems of the trace";
  CHECK(error_of(2, "thread 0 {\nranks 1: MPI_File_write bytes=1\n}", machine) ==
        "rank 1 in MPI_File_write (test:4): uses file 0, which it has not opened" + hint);
  CHECK(error_of(2, "thread 0 {\nMPI_File_open\nranks 0: MPI_File_open\n}", machine) ==
        "rank 0 in MPI_File_open (test:5): opens file 0, which it has already or cannot have" +
            hint);
  CHECK(error_of(2, "thread 0 {\nMPI_File_open\nranks 0: MPI_File_read_all_end\n}", machine) ==
        "rank 0 in MPI_File_read_all_end (test:5): ends an access that it has not begun" + hint);
  CHECK(error_of(2, "thread 0 {\nMPI_File_open\nranks 0: MPI_File_write_all bytes=1\n}", machine) ==
        "replay deadlocked at 1.0028 ms: rank 0 waits in MPI_File_write_all for rank 1, which has "
        "not entered the collective (test:5); "
        "rank 1 has finished");
}

// System: rank 0 starts a collective access and enters a fence 10 ms later; rank 1 enters the fence at once, and the access 10 ms after
// it. Expectation: rank 1 waits in the fence for rank 0's, not for its access, and so both are over after 20 ms.
TEST_CASE("file: collectives on a file are not those on a window", "[physics]") {
  const auto outcome = simulate_calls(2, R"(MPI_Win_create bytes=8
      MPI_File_open
      ranks 0: MPI_File_iwrite_all bytes=0 request=0
      MPI_Win_fence | compute {0: 10ms; 1: 0us}
      ranks 1: MPI_File_iwrite_all bytes=0 request=0 | compute 10ms
      MPI_Wait request=0)",
                                      with_storage(star(2)));
  CHECK(finish(outcome, 0) > 20e-3);
  CHECK(finish(outcome, 1) > 20e-3);
}

}  // namespace reprise::test
