// SPDX-License-Identifier: MIT
#include "trace-io/merge/function_samples.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include "trace-io/model/function_samples.hpp"

namespace reprise::trace_io {
namespace {

bool path_is_before(const PathSamples& x, const PathSamples& y) {
  return std::tie(x.site, x.predecessor) < std::tie(y.site, y.predecessor);
}

void renumber_paths(std::vector<PathSamples>& all, const std::vector<std::uint32_t>& stacks,
                    const std::vector<SiteId>& sites) {
  for (PathSamples& path : all) {
    path.site = sites.at(path.site);
    if (path.predecessor != kNoSite) path.predecessor = sites.at(path.predecessor);
    for (StackSamples& one : path.stacks) one.stack = stacks.at(one.stack);
    std::ranges::sort(path.stacks, {}, &StackSamples::stack);
  }
  std::ranges::sort(all, path_is_before);
}

void add_stacks(std::vector<StackSamples>& to, const std::vector<StackSamples>& more) {
  std::vector<StackSamples> both;
  std::ranges::merge(to, more, std::back_inserter(both), {}, &StackSamples::stack,
                     &StackSamples::stack);
  to.clear();
  for (const StackSamples& one : both)
    if (!to.empty() && to.back().stack == one.stack)
      to.back().count += one.count;
    else
      to.push_back(one);
}

void add_paths(std::vector<PathSamples>& to, std::vector<PathSamples> more) {
  std::vector<PathSamples> both;
  std::ranges::merge(to, more, std::back_inserter(both), path_is_before);
  to.clear();
  for (PathSamples& path : both)
    if (!to.empty() && !path_is_before(to.back(), path))
      add_stacks(to.back().stacks, path.stacks);
    else
      to.push_back(std::move(path));
}

// How often ranks were met in each function, between calls.
struct Profile {
  std::map<Frame, std::uint64_t> functions;
  std::uint64_t samples = 0;
};

Profile profile_of(const Trace& trace, const SampledRanks& ranks) {
  Profile profile;
  for (const PathSamples& path : ranks.compute)
    for (const StackSamples& one : path.stacks) {
      profile.functions[trace.call_paths.at(one.stack).frames.front()] += one.count;
      profile.samples += one.count;
    }
  return profile;
}

// Total variation distance less what is allowed for: not above 0 where they are alike. The expected distance of two draws of n and m from
// one distribution is about Σ √(p(1−p)(1/n+1/m)/(2π)).
double distance(const Profile& x, const Profile& y) {
  if (x.samples == 0 || y.samples == 0) return -1;
  const auto n = static_cast<double>(x.samples), m = static_cast<double>(y.samples);
  constexpr double kTwoPi = 6.283185307179586;
  double apart = 0, noise = 0;
  const auto add = [&](std::uint64_t of_x, std::uint64_t of_y) {
    const auto k = static_cast<double>(of_x), l = static_cast<double>(of_y);
    const double together = (k + l) / (n + m);
    apart += std::abs(k / n - l / m) / 2;
    noise += std::sqrt(together * (1 - together) * (1 / n + 1 / m) / kTwoPi);
  };
  auto in_x = x.functions.begin();
  auto in_y = y.functions.begin();
  while (in_x != x.functions.end() || in_y != y.functions.end()) {
    if (in_y == y.functions.end() || (in_x != x.functions.end() && in_x->first < in_y->first)) {
      add((in_x++)->second, 0);
    } else if (in_x == x.functions.end() || in_y->first < in_x->first) {
      add(0, (in_y++)->second);
    } else {
      add((in_x++)->second, (in_y++)->second);
    }
  }
  return apart - std::max(kAlikeShare, kNoiseTimes * noise);
}

void unite_alike(const Trace& trace, std::vector<SampledRanks>& classes) {
  std::vector<Profile> profiles;
  for (const SampledRanks& one : classes) profiles.push_back(profile_of(trace, one));
  while (classes.size() > 1) {
    std::size_t best_i = 0, best_j = 1;
    double best = 2;
    for (std::size_t i = 0; i < classes.size(); ++i)
      for (std::size_t j = i + 1; j < classes.size(); ++j)
        if (const double apart = distance(profiles[i], profiles[j]); apart < best)
          std::tie(best, best_i, best_j) = std::tuple(apart, i, j);
    if (best > 0 && classes.size() <= kMostRankClasses) return;
    SampledRanks& to = classes[best_i];
    SampledRanks& from = classes[best_j];
    to.ranks = to.ranks.united(from.ranks);
    add_paths(to.compute, std::move(from.compute));
    add_paths(to.communicate, std::move(from.communicate));
    profiles[best_i] = profile_of(trace, to);
    classes.erase(classes.begin() + static_cast<std::ptrdiff_t>(best_j));
    profiles.erase(profiles.begin() + static_cast<std::ptrdiff_t>(best_j));
  }
}

}  // namespace

void unite_function_samples(Trace& a, const Trace& b, const std::vector<std::uint32_t>& paths,
                            const std::vector<SiteId>& sites) {
  if (b.functions == nullptr) return;
  auto both = a.functions == nullptr ? std::make_shared<FunctionSamples>()
                                     : std::make_shared<FunctionSamples>(*a.functions);
  both->rate = std::max(both->rate, b.functions->rate);
  both->are_precise = both->are_precise && b.functions->are_precise;
  both->own += b.functions->own;
  both->left_out += b.functions->left_out;
  for (SampledRanks one : b.functions->classes) {
    renumber_paths(one.compute, paths, sites);
    renumber_paths(one.communicate, paths, sites);
    both->classes.push_back(std::move(one));
  }
  unite_alike(a, both->classes);
  sort_by_lowest_rank(both->classes);
  a.functions = std::move(both);
}

}  // namespace reprise::trace_io
