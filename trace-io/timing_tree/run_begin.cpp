// SPDX-License-Identifier: MIT
#include "trace-io/timing_tree/run_begin.hpp"

#include <string_view>

namespace reprise::trace_io {

TimingTree::Ticks run_begin(const Trace& trace, const TimingTree& tree) {
  constexpr int kFirstCalls = 4;  // MPI_Initialized and its like may be asked before
  TimingTree::Ticks time = 0;
  for (int call = 0; call < kFirstCalls; ++call) {
    const auto place = tree.at(time);
    if (!place) break;
    const std::string_view procedure = trace.procedures[trace.sites[place->site].procedure];
    if (procedure == "MPI_Init" || procedure == "MPI_Init_thread") return place->end;
    time = place->end;
  }
  return 0;
}

}  // namespace reprise::trace_io
