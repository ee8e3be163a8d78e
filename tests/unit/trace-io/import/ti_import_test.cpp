// SPDX-License-Identifier: MIT
// What a time-independent trace means as events of ours. Whole traces and refusals: tests/cli/cases/import_ti*.case.
#include "trace-io/import/ti/ti_import.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "trace-io/walk/cursor.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

Trace imported_ti(const std::string& text, const ImportSettings& settings = {}) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("reprise-ti-" + std::to_string(getpid()) + ".txt"))
          .string();
  std::FILE* file = std::fopen(path.c_str(), "w");
  REQUIRE(file != nullptr);
  std::fputs(text.c_str(), file);
  std::fclose(file);
  Trace trace = import_ti(path, settings);
  std::filesystem::remove(path);
  return trace;
}

struct Call {
  std::string procedure;
  std::vector<std::int64_t> scalars;
  std::int64_t compute_sum;  // ns, of the distribution that applies
};

std::vector<Call> calls_of(const Trace& trace, std::int32_t rank) {
  const Programs programs(trace);
  Cursor cursor(programs, Rank{rank}, 0);
  std::vector<Call> calls;
  while (cursor.advance()) {
    const auto* compute = cursor.compute();
    calls.push_back({std::string(cursor.procedure().name),
                     {cursor.scalars().begin(), cursor.scalars().end()},
                     compute == nullptr ? 0 : compute->durations.sum().value});
  }
  return calls;
}

}  // namespace

TEST_CASE("ti_import: sizes are counts times the type's size, doubles where init has an argument",
          "[trace-io]") {
  const auto bytes =
      calls_of(imported_ti("0 init\n0 send 0 1 10\n0 send 0 1 10 1\n0 send 0 1 1e3\n"), 0);
  REQUIRE(bytes.size() == 4);
  CHECK(bytes[1].scalars == std::vector<std::int64_t>{0, kFirstPeer, 1, 10});
  CHECK(bytes[2].scalars == std::vector<std::int64_t>{0, kFirstPeer, 1, 40});
  CHECK(bytes[3].scalars == std::vector<std::int64_t>{0, kFirstPeer, 1, 1000});
  CHECK(calls_of(imported_ti("0 init 1\n0 send 0 1 10\n"), 0)[1].scalars ==
        std::vector<std::int64_t>{0, kFirstPeer, 1, 80});
}

TEST_CASE(
    "ti_import: computing before a call becomes its delta and rounding loses nothing in the sum",
    "[trace-io]") {
  std::string lines = "0 init\n0 compute 1500\n0 sleep 0.000001\n0 barrier\n";
  for (int i = 0; i < 10; ++i)
    lines += "0 compute 0.25\n0 allreduce 1 0.1 0\n";  // 0.35 ns each, 0.25 before the first
  const auto calls = calls_of(imported_ti(lines), 0);
  REQUIRE(calls.size() == 12);
  CHECK(calls[1].compute_sum == 2500);
  CHECK(calls.back().compute_sum <= 4);  // 9 · 0.35 + 0.25 = 3.4, in whole nanoseconds
  CHECK(calls.back().compute_sum >= 2);
}

TEST_CASE("ti_import: the stated speed turns flops into time", "[trace-io]") {
  ImportSettings settings;
  settings.flops_per_second = 2e9;
  CHECK(calls_of(imported_ti("0 init\n0 compute 1e6\n0 barrier\n", settings), 0)[1].compute_sum ==
        500000);
}

TEST_CASE(
    "ti_import: waits name the oldest request of sender, receiver and tag, and slots are used "
    "again",
    "[trace-io]") {
  const auto calls = calls_of(imported_ti("0 init\n0 isend 0 1 8\n0 irecv 0 1 8\n0 wait 0 0 1\n0 "
                                          "isend 0 2 8\n0 waitall 2\n0 finalize\n"),
                              0);
  REQUIRE(calls.size() == 7);
  CHECK(calls[1].scalars.back() == 0);
  CHECK(calls[2].scalars.back() == 1);
  CHECK(calls[3].procedure == "MPI_Wait");
  CHECK(calls[3].scalars.front() == 0);
  CHECK(calls[4].scalars.back() == 0);
  CHECK(calls[5].procedure == "MPI_Waitall");
}

TEST_CASE("ti_import: a location makes call sites of its own", "[trace-io]") {
  const Trace trace =
      imported_ti("0 init\n0 location a.c 3\n0 barrier\n0 location a.c 4\n0 barrier\n0 barrier\n");
  CHECK(trace.sites.size() == 3);
  REQUIRE(trace.frame_names.size() == 2);
  CHECK(trace.frame_names[1].file == "a.c");
  CHECK(trace.frame_names[1].line == 4);
}

TEST_CASE("ti_import: steps fold into a loop whatever their number", "[trace-io]") {
  const auto nodes = [](int steps) {
    std::string text = "0 init\n";
    for (int i = 0; i < steps; ++i)
      text += "0 compute 1000\n0 send 0 1 8\n0 recv 0 1 8\n0 barrier\n";
    return imported_ti(text + "0 finalize\n").threads.at(0).size();
  };
  CHECK(nodes(10) == nodes(1000));
}
