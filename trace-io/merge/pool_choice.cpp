// SPDX-License-Identifier: MIT
#include "trace-io/merge/pool_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "trace-io/model/time_pools.hpp"

namespace reprise::trace_io {
namespace {

bool may_be_pooled(const DeltaClass& delta, const Trace& trace) {
  return delta.durations.count() > 0 && delta.totals.empty() && delta.order == nullptr &&
         delta.logs.empty() && delta.durations.bin_limit() == trace.header.bins;
}

// By how far durations scatter: octaves of the standard deviation in relation to the mean, from a quarter to four times it. A pool of calls that scatter
// alike has their shape, outliers included.
int scatter_of(const Distribution& durations, bool is_compute) {
  if (!is_compute) return 0;
  const double mean = durations.mean_ns();
  const double ratio = mean > 0 ? std::sqrt(durations.variance_ns2()) / mean : 0;
  int octave = 0;
  for (double limit = 0.25; limit <= 4 && ratio >= limit; limit *= 2) ++octave;
  return octave;
}

bool has_lower_mean(const DeltaClass* a, const DeltaClass* b) {
  return Wide{static_cast<std::uint64_t>(a->durations.sum().value)} * b->durations.count() <
         Wide{static_cast<std::uint64_t>(b->durations.sum().value)} * a->durations.count();
}

// Uniting by cost, cheapest first, with a heap whose entries may be out of date.
class PoolChoice {
 public:
  PoolChoice(Trace& trace, double share, std::size_t kept, PoolMembers members)
      : trace_(trace), share_(share), kept_(kept), members_(members) {}

  void run() {
    for_each_class(trace_, [&](DeltaClass& delta, bool is_compute) {
      Kind& kind = kinds_[is_compute ? 0 : 1];
      kind.whole += static_cast<double>(delta.durations.sum().value);
      if (delta.durations.count() > 0) ++left_;
      if (may_be_pooled(delta, trace_)) kind.classes.push_back(&delta);
    });
    if (left_ <= kFewestToPool * kept_) return;
    for (Kind& kind : kinds_) begin(kind);
    while (left_ > kept_ && unite_next()) {
    }
    make_pools();
  }

 private:
  struct Kind {
    std::vector<DeltaClass*> classes;  // by scatter, then by mean
    // Of the classes before each, and of all.
    std::vector<Wide> counts{0}, sums{0};
    double whole = 0, misplaced = 0;  // ns
  };
  static constexpr std::size_t kNone = SIZE_MAX;

  void begin(Kind& kind) {
    // Each one's scatter once: it takes divisions of 128 bits.
    std::vector<std::pair<int, DeltaClass*>> by_scatter;
    for (DeltaClass* delta : kind.classes)
      by_scatter.emplace_back(scatter_of(delta->durations, &kind == kinds_.data()), delta);
    std::stable_sort(by_scatter.begin(), by_scatter.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first < b.first : has_lower_mean(a.second, b.second);
    });
    std::ranges::transform(by_scatter, kind.classes.begin(),
                           [](const auto& classed) { return classed.second; });
    const std::size_t first = groups_.size();
    for (std::size_t i = 0; i < kind.classes.size(); ++i) {
      const Distribution& durations = kind.classes[i]->durations;
      kind.counts.push_back(kind.counts.back() + durations.count());
      kind.sums.push_back(kind.sums.back() + static_cast<std::uint64_t>(durations.sum().value));
      Group group{&kind, i, i + 1};
      if (i > 0 && by_scatter[i - 1].first == by_scatter[i].first) {
        group.before = first + i - 1;
        groups_.back().after = first + i;
      }
      groups_.push_back(group);
    }
    for (std::size_t g = first; g < groups_.size(); ++g) think_of(g);
  }

  struct Group {
    Kind* kind = nullptr;
    std::size_t begin = 0, end = 0;             // among the kind's classes
    std::size_t before = kNone, after = kNone;  // groups, by mean
    double misplaced = 0;                       // ns
    double with_after = 0;                      // likewise, by it and the one after it as one
    std::uint32_t thoughts = 0;                 // how often their union was thought of
  };
  // Of a group and the one after it. Small: there are three for each distribution in the end.
  struct Union {
    double price = 0;  // share of the kind's time that it misplaces, for each bit that it saves
    std::uint32_t lower = 0;
    std::uint32_t thoughts = 0;  // of the group at that time
    bool operator>(const Union& other) const {
      return price != other.price ? price > other.price : lower > other.lower;
    }
  };

