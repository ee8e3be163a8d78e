// SPDX-License-Identifier: MIT
#include "trace-io/order/path_set.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "trace-io/order/order_code.hpp"
#include "trace-io/order/played_order.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kSeed = 1;  // what residuals are shuffled by while steps are tried
constexpr double kCoarsest = 4;     // step, of the largest deviation of a path in the set
constexpr double kComparable =
    0.5;  // a rank that takes this share of the longest one's time may be the slowest now and then

}  // namespace

double PathSet::begin() {
  std::map<Rank, std::size_t> rows;
  std::size_t size = 0;
  double deviation = 0;
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    const LoggedPath& path = paths_[p];
    deviation = std::max(deviation, path.deviation);
    first_parts_.push_back(parts_.size());
    for (std::size_t r = 0; r < path.ranks.size(); ++r) {
      const std::size_t row = rows.try_emplace(path.ranks[r], rows.size()).first->second;
      parts_.push_back({p, r, size, path.times[r].size(), row});
      size += path.times[r].size();
      longest_ = std::max(longest_, path.times[r].size());
    }
  }
  first_parts_.push_back(parts_.size());
  ranks_ = rows.size();
  step_ = kCoarsest * deviation;

  unordered_.resize(size);
  for (const Part& part : parts_) {
    const LoggedPath& path = paths_[part.path];
    for (std::size_t i = 0; i < part.size; ++i)
      unordered_[part.begin + i] = path.times[part.rank][i] * path.means[part.rank];
  }
  if (has_others_) find_lone_row();
  logged_ = waits_of(unordered_);
  for (std::size_t p = 0; p < paths_.size(); ++p) play(p, unordered_);
  choices_ = {Choice{.orders = std::vector<std::shared_ptr<const DurationOrder>>(paths_.size())}};
  choices_.front().error = error_of(unordered_);
  // Where what is rare came is not seen in the executions kept: without an order all of it may be wrong.
  for (const LoggedPath& path : paths_) choices_.front().error += path.longest_peaks();
  return logged_.in_windows.front();
}

void PathSet::find_lone_row() {
  std::vector<double> taken(ranks_);
  for (const Part& part : parts_) {
    const LoggedPath& path = paths_[part.path];
    taken[part.row] +=
        path.means[part.rank] * static_cast<double>(path.executions[path.members[part.rank]]);
  }
  const auto longest = std::ranges::max_element(taken);
  const double most = *longest;
  for (auto one = taken.begin(); one != taken.end(); ++one)
    if (one != longest && *one >= kComparable * most) return;
  lone_row_ = static_cast<std::size_t>(longest - taken.begin());
  as_logged_ = unordered_;
}

// What is known without a price comes first: where a step has levels at all, and what it takes without them.
void PathSet::try_step(std::size_t bytes, LevelPrice& price) {
  if (made_.empty()) return make_orders();
  Choice choice;
  choice.orders.assign(made_.begin(), made_.end());
  if (!made_price_) made_price_ = levels_price(choice.orders, price);
  choice.price = *made_price_;
  if (bytes_of(choice) > bytes)  // before residuals, which cost as much
    return raise_least(bytes_of(choice));
  for (std::size_t p = 0; p < made_.size(); ++p) {
    if (made_[p] == nullptr) continue;
    if (made_[p]->residuals.empty()) paths_[p].set_residuals(*made_[p]);
    choice.shape += bytes_beside_ + shape_bytes(*made_[p]);
  }
  choice.bytes = bytes_of(choice);
  if (choice.bytes > bytes) return raise_least(choice.bytes);
  Times times = unordered_;
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    if (choice.orders[p] == nullptr) continue;
    paths_[p].delta->order = choice.orders[p];
    play(p, times);
    paths_[p].delta->order = nullptr;
  }
  choice.error = error_of(times);
  least_bytes_ = choice.bytes;
  choices_.push_back(std::move(choice));
  next_step();
}

std::size_t PathSet::bytes_of(const Choice& choice) const {
  return choice.shape + static_cast<std::size_t>(
                            std::lround(bytes_for_price_ * static_cast<double>(choice.price)));
}

void PathSet::set_bytes_for_price(double bytes) {
  bytes_for_price_ = bytes;
  for (Choice& choice : choices_) choice.bytes = bytes_of(choice);
}

void PathSet::make_orders() {
  std::size_t bytes = 0;
  bool is_any = false;
  for (LoggedPath& path : paths_) {
    made_.push_back(path.order(step_));
    if (made_.back() == nullptr) continue;
    bytes += bytes_beside_ + shape_bytes(*made_.back());
    is_any = true;
  }
  if (!is_any) return next_step();
  raise_least(bytes);
}

