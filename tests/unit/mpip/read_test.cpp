// SPDX-License-Identifier: MIT
// Reports that mpiP 3.5.0 wrote of real runs, in both forms and with its options, and what stands in them.
#include "sim/mpip/read.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace reprise::sim::mpip {
namespace {

Report real(const std::string& name) { return load_report(REPORTS "/" + name); }

template <class Rows>
const auto& row_of(const Rows& rows, const std::string& operation, std::int32_t site,
                   std::int32_t rank) {
  for (const auto& row : rows)
    if (row.operation == operation && row.site == site && row.rank == rank) return row;
  FAIL("no row of " << operation << " at site " << site);
  return rows.front();
}

TEST_CASE("read: the header of a verbose report is kept line by line", "[mpip]") {
  const auto report = real("is.W.4.mpiP");
  CHECK_FALSE(report.concise);
  CHECK_FALSE(report.fixed_point);
  CHECK(report.command == "/opt/npb/bin/is.W.x");
  CHECK(report.header_value("Version") == "3.5.0");
  CHECK(report.header_value("Start time") == "2026 11 21 00:31:21");
  CHECK(report.header_value("MPIP env var") == "-f,/scratch/mpip,-k1");
  CHECK(report.header_value("No such line").empty());
  CHECK(report.hosts == std::vector<std::string>(4, "vm"));
  CHECK(report.ranks() == 4);
}

TEST_CASE("read: task times carry their precision", "[mpip]") {
  const auto report = real("is.W.4.mpiP");
  CHECK(report.tasks.size() == 4);
  CHECK(report.tasks.at(1).app_s.value == 0.479);
  CHECK(report.tasks.at(1).app_s.half_step == Approx(0.0005));
  CHECK(report.tasks.at(0).app_s.half_step ==
        Approx(0.0005));  // printed 0.48: %g drops the zero, not the precision
  CHECK(report.tasks.at(1).mpi_percent == 34.40);
  REQUIRE(report.all_tasks);
  CHECK(report.all_tasks->app_s.value == 1.92);
  CHECK(report.all_tasks->app_s.half_step == Approx(0.005));
}

TEST_CASE("read: call sites are resolved to file, line and function, or left as addresses",
          "[mpip]") {
  const auto report = real("is.W.4.mpiP");
  CHECK(report.sites.size() == 45);
  const auto& named = report.sites.at(8);
  CHECK(named.operation == "Alltoallv");
  REQUIRE(named.frames.size() == 1);
  CHECK(named.frames[0].resolved);
  CHECK(named.frames[0].file == "is.c");
  CHECK(named.frames[0].line == 772);
  CHECK(named.frames[0].function == "rank");
  const auto& unknown = report.sites.at(11);
  CHECK(unknown.operation == "Send");
  CHECK_FALSE(unknown.frames[0].resolved);
  CHECK(unknown.frames[0].file == "0x7fb34681d618");
  CHECK(unknown.frames[0].function == "[unknown]");
}

TEST_CASE("read: functions of C++ with blanks in their names are one column", "[mpip]") {
  const auto report = real("hpccg-s.4.mpiP");
  bool seen = false;
  for (const auto& [id, site] : report.sites)
    for (const auto& frame : site.frames)
      seen = seen || frame.function.find(", ") != std::string::npos;
  CHECK(seen);
}

TEST_CASE("read: deeper levels of a call site are its callers", "[mpip]") {
  const auto report = real("3-stacktrace.verbose.mpiP");
  bool deep = false;
  for (const auto& [id, site] : report.sites) deep = deep || site.frames.size() > 1;
  CHECK(deep);
}

TEST_CASE("read: rows of a rank and of all ranks of a call site", "[mpip]") {
  const auto report = real("is.W.4.mpiP");
  const auto& rank0 = row_of(report.site_time, "Allreduce", 4, 0);
  CHECK(rank0.count == 10);
  CHECK(rank0.mean_ms.value == 7.13);
  CHECK(rank0.mpi_percent == 42.56);
  CHECK(row_of(report.site_time, "Allreduce", 4, kAllRanks).mpi_percent == 10.27);
  CHECK(row_of(report.site_sent, "Allreduce", 4, 0).sum.value == 41160);
}

TEST_CASE("read: input and output has its own sizes", "[mpip]") {
  const auto report = real("14-mpiio.verbose.mpiP");
  CHECK(report.aggregate_io.size() == 6);
  const auto& row = row_of(report.site_io, "File_write_all", 6, kAllRanks);
  CHECK(row.count == 2);
  CHECK(row.sum.value == 2560);
  CHECK(report.aggregate_sent.empty());
}

TEST_CASE("read: without a stack the site is the number of the operation", "[mpip]") {
  const auto report = real("17-rma.verbose.mpiP");
  CHECK(report.sites.empty());
  CHECK(report.aggregate_time.front().site == 187);
  CHECK_FALSE(report.aggregate_time.front().variation);
  CHECK(row_of(report.site_rma, "Rput", 142, 0).sum.value == 1024);
}

TEST_CASE("read: histograms of communicator and data sizes", "[mpip]") {
  const auto report = real("10-coll-mess-size.verbose.mpiP");
  REQUIRE(report.collective_time.size() == 9);
  CHECK(report.collective_time[1].operation == "Allgatherv");
  CHECK(report.collective_time[1].comm_low == 0);
  CHECK(report.collective_time[1].comm_high == 7);
  CHECK(report.collective_time[1].data_low == 4096);
  CHECK(report.collective_time[1].data_high == 8191);
  CHECK(report.point_to_point_sent.size() == 2);
}

TEST_CASE("read: the concise form has statistics over ranks", "[mpip]") {
  const auto report = real("10-coll-mess-size.concise.mpiP");
  CHECK(report.concise);
  REQUIRE(report.task_statistics);
  CHECK(report.task_statistics->max.app_s == 0.000693);
  CHECK(report.task_statistics->max.app_rank == 1);
  CHECK(report.task_statistics->mpi_percent == 82.29);
  CHECK(report.time_over_ranks.size() == 12);
  CHECK(report.time_over_ranks.front().max_rank == 1);
  CHECK(report.sent_over_ranks.front().max.value == 24580);
  CHECK(report.site_time.empty());
}

TEST_CASE("read: fixed-point reports are recognised, and their decimals are their precision",
          "[mpip]") {
  const auto report = real("sweep-ops.verbose.mpiP");
  CHECK(report.fixed_point);
  CHECK(row_of(report.site_time, "Allreduce", 1, 0).max_ms.half_step == Approx(0.0005));
  CHECK(report.aggregate_sent.size() == 5);
  CHECK(report.sites.at(1).frames[0].function == "MAIN__");
}

TEST_CASE("read: a report with carriage returns reads the same", "[mpip]") {
  const std::string plain =
      "@ mpiP\n@ Command : ./a \n@ Version                  : 3.1.2\n\n"
      "---------------------------------------------------------------------------\n"
      "@--- MPI Time (seconds) ---------------------------------------------------\n"
      "---------------------------------------------------------------------------\n"
      "Task    AppTime    MPITime     MPI%\n"
      "   0       1.25      0.125    10.00\n"
      "   *       1.25      0.125    10.00\n"
      "---------------------------------------------------------------------------\n"
      "@--- End of Report --------------------------------------------------------\n"
      "---------------------------------------------------------------------------\n";
  std::string dos;
  for (const char c : plain) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(read_report(plain, "a").tasks.at(0).app_s.value == 1.25);
  CHECK(read_report(dos, "a").tasks.at(0).app_s.value == 1.25);
}

TEST_CASE("read: what is no number in mpiP's output is read as such", "[mpip]") {
  const std::string text =
      "@ mpiP\n\n"
      "---------------------------------------------------------------------------\n"
      "@--- MPI Time (seconds) ---------------------------------------------------\n"
      "---------------------------------------------------------------------------\n"
      "Task    AppTime    MPITime     MPI%\n"
      "   0          0          0     -nan\n"
      "   *   1.8e+308        inf      nan\n"
      "---------------------------------------------------------------------------\n"
      "@--- End of Report --------------------------------------------------------\n"
      "---------------------------------------------------------------------------\n";
  const auto report = read_report(text, "a");
  CHECK(std::isnan(report.tasks.at(0).mpi_percent));
  CHECK(std::isinf(report.all_tasks->app_s.value));
  CHECK(std::isinf(report.all_tasks->mpi_s.value));
}

}  // namespace
}  // namespace reprise::sim::mpip
