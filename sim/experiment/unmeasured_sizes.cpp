// SPDX-License-Identifier: MIT
#include "sim/experiment/unmeasured_sizes.hpp"

#include <algorithm>
#include <bit>

#include "sim/rank_times.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

constexpr std::uint64_t kTimesLarger = 2;
constexpr double kWorthANote = 0.01;          // of all ranks' time
constexpr Bytes kLargestProbed{64ULL << 20};  // reprise-probe --most

void describe_path(const platforms::PathUse& use, const platforms::Mpi& mpi, const char* where,
                   std::vector<std::string>& sentences) {
  if (!mpi.uncertainty || mpi.uncertainty->residuals.empty()) return;
  const Bytes measured = mpi.uncertainty->residuals.back().bytes, met{use.sizes.most()};
  if (met.value < kTimesLarger * std::max<std::uint64_t>(1, measured.value)) return;
  const Bytes most{std::min(std::bit_ceil(met.value), kLargestProbed.value)};
  std::string text = std::string("messages ") + where + " of up to " + to_text(met) +
                     " are larger than any that this platform was measured with (" +
                     to_text(measured) + ") and take its time for a byte";
  if (measured < most)
    text += ", though memory beyond the caches may be slower: reprise-probe --most " +
            std::to_string(most.value >> 20) + "MiB measures it";
  sentences.push_back(std::move(text));
}

}  // namespace

std::vector<std::string> describe_unmeasured_sizes(const platforms::Platform& platform,
                                                   const Outcome& outcome) {
  const RankTimes total = total_times(outcome);
  std::vector<std::string> sentences;
  if (total.communication < total.finish * kWorthANote) return sentences;
  describe_path(outcome.used.inside_nodes, platform.intra_node_mpi, "inside a node", sentences);
  describe_path(outcome.used.between_nodes, platform.mpi, "between nodes", sentences);
  return sentences;
}

}  // namespace reprise::sim
