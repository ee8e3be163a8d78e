// SPDX-License-Identifier: MIT
// The source text, so to speak, of a random SPMD program: what random_job.hpp executes for every rank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::trace_io::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();  // splitmix64
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }

 private:
  std::uint64_t state_;
};

// How a number depends on who computes it and when.
struct Rule {
  std::uint64_t kind = 0, amount = 0, salt = 0;
  std::int64_t value(std::uint64_t rank, std::uint64_t time) const;
};

struct Statement {
  enum class Kind : std::uint8_t { call, loop, branch } kind = Kind::call;
  std::uint32_t place = 0;
  std::vector<Rule> rules, lengths;  // of a call: one per field
  Rule control;                      // iterations of a loop, condition of a branch
  std::vector<Statement> body;
};

// Loops and branches nested at most three deep. Appends the procedure of every new place.
std::vector<Statement> random_program(Random&, std::vector<std::string>& procedures);

}  // namespace reprise::trace_io::testing
