// SPDX-License-Identifier: MIT
// Logs and orders of compute times in the text form (SYNTAX.md, "Order"), written and read.
#pragma once

#include <string>

#include "trace-io/model/trace.hpp"
#include "trace-io/text/scanner.hpp"

namespace reprise::trace_io {

// " logs=[…]" or " order=(…)"; empty where the class has neither.
std::string order_text(const DeltaClass&);

// What stands behind "logs=" and "order=". Whether it suits the class is order_problem()'s affair (order/order_code.hpp).
// Errors: InputError at the scanner's place.
std::vector<OrderLog> read_logs(Scanner&);
std::shared_ptr<const DurationOrder> read_order(Scanner&, std::int32_t ranks);

}  // namespace reprise::trace_io
