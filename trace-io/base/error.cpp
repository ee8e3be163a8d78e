// SPDX-License-Identifier: MIT
#include "trace-io/base/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace reprise {
namespace {
std::string full_text(const std::string& where, const std::string& problem,
                      const std::string& hint) {
  return (where.empty() ? "" : where + ": ") + problem + (hint.empty() ? "" : "\n  " + hint);
}
}  // namespace

CommandError::CommandError(std::string where, std::string problem, std::string hint)
    : std::runtime_error(full_text(where, problem, hint)),
      where_(std::move(where)),
      problem_(std::move(problem)),
      hint_(std::move(hint)) {}

void assertion_failed(const char* condition, const char* what_must_hold, const char* file,
                      int line) {
  std::fprintf(stderr, "reprise: bug: %s:%d: %s (%s does not hold)\n", file, line, what_must_hold,
               condition);
  std::abort();
}

}  // namespace reprise
