// SPDX-License-Identifier: MIT
#include "trace-io/order/exact_orders.hpp"

#include <algorithm>
#include <utility>

#include "trace-io/order/logged_path.hpp"

namespace reprise::trace_io {
namespace {

constexpr double kFine = 65536;  // steps in the mean of a class

void make_exact_order(DeltaClass& delta) {
  unsigned stride = 0;
  for (const OrderLog& log : delta.logs) stride = std::max(stride, log.stride());
  LoggedPath path(delta, stride);
  if (auto order = path.order(std::max(1.0, path.mean / kFine))) {
    path.set_residuals(*order);
    delta.order = std::move(order);
  }
}

}  // namespace

void make_exact_orders(Trace& trace) {
  for (auto& program : trace.threads)
    for_each_leaf(program, [](Leaf& leaf) {
      for (PathDeltas& path : leaf.compute)
        for (DeltaClass& delta : path.classes) {
          if (!delta.logs.empty() && delta.durations.count() > 0) make_exact_order(delta);
          delta.logs.clear();
        }
    });
}

}  // namespace reprise::trace_io
