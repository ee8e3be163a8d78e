// SPDX-License-Identifier: MIT
#include "sim/cli/functions_option.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/model/function_samples.hpp"

namespace reprise::cli {
namespace po = boost::program_options;
namespace {

void check_rate(const std::string& text) {
  constexpr std::uint64_t kMost = trace_io::kHighestSamplingRate;
  if (const auto rate = parse_count(text, "--functions"); rate < 1 || rate > kMost)
    throw InputError(
        "--functions",
        "a rate of " + text + " samples a second is not between 1 and " + std::to_string(kMost),
        "sample alone takes " + std::to_string(trace_io::kDefaultSamplingRate));
}

}  // namespace

const char* const kFunctionsText =
    "which functions the program computes in: sample takes RATE samples (default 200) per second "
    "of CPU time, in any program; trace records every enter and leave of programs built with "
    "-finstrument-functions; timed adds their times";

po::typed_value<std::string>* functions_value() {
  return po::value<std::string>()
      ->value_name("sample[:RATE]|trace[,timed]|none")
      ->default_value("none");
}

std::string functions(const po::variables_map& values) {
  const auto text = values["functions"].as<std::string>();
  if (text == "none") return "";
  bool is_traced = false, is_timed = false;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string mode = text.substr(begin, end - begin);
    begin = end + 1;
    if (mode == "trace")
      is_traced = true;
    else if (mode == "timed")
      is_timed = true;
    else if (mode.starts_with("sample:"))
      check_rate(mode.substr(7));
    else if (mode != "sample")
      throw InputError("--functions", "\"" + mode + "\" is not a way to record functions",
                       "sample, or sample:RATE with samples a second; trace, or trace,timed");
  }
  if (is_timed && !is_traced)
    throw InputError("--functions", "timed works with trace only", "write trace,timed");
  return text;
}

}  // namespace reprise::cli
