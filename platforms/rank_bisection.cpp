// SPDX-License-Identifier: MIT
#include "platforms/rank_bisection.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <deque>
#include <queue>
#include <tuple>

#include "platforms/shuffle.hpp"

namespace reprise::platforms {
namespace {

struct Candidate {
  double gain;
  std::uint32_t turn, rank;
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return std::tie(a.gain, a.turn, a.rank) < std::tie(b.gain, b.turn, b.rank);
  }
};
using Candidates = std::priority_queue<Candidate>;

}  // namespace

RankBisection::RankBisection(const Partners& partners, const NodeDistances& distances,
                             std::vector<std::uint32_t> room, std::vector<NodeIndex> groups)
    : partners_(partners),
      distances_(distances),
      room_(std::move(room)),
      groups_(std::move(groups)),
      at_(partners.size()),
      part_(partners.size()),
      left_(partners.size()),
      is_moved_(partners.size()),
      drawn_(partners.size()),
      gain_(partners.size()),
      turn_(partners.size()) {}

// Between two of the largest groups; where all nodes are in one group, in the middle.
NodeIndex RankBisection::middle_of(NodeIndex first, NodeIndex last) const {
  const auto& nodes = distances_.nodes();
  const NodeIndex half = first + (last - first) / 2;
  for (auto size = groups_.rbegin(); size != groups_.rend(); ++size)
    for (NodeIndex away = 0; away <= last - first; ++away)
      for (const std::int64_t at : {std::int64_t{half} - away, std::int64_t{half} + away})
        if (at > first && at < last &&
            nodes[static_cast<std::size_t>(at) - 1] / *size !=
                nodes[static_cast<std::size_t>(at)] / *size)
          return static_cast<NodeIndex>(at);
  return half;
}

// The links between the halves, and what draws each rank to one of them.
void RankBisection::weigh(const Part& part, NodeIndex middle) {
  const NodeIndex left = part.first + (middle - part.first) / 2;
  const NodeIndex right = middle + (part.last - middle) / 2;
  across_ = distances_(left, right);
  for (const std::uint32_t rank : part.ranks) {
    drawn_[rank] = 0;
    for (const Partner& partner : partners_[rank])
      if (part_[partner.rank] != current_)
        drawn_[rank] += (partner.out + partner.in) * (distances_(right, at_[partner.rank]) -
                                                      distances_(left, at_[partner.rank]));
    work_ += partners_[rank].size();
  }
}

// What it saves that the rank changes sides.
double RankBisection::gain(std::uint32_t rank) const {
  double sum = 0;
  for (const Partner& partner : partners_[rank])
    if (part_[partner.rank] == current_)
      sum += (left_[partner.rank] == left_[rank] ? -1 : 1) * (partner.out + partner.in);
  return sum * across_ + (left_[rank] ? -drawn_[rank] : drawn_[rank]);
}

double RankBisection::cut(const Part& part) const {
  double sum = 0;
  for (const std::uint32_t rank : part.ranks) {
    for (const Partner& partner : partners_[rank])
      if (part_[partner.rank] == current_ && left_[partner.rank] != left_[rank])
        sum += (partner.out + partner.in) * across_ / 2;
    if (!left_[rank]) sum += drawn_[rank];
  }
  return sum;
}

// The left half, of COUNT ranks.
void RankBisection::grow(const Part& part, std::size_t count, std::uint64_t& random) {
  for (const std::uint32_t rank : part.ranks) {
    left_[rank] = false;
    gain_[rank] = drawn_[rank];
  }
  Candidates next;
  while (count > 0) {
    std::uint32_t rank = 0;
    if (next.empty()) {
      do rank = part.ranks[next_random(random) % part.ranks.size()];
      while (left_[rank]);
    } else {
      const Candidate top = next.top();
      next.pop();
      if (left_[top.rank] || top.gain != gain_[top.rank]) continue;
      rank = top.rank;
    }
    left_[rank] = true;
    --count;
    for (const Partner& partner : partners_[rank]) {
      if (part_[partner.rank] != current_ || left_[partner.rank]) continue;
      gain_[partner.rank] += (partner.out + partner.in) * across_;
      next.push({gain_[partner.rank], turn_[partner.rank], partner.rank});
    }
    work_ += partners_[rank].size();
  }
}

