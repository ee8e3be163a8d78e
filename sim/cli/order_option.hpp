// SPDX-License-Identifier: MIT
// --order SIZE|none of the verbs that make traces: what the order of compute times may take.
#pragma once

#include <string>

#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {

// 0: none is kept. Throws InputError above 16 MiB.
inline Bytes order_budget_of(const std::string& text) {
  constexpr double kMost = 16.0 * 1024 * 1024;
  if (text == "none") return Bytes{0};
  const Bytes budget = parse_bytes(text, "--order");
  if (static_cast<double>(budget.value) > kMost)
    throw InputError("--order", "\"" + text + "\" is more than 16 MiB",
                     "write none, or an amount of bytes such as 8KiB");
  return budget;
}

}  // namespace reprise::cli
