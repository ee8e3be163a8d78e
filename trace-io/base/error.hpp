// SPDX-License-Identifier: MIT
// The two exceptions that end a command, and the assertion for our own bugs.
//
// InputError  wrong usage or bad input: exit status 2.   RunError  the run or the check failed: exit status 1.
// Both are caught in one place only, sim/cli/main.cpp (and at the recorder's outer edge, which never lets one out).
#pragma once

#include <stdexcept>
#include <string>

namespace reprise {

// Text of both: "WHERE: PROBLEM", then the hint on its own line, indented by two blanks, if there is one.
class CommandError : public std::runtime_error {
 public:
  CommandError(std::string where, std::string problem, std::string hint = "");
  const std::string& where() const noexcept { return where_; }
  const std::string& problem() const noexcept { return problem_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  std::string where_, problem_, hint_;
};

class InputError : public CommandError {
 public:
  using CommandError::CommandError;
};

class RunError : public CommandError {
 public:
  using CommandError::CommandError;
};

[[noreturn]] void assertion_failed(const char* condition, const char* what_must_hold,
                                   const char* file, int line);

}  // namespace reprise

// For our own bugs, never for user input; on in release builds. Prints to stderr and aborts.
#define REPRISE_ASSERT(condition, what_must_hold) \
  ((condition) ? static_cast<void>(0)             \
               : ::reprise::assertion_failed(#condition, what_must_hold, __FILE__, __LINE__))
