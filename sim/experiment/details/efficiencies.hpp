// SPDX-License-Identifier: MIT
// How well a run uses its ranks, in the metrics of the POP centre of excellence.
//
//   parallel efficiency       = mean computing of the ranks / run time = load balance × communication efficiency
//   load balance              = mean computing / most computing of a rank
//   communication efficiency  = most computing / run time              = serialisation × transfer
//   serialisation             = most computing / run time on an ideal network: what waiting for one another costs, however fast the
//                               network is
//   transfer                  = run time on an ideal network / run time: what moving the data costs
// Source  POP, "Standard Metrics for Performance Analysis of Hybrid Parallel Applications" (2020), the MPI part; Rosas, Gimenez,
//         Labarta, "Scalability Prediction for Fundamental Performance Factors", Supercomputing Frontiers and Innovations 1(2),
//         2014. As there, the ideal network has no latency and infinite bandwidth; here also no overheads.
// Ideal   the run is replayed once more on platform_variants.hpp's network. Time in files stays what it is.
#pragma once

#include "sim/experiment/details/detail.hpp"

namespace reprise::sim {

struct Efficiencies : Figure {
  double parallel = 1, load_balance = 1, communication = 1, serialisation = 1, transfer = 1;
  Seconds ideal_time;  // of the run on the ideal network

  nlohmann::ordered_json json() const override;
  std::string text() const override;
};

// A run that takes no time, or in which nobody computes, has what has no meaning there at 1 or 0: 1 for 0 of 0.
Efficiencies efficiencies(const Outcome&, const Outcome& on_ideal_network);

}  // namespace reprise::sim
