// SPDX-License-Identifier: MIT
// What whoever imports a trace may choose.
#pragma once

#include <cstdint>
#include <functional>

#include "trace-io/model/duration_order.hpp"

namespace reprise::trace_io {

struct ImportSettings {
  double flops_per_second = 1e9;      // of formats that count flops
  std::uint32_t bins = 5;             // of the distributions of durations
  Bytes order_budget = kOrderBudget;  // of the order of durations; 0: none is kept
  // Told now and then which share of the work is done, 0 to 1; may be empty.
  std::function<void(double)> progress{};
};

}  // namespace reprise::trace_io
