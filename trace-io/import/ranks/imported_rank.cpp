// SPDX-License-Identifier: MIT
#include "trace-io/import/ranks/imported_rank.hpp"

#include <algorithm>

#include "trace-io/model/communicators.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kShortGap = 5000;  // ns, as in recorder/capture/thread_recorder.hpp

ValueSequence folded(const std::vector<std::int32_t>& members) {
  ValueSequence sequence;
  for (const auto member : members) sequence.append(member);
  return sequence;
}

}  // namespace

std::vector<std::int64_t>& ImportedCall::add_vector() {
  if (vector_count == vectors.size()) vectors.emplace_back();
  vectors[vector_count].clear();
  return vectors[vector_count++];
}

ImportedRank::ImportedRank(const ImportedJob& job, Rank rank)
    : job_(job),
      rank_(rank),
      compressor_({.bins = job.settings.bins,
                   .rank = rank,
                   .keeps_order = job.settings.order_budget.value > 0}) {}

ImportedCall& ImportedRank::begin_call(SiteId site, std::int64_t begin, std::int64_t end) {
  current_.site = site;
  current_.begin = begin;
  current_.end = end;
  current_.scalars.clear();
  current_.vector_count = 0;
  current_.waits = current_.is_test = false;
  current_.what = ImportedCall::What::call;
  return current_;
}

void ImportedRank::add() {
  if (held_.empty()) {
    ++next_number_;
    return append(current_);
  }
  add_waiting();
  held_.back().waits = false;
}

std::uint64_t ImportedRank::add_waiting() {
  const std::uint64_t number = current_.number = next_number_++;
  current_.waits = true;
  held_.push_back(std::move(current_));
  current_ = {};
  if (!spare_.empty()) {
    current_ = std::move(spare_.back());
    spare_.pop_back();
  }
  return number;
}

ImportedCall* ImportedRank::waiting(std::uint64_t number) {
  if (held_.empty() || number < held_.front().number) return nullptr;
  auto& call = held_[static_cast<std::size_t>(number - held_.front().number)];
  return call.waits ? &call : nullptr;
}

void ImportedRank::resolved(std::uint64_t number) {
  if (auto* call = waiting(number)) call->waits = false;
  release();
}

void ImportedRank::release() {
  while (!held_.empty() && !held_.front().waits) {
    append(held_.front());
    spare_.push_back(std::move(held_.front()));
    held_.pop_front();
  }
}

void ImportedRank::give_up_oldest() {
  held_.front().waits = false;
  release();
}

std::int64_t ImportedRank::since_last_end(std::int64_t begin) {
  if (!has_begun_) begins_at(0);
  const std::int64_t passed = begin - last_end_;
  if (passed >= 0) return passed;
  lose("times that run backwards", Severity::partial, 1, -passed);
  return 0;
}

void ImportedRank::add_without_fields(ImportedCall::What what, std::int64_t begin,
                                      std::int64_t end) {
  begin_call(kNoSite, begin, end).what = what;
  add();
}

void ImportedRank::failed_poll(std::int64_t begin, std::int64_t end) {
  add_without_fields(ImportedCall::What::failed_poll, begin, end);
}

void ImportedRank::leave_out(std::int64_t begin, std::int64_t end) {
  add_without_fields(ImportedCall::What::gap, begin, end);
}

void ImportedRank::append_failed_poll(std::int64_t begin, std::int64_t end) {
  const std::int64_t gap = since_last_end(begin);
  if (polls_.count != 0 && gap <= kShortGap)
    polls_.communicate += gap;
  else
    polls_.compute += gap;
  polls_.communicate += std::max<std::int64_t>(0, end - begin);
  ++polls_.count;
  last_end_ = std::max(last_end_, end);
}

void ImportedRank::append_gap(std::int64_t begin, std::int64_t end) {
  polls_.compute += since_last_end(begin);
  begins_at(std::max(last_end_, end));
  lose("time during which nothing was recorded", Severity::partial, 1,
       std::max<std::int64_t>(0, end - begin));
}

