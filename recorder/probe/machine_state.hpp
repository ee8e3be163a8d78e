// SPDX-License-Identifier: MIT
// Whether the machine is still the one that was measured a moment ago.
//
// Why    The cores of a virtual machine change place: two of them share a physical core at one time, a cache at another, and nothing but memory a second later.
//        A message of 256 KiB then takes 24, 50 or 155 us (docs/RESULTS.md, "A virtual machine with three states"), and a table of medians over all of it is of no
//        machine. Frequencies that change have the same effect.
// How    Before and after each row the pair times a reference message. What most looks at the beginning agree on is the machine; a row that
//        did not begin and end so is measured again, until PATIENCE is used up. Then rows are taken as they come, and counted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recorder/probe/patterns.hpp"
#include "recorder/probe/wall_limit.hpp"

namespace reprise::probe {

class MachineState {
 public:
  // Collective over MPI_COMM_WORLD, as all that follows. LOOKING_S: how long it looks for the usual state. LIMIT outlives it.
  MachineState(const Partners&, const Pair&, const std::string& path, double looking_s,
               double patience_s, WallLimit& limit);

  // MEASURE adds rows to SERIES; again, if the machine was not in its usual state all the time; not at all once the time is up.
  template <class Measure>
  void steadily(Series& series, Measure measure) {
    const std::size_t rows = series.rows.size();
    for (bool again = !is_too_late(); again;) {
      await_usual();
      series.rows.resize(rows);
      measure();
      again = !lasted();
    }
  }
  const Reference& reference() const { return reference_; }

 private:
  double look();  // on the pair's first rank; 0 elsewhere
  bool is_usual(double time) const;
  void await_usual();
  // Whether the row can be kept: the state is the usual one, or there is no patience left.
  bool lasted();
  int first_tells(int known) const;
  bool is_too_late();

  const Partners& partners_;
  const Pair pair_;
  Reference reference_;
  double patience_s_;
  double row_began_ = 0;
  WallLimit& limit_;
  std::vector<char> out_, in_;
};

}  // namespace reprise::probe
