// SPDX-License-Identifier: MIT
#include "trace-io/walk/cut.hpp"

#include <catch2/catch.hpp>
#include <utility>

#include "trace-io/check/check.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"
#include "trace-io/walk/cursor.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

using Events = std::vector<std::pair<SiteId, std::vector<std::int64_t>>>;

Events events_of(const Trace& trace) {
  Events events;
  const Programs programs(trace);
  if (!programs.has(Rank{0}, 0)) return events;
  for (Cursor cursor(programs, Rank{0}, 0); cursor.advance();)
    events.emplace_back(
        cursor.site(), std::vector<std::int64_t>(cursor.scalars().begin(), cursor.scalars().end()));
  return events;
}

// Loops in loops whose executions differ, left in the middle or not, empty ones among them; every call its own tag.
Trace nested() {
  return assemble(R"(reprise-text 1
ranks 1
thread 0 {
  MPI_Send peer=null tag=7 bytes=8
  loop 4 exit 2 {
    MPI_Send peer=null tag=0..99 bytes=8 | compute 1us
    loop (3, 0, 1, 5, 2) exit (0, 1, 2, 0, 1) {
      MPI_Send peer=null tag=100..199 bytes=8
      MPI_Send peer=null tag=200..299 bytes=8
      loop (2*20) {
        MPI_Send peer=null tag=300..399 bytes=8
      }
    }
    MPI_Send peer=null tag=400..499 bytes=8
  }
  loop 100 {
    MPI_Send peer=null tag=0..99 bytes=8
    MPI_Send peer=null tag=99..0/-1 bytes=8
  }
  MPI_Send peer=null tag=8 bytes=8
})",
                  "t");
}

}  // namespace

TEST_CASE("cut: the first events are left, wherever the program is cut", "[trace-io]") {
  const Trace whole = nested();
  const Events all = events_of(whole);
  REQUIRE(all.size() > 250);
  for (std::size_t count = 0; count <= all.size(); ++count) {
    Trace cut = whole;
    INFO("of " << all.size() << " events " << count);
    REQUIRE(cut_program(cut.threads[0], count) == count);
    REQUIRE(check_structure(cut).empty());
    REQUIRE(events_of(cut) ==
            Events(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)));
    REQUIRE(events_of(deserialise(serialise(cut), "cut")).size() == count);
  }
}

TEST_CASE("cut: a program that has no more events stays as it is", "[trace-io]") {
  const Trace whole = nested();
  const std::size_t events = events_of(whole).size();
  Trace cut = whole;
  CHECK(cut_program(cut.threads[0], events + 100) == events);
  CHECK(serialise(cut) == serialise(whole));
}

TEST_CASE("cut: a long loop is cut without walking it", "[trace-io]") {
  Trace trace = assemble(
      "reprise-text 1\nranks 1\nthread 0 {\nloop 1000000000000 {\nMPI_Barrier\nMPI_Barrier\n}\n}\n",
      "t");
  CHECK(cut_program(trace.threads[0], 999'999'999'999) == 999'999'999'999);
  const auto& loop = std::get<Loop>(trace.threads[0][0].content);
  CHECK(loop.iterations[0].values.front() == 499'999'999'999);
  CHECK(loop.exits[0].values.front() == 1);
}
