// SPDX-License-Identifier: MIT
#include "trace-io/walk/request_numbers.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

bool is_age(std::int64_t number) { return number <= RequestOrder::kNewest; }

}  // namespace

bool has_ages(const Leaf& leaf, const Procedure& procedure) {
  const auto specs = fields(procedure);
  for (std::size_t i = 0; i < std::min(specs.size(), leaf.fields.size()); ++i) {
    if (!is_of_requests(specs[i].field)) continue;
    for (const FieldEntry& entry : leaf.fields[i]) {
      if (entry.values.empty()) continue;
      if (is_age(entry.values.front())) return true;
      if (entry.values.term_count() > 1 &&
          std::ranges::any_of(entry.values.terms(), [](const ValueSequence::Term& term) {
            return !term.is_loop && is_age(term.start);
          }))
        return true;
    }
  }
  return false;
}

void RequestNumbers::translate(const RequestFields& call, std::int64_t* request,
                               std::span<std::int64_t> requests,
                               std::span<std::int64_t> completed) {
  using Use = RequestFields::Use;
  const bool completes = call.use == Use::completes;
  if (call.use == Use::starts) return start(call, *request);
  if (request != nullptr) name(*request, completes ? call.ending : RequestEnding::none);
  for (auto& number : requests) name(number, completes ? call.ending : RequestEnding::none);
  for (auto& number : completed) name(number, RequestEnding::complete);
  order_.sweep();
}

void RequestNumbers::start(const RequestFields& call, std::int64_t& number) {
  if (number == kNone) return;
  const std::uint32_t slot = slots_.take();
  if (is_age(number))
    order_.start(slot);
  else
    given_[number] = {slot, call.is_persistent};
  number = slot;
}

void RequestNumbers::name(std::int64_t& number, RequestEnding ending) {
  if (number == kNone) return;
  std::uint32_t slot = RequestOrder::kNoSlot;
  bool ends = ending != RequestEnding::none;
  if (is_age(number)) {
    slot = order_.slot_of(number);
    if (slot != RequestOrder::kNoSlot && ends) order_.end(slot);
  } else if (const auto found = given_.find(number); found != given_.end()) {
    slot = found->second.slot;
    ends = ends && (ending == RequestEnding::freed || !found->second.is_persistent);
    if (ends) given_.erase(found);
  }
  number = slot == RequestOrder::kNoSlot ? kNoRequest : std::int64_t{slot};
  if (slot != RequestOrder::kNoSlot && ends) slots_.release(slot);
}

}  // namespace reprise::trace_io
