// SPDX-License-Identifier: MIT
// What the two ranks that measure tell each other, and what they send.
#pragma once

#include <cstdint>
#include <vector>

#include "recorder/probe/patterns.hpp"

namespace reprise::probe {

inline constexpr int kData = 1, kControl = 2, kNever = 3;  // tags

// Every series takes its rows to rank 0, whoever measured. SAMPLES: the first's of the pair.
void report(const Partners&, const Pair&, std::uint64_t bytes, const std::vector<double>& samples,
            Series&);

// The first of the pair decides, both do it.
Repetitions agree(const Partners&, const Pair&, double estimate_s, double budget_s);
// What the first of the pair wants.
bool go_on(const Partners&, const Pair&, bool wanted);

void send(const std::vector<char>& from, std::uint64_t bytes, int to);
void receive(std::vector<char>& into, std::uint64_t bytes, int from);

void spin(double seconds);
// What reading the clock adds to a short interval.
double clock_cost();

}  // namespace reprise::probe