// What it saved. The left half begins and ends with COUNT ranks.
double RankBisection::pass(const Part& part, std::size_t count) {
  Candidates from_left, from_right;
  const auto offer = [&](std::uint32_t rank) {
    (left_[rank] ? from_left : from_right).push({gain_[rank], turn_[rank], rank});
  };
  for (const std::uint32_t rank : part.ranks) {
    is_moved_[rank] = false;
    gain_[rank] = gain(rank);
    work_ += partners_[rank].size();
    offer(rank);
  }
  const auto clean = [&](Candidates& list) {
    while (!list.empty() &&
           (is_moved_[list.top().rank] || list.top().gain != gain_[list.top().rank]))
      list.pop();
    return !list.empty();
  };
  const std::size_t patience = std::max<std::size_t>(64, part.ranks.size() / 8);
  std::vector<std::uint32_t> moved;
  std::size_t now_left = count, kept = 0;
  double saved = 0, most = 0, exchanged = 0;
  while (moved.size() < kept + patience) {
    const bool can_leave = clean(from_left), can_come = clean(from_right);
    if (!(now_left < count ? can_come : now_left > count ? can_leave : can_leave && can_come))
      break;
    const bool leaves =
        now_left > count || (now_left == count && from_right.top() < from_left.top());
    Candidates& list = leaves ? from_left : from_right;
    const Candidate best = list.top();
    list.pop();
    saved += best.gain;
    is_moved_[best.rank] = true;
    left_[best.rank] = !left_[best.rank];
    now_left += leaves ? std::size_t{0} - 1 : 1;
    moved.push_back(best.rank);
    for (const Partner& partner : partners_[best.rank]) {
      const double bytes = (partner.out + partner.in) * across_;
      exchanged += bytes;
      if (part_[partner.rank] != current_ || is_moved_[partner.rank]) continue;
      gain_[partner.rank] += (left_[partner.rank] == left_[best.rank] ? -2 : 2) * bytes;
      offer(partner.rank);
    }
    work_ += 4 * partners_[best.rank].size();  // a queue's steps are dearer than a look
    if (now_left == count && saved > most + 1e-12 * exchanged) {
      most = saved;
      kept = moved.size();
    }
  }
  for (std::size_t i = moved.size(); i > kept; --i) left_[moved[i - 1]] = !left_[moved[i - 1]];
  return most;
}

std::vector<NodeIndex> RankBisection::place(std::uint64_t& random, int attempts,
                                            std::uint64_t& work, std::uint64_t bound) {
  work_ = 0;
  // Each level of halves gets the same share of the work, each part of it that of its ranks.
  const std::uint64_t share = (bound - std::min(work, bound)) / std::bit_width(distances_.size());
  std::deque<Part> parts(1);
  parts[0].first = 0;
  parts[0].last = distances_.size();
  for (std::uint32_t rank = 0; rank < partners_.size(); ++rank) parts[0].ranks.push_back(rank);
  std::fill(part_.begin(), part_.end(), 0U);
  std::uint32_t made = 0;
  for (; !parts.empty(); parts.pop_front()) {
    Part& part = parts.front();
    if (part.last - part.first == 1) {
      for (const std::uint32_t rank : part.ranks) at_[rank] = part.first;
      continue;
    }
    const NodeIndex middle = middle_of(part.first, part.last);
    std::size_t count = 0;
    for (NodeIndex node = part.first; node < middle; ++node) count += room_[node];
    current_ = part_[part.ranks.front()];
    weigh(part, middle);
    const std::uint64_t last = work_ + share * part.ranks.size() / partners_.size();
    std::vector<bool> best;
    double least = 0;
    for (int attempt = 0; attempt < attempts && (attempt == 0 || work_ < last); ++attempt) {
      for (const std::uint32_t rank : part.ranks)
        turn_[rank] = static_cast<std::uint32_t>(next_random(random));
      if (attempt == 0)
        for (std::size_t i = 0; i < part.ranks.size(); ++i) left_[part.ranks[i]] = i < count;
      else
        grow(part, count, random);
      for (int i = 0; i < kPasses && work_ < last && pass(part, count) > 0;) ++i;
      const double now = cut(part);
      if (!best.empty() && now >= least) continue;
      least = now;
      best.clear();
      for (const std::uint32_t rank : part.ranks) best.push_back(left_[rank]);
    }
    Part left{part.first, middle, {}}, right{middle, part.last, {}};
    made += 2;
    for (std::size_t i = 0; i < part.ranks.size(); ++i) {
      Part& half = best[i] ? left : right;
      const std::uint32_t rank = part.ranks[i];
      half.ranks.push_back(rank);
      part_[rank] = best[i] ? made - 1 : made;
      at_[rank] = half.first + (half.last - half.first) / 2;
    }
    parts.push_back(std::move(left));
    parts.push_back(std::move(right));
  }
  work += work_;
  return at_;
}

}  // namespace reprise::platforms
