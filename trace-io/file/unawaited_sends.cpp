// SPDX-License-Identifier: MIT
#include "trace-io/file/unawaited_sends.hpp"

#include <algorithm>
#include <vector>

#include "trace-io/model/request_fields.hpp"

namespace reprise::trace_io {
namespace {

// Whether a run of the sequence has kNone among its values, or may have.
bool may_have_none(const ValueSequence& values) {
  if (values.empty()) return false;
  if (values.is_constant()) return values.front() == kNone;
  const auto terms = values.terms();
  const bool shifts = std::ranges::any_of(
      terms, [](const ValueSequence::Term& term) { return term.is_loop && term.stride != 0; });
  return std::ranges::any_of(terms, [shifts](const ValueSequence::Term& term) {
    if (term.is_loop) return false;
    if (shifts || term.stride == 0) return shifts ? term.start < 0 : term.start == kNone;
    const std::int64_t distance = kNone - term.start;
    return distance % term.stride == 0 && distance / term.stride >= 0 &&
           static_cast<std::uint64_t>(distance / term.stride) < term.count;
  });
}

}  // namespace

bool has_unawaited_sends(const Trace& trace) {
  std::vector<int> request_of;  // by procedure; −1: it starts no send
  std::vector<bool> is_test;    // likewise: Test or Testall
  for (const auto& name : trace.procedures) {
    const Procedure procedure = procedure_named(name);
    is_test.push_back(procedure.is_test &&
                      (procedure.kind == Kind::wait || procedure.kind == Kind::wait_all));
    request_of.push_back(procedure.kind == Kind::start_send ? request_fields(procedure).request
                                                            : -1);
  }
  bool has_some = false;
  for (const auto& program : trace.threads)
    for_each_leaf(program, [&](const Leaf& leaf) {
      const std::uint32_t procedure = trace.sites[leaf.site].procedure;
      has_some = has_some || (is_test[procedure] && !leaf.further.empty());
      const int request = request_of[procedure];
      if (request < 0) return;
      for (const FieldEntry& entry : leaf.fields[static_cast<std::size_t>(request)])
        has_some = has_some || may_have_none(entry.values);
    });
  return has_some;
}

}  // namespace reprise::trace_io
