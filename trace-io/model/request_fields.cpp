// SPDX-License-Identifier: MIT
#include "trace-io/model/request_fields.hpp"

namespace reprise::trace_io {
namespace {

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

bool is_of_requests(Field field) {
  return field == Field::request || field == Field::requests || field == Field::completed;
}

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

}  // namespace reprise::trace_io
