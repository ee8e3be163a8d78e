// SPDX-License-Identifier: MIT
#include "trace-io/order/order_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "trace-io/order/logged_path.hpp"
#include "trace-io/order/order_code.hpp"
#include "trace-io/order/played_order.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kSeed = 1;  // what residuals are shuffled by while steps are tried
constexpr double kCoarsest = 4;     // step, of the largest deviation of a path in the set
constexpr std::size_t kSteps = 8;   // each half of the one before
// Numbers of executions of one set. At a grid's corners a path is executed some per cent less often than on the other ranks; alone in a
// set, such a rank would keep no order, since nobody in the set waits for it.
constexpr double kAlike = 0.95;
constexpr std::array<std::size_t, 4> kWindows = {1, 4, 16, 64};

// Paths that are executed equally often, and how exactly their orders can be kept at what price.
class PathSet {
 public:
  struct Choice {
    double error = 0;  // ns of the run
    std::size_t bytes = 0;
    std::vector<std::shared_ptr<const DurationOrder>> orders;  // one per path
  };

  bool is_empty() const { return paths_.empty(); }
  void add(LoggedPath path) { paths_.push_back(std::move(path)); }

  // Without orders first. Returns what the slowest ranks took in all, ns.
  double begin() {
    for (const LoggedPath& path : paths_) {
      deviation_ = std::max(deviation_, path.deviation);
      for (std::size_t r = 0; r < path.ranks.size(); ++r) {
        rows_.try_emplace(path.ranks[r], rows_.size());
        longest_ = std::max(longest_, path.times[r].size());
      }
    }
    logged_ = waits_of(times_of([](const LoggedPath& path, std::size_t r, std::size_t i) {
      return path.times[r][i] * path.means[r];
    }));
    choices_ = {Choice{.orders = std::vector<std::shared_ptr<const DurationOrder>>(paths_.size())}};
    choices_.front().error = error_of(choices_.front());
    // Where what is rare came is not seen in the executions kept: without an order all of it may be wrong.
    for (const LoggedPath& path : paths_) choices_.front().error += path.longest_peaks();
    return logged_.in_windows.front();
  }

  // Steps from coarse to fine until the error is small enough, or the bytes are too many.
  void try_steps(double enough, std::size_t budget) {
    double step = kCoarsest * deviation_;
    for (std::size_t i = 0; i < kSteps && choices_.back().error > enough && step > 0;
         ++i, step /= 2) {
      Choice choice;
      std::vector<const DurationOrder*> orders;
      std::vector<std::shared_ptr<DurationOrder>> made;
      for (const LoggedPath& path : paths_) {
        made.push_back(path.order(step));
        if (made.back() != nullptr) orders.push_back(made.back().get());
      }
      if (orders.empty()) continue;
      const auto levels = levels_bytes(orders, budget);  // before residuals, which cost as much
      if (!levels) return;
      choice.bytes = *levels;
      for (std::size_t p = 0; p < made.size(); ++p) {
        choice.orders.push_back(made[p]);
        if (made[p] == nullptr) continue;
        paths_[p].set_residuals(*made[p]);
        choice.bytes += shape_bytes(*made[p]);
      }
      if (choice.bytes > budget) return;
      choice.error = error_of(choice);
      choices_.push_back(std::move(choice));
    }
  }

  const std::vector<Choice>& choices() const { return choices_; }
  std::size_t ordered_ranks(std::size_t choice) const {
    std::size_t ranks = 0;
    for (std::size_t p = 0; p < paths_.size(); ++p)
      if (choices_[choice].orders[p] != nullptr) ranks += paths_[p].executions.size();
    return ranks;
  }
  void take(std::size_t choice) {
    for (std::size_t p = 0; p < paths_.size(); ++p)
      paths_[p].delta->order = choices_[choice].orders[p];
  }

 private:
  // What ranks wait for, ns, for the whole run.
  struct Waits {
    double at_each = 0;                                // call
    std::array<double, kWindows.size()> in_windows{};  // of executions
  };

  // Of each path, what each rank's executions take, ns. Each time is asked for once: it may take long to say.
  template <class Time>
  std::vector<Series> times_of(const Time& time) const {
    std::vector<Series> times;
    for (const LoggedPath& path : paths_) {
      Series& of_path = times.emplace_back(path.ranks.size());
      for (std::size_t r = 0; r < path.ranks.size(); ++r)
        for (std::size_t i = 0; i < path.times[r].size(); ++i)
          of_path[r].push_back(time(path, r, i));
    }
    return times;
  }

