// SPDX-License-Identifier: MIT
// Many short timings of one thing, told by their median and spread.
//
// Samples  a sample is the mean of `inner` repetitions in a row, as many as make it long against the clock's resolution, so that a
//          rank that loses its core for a moment spoils one sample and not the answer.
#pragma once

#include <cstddef>
#include <vector>

namespace reprise::probe {

struct Summary {
  double low_s = 0, median_s = 0, high_s = 0;  // the 10 %, 50 % and 90 % quantiles
  std::size_t samples = 0;
};

// REQUIRES: at least one sample. Quantiles are samples: the one of rank ⌊q (n − 1) + ½⌋.
Summary summarise(std::vector<double> samples);

// How often something that takes about `estimate_s` is repeated in `budget_s`.
struct Repetitions {
  int inner = 1, samples = 1;
};
Repetitions plan(double estimate_s, double budget_s);

// Takes the samples by chunks until there are enough, or they take three times the budget because somebody else has the cores; then
// GO_ON, given the leader's wish, tells all who sample together whether to stop.
template <class Sample, class GoOn>
std::vector<double> sample(const Repetitions& wanted, double budget_s, double (*now)(), Sample once,
                           GoOn go_on) {
  constexpr int kChunks = 10;
  const int chunk = wanted.samples / kChunks + 1;
  std::vector<double> samples;
  const double end = now() + 3 * budget_s;
  do {
    for (int i = 0; i < chunk; ++i) samples.push_back(once(wanted.inner));
  } while (go_on(static_cast<int>(samples.size()) < wanted.samples && now() < end));
  return samples;
}

}  // namespace reprise::probe
