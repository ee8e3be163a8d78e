// SPDX-License-Identifier: MIT
// How sure a predicted time is, and whether of two the one is really the shorter.
//
// All of it is about logarithms of times, so that differences are factors and the throughput of a basket, a weighted geometric mean, is one
// more prediction. What makes a prediction doubtful, each apart:
//   compute times  seeds permute the recorded compute times (their sums stay); s² is the variance over n seeds
//   calibration    messages cost a factor exp(z · log(1 + u)) more, z standard normal, u the root mean square of the residuals to which the
//                  machine's file was fitted; c is what one such step does to the logarithm of the time
//   network model  the logarithms of the times that other models give, against the one asked for; each as likely as the others
// Band    of one run: scale² = s² (1 + 1/n) + c². Compute times' part has n − 1 degrees of freedom; the sum those of Welch and Satterthwaite.
// Pairs   differences seed by seed, so that what moves both (the same order of the same compute times) is not taken for a difference:
//         scale² = s_d²/n + c². On the same machine messages are dearer for both at once, c = |c_a − c_b|; machines are calibrated each for
//         itself, c² = c_a² + c_b². The network model is the same for both.
// Source  Student's paired t; F. E. Satterthwaite, "An Approximate Distribution of Estimates of Variance Components", Biometrics
//         Bulletin 2(6), 1946.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/confidence/spread.hpp"

namespace reprise::sim {

struct Prediction {
  std::vector<double> log_times;  // by seed; NaN: none
  double calibration = 0;         // c; 0: the machine states no uncertainty
  std::string machine;            // whose calibration
  std::vector<double>
      models;  // shifts, the asked-for one's 0 among them; empty: others were not asked
};

// Shares of the variance; they add up to 1 where anything scatters.
struct Parts {
  double compute_times = 0, calibration = 0, network_model = 0;
};

struct Band {
  double low = 0, high = 0;  // of the logarithm
  Parts parts;
};
// None where nothing is known of what scatters: fewer than two seeds, no calibration, one model.
std::optional<Band> band_of(const Prediction&);

struct Difference {
  double mean = 0;           // of log(a / b) over the seeds that both have
  double low = 0, high = 0;  // of the interval; the mean where nothing is known of what scatters
  std::optional<double> probability;  // that a takes less time; none where nothing is known
  Parts parts;
};
// None where no seed has both.
std::optional<Difference> compare(const Prediction& a, const Prediction& b);

}  // namespace reprise::sim
