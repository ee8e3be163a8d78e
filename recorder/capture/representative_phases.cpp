// SPDX-License-Identifier: MIT
#include "recorder/capture/representative_phases.hpp"

#include <algorithm>
#include <tuple>

namespace reprise::recorder {
namespace {

using Role = CallShape::Role;

// What must not overtake each other.
auto channel_of(const PhaseCall& call) {
  return std::tuple(call.shape->is_receive, call.number(call.shape->comm),
                    call.number(call.shape->peer), call.number(call.shape->tag));
}

}  // namespace

void RepresentativePhases::sort_starts(std::span<const PhaseCall> calls) {
  starts_.clear();
  firsts_.clear();
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (calls[i].is(Role::start)) starts_.push_back(i);
  std::ranges::sort(starts_, {}, [&](std::size_t i) {
    return std::tuple_cat(std::tuple(calls[i].site), channel_of(calls[i]), std::tuple(i));
  });
  for (std::size_t i = 0; i < starts_.size(); ++i)
    if (firsts_.empty() || firsts_.back().first != calls[starts_[i]].site)
      firsts_.emplace_back(calls[starts_[i]].site, i);
}

std::size_t RepresentativePhases::start_at(trace_io::SiteId site, std::uint32_t place) const {
  const auto first =
      std::ranges::lower_bound(firsts_, site, {}, &std::pair<trace_io::SiteId, std::size_t>::first);
  return starts_[first->second + place];
}

// Sites and how often they start something, sites that complete, numbers of the requests; each list behind its length.
void RepresentativePhases::describe(std::span<const PhaseCall> calls, const PhaseNumbers& numbers,
                                    bool begins_at_call) {
  description_.assign({begins_at_call ? 1 : 0, static_cast<std::int64_t>(numbers.completed()),
                       static_cast<std::int64_t>(firsts_.size())});
  for (std::size_t i = 0; i < firsts_.size(); ++i) {
    const std::size_t end = i + 1 < firsts_.size() ? firsts_[i + 1].second : starts_.size();
    description_.push_back(firsts_[i].first);
    description_.push_back(static_cast<std::int64_t>(end - firsts_[i].second));
  }
  const auto add_sorted = [&](const auto& add) {
    const std::size_t length = description_.size();
    description_.push_back(0);
    add();
    const auto first = description_.begin() + static_cast<std::ptrdiff_t>(length) + 1;
    std::ranges::sort(first, description_.end());
    description_[length] = description_.end() - first;
  };
  add_sorted([&] {
    const std::size_t first = description_.size();
    for (const PhaseCall& call : calls)
      if (call.is(Role::completion) &&
          std::ranges::find(description_.begin() + static_cast<std::ptrdiff_t>(first),
                            description_.end(), call.site) == description_.end())
        description_.push_back(call.site);
  });
  add_sorted([&] {
    for (const PhaseNumbers::Member& member : numbers.members())
      if (member.start < 0) description_.push_back(member.number);
  });
  add_sorted([&] {
    for (const PhaseNumbers::Member& member : numbers.members())
      if (!member.has_age && member.has_ended) description_.push_back(member.number);
  });
  places_.resize(calls.size());
  for (std::size_t i = 0; i < starts_.size(); ++i)
    places_[starts_[i]] = static_cast<std::int64_t>(i);
  add_sorted([&] {  // requests that were started in the phase
    for (const PhaseNumbers::Member& member : numbers.members())
      if (member.start >= 0)
        description_.push_back(places_[static_cast<std::size_t>(member.start)]);
  });
}

const RepresentativePhases::Steps* RepresentativePhases::find(std::span<const PhaseCall> calls,
                                                              const PhaseNumbers& numbers,
                                                              bool begins_at_call) {
  alike_ = nullptr;
  if (numbers.has_wild() || numbers.completed() == 0) return nullptr;
  sort_starts(calls);
  describe(calls, numbers, begins_at_call);
  auto found = all_.find(description_);
  if (found == all_.end()) {
    if (elements_ + description_.size() > kMostElements) return nullptr;
    elements_ += description_.size();
    found = all_.emplace(description_, Alike{}).first;
  }
  Alike& alike = found->second;
  const std::size_t place = alike.phases++ % kRepresentatives;
  if (place >= alike.representatives.size()) {
    alike_ = &alike;
    return nullptr;
  }
  const Steps& steps = alike.representatives[place];
  return keeps_messages_in_order(calls, steps) ? &steps : nullptr;
}

bool RepresentativePhases::keeps_messages_in_order(std::span<const PhaseCall> calls,
                                                   const Steps& steps) {
  told_.clear();
  for (const Step& step : steps)
    if (step.is_start) told_.emplace_back(start_at(step.site, step.place), told_.size());
  std::ranges::sort(told_, {}, [&](const auto& told) {
    return std::tuple_cat(channel_of(calls[told.first]), std::tuple(told.second));
  });
  for (std::size_t i = 1; i < told_.size(); ++i)
    if (told_[i].first < told_[i - 1].first &&
        channel_of(calls[told_[i].first]) == channel_of(calls[told_[i - 1].first]))
      return false;
  return true;
}

void RepresentativePhases::keep(std::span<const PhaseCall> calls) {
  if (alike_ == nullptr || elements_ > kMostElements) return;
  std::vector<std::uint32_t> places(calls.size(), 0);
  for (std::size_t i = 0, site = 0; i < starts_.size(); ++i) {
    while (site + 1 < firsts_.size() && firsts_[site + 1].second <= i) ++site;
    places[starts_[i]] = static_cast<std::uint32_t>(i - firsts_[site].second);
  }
  Steps steps;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const bool is_start = calls[i].is(Role::start);
    steps.push_back({calls[i].site, is_start, places[i], {}});
    elements_ += 8;
    if (is_start) continue;
    steps.back().vectors = calls[i].vectors;
    for (const auto& list : calls[i].vectors) elements_ += list.size();
  }
  alike_->representatives.push_back(std::move(steps));
}

}  // namespace reprise::recorder
