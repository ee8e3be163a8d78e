// SPDX-License-Identifier: MIT
#include "sim/cli/record_environment.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace reprise::cli {
namespace {

// Those that `reprise record` sets whether or not an option asks for it. The others it leaves alone then, and the ranks see the user's.
struct Standing {
  const char* option;
  const char* variable;
};
constexpr Standing kStanding[] = {{"timing", "REPRISE_TIMING"},       {"bins", "REPRISE_BINS"},
                                  {"histogram", "REPRISE_HISTOGRAM"}, {"order", "REPRISE_ORDER"},
                                  {"clock", "REPRISE_CLOCK"},         {"depth", "REPRISE_DEPTH"}};

std::string begun(const Standing& one) { return std::string("--") + one.option; }

}  // namespace

Arguments options_of_environment(const boost::program_options::variables_map& given) {
  Arguments words;
  for (const Standing& one : kStanding) {
    const char* const value = std::getenv(one.variable);
    if (value == nullptr || *value == '\0') continue;
    if (given[one.option].defaulted()) words.push_back(begun(one) + "=" + value);
  }
  return words;
}

InputError naming_the_variable(const InputError& error, const Arguments& of_environment) {
  for (const Standing& one : kStanding) {
    const auto is_its = [&](const std::string& word) { return word.starts_with(begun(one) + "="); };
    if (error.where() == begun(one) && std::ranges::any_of(of_environment, is_its))
      return {one.variable, error.problem(), error.hint()};
  }
  return error;
}

}  // namespace reprise::cli
