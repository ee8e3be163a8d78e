// SPDX-License-Identifier: MIT
#include "recorder/capture/completion_phases.hpp"

#include <algorithm>
#include <utility>

#include "recorder/capture/handles.hpp"

namespace reprise::recorder {

using Role = CallShape::Role;

void CompletionPhases::expect(std::size_t active) {
  if (!is_enabled_ || beginning_ != Beginning::none || active < 2 || active > kMostActive) return;
  begin(Beginning::completion);
}

void CompletionPhases::begin(Beginning beginning) {
  if (handles().shared || !handles().requests.defer()) return;
  is_watching_ = true;
  beginning_ = beginning;
  open_ = static_cast<std::ptrdiff_t>(handles().requests.order().size());
}

const CallShape& CompletionPhases::shape_of_call(std::uint32_t key, std::string_view procedure) {
  if (key < shape_by_key_.size() && shape_by_key_[key] != nullptr) return *shape_by_key_[key];
  const auto [shape, is_new] = shapes_.try_emplace(key);
  if (is_new) shape->second = shape_of(trace_io::procedure_named(procedure));
  if (key < kKeys) {
    shape_by_key_.resize(kKeys);
    shape_by_key_[key] = &shape->second;
  }
  return shape->second;
}

void CompletionPhases::append(const trace_io::EventView& event, std::uint32_t key,
                              std::string_view procedure, trace_io::ThreadCompressor& compressor) {
  const CallShape& shape = shape_of_call(key, procedure);
  const bool is_part = shape.role != Role::other &&
                       !(shape.role == Role::start &&
                         event.scalars[static_cast<std::size_t>(shape.request)] == trace_io::kNone);
  if (beginning_ == Beginning::none) {
    pass(event, shape, compressor);
  } else if (is_part && calls_.size() < kMostCalls && calls_.elements() < kMostElements) {
    const PhaseCall& call = calls_.add(event, shape);
    count_open(call);
    if (ends_when_idle_ && open_ == 0 && call.is(Role::completion)) end(compressor);
    return;
  } else {
    learn(is_part);
    ends_when_idle_ |= is_part;
    behind_.assign(event, shape);
    tell(compressor);
    numbers_->settle(behind_);
    handles().requests.settle();
    behind_.sort_completed();
    emit(behind_, compressor);
  }
  if (is_part) return;
  latest_before_ = event.site;
  if (const auto known = before_.find(event.site);
      known != before_.end() && known->second.begins_phases)
    begin(Beginning::call);
}

// No phase is under way. What a phase started is completed in the program's order elsewhere, which is that of the phase as it was: numbers are sorted.
void CompletionPhases::pass(const trace_io::EventView& event, const CallShape& shape,
                            trace_io::ThreadCompressor& compressor) {
  if (shape.requests < 0 || event.vectors.empty() || event.vectors.front().size() < 2) {
    compressor.append(event);
    return;
  }
  behind_.assign(event, shape);
  behind_.sort_completed();
  emit(behind_, compressor);
}

void CompletionPhases::count_open(const PhaseCall& call) {
  const RequestTable& table = handles().requests;
  if (call.is(Role::start)) {
    open_ += table.has_age(call.started()) ? 1 : 0;
    return;
  }
  for (const std::int64_t slot : call.list(call.shape->completed))
    open_ -= table.has_age(static_cast<std::uint32_t>(slot)) ? 1 : 0;
}

// What came of the phase under way says where the next one begins.
void CompletionPhases::learn(bool is_full) {
  std::uint64_t completions = 0;
  for (const PhaseCall& call : calls_.all()) completions += call.is(Role::completion) ? 1 : 0;
  if (latest_before_ == trace_io::kNoSite) return;
  Before& before = before_[latest_before_];
  if (completions > 0)
    before.in_vain = is_full ? kMostInVain : 0;
  else
    before.in_vain += before.begins_phases ? 1 : 0;
  before.begins_phases = before.in_vain < kMostInVain;
}

void CompletionPhases::end(trace_io::ThreadCompressor& compressor) {
  if (beginning_ == Beginning::none) return;
  tell(compressor);
  handles().requests.settle();
}

void CompletionPhases::settle() {
  if (beginning_ != Beginning::none) return;
  calls_ = {};
  representatives_ = {};
  behind_ = {};
  std::vector<const CallShape*>().swap(shape_by_key_);
  shapes_ = {};
  before_ = {};
  std::vector<std::span<const std::int64_t>>().swap(spans_);
  std::vector<std::pair<trace_io::SiteId, std::uint32_t>>().swap(completions_);
  std::vector<Completing>().swap(sites_);
}

// The phase under way is over; what comes behind it is to be settled.
void CompletionPhases::tell(trace_io::ThreadCompressor& compressor) {
  if (!numbers_) numbers_.emplace(handles().requests);
  PhaseNumbers& numbers = *numbers_;
  numbers.begin(calls_.all());
  const auto* steps = representatives_.find(calls_.all(), numbers, beginning_ == Beginning::call);
  record_.phases += numbers.completed() > 0 ? 1 : 0;
  record_.represented += steps != nullptr ? 1 : 0;
  if (steps != nullptr)
    tell_as(*steps, compressor);
  else
    tell_as_it_was(compressor);
  numbers.end();
  calls_.clear();
  beginning_ = Beginning::none;
}

void CompletionPhases::emit(const PhaseCall& call, trace_io::ThreadCompressor& compressor) {
  compressor.append(call.event(spans_));
}

void CompletionPhases::tell_as_it_was(trace_io::ThreadCompressor& compressor) {
  for (PhaseCall& call : calls_.all()) {
    if (call.is(Role::start))
      numbers_->start(call);
    else
      numbers_->complete_some(call);
    emit(call, compressor);
  }
  representatives_.keep(calls_.all());
}

// By call site, the phase's calls in their order and how many the representative has.
void CompletionPhases::find_completions(const RepresentativePhases::Steps& steps) {
  const auto calls = calls_.all();
  completions_.clear();
  for (std::uint32_t i = 0; i < calls.size(); ++i)
    if (calls[i].is(Role::completion)) completions_.emplace_back(calls[i].site, i);
  std::ranges::sort(completions_);
  sites_.clear();
  for (std::uint32_t i = 0; i < completions_.size(); ++i) {
    if (sites_.empty() || sites_.back().site != completions_[i].first)
      sites_.push_back({.site = completions_[i].first, .first = i});
    ++sites_.back().calls;
  }
  for (const auto& step : steps)
    if (!step.is_start) ++completing(step.site).steps;
}

CompletionPhases::Completing& CompletionPhases::completing(trace_io::SiteId site) {
  return *std::ranges::lower_bound(sites_, site, {}, &Completing::site);
}

void CompletionPhases::tell_as(const RepresentativePhases::Steps& steps,
                               trace_io::ThreadCompressor& compressor) {
  const auto calls = calls_.all();
  find_completions(steps);
  PhaseNumbers& numbers = *numbers_;
  for (const auto& step : steps) {
    if (step.is_start) {
      PhaseCall& call = calls[representatives_.start_at(step.site, step.place)];
      numbers.start(call);
      emit(call, compressor);
      continue;
    }
    Completing& site = completing(step.site);
    const auto call_at = [&](std::uint32_t place) -> PhaseCall& {
      return calls[completions_[site.first + place].second];
    };
    const std::uint32_t told = site.told++;
    const bool has_own = told < site.calls;
    PhaseCall& call = call_at(has_own ? told : site.calls - 1);
    if (!has_own) {
      call.compute = call.communicate = {};
      call.polls = 0;
    }
    call.vectors = step.vectors;
    if (site.told == site.steps) {
      for (std::uint32_t i = site.steps; i < site.calls; ++i) call.add_times(call_at(i));
      call.further = std::int64_t{site.calls} - std::int64_t{site.steps};
    }
    numbers.complete_said(call.list(call.shape->completed));
    emit(call, compressor);
  }
}

}  // namespace reprise::recorder