void ImportedRank::append(const ImportedCall& call) {
  if (call.what == ImportedCall::What::failed_poll) return append_failed_poll(call.begin, call.end);
  if (call.what == ImportedCall::What::gap) return append_gap(call.begin, call.end);
  EventView event;
  event.site = call.site;
  event.scalars = call.scalars;
  vectors_.assign(call.vectors.begin(),
                  call.vectors.begin() + static_cast<std::ptrdiff_t>(call.vector_count));
  event.vectors = vectors_;
  // The time before MPI_Init is not the program's; without one, what is read begins in the middle of a run.
  const bool is_init = !has_appended_ && paths_.procedure_of(call.site).starts_with("MPI_Init");
  if (!has_begun_ && is_init) begins_at(call.begin);
  std::int64_t compute = since_last_end(call.begin);
  std::int64_t communicate = call.end - std::max(call.begin, last_end_);
  if (communicate < 0) {
    lose("times that run backwards", Severity::partial, 1, -communicate);
    communicate = 0;
  }
  if (polls_.count != 0) {
    if (call.is_test && compute <= kShortGap) {
      communicate += polls_.communicate + compute;
      compute = polls_.compute;
    } else if (call.is_test) {
      communicate += polls_.communicate;
      compute += polls_.compute;
    } else {
      compute += polls_.compute + polls_.communicate;
    }
    event.polls = polls_.count;
  } else {
    compute += polls_.compute;
  }
  polls_ = {};
  event.compute = Nanoseconds{compute};
  event.communicate = Nanoseconds{communicate};
  compressor_.append(event);
  last_end_ = std::max(last_end_, call.end);
  if (is_init) first_end_ = last_end_;
  has_appended_ = true;
}

std::int64_t ImportedRank::communicator(std::uint32_t number) {
  using Extent = ImportedCommunicator::Extent;
  const auto extent = job_.communicator(number).extent;
  if (extent == Extent::world) return kWorldIndex;
  if (extent == Extent::self) return kSelfIndex;
  const auto [known, is_new] = communicators_.try_emplace(
      number, kFirstOwnIndex + static_cast<std::int64_t>(by_index_.size()));
  if (is_new) by_index_.push_back(number);
  return known->second;
}

std::int64_t ImportedRank::start_request(std::uint64_t id) {
  const std::uint32_t slot = slots_.take();
  const auto [known, is_new] = slot_of_.try_emplace(id, slot);
  if (!is_new) {  // the earlier one can be completed no more
    lose("requests started twice under one number", Severity::partial);
    known->second = slot;
  }
  order_.start(slot);
  return RequestOrder::kNewest;
}

std::optional<std::int64_t> ImportedRank::age_of_request(std::uint64_t id) {
  const auto found = slot_of_.find(id);
  if (found == slot_of_.end()) return {};
  return order_.age_of(found->second);
}

void ImportedRank::complete_requests(std::vector<std::uint64_t>& ids,
                                     std::vector<std::int64_t>& ages) {
  ages.clear();
  std::vector<std::uint64_t> known;
  for (const std::uint64_t id : ids) {
    const auto found = slot_of_.find(id);
    if (found == slot_of_.end()) {
      lose("completions of requests that were never started", Severity::partial);
      continue;
    }
    ages.push_back(order_.age_of(found->second));
    order_.end(found->second);
    slots_.release(found->second);
    slot_of_.erase(found);
    known.push_back(id);
  }
  order_.sweep();
  std::sort(ages.begin(), ages.end());
  ids = std::move(known);
}

void ImportedRank::lose(const std::string& name, Severity severity, std::uint64_t count,
                        std::int64_t ns) {
  Loss& loss = losses_.try_emplace(name, Loss{name, severity, 0, {}}).first->second;
  loss.count += count;
  // Of times that run backwards again and again there may be more than a number holds.
  constexpr std::int64_t kMostTime = std::int64_t{1} << 61;
  loss.time = Nanoseconds{std::min(kMostTime, loss.time.value + std::min(kMostTime, ns))};
}

Trace ImportedRank::finish() {
  while (!held_.empty()) give_up_oldest();
  if (polls_.count != 0)
    lose("failed polls after the last call", Severity::notice, polls_.count,
         polls_.compute + polls_.communicate);
  Trace trace;
  trace.header.program = job_.program;
  trace.header.mpi_library = job_.mpi_library;
  trace.header.ranks = job_.ranks;
  trace.header.timing = Timing::path;
  trace.header.bins = job_.settings.bins;
  trace.header.order_budget = job_.settings.order_budget;
  trace.header.recorded = RankList::single(rank_);
  trace.header.elapsed = Nanoseconds{std::max<std::int64_t>(0, last_end_ - first_end_)};
  for (const Host& host : job_.hosts)
    if (host.ranks.contains(rank_))
      trace.header.hosts.push_back({host.name, host.cores, RankList::single(rank_)});
  paths_.describe(job_, trace);
  for (const std::uint32_t number : by_index_) {
    const ImportedCommunicator& communicator = job_.communicator(number);
    Communicator described{{folded(communicator.members)}, communicator.copy};
    if (communicator.is_inter()) described.groups.push_back(folded(communicator.remote));
    trace.communicator_indices.push_back(
        {{RankList::single(rank_), static_cast<std::uint32_t>(trace.communicators.size())}});
    trace.communicators.push_back(std::move(described));
  }
  trace.threads = {compressor_.program()};
  for (const auto& [name, loss] : losses_) trace.losses.push_back(loss);
  return trace;
}

}  // namespace reprise::trace_io
