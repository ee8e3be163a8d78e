// SPDX-License-Identifier: MIT
// A window of the predicted run as a figure: each call and message in it, or where every rank is at one moment.
#pragma once

#include "sim/experiment/details/detail.hpp"
#include "sim/text/rank_places.hpp"

namespace reprise::sim {

struct WindowCalls : Figure {
  // PATH: of the replay, or null. Throws as TimelineWindow::check().
  WindowCalls(const trace_io::Trace&, const TimelineWindow&, const CriticalPath* path = nullptr);

  nlohmann::ordered_json json() const override;
  std::string text() const override;
  nlohmann::ordered_json rows() const override;  // of calls; of ranks where it is of one moment

  const trace_io::Trace& trace;
  double from = 0, to = 0;  // s: what the calls span, or the moment asked for
  WindowQuestion question;
  bool is_moment = false;
  std::vector<WindowCall> calls;
  // By call: of the loops within the main one, outermost first.
  std::vector<std::vector<std::uint64_t>> inner_iterations;
  std::vector<Delivery> messages;
  std::vector<PathStep> path;     // the critical path, as far as it is known here
  std::vector<RankPlace> places;  // at the moment
};

}  // namespace reprise::sim
