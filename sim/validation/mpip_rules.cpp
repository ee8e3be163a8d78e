// SPDX-License-Identifier: MIT
#include "sim/validation/mpip_rules.hpp"

#include <map>

namespace reprise::sim::validation {
namespace {

const std::map<std::string_view, MpipOperation>& operations() {
  static const std::map<std::string_view, MpipOperation> table = {
#define OPERATION(name, rule, is_poll) {#name, {#name, ByteRule::rule, is_poll}},
#include "sim/validation/mpip_operations.def"
#undef OPERATION
  };
  return table;
}

}  // namespace

std::optional<MpipOperation> mpip_operation(std::string_view name) {
  const auto found = operations().find(name);
  if (found == operations().end()) return std::nullopt;
  return found->second;
}

}  // namespace reprise::sim::validation
