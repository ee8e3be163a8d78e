// SPDX-License-Identifier: MIT
#include "trace-io/order/order_fit.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "trace-io/model/time_pools.hpp"
#include "trace-io/order/level_price.hpp"
#include "trace-io/order/logged_path.hpp"
#include "trace-io/order/order_code.hpp"
#include "trace-io/order/path_set.hpp"

namespace reprise::trace_io {
namespace {

// Numbers of executions of one set. At a grid's corners a path is executed some per cent less often than on the other ranks; alone in a
// set, such a rank would keep no order, since nobody in the set waits for it.
constexpr double kAlike = 0.95;

struct LoggedClass {
  DeltaClass* delta = nullptr;
  std::uint64_t executions = 0;  // of the rank that has most
};

// Classes with logs by how often they are executed: those whose numbers are within kAlike of the largest belong together.
std::vector<std::vector<LoggedClass>> executed_alike(const std::vector<DeltaClass*>& logged) {
  std::vector<LoggedClass> classes;
  for (DeltaClass* delta : logged) classes.push_back({delta, most_executions(*delta)});
  std::ranges::stable_sort(classes, std::greater<>(), &LoggedClass::executions);
  std::vector<std::vector<LoggedClass>> sets;
  for (const LoggedClass& one : classes) {
    if (sets.empty() || static_cast<double>(one.executions) <
                            kAlike * static_cast<double>(sets.back().front().executions))
      sets.emplace_back();
    sets.back().push_back(one);
  }
  return sets;
}

// What the slowest rank takes on paths that no rank executes twice, ns: there is no order that could be kept.
double slowest_once(const std::vector<LoggedClass>& classes) {
  std::map<Rank, double> times;
  for (const LoggedClass& one : classes) {
    const std::vector<Rank> ranks = one.delta->ranks.ranks();
    for (std::size_t member = 0; member < one.delta->logs.size(); ++member)
      for (const std::uint16_t code : one.delta->logs[member].codes())
        times[ranks[member]] += static_cast<double>(OrderLog::kDurations.number(code));
  }
  double most = 0;
  for (const auto& [rank, time] : times) most = std::max(most, time);
  return most;
}

// Chooses of each set what gains most for a byte first, and tries a step only when it might be that: if it took no more than the ones before it, and left
// no error. Most of the time goes into trying steps.
class Spending {
 public:
  Spending(std::vector<PathSet>& sets, double enough, std::size_t budget)
      : sets_(sets), enough_(enough), budget_(budget) {}

  // By set. What was tried before is known.
  std::vector<std::size_t> run() {
    chosen_.assign(sets_.size(), 0);
    used_ = 0;
    for (;;) {
      Offer best = best_tried();
      if (const Offer next = best_untried(); next.worth > 0 && next.worth >= best.worth)
        sets_[next.set].try_step(left_for(next.set), price_);
      else if (best.worth > 0)
        take(best);
      else
        return chosen_;
    }
  }

 private:
  struct Offer {
    double worth = 0;  // ns for a byte
    std::size_t set = 0, choice = 0;
  };

  const PathSet::Choice& now(std::size_t set) const { return sets_[set].choices()[chosen_[set]]; }
  std::size_t left_for(std::size_t set) const { return budget_ - used_ + now(set).bytes; }
  static double worth(double gain, std::size_t bytes, std::size_t bytes_now) {
    return gain / std::max(static_cast<double>(bytes) - static_cast<double>(bytes_now), 0.5);
  }

