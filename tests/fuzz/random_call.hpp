// SPDX-License-Identifier: MIT
// A call of any procedure that a trace knows, with values for all of its fields: likely ones, now and then ones that break programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace reprise::fuzz {

// splitmix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(next() % limit); }
  bool one_in(std::size_t many) { return below(many) == 0; }

 private:
  std::uint64_t state_;
};

// A number that programs break at: around zero, powers of two, the ends of integers.
std::string odd_number(Random&);

// "MPI_Isend peer=+1 tag=0 bytes=8 request=0 | compute 10us"; RANKS: of the job.
std::string random_call(Random&, std::size_t ranks);

}  // namespace reprise::fuzz
