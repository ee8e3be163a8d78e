// SPDX-License-Identifier: MIT
// A report of mpiP (https://github.com/LLNL/mpiP, versions 3.1 to 3.5) in memory, in either of its two forms.
//
// Forms    verbose: one row for each call site and rank. Concise: one row for each call site, with extremes over ranks.
// Numbers  mpiP prints most of them with three or four significant digits; a Printed carries how far the truth may be.
// Units    as mpiP prints them: task times in seconds, call site times in milliseconds, sizes in bytes.
// Ids      of call sites follow mpiP's hash and arrival order: they mean nothing beyond their own report.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace reprise::sim::mpip {

struct Printed {
  double value = 0;
  double half_step = 0;  // the number that was printed lies in value ± half_step
};

struct TaskTime {
  Printed app_s, mpi_s;
  double mpi_percent = 0;
};

struct StackFrame {
  std::string file;       // or the address, "0x7f…", where the frame could not be resolved
  std::int32_t line = 0;  // 0 where unresolved
  std::string function;   // "[unknown]" where unresolved
  bool resolved = false;
};
struct CallSite {
  std::string operation;           // without "MPI_"
  std::vector<StackFrame> frames;  // innermost first
};

struct AggregateTime {
  std::string operation;
  std::int32_t site = 0;  // with stack depth 0 mpiP's number of the operation
  Printed time_ms;
  double app_percent = 0, mpi_percent = 0;
  std::uint64_t count = 0;
  std::optional<double> variation;  // COV; mpiP leaves the column out with stack depth 0
};
struct AggregateSize {
  std::string operation;
  std::int32_t site = 0;
  std::uint64_t count = 0;
  Printed total, average;
  double percent = 0;
};
// One line of a histogram over communicator sizes and data sizes; ranges are inclusive.
struct HistogramLine {
  std::string operation;
  double percent = 0;
  std::uint64_t comm_low = 0, comm_high = 0, data_low = 0, data_high = 0;
};

inline constexpr std::int32_t kAllRanks = -1;  // the rows that mpiP marks "*"

struct SiteTime {
  std::string operation;
  std::int32_t site = 0, rank = kAllRanks;
  std::uint64_t count = 0;
  Printed max_ms, mean_ms, min_ms;  // of single calls
  double app_percent = 0, mpi_percent = 0;
};
struct SiteSize {
  std::string operation;
  std::int32_t site = 0, rank = kAllRanks;
  std::uint64_t count = 0;
  Printed max, mean, min, sum;
};
// Of the concise form: extremes and mean of what the ranks have in all their calls together.
struct SiteOverRanks {
  std::string operation;
  std::int32_t site = 0;
  std::uint64_t tasks = 0;
  Printed max, mean, min;
  std::int32_t max_rank = 0, min_rank = 0;
};

struct TaskTimeStatistics {
  struct Row {
    double app_s = 0, mpi_s = 0;              // printed with six decimals
    std::int32_t app_rank = 0, mpi_rank = 0;  // of Max and Min
  };
  Row max, mean, min, standard_deviation, aggregate;
  double mpi_percent = 0;
};

struct Report {
  bool concise = false;
  bool fixed_point =
      false;  // written with mpiP's -e: three or four decimals instead of significant digits
  std::string command;
  std::vector<std::pair<std::string, std::string>>
      header;                              // "Version", "Start time", …, in the order of the file
  std::vector<std::string> hosts;          // per rank; verbose form
  std::map<std::int32_t, TaskTime> tasks;  // per rank; verbose form
  std::optional<TaskTime> all_tasks;
  std::optional<TaskTimeStatistics> task_statistics;  // concise form
  std::map<std::int32_t, CallSite> sites;
  // Widths of the call sites' columns: mpiP makes them fit frames that it then does not list.
  std::int32_t file_width = 18, function_width = 24;
  std::vector<AggregateTime> aggregate_time;
  std::vector<AggregateSize> aggregate_sent, aggregate_io, aggregate_rma;
  std::vector<HistogramLine> collective_time, point_to_point_sent;
  std::vector<SiteTime> site_time;
  std::vector<SiteSize> site_sent, site_io, site_rma;
  std::vector<SiteOverRanks> time_over_ranks, sent_over_ranks, io_over_ranks, rma_over_ranks;

  // The value of a header line, empty where there is none.
  std::string header_value(const std::string& name) const;
  // Tasks of the job: from the task table, else from the assignments, else 0 (the concise form does not tell).
  std::int32_t ranks() const;
};

}  // namespace reprise::sim::mpip
