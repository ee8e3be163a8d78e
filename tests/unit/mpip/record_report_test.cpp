// SPDX-License-Identifier: MIT
#include "sim/validation/record_report.hpp"

#include <catch2/catch.hpp>

#include "sim/mpip/read.hpp"
#include "sim/mpip/write.hpp"
#include "sim/validation/validate.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::sim::validation {
namespace {

// Three ranks; rank 2 is three times as slow to answer. Sizes change from call to call.
const char* const kTrace = R"TRACE(reprise-text 1
ranks 3
program "/opt/a b/app"
mpi_library "Open MPI 4.1.4"
timing histogram
bins 5
host "n1" cores 2 ranks 0-1
host "n2" cores 2 ranks 2
procedure 0 "MPI_Init"
procedure 1 "MPI_Bcast"
procedure 2 "MPI_Send"
procedure 3 "MPI_Recv"
procedure 4 "MPI_Finalize"
module 0 "/opt/app" build_id "00"
path 0
path 1 0+0x10
path 2 0+0x20
frame 0+0x10 "solve(int, double)" "/src/solve.cpp" 40
site 0 procedure 0 path 0
site 1 procedure 1 path 1
site 2 procedure 2 path 2
site 3 procedure 3 path 2
site 4 procedure 4 path 0
thread 0 {
  @0 MPI_Init
  loop 4 {
    @1 MPI_Bcast peer=0 send_bytes=10..40/10 | compute 1ms | communicate {0-1: 1ms; 2: 3ms}
  }
  ranks 0: @2 MPI_Send peer=1 tag=1 bytes=100 | communicate 2ms
  ranks 1: @3 MPI_Recv peer=0 tag=1 bytes=100 | communicate 2ms
  @4 MPI_Finalize
}
)TRACE";

trace_io::Trace example() { return trace_io::assemble(kTrace, "example"); }

}  // namespace

