// SPDX-License-Identifier: MIT
// --from, --to, --iterations, --ranks and --at: which part of a predicted run is shown call by call.
#pragma once

#include <boost/program_options.hpp>
#include <optional>

#include "sim/engine/observe/timeline_window.hpp"

namespace reprise::cli {

void add_window_options(boost::program_options::options_description&);
bool has_window(const boost::program_options::variables_map&);
// Throws InputError: an empty window, ranks that the trace does not have, options that exclude each other.
sim::WindowQuestion window_of(const boost::program_options::variables_map&, std::int32_t ranks);

}  // namespace reprise::cli
