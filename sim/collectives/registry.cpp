// SPDX-License-Identifier: MIT
#include <vector>

#include "sim/collectives/schedules.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using trace_io::Collective;

std::vector<Algorithm> all_algorithms() {
  std::vector<Algorithm> all;
  for (const auto family :
       {barriers, bcasts_and_reduces, scatter_bcasts, allreduces, scans, gathers_and_scatters,
        allgathers, exchanges, reduce_scatters, stages, between_groups}) {
    const auto algorithms = family();
    all.insert(all.end(), algorithms.begin(), algorithms.end());
  }
  return all;
}

// The first that fits; null where none does.
template <class Fits>
const Algorithm* first_of(Collective operation, bool on_intercommunicator, Fits fits) {
  for (const Algorithm& algorithm : algorithms())
    if (algorithm.operation == operation &&
        algorithm.on_intercommunicators == on_intercommunicator && fits(algorithm))
      return &algorithm;
  return nullptr;
}

}  // namespace

std::span<const Algorithm> algorithms() {
  static const std::vector<Algorithm> all = all_algorithms();
  return all;
}

const Algorithm* find_algorithm(Collective operation, bool on_intercommunicator,
                                std::string_view name) {
  return first_of(operation, on_intercommunicator,
                  [name](const Algorithm& algorithm) { return algorithm.name == name; });
}

const Algorithm& simple_algorithm(Collective operation, bool on_intercommunicator) {
  const Algorithm* const found =
      first_of(operation, on_intercommunicator, [](const Algorithm&) { return true; });
  REPRISE_ASSERT(found != nullptr, "the operation exists on that kind of communicator");
  return *found;
}

}  // namespace reprise::sim
