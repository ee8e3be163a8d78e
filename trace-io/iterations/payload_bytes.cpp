// SPDX-License-Identifier: MIT
#include "trace-io/iterations/payload_bytes.hpp"

#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io {
namespace {

bool counts(const Procedure& procedure, Field field) {
  if (field == Field::send_bytes || field == Field::send_bytes_list) return true;
  if (field != Field::bytes) return false;
  switch (procedure.kind) {
    case Kind::receive:
    case Kind::start_receive:
    case Kind::matched_receive:
    case Kind::start_matched_receive:
    case Kind::init_send:
    case Kind::init_receive:
      return false;
    default:
      return true;
  }
}

}  // namespace

PayloadBytes::Fields PayloadBytes::looked_up(std::string_view name) {
  Fields found{true, 0, 0};
  const Procedure procedure = procedure_named(name);
  std::uint32_t scalar = 1, vector = 1;
  for (const FieldSpec& spec : fields(procedure)) {
    std::uint32_t& bit = spec.is_vector ? vector : scalar;
    if (counts(procedure, spec.field)) (spec.is_vector ? found.vectors : found.scalars) |= bit;
    bit <<= 1U;
  }
  return found;
}

}  // namespace reprise::trace_io