  Waits waits_of(const std::vector<Series>& times) const {
    Waits waits;
    waits.at_each = slowest_of_each(times);
    const Series sums = series(times);
    for (std::size_t w = 0; w < kWindows.size(); ++w)
      waits.in_windows[w] = slowest(sums, kWindows[w]);
    return waits;
  }

  // The set's times by rank, one after the other in the loop's iterations. The last executions of all paths belong together: where some
  // have one more, it is because a loop was entered on another path.
  Series series(const std::vector<Series>& times) const {
    Series sum(rows_.size(), std::vector<double>(longest_));
    for (std::size_t p = 0; p < paths_.size(); ++p)
      for (std::size_t r = 0; r < times[p].size(); ++r) {
        auto& row = sum[rows_.at(paths_[p].ranks[r])];
        const std::size_t first = paths_[p].stride == 0 ? longest_ - times[p][r].size() : 0;
        for (std::size_t i = 0; i < times[p][r].size(); ++i) row[first + i] += times[p][r][i];
      }
    return sum;
  }

  double error_of(const Choice& choice) {
    std::vector<std::unique_ptr<const PlayedOrder>> played;
    std::vector<std::vector<PlayedOrder::OfRank>> of_ranks;
    for (std::size_t p = 0; p < paths_.size(); ++p) {
      paths_[p].delta->order = choice.orders[p];
      played.push_back(std::make_unique<const PlayedOrder>(*paths_[p].delta, kSeed));
      auto& opened = of_ranks.emplace_back();
      for (std::size_t r = 0; r < paths_[p].ranks.size(); ++r)
        opened.push_back(played.back()->open(paths_[p].ranks[r], paths_[p].means[r]));
    }
    const Waits waits =
        waits_of(times_of([&](const LoggedPath& path, std::size_t r, std::size_t i) {
          // Peaks are in no step.
          if (path.times[r][i] != path.usual[r][i]) return path.times[r][i] * path.means[r];
          const auto p = static_cast<std::size_t>(&path - paths_.data());
          const std::uint64_t number =
              (i / OrderLog::kBlock << path.stride) * OrderLog::kBlock + i % OrderLog::kBlock;
          return played[p]->value(of_ranks[p][r], number) * path.means[r];
        }));
    double error = std::abs(waits.at_each - logged_.at_each);
    for (std::size_t w = 0; w < kWindows.size(); ++w)
      error = std::max(error, std::abs(waits.in_windows[w] - logged_.in_windows[w]));
    for (LoggedPath& path : paths_) path.delta->order = nullptr;
    return error;
  }

  // Σ over executions of the slowest rank's time, path by path, as if ranks waited for each other at every call.
  double slowest_of_each(const std::vector<Series>& times) const {
    double sum = 0;
    std::vector<double> most;
    for (const Series& of_path : times) {
      most.assign(longest_, 0);
      for (const auto& row : of_path)
        for (std::size_t i = 0; i < row.size(); ++i) most[i] = std::max(most[i], row[i]);
      for (const double one : most) sum += one;
    }
    return std::ldexp(sum, static_cast<int>(paths_.front().stride));
  }

  // Σ over windows of the slowest rank's time.
  double slowest(const Series& times, std::size_t window) const {
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

  std::vector<LoggedPath> paths_;
  std::map<Rank, std::size_t> rows_;  // of the series
  std::size_t longest_ = 0;           // row
  Waits logged_;
  double deviation_ = 0;  // the largest of the paths
  std::vector<Choice> choices_;
};

// Classes with logs by how often they are executed: those whose numbers are within kAlike of the largest belong together.
std::vector<std::vector<DeltaClass*>> executed_alike(std::vector<DeltaClass*> classes) {
  const auto most = [](const DeltaClass* delta) { return std::ranges::max(executions_of(*delta)); };
  std::ranges::stable_sort(classes, std::greater<>(), most);
  std::vector<std::vector<DeltaClass*>> sets;
  for (DeltaClass* delta : classes) {
    if (sets.empty() ||
        static_cast<double>(most(delta)) < kAlike * static_cast<double>(most(sets.back().front())))
      sets.emplace_back();
    sets.back().push_back(delta);
  }
  return sets;
}

// Which choice of each set: what gains most for a byte first.
std::vector<std::size_t> spent(const std::vector<PathSet>& sets, std::size_t budget) {
  std::vector<std::size_t> chosen(sets.size(), 0);
  std::size_t used = 0;
  for (;;) {
    double best = 0;
    std::size_t best_set = 0, best_choice = 0;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      const auto& choices = sets[s].choices();
      const PathSet::Choice& now = choices[chosen[s]];
      for (std::size_t c = 1; c < choices.size(); ++c) {
        const double gain = now.error - choices[c].error;
        const double price = static_cast<double>(choices[c].bytes) - static_cast<double>(now.bytes);
        if (gain <= 0 || used - now.bytes + choices[c].bytes > budget) continue;
        const double worth = gain / std::max(price, 0.5);
        if (worth <= best) continue;
        best = worth;
        best_set = s;
        best_choice = c;
      }
    }
    if (best == 0) return chosen;
    const auto& choices = sets[best_set].choices();
    used = used - choices[chosen[best_set]].bytes + choices[best_choice].bytes;
    chosen[best_set] = best_choice;
  }
}

