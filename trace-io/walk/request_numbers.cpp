// SPDX-License-Identifier: MIT
#include "trace-io/walk/request_numbers.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

bool is_of_requests(Field field) {
  return field == Field::request || field == Field::requests || field == Field::completed;
}

bool is_age(std::int64_t number) { return number <= RequestOrder::kNewest; }

RequestFields::Use use_of(Kind kind) {
  using Use = RequestFields::Use;
  switch (kind) {
    case Kind::start:
    case Kind::start_all:
    case Kind::cancel:
      return Use::names;
    case Kind::wait:
    case Kind::wait_all:
    case Kind::request_free:
      return Use::completes;
    case Kind::wait_any:
    case Kind::wait_some:
      return Use::names;  // and completes those of another list
    default:
      return Use::starts;
  }
}

}  // namespace

RequestFields request_fields(const Procedure& procedure) {
  RequestFields fields_of_it;
  fields_of_it.is_persistent =
      procedure.kind == Kind::init_send || procedure.kind == Kind::init_receive;
  if (procedure.kind == Kind::request_free) fields_of_it.ending = RequestEnding::freed;
  int scalar = 0, vector = 0;
  for (const FieldSpec& spec : fields(procedure)) {
    int& next = spec.is_vector ? vector : scalar;
    if (spec.field == Field::request) fields_of_it.request = next;
    if (spec.field == Field::requests) fields_of_it.requests = next;
    if (spec.field == Field::completed) fields_of_it.completed = next;
    if (is_of_requests(spec.field)) fields_of_it.use = use_of(procedure.kind);
    ++next;
  }
  return fields_of_it;
}

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
