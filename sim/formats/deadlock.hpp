// SPDX-License-Identifier: MIT
// The window of a replay that deadlocks, up to the deadlock: there is no answer, but its calls and messages tell how it came about.
#pragma once

#include "sim/experiment/window.hpp"
#include "sim/formats/format.hpp"

namespace reprise::sim {

// As the format has a window: text and CSV the same tables; JSON {"format":1,"deadlock":"…","timeline":{"window":…}}; a page with the reason in
// place of the run time.
// REQUIRES: it deadlocked. Throws as TimelineWindow::check().
std::string write_deadlock(const Format&, const Experiment&, const PredictedWindow&);

}  // namespace reprise::sim