  // Of the classes from begin to end as one pool, ns: what those below its mean get too much, and those above it too little.
  static double misplaced(const Kind& kind, std::size_t begin, std::size_t end) {
    // Both fit 63 bits: think_of() asks for no union whose sum does not.
    const auto between = [](const std::vector<Wide>& until, std::size_t first, std::size_t last) {
      return static_cast<double>(static_cast<std::int64_t>(until[last] - until[first]));
    };
    const double mean = between(kind.sums, begin, end) / between(kind.counts, begin, end);
    std::size_t middle = begin;  // the first class whose own mean is not below
    for (std::size_t after = end; middle < after;) {
      const std::size_t i = middle + (after - middle) / 2;
      if (between(kind.sums, i, i + 1) < mean * between(kind.counts, i, i + 1))
        middle = i + 1;
      else
        after = i;
    }
    return std::max(
        0.0, 2 * (mean * between(kind.counts, begin, middle) - between(kind.sums, begin, middle)));
  }

  // About what a group of so many classes takes in the file: its distribution, and a reference of each class, shorter the more refer to it.
  static double bits_of(const Kind& kind, std::size_t classes) {
    constexpr double kDistribution = 128;
    if (classes < 2) return kDistribution;
    const auto members = static_cast<double>(classes);
    return kDistribution +
           members * (log2_of(static_cast<double>(kind.classes.size())) - log2_of(members));
  }
  // On the lines between powers of two: the same on every machine.
  static double log2_of(double number) {
    int exponent = 0;
    const double fraction = std::frexp(number, &exponent);
    return exponent - 2 + 2 * fraction;
  }

  // Of the group and the one after it.
  void think_of(std::size_t lower) {
    Group& a = groups_[lower];
    ++a.thoughts;
    if (a.after == kNone) return;
    const Group& b = groups_[a.after];
    const Kind& kind = *a.kind;
    if (kind.sums[b.end] - kind.sums[a.begin] > std::numeric_limits<std::int64_t>::max()) return;
    const double saved = bits_of(kind, a.end - a.begin) + bits_of(kind, b.end - b.begin) -
                         bits_of(kind, b.end - a.begin);
    const double united = misplaced(kind, a.begin, b.end),
                 more = std::max(0.0, united - a.misplaced - b.misplaced);
    const double price = kind.whole > 0 ? more / kind.whole / std::max(saved, 1.0) : 0;
    a.with_after = united;
    next_.push({price, static_cast<std::uint32_t>(lower), a.thoughts});
  }

  // False where all that is left would misplace too much.
  bool unite_next() {
    while (!next_.empty()) {
      const Union chosen = next_.top();
      next_.pop();
      Group& a = groups_[chosen.lower];
      if (a.thoughts != chosen.thoughts) continue;
      Group& b = groups_[a.after];
      const double misplaced = a.kind->misplaced - a.misplaced - b.misplaced + a.with_after;
      if (misplaced > share_ * a.kind->whole) continue;  // others may misplace less
      a.kind->misplaced = misplaced;
      a.misplaced = a.with_after;
      a.end = b.end;
      a.after = b.after;
      ++b.thoughts;
      b.begin = b.end;
      if (a.after != kNone) groups_[a.after].before = chosen.lower;
      think_of(chosen.lower);
      if (a.before != kNone) think_of(a.before);
      --left_;
      return true;
    }
    return false;
  }

  // Of each kind, those with most members have the smallest numbers, which are the shortest.
  void make_pools() {
    std::vector<const Group*> pools;
    for (const Group& group : groups_)
      if (group.end - group.begin > 1) pools.push_back(&group);
    std::stable_sort(pools.begin(), pools.end(), [](const Group* a, const Group* b) {
      if (a->kind != b->kind) return a->kind < b->kind;
      return a->end - a->begin > b->end - b->begin;
    });
    for (const Group* group : pools) {
      const auto number = static_cast<std::uint32_t>(trace_.pools.size());
      Distribution pool(std::min(trace_.header.bins, kPoolBins), trace_.header.bin_rule);
      for (std::size_t i = group->begin; i < group->end; ++i) {
        DeltaClass& member = *group->kind->classes[i];
        pool.merge(member.durations);
        member.pool = number;
      }
      pool.pull_bins_in();  // those of members with scale factors may lie beyond the extremes
      trace_.pools.push_back(std::move(pool));
      if (group->kind == kinds_.data()) ++trace_.compute_pools;
    }
    if (members_ == PoolMembers::spread) spread_pools(trace_);
  }

  Trace& trace_;
  const double share_;
  const std::size_t kept_;
  const PoolMembers members_;
  std::array<Kind, 2> kinds_;  // compute times, times inside calls
  std::vector<Group> groups_;
  std::priority_queue<Union, std::vector<Union>, std::greater<>> next_;
  std::size_t left_ = 0;  // distributions
};

}  // namespace

void pool_times(Trace& trace, double share, std::size_t kept, PoolMembers members) {
  if (share > 0 && trace.pools.empty()) PoolChoice(trace, share, kept, members).run();
}

}  // namespace reprise::trace_io