// Four ranks that share one distribution, 1, 2, 4 and 9 ms: who had the shortest and the longest is known.
TEST_CASE("record report: a rank's only call has one time", "[mpip]") {
  std::string text = kTrace;
  const auto replace = [&text](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("ranks 3", "ranks 4");
  replace("ranks 2\nproc", "ranks 2-3\nproc");
  replace("loop 4 {", "loop 1 {");
  replace("{0-1: 1ms; 2: 3ms}",
          "(limit=5 count=4 sum=16000000 squares=0:102000000000000 min=1000000@2 max=9000000@1 "
          "bins=[2/3000000, 1/4000000, 1/9000000])");
  const auto report = report_of(record_of(trace_io::assemble(text, "test")), "/tmp");
  const double wanted[] = {3, 9, 1, 3};  // the other two share what is left
  double sum = 0;
  for (const auto& row : report.site_time) {
    if (row.operation != "Bcast") continue;
    if (row.rank == mpip::kAllRanks) {
      CHECK(row.max_ms.value == Approx(9));
      CHECK(row.min_ms.value == Approx(1));
      CHECK(row.mean_ms.value == Approx(4));
      continue;
    }
    REQUIRE(row.count == 1);
    for (const double value : {row.max_ms.value, row.mean_ms.value, row.min_ms.value})
      CHECK(value == Approx(wanted[row.rank]));
    sum += row.mean_ms.value;
  }
  CHECK(sum == Approx(16));
}

TEST_CASE("record report: a report of a trace holds what the trace holds", "[mpip]") {
  const auto record = record_of(example());
  const auto report = mpip::read_report(mpip::write_report(report_of(record, "/tmp")), "written");
  CHECK(report.command == "/opt/a b/app");
  CHECK(report.hosts == std::vector<std::string>{"n1", "n1", "n2"});
  REQUIRE(report.tasks.size() == 3);
  CHECK(report.tasks.at(0).app_s.value == Approx(0.010));  // 4 · (1 + 1) + 2 ms
  CHECK(report.tasks.at(2).app_s.value == Approx(0.016));
  CHECK(report.tasks.at(2).mpi_percent == Approx(75.00));
  CHECK(report.all_tasks->mpi_s.value == Approx(0.024));

  REQUIRE(report.sites.size() == 3);
  const auto& bcast = report.sites.at(1);
  CHECK(bcast.operation == "Bcast");
  CHECK(bcast.frames.front().file == "solve.cpp");
  CHECK(bcast.frames.front().line == 40);
  CHECK(bcast.frames.front().function == "solve(int, double)");
  CHECK_FALSE(report.sites.at(2).frames.front().resolved);

  REQUIRE_FALSE(report.aggregate_time.empty());
  const auto& first = report.aggregate_time.front();
  CHECK(first.operation == "Bcast");
  CHECK(first.count == 12);
  CHECK(first.time_ms.value == Approx(20));
  // Standard deviation of 4, 4 and 12 over their mean.
  CHECK(*first.variation == Approx(0.69));

  REQUIRE(report.aggregate_sent.size() == 2);
  CHECK(report.aggregate_sent[0].operation == "Bcast");
  CHECK(report.aggregate_sent[0].total.value == 300);
  CHECK(report.aggregate_sent[0].percent == Approx(75));
}

TEST_CASE("record report: rows of ranks have their counts, extremes and sums", "[mpip]") {
  const auto report = report_of(record_of(example()), "/tmp");
  const auto row =
      std::find_if(report.site_time.begin(), report.site_time.end(),
                   [](const auto& one) { return one.operation == "Bcast" && one.rank == 2; });
  REQUIRE(row != report.site_time.end());
  CHECK(row->count == 4);
  CHECK(row->max_ms.value == Approx(3));
  CHECK(row->mean_ms.value == Approx(3));
  CHECK(row->min_ms.value == Approx(3));
  CHECK(row->mpi_percent == Approx(100));
  const auto size =
      std::find_if(report.site_sent.begin(), report.site_sent.end(),
                   [](const auto& one) { return one.operation == "Bcast" && one.rank == 1; });
  REQUIRE(size != report.site_sent.end());
  CHECK(size->max.value == 40);
  CHECK(size->mean.value == 25);
  CHECK(size->min.value == 10);
  CHECK(size->sum.value == 100);
}

// System: the calls at path 2 were made by a callback, with a frame of the MPI library behind the caller's.
TEST_CASE("record report: calls inside other MPI calls are in no count, as with mpiP", "[mpip]") {
  std::string text = kTrace;
  const auto replace = [&](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("build_id \"00\"\n", "build_id \"00\"\nmodule 1 \"/lib/libmpi.so.40\" build_id \"01\"\n");
  replace("path 2 0+0x20\n", "path 2 0+0x20 1+0x8 0+0x30\n");
  const auto record = record_of(trace_io::assemble(text, "example"));
  CHECK(record.nested == std::set<std::string>{"Recv", "Send"});
  REQUIRE(record.sites.size() == 1);
  CHECK(record.sites.begin()->first.operation == "Bcast");
  const auto profile = profile_of(record, "trace");
  const auto result = validate(profile, profile, {});
  CHECK(result.passed());
  const auto is_said = [&](const std::string& key) {
    return std::any_of(result.skipped.begin(), result.skipped.end(), [&](const auto& one) {
      return one.key == key &&
             one.reason == "mpiP does not count calls made inside other MPI calls";
    });
  };
  CHECK(is_said("MPI_Recv in callbacks"));
  CHECK(is_said("MPI_Send in callbacks"));
  CHECK_FALSE(is_said("MPI_Bcast in callbacks"));
}

TEST_CASE("record report: the trace and its report pass each other's validation", "[mpip]") {
  const auto record = record_of(example());
  const auto report = mpip::read_report(mpip::write_report(report_of(record, "/tmp")), "written");
  auto ours = profile_of(record, "trace");
  const auto theirs = profile_of(report, "report");
  ours.program = theirs.program;  // a command's first blank ends the program in a report
  ours.command = theirs.command;
  const auto result = validate(ours, theirs, {});
  CHECK(result.passed());
  CHECK(result.checks.size() > 10);
}

TEST_CASE("record report: the time in which others had the core is application time", "[mpip]") {
  auto trace = example();
  trace.times_apart = {{trace_io::TimeApart::preemption, 3, Nanoseconds{5000000}, {}}};
  trace.preemptions.emplace().ranks = {{Rank{1}, 1, Nanoseconds{2000000}, Nanoseconds{4000000}},
                                       {Rank{2}, 2, Nanoseconds{3000000}, Nanoseconds{4000000}}};
  const auto record = record_of(trace);
  CHECK(record.app_s[2] == Approx(0.016));
  CHECK(record.recorder_s == 0);
  const auto report = report_of(record, "/tmp");
  CHECK(report.tasks.at(0).app_s.value == Approx(0.010));
  CHECK(report.tasks.at(1).app_s.value == Approx(0.012));
  CHECK(report.tasks.at(2).app_s.value == Approx(0.019));
  CHECK(report.tasks.at(2).mpi_s.value == Approx(0.012));
  CHECK(report.all_tasks->app_s.value == Approx(0.041));
  const auto row =
      std::find_if(report.site_time.begin(), report.site_time.end(),
                   [](const auto& one) { return one.operation == "Bcast" && one.rank == 2; });
  REQUIRE(row != report.site_time.end());
  CHECK(row->app_percent == Approx(100 * 12.0 / 19));
  CHECK(profile_of(record, "trace").times[2].app_s.value == Approx(0.019));

  const auto replay = record_of(trace, {0.5, 0.5, 0.5}, {}, "a machine");
  CHECK(report_of(replay, "/tmp").tasks.at(2).app_s.value == Approx(0.5));
}

// A master and its workers: rank 1 took three tasks of 2 ms, rank 2 one.
TEST_CASE("record report: ranks compute as often as they call", "[mpip]") {
  std::string text = kTrace;
  text.replace(text.find("  loop 4 {"), 10, "  loop {0-1: 6; 2: 2} {");
  text.replace(text.find("10..40/10"), 9, "10*6");
  text.replace(text.find("{0-1: 1ms; 2: 3ms}"), 18, "1ms");
  const auto record = record_of(trace_io::assemble(text, "example"));
  CHECK(record.app_s[1] == Approx(0.014));
  CHECK(record.app_s[2] == Approx(0.004));
}

TEST_CASE("record report: the header names what is no rank's own time", "[mpip]") {
  auto trace = example();
  const auto header = [&] {
    const auto report = mpip::write_report(report_of(record_of(trace), "/tmp"));
    return mpip::read_report(report, "written");
  };
  CHECK(header().header_value("Preempted").empty());
  CHECK(header().header_value("Levelled over ranks").empty());
  trace.preemptions.emplace().ranks = {{Rank{1}, 1, Nanoseconds{2000000}, Nanoseconds{4000000}},
                                       {Rank{2}, 2, Nanoseconds{3000000}, Nanoseconds{4000000}}};
  CHECK(header().header_value("Preempted") ==
        "0.005 s of AppTime, in which others had ranks' cores (rank 2: 0.003 s)");
  std::string text = kTrace;
  text.replace(text.find("{0-1: 1ms; 2: 3ms}"), 18,
               "(limit=5 count=12 sum=16000000 squares=0:26000000000000 min=1000000@0 "
               "max=3000000@2 bins=[12/16000000])");
  trace = trace_io::assemble(text, "example");
  CHECK(header().header_value("Levelled over ranks") ==
        "80 % of MPI time, which the trace has as means of its ranks");
  text.replace(text.find("bins=[12/16000000]"), 18,
               "bins=[12/16000000] scale=0-2: (100*2, 300) scaled=2000");
  trace = trace_io::assemble(text, "example");
  CHECK(header().header_value("Levelled over ranks").empty());
}

// System: rank 1 has a second thread that computes three times as long as the first.
TEST_CASE("record report: of several threads, the first one's part of preemption", "[mpip]") {
  auto trace = trace_io::assemble(
      std::string(kTrace) +
          "thread 1 {\n  ranks 1: @1 MPI_Bcast peer=0 send_bytes=8 | compute 12ms"
          " | communicate 1ms\n}\n",
      "example");
  trace.preemptions.emplace().ranks = {{Rank{1}, 1, Nanoseconds{2000000}, Nanoseconds{16000000}}};
  const auto record = record_of(trace);
  CHECK(record.app_s[1] == Approx(0.010));
  CHECK(record.preempted_s[1] == Approx(0.0005));
}

TEST_CASE("record report: a replay's times take the place of the recorded ones", "[mpip]") {
  const auto trace = example();
  const auto record =
      record_of(trace, {0.5, 0.5, 0.5},
                {{1, Rank{2}, {0.02, 0.004, 0.006}}, {2, Rank{0}, {0.1, 0.1, 0.1}}}, "a machine");
  CHECK(record.clock == "replay on a machine");
  CHECK(record.times_mean_nothing.empty());
  const auto& bcast = record.sites.at({"Bcast", "solve.cpp", 40, "solve(int, double)"});
  CHECK(bcast.at(2).calls == 4);
  CHECK(bcast.at(2).time_s.total == 0.02);
  CHECK(bcast.at(2).time_s.least == 0.004);
  CHECK(bcast.at(0).time_s.total == 0);
  CHECK(record.app_s == std::vector<double>{0.5, 0.5, 0.5});
}

TEST_CASE("record report: a trace of the cpu clock says that its times are no wall times",
          "[mpip]") {
  auto trace = example();
  trace.header.clock = trace_io::Clock::cpu;
  const auto record = record_of(trace);
  CHECK(record.times_mean_nothing ==
        "the trace was recorded with the CPU clock, which stops while a rank waits");
  CHECK(record.clock == "the recording's CPU clock");
}

}  // namespace reprise::sim::validation