  Offer best_tried() const {
    Offer best;
    for (std::size_t s = 0; s < sets_.size(); ++s)
      for (std::size_t c = 1; c < sets_[s].choices().size(); ++c) {
        const PathSet::Choice& choice = sets_[s].choices()[c];
        const double gain = now(s).error - choice.error;
        if (gain <= 0 || choice.bytes > left_for(s)) continue;
        if (const double its = worth(gain, choice.bytes, now(s).bytes); its > best.worth)
          best = {its, s, c};
      }
    return best;
  }
  Offer best_untried() const {
    Offer best;
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      const PathSet& set = sets_[s];
      if (!set.may_try(enough_) || set.least_bytes() > left_for(s)) continue;
      if (const double its = worth(now(s).error, set.least_bytes(), now(s).bytes); its > best.worth)
        best = {its, s, 0};
    }
    return best;
  }
  void take(const Offer& offer) {
    used_ = used_ - now(offer.set).bytes + sets_[offer.set].choices()[offer.choice].bytes;
    chosen_[offer.set] = offer.choice;
  }

  std::vector<PathSet>& sets_;
  const double enough_;
  const std::size_t budget_;
  std::vector<std::size_t> chosen_;
  std::size_t used_ = 0;
  LevelPrice price_;
};

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

bool is_to_be_pooled(const Trace& trace) {
  std::size_t distributions = 0;
  for_each_class(trace, [&](const DeltaClass& delta, bool) {
    if (delta.durations.count() > 0) ++distributions;
  });
  return distributions > kFewestToPool * kTimesKept;
}

std::size_t kept_in_all(const std::vector<DeltaClass*>& logged) {
  std::size_t kept = 0;
  for (const DeltaClass* delta : logged) kept += kept_durations(*delta);
  return kept;
}

// Returns what the choices take without levels, and the price of these.
std::pair<std::size_t, std::size_t> take_orders(std::vector<PathSet>& sets,
                                                const std::vector<std::size_t>& chosen) {
  std::size_t shapes = 0, price = 0, ranks = 0;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    ranks += sets[s].ordered_ranks(chosen[s]);
    const std::size_t choice = ranks <= kMostOrderedRanks ? chosen[s] : 0;
    sets[s].take(choice);
    shapes += sets[s].choices()[choice].shape;
    price += sets[s].choices()[choice].price;
  }
  return {shapes, price};
}

// What is chosen is coded. Where that takes more than the prices said, and than there is, all prices go up by as much.
void spend(Trace& trace, std::vector<PathSet>& sets, double enough, std::size_t budget) {
  constexpr double kLeastRise = 1.01;
  Spending spending(sets, enough, budget);
  for (double bytes_for_price = 1;;) {
    const auto [shapes, price] = take_orders(sets, spending.run());
    if (price == 0) return;  // nothing is
    Orders orders = orders_of(trace);
    std::vector<std::uint8_t> bytes = encoded_levels(orders);
    if (shapes + bytes.size() <= budget) {
      trace.coded_levels =
          std::make_shared<const CodedLevels>(CodedLevels{std::move(orders), std::move(bytes)});
      return;
    }
    bytes_for_price = std::max(kLeastRise * bytes_for_price,
                               static_cast<double>(bytes.size()) / static_cast<double>(price));
    for (PathSet& set : sets) set.set_bytes_for_price(bytes_for_price);
  }
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
  const std::size_t apart = is_to_be_pooled(trace) ? kBytesApart : 0;
  std::vector<PathSet> sets;
  double run = 0;
  std::size_t all_sets = 0;
  for (const std::vector<LoggedClass>& classes : executed_alike(logged)) {
    if (classes.front().executions < 2) {
      run += slowest_once(classes);
      ++all_sets;
      continue;
    }
    unsigned stride = 0;
    for (const LoggedClass& one : classes)
      for (const OrderLog& log : one.delta->logs) stride = std::max(stride, log.stride());
    PathSet set(trace.header.ranks > 1, apart);
    for (const LoggedClass& one : classes)
      if (LoggedPath path(*one.delta, stride); !path.members.empty()) set.add(std::move(path));
    if (!set.is_empty()) sets.push_back(std::move(set));
  }
  if (sets.empty()) return for_each_compute_class(trace, forget_logs);
  all_sets += sets.size();
  for (PathSet& set : sets) run += set.begin();
  spend(trace, sets, kEnough * run / static_cast<double>(all_sets), budget);
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
