// SPDX-License-Identifier: MIT
// Delta times in the text form that do not hold together: refused with their place.
#include <catch2/catch.hpp>

#include "trace-io/base/error.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

// Of a distribution of the durations 10, 20, 30 and 40, one a rank, with something behind its bins.
std::string with(const std::string& more, const std::string& bins = "2/30, 2/70") {
  try {
    assemble(
        "reprise-text 1\nranks 4\nthread 0 {\nMPI_Barrier | compute (limit=3 count=4 sum=100 "
        "squares=0:3000 min=10@0 "
        "max=40@3 bins=[" +
            bins + "]" + more + ")\n}\n",
        "t");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::string kCall = "t: ranks 0-3, MPI_Barrier at t:4: ";

}  // namespace

TEST_CASE("text: scale factors that do not hold together are refused", "[trace-io]") {
  CHECK(with(" scale=0-3: (100, 130, 95, 120) scaled=445") == "accepted");
  CHECK(with(" scale=0-3: (100, 130, 95) scaled=445") == kCall + "3 scale factors for 4 ranks");
  CHECK(with(" scale=0-2: (100, 130, 95) scaled=325") == kCall + "a rank without a scale factor");
  CHECK(with(" scale=0-3: (100, 130, 95, -1) scaled=324") ==
        kCall + "a scale factor below 0 or above 2147483647");
  CHECK(with(" scale=0-3: (100, 130, 95, 2147483648) scaled=324") ==
        kCall + "a scale factor below 0 or above 2147483647");
  CHECK(with(" scale=0-3: 100*4 scaled=0") == kCall + "a scaled count of 0, or above 62 bits");
  CHECK(with(" scale=0-3: 100*4 scaled=4611686018427387904") ==
        kCall + "a scaled count of 0, or above 62 bits");
  CHECK(with(" scale=0-4: 100*5 scaled=500") ==
        "t:4:107: there is no rank 4, the ranks are 0 to 3");
  CHECK(with(" scale=0-3 100*4 scaled=400") ==
        "t:4:109: expected \":\" after the ranks of scale factors, found \"100\"");
  CHECK(with(" scale=0-3: 100*4") == "t:4:115: expected \"scaled\" in a distribution, found \")\"");
}

TEST_CASE("text: totals of ranks that do not add up are refused", "[trace-io]") {
  CHECK(with(" totals=[1/10, 1/20, 1/30, 1/40]") == "accepted");
  CHECK(with(" totals=[1/10, 1/20, 2/70]") == kCall + "3 totals for 4 ranks");
  CHECK(with(" totals=[1/10, 1/20, 1/30, 1/41]") ==
        kCall + "totals of ranks that do not add up to those of all ranks");
  CHECK(with(" totals=[1/10, 1/20, 1/30, 2/40]") ==
        kCall + "totals of ranks that do not add up to those of all ranks");
  CHECK(with(" totals=[1/-10, 1/40, 1/30, 1/40]") ==
        kCall + "totals of ranks that do not add up to those of all ranks");
  CHECK(with(" totals=[1 10]") ==
        "t:4:109: expected \"/\" between a count and its sum, found \"10\"");
  CHECK(with(" totals=[1/10 1/20]") ==
        "t:4:112: expected \",\" between counts and sums, found \"1\"");
}

TEST_CASE("text: distributions whose parts contradict each other are refused", "[trace-io]") {
  const std::string contradiction = "t:4:23: the parts of a distribution contradict each other";
  CHECK(with("", "2/30, 2/71") == contradiction);
  CHECK(with("", "2/70, 2/30") == contradiction);
  CHECK(with("", "4/100, 0/0") == contradiction);
  CHECK(with("", "1/10, 1/20, 1/30, 1/40") == contradiction);
  CHECK(with("", "2/-30, 2/130") == contradiction);
  CHECK(with("", "1/5, 3/95") == contradiction);  // below the minimum …
  CHECK(with(" totals=[1/10, 1/20, 1/30, 1/40]", "1/5, 3/95") ==
        "accepted");  // … where bins are scaled
}
