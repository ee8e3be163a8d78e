// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "trace-io/check/summary.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

// 40 values that no loop folds, on one site; the other site's values are regular.
std::string irregular(int values) {
  std::string list;
  for (std::int64_t i = 0, value = 1; i < values; ++i, value = value * 75 % 65537)
    list += (i > 0 ? ", " : "") + std::to_string(value);
  return "reprise-text 1\nranks 2\nthread 0 {\n  loop " + std::to_string(values) +
         " {\n    MPI_Allreduce send_bytes=(" + list +
         ")\n    MPI_Bcast peer=0 send_bytes=8\n  }\n}\n";
}

}  // namespace

TEST_CASE("growth: a regular program has no contributor", "[trace-io]") {
  REQUIRE(contributors(assemble("reprise-text 1\nranks 2\nthread 0 {\n  loop 1000 {\n    MPI_Bcast "
                                "peer=0 send_bytes=0..999\n  }\n}\n",
                                "t"),
                       5)
              .empty());
}

TEST_CASE("growth: irregular values are named with their site, field and number", "[trace-io]") {
  const auto found = contributors(assemble(irregular(40), "t"), 5);
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.starts_with("MPI_Allreduce"));
  CHECK(found[0].field == "send_bytes");
  CHECK(found[0].terms == 40);
  CHECK(found[0].bytes >= 3 * 40);
  CHECK(found[0].reason == "irregular: 40 distinct values or starts of runs in 40 values");
}

TEST_CASE("growth: values that differ from rank to rank are named as that", "[trace-io]") {
  std::string text = "reprise-text 1\nranks 40\nthread 0 {\n  MPI_Allreduce send_bytes={";
  for (int rank = 0; rank < 40; ++rank)
    text += (rank > 0 ? "; " : "") + std::to_string(rank) + ": " + std::to_string(rank * rank);
  const auto found = contributors(assemble(text + "}\n}\n", "t"), 5);
  REQUIRE(found.size() == 1);
  CHECK(found[0].reason == "different on 40 groups of ranks");
}
