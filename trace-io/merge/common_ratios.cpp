// SPDX-License-Identifier: MIT
#include "trace-io/merge/common_ratios.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {
namespace {

using TimePath = TimeTable::TimePath;

// Of paths whose ranks executed them equally often: what they share in a round.
struct Executions {
  const TimePath* of = nullptr;  // the first of these paths
  std::vector<double> scaled;    // executions times ratio, by rank of the path
  double all = 0;

  void scale_by(std::span<const double> ratios) {
    const std::vector<std::uint32_t>& rows = *of->rows;
    scaled.resize(rows.size());
    all = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      scaled[i] = static_cast<double>(of->delta->totals[i].count) * ratios[rows[i]];
      all += scaled[i];
    }
  }
};

std::uint64_t hash_of_executions(const TimePath& path) {
  WordHash words;
  for (const RankTotal& total : path.delta->totals) words.add(total.count);
  return words.value();
}

bool has_executions(const TimePath& path, const TimePath& as) {
  return path.rows == as.rows && std::ranges::equal(path.delta->totals, as.delta->totals, {},
                                                    &RankTotal::count, &RankTotal::count);
}

void spread(const TimePath& path, const Executions& executions, std::vector<double>& got) {
  const std::vector<std::uint32_t>& rows = *path.rows;
  const double sum = path.sum, all = executions.all, *const scaled = executions.scaled.data();
  double* const to = got.data();
  if (rows.size() == got.size()) {  // rows ascend: all of them, several at a time
    for (std::size_t row = 0; row < rows.size(); ++row) to[row] += scaled[row] * sum / all;
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) to[rows[i]] += scaled[i] * sum / all;
}

class PathsInCommon {
 public:
  explicit PathsInCommon(std::span<TimePath* const> paths) {
    std::unordered_map<std::uint64_t, std::size_t> known;  // looked up only
    std::size_t room = kMostExecutionBytes / sizeof(double);
    for (const TimePath* path : paths) {
      const auto [place, is_new] = known.try_emplace(hash_of_executions(*path), in_common_.size());
      std::size_t number = place->second;
      if (is_new && path->rows->size() > room) {
        known.erase(place);
        number = kOnItsOwn;
      } else if (is_new) {
        room -= path->rows->size();
        in_common_.push_back({path, {}, 0});
      } else if (!has_executions(*path, *in_common_[number].of)) {
        number = kOnItsOwn;
      }
      paths_.emplace_back(path, number);
    }
  }

  void round(std::span<const double> ratios, std::vector<double>& got) {
    std::fill(got.begin(), got.end(), 0);
    for (Executions& executions : in_common_) executions.scale_by(ratios);
    for (const auto& [path, number] : paths_) {
      if (number == kOnItsOwn) {
        own_.of = path;
        own_.scale_by(ratios);
      }
      spread(*path, number == kOnItsOwn ? own_ : in_common_[number], got);
    }
  }

 private:
  static constexpr std::size_t kOnItsOwn = std::numeric_limits<std::size_t>::max();

  std::vector<std::pair<const TimePath*, std::size_t>> paths_;  // and which of in_common_ they have
  std::vector<Executions> in_common_;
  Executions own_;  // of the path at hand
};

}  // namespace

CommonRatios common_ratios(std::span<TimePath* const> paths, std::span<const double> goal) {
  CommonRatios result{std::vector<double>(goal.size(), 1), std::vector<double>(goal.size())};
  PathsInCommon in_common(paths);
  for (int round = 0; round < kRatioRounds; ++round) {
    in_common.round(result.ratios, result.got);
    bool has_changed = false;
    for (std::size_t row = 0; row < goal.size(); ++row) {
      if (!(result.got[row] > 0)) continue;
      const double ratio =
          std::clamp(result.ratios[row] * goal[row] / result.got[row], 1 / kMostApart, kMostApart);
      has_changed |= ratio != result.ratios[row];
      result.ratios[row] = ratio;
    }
    if (!has_changed) break;
  }
  return result;
}

}  // namespace reprise::trace_io
