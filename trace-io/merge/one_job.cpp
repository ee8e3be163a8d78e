// SPDX-License-Identifier: MIT
#include <string>

#include "trace-io/base/error.hpp"
#include "trace-io/merge/tables.hpp"

namespace reprise::trace_io {
namespace {

constexpr const char* kOneJob = "merge the traces of one run of one job only";

std::string name_of(Timing timing) {
  switch (timing) {
    case Timing::stat:
      return "\"stat\"";
    case Timing::histogram:
      return "\"histogram\"";
    case Timing::path:
      return "\"path\"";
  }
  return "";
}
std::string name_of(Clock clock) { return clock == Clock::wall ? "\"wall\"" : "\"cpu\""; }

std::string place(const Header& a, const Header& b) {
  return "merging rank " + a.recorded.text() + " with rank " + b.recorded.text();
}

}  // namespace

void check_one_job(const Header& a, const Header& b) {
  const auto require_same = [&](const char* what, const std::string& in_a,
                                const std::string& in_b) {
    if (in_a != in_b)
      throw InputError(place(a, b),
                       std::string("the ") + what + " differs: " + in_a + " and " + in_b, kOneJob);
  };
  require_same("number of ranks", std::to_string(a.ranks), std::to_string(b.ranks));
  require_same("timing", name_of(a.timing), name_of(b.timing));
  require_same("clock", name_of(a.clock), name_of(b.clock));
  require_same("number of histogram bins", std::to_string(a.bins), std::to_string(b.bins));
  require_same("rule of histograms", '"' + std::string(name_of(a.bin_rule)) + '"',
               '"' + std::string(name_of(b.bin_rule)) + '"');
  if (!a.recorded.intersects(b.recorded)) return;
  const RankList both = a.recorded.minus(a.recorded.minus(b.recorded));
  throw InputError(place(a, b), "both traces hold rank " + both.text(), kOneJob);
}

}  // namespace reprise::trace_io