template <class Visit>
void for_each_compute_class(Trace& trace, const Visit& visit) {
  for (auto& program : trace.threads)
    for_each_leaf(program, [&](Leaf& leaf) {
      for (PathDeltas& path : leaf.compute)
        for (DeltaClass& delta : path.classes) visit(delta);
    });
}

void forget_logs(DeltaClass& delta) {
  delta.logs.clear();
  delta.logs.shrink_to_fit();
}

std::size_t kept_in_all(const std::vector<DeltaClass*>& logged) {
  std::size_t kept = 0;
  for (const DeltaClass* delta : logged) kept += kept_durations(*delta);
  return kept;
}

}  // namespace

std::size_t kept_durations(const DeltaClass& delta) {
  std::size_t kept = 0;
  for (const OrderLog& log : delta.logs) kept += log.codes().size();
  return kept;
}

void fit_orders(Trace& trace, std::size_t budget) {
  limit_logs(trace);
  std::vector<DeltaClass*> logged;
  for_each_compute_class(trace, [&](DeltaClass& delta) {
    if (!delta.logs.empty() && delta.durations.count() > 0 && budget > 0) logged.push_back(&delta);
  });
  std::vector<PathSet> sets;
  for (const std::vector<DeltaClass*>& classes : executed_alike(std::move(logged))) {
    unsigned stride = 0;
    for (const DeltaClass* delta : classes)
      for (const OrderLog& log : delta->logs) stride = std::max(stride, log.stride());
    PathSet set;
    for (DeltaClass* delta : classes)
      if (LoggedPath path(*delta, stride); !path.members.empty()) set.add(std::move(path));
    if (!set.is_empty()) sets.push_back(std::move(set));
  }
  double run = 0;
  for (PathSet& set : sets) run += set.begin();
  for (PathSet& set : sets) set.try_steps(kEnough * run / static_cast<double>(sets.size()), budget);
  const std::vector<std::size_t> chosen = spent(sets, budget);
  for (std::size_t s = 0, ranks = 0; s < sets.size(); ++s) {
    ranks += sets[s].ordered_ranks(chosen[s]);
    sets[s].take(ranks <= kMostOrderedRanks ? chosen[s] : 0);
  }
  for_each_compute_class(trace, forget_logs);
}

void limit_logs(Trace& trace) {
  // One walk through the trace, which is larger than the caches.
  std::vector<DeltaClass*> logged;
  double all = 0;
  for_each_compute_class(trace, [&](DeltaClass& delta) {
    all += static_cast<double>(delta.durations.sum().value);
    if (!delta.logs.empty()) logged.push_back(&delta);
  });
  if (kept_in_all(logged) <= kMostKept) return;
  for (DeltaClass* delta : logged)
    if (static_cast<double>(delta->durations.sum().value) < 1e-4 * all) forget_logs(*delta);
  // Blocks of a path are halved while there are more than a quarter of them, or few ranks to choose from; else every second rank goes.
  constexpr std::int32_t kFewRanks = 64;
  std::size_t blocks = OrderLog::kBlocks;
  for (std::int32_t apart = 1; kept_in_all(logged) > kMostKept;) {
    if (blocks > 1 && (blocks > OrderLog::kBlocks / 4 || trace.header.ranks / apart <= kFewRanks)) {
      blocks /= 2;
      for (DeltaClass* delta : logged)
        for (OrderLog& log : delta->logs)
          while (log.sums().size() > blocks) log.thin();
    } else if (apart < trace.header.ranks) {
      apart *= 2;
      for (DeltaClass* delta : logged) {
        const std::vector<Rank> ranks = delta->ranks.ranks();
        for (std::size_t i = 0; i < delta->logs.size(); ++i)
          if (ranks[i].value % apart != 0) delta->logs[i] = OrderLog();
      }
    } else {
      for (DeltaClass* delta : logged) forget_logs(*delta);
    }
  }
}

}  // namespace reprise::trace_io
