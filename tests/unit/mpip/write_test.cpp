// SPDX-License-Identifier: MIT
// Writing is compared with mpiP itself: a report that mpiP wrote, read and written again, is the same file.
#include "sim/mpip/write.hpp"

#include <catch2/catch.hpp>

#include "sim/mpip/read.hpp"
#include "trace-io/base/text_file.hpp"

namespace reprise::sim::mpip {
namespace {

TEST_CASE("write: a verbose report of mpiP comes back byte for byte", "[mpip]") {
  const auto name =
      GENERATE(as<std::string>{}, "is.W.4.mpiP", "hpccg-s.4.mpiP", "10-coll-mess-size.verbose.mpiP",
               "14-mpiio.verbose.mpiP", "17-rma.verbose.mpiP", "3-stacktrace.verbose.mpiP");
  CAPTURE(name);
  const auto text = read_text_file(REPORTS "/" + name);
  CHECK(write_report(read_report(text, name)) == text);
}

}  // namespace
}  // namespace reprise::sim::mpip