void PathSet::next_step() {
  made_.clear();
  made_price_.reset();
  ++tried_;
  step_ /= 2;
}

std::size_t PathSet::ordered_ranks(std::size_t choice) const {
  std::size_t ranks = 0;
  for (std::size_t p = 0; p < paths_.size(); ++p)
    if (choices_[choice].orders[p] != nullptr) ranks += paths_[p].executions.size();
  return ranks;
}

void PathSet::take(std::size_t choice) {
  for (std::size_t p = 0; p < paths_.size(); ++p)
    paths_[p].delta->order = choices_[choice].orders[p];
}

// What a replay would play of the path with the order that its class has now. Peaks are in no step: they stay as logged.
void PathSet::play(std::size_t p, Times& times) {
  const LoggedPath& path = paths_[p];
  const PlayedOrder played(*path.delta, kSeed);
  std::vector<double> kept;
  for (std::size_t number = first_parts_[p]; number < first_parts_[p + 1]; ++number) {
    const Part& part = parts_[number];
    const std::size_t r = part.rank;
    kept.clear();
    const PlayedOrder::OfRank of_rank = played.open(path.ranks[r], path.means[r], &kept);
    const bool is_kept = kept.size() == part.size;
    for (std::size_t i = 0; i < part.size; ++i) {
      double& time = times[part.begin + i];
      if (path.times[r][i] != path.usual[r][i]) {
        time = path.times[r][i] * path.means[r];
      } else if (is_kept) {
        time = std::min(of_rank.most, of_rank.scale * kept[i]) * path.means[r];
      } else {
        const std::uint64_t execution =
            (i / OrderLog::kBlock << path.stride) * OrderLog::kBlock + i % OrderLog::kBlock;
        time = played.value(of_rank, execution) * path.means[r];
      }
    }
  }
}

double PathSet::error_of(const Times& times) const {
  const Waits waits = waits_of(times);
  double error = std::abs(waits.at_each - logged_.at_each);
  for (std::size_t w = 0; w < kWindows.size(); ++w)
    error = std::max(error, std::abs(waits.in_windows[w] - logged_.in_windows[w]));
  return error;
}

// The set's times by rank, one after the other in the loop's iterations. The last executions of all paths belong together: where some
// have one more, it is because a loop was entered on another path.
PathSet::Waits PathSet::waits_of(const Times& times) const {
  Series sums(ranks_ + (lone_row_ ? 1 : 0), std::vector<double>(longest_));
  for (const Part& part : parts_) {
    const std::size_t first = paths_[part.path].stride == 0 ? longest_ - part.size : 0;
    double* const row = sums[part.row].data() + first;
    for (std::size_t i = 0; i < part.size; ++i) row[i] += times[part.begin + i];
    if (part.row != lone_row_) continue;
    double* const waiting = sums.back().data() + first;
    for (std::size_t i = 0; i < part.size; ++i) waiting[i] += as_logged_[part.begin + i];
  }
  Waits waits;
  waits.at_each = slowest_of_each(times);
  for (std::size_t w = 0; w < kWindows.size(); ++w)
    waits.in_windows[w] = slowest(sums, kWindows[w]);
  return waits;
}

// Σ over executions of the slowest rank's time, path by path, as if ranks waited for each other at every call.
double PathSet::slowest_of_each(const Times& times) const {
  double sum = 0;
  std::vector<double> most(longest_);
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    std::size_t longest = 0;
    for (std::size_t number = first_parts_[p]; number < first_parts_[p + 1]; ++number) {
      const Part& part = parts_[number];
      for (std::size_t i = 0; i < part.size; ++i)
        most[i] = std::max({i < longest ? most[i] : 0, times[part.begin + i],
                            part.row == lone_row_ ? as_logged_[part.begin + i] : 0});
      longest = std::max(longest, part.size);
    }
    for (std::size_t i = 0; i < longest; ++i) sum += most[i];
  }
  return std::ldexp(sum, static_cast<int>(paths_.front().stride));
}

// Σ over windows of the slowest rank's time.
double PathSet::slowest(const Series& times, std::size_t window) const {
  double sum = 0;
  for (std::size_t first = 0; first < longest_; first += window) {
    double most = 0;
    for (const auto& row : times) {
      double own = 0;
      for (std::size_t i = first; i < std::min(first + window, longest_); ++i) own += row[i];
      most = std::max(most, own);
    }
    sum += most;
  }
  return std::ldexp(sum, static_cast<int>(paths_.front().stride));
}

}  // namespace reprise::trace_io
