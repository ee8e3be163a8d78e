// SPDX-License-Identifier: MIT
// All flows of a network, while they are so many that each start and end moves the rates of very many of them: solved within a tolerance
// (approximate_shares.hpp), until an eighth of them is left. Before and after, whoever has the flows solves them in his own way.
//
// Memory  a crowd keeps its own for the next one.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>

#include "sim/network/approximate_shares.hpp"

namespace reprise::sim {

class Crowd {
 public:
  using Link = ApproximateShares::Link;
  Crowd(double tolerance, std::function<double(Link)> capacity)
      : tolerance_(tolerance), shares_(tolerance, std::move(capacity)) {}

  explicit operator bool() const { return is_there_; }
  bool may_be() const { return tolerance_ > 0; }
  std::uint64_t met() const { return met_; }  // how many there have been
  // REQUIRES: there is a crowd, or for enter() one begins.
  ApproximateShares* operator->() { return &shares_; }
  const ApproximateShares* operator->() const { return &shares_; }

  // enter_all() enters all flows that are under way.
  template <class EnterAll>
  void begin(double now, EnterAll enter_all) {
    is_there_ = true;
    ++met_;
    enter_all();
    shares_.settle(now);
    few_ = shares_.flows() / 8;
  }
  bool is_few() const { return shares_.flows() <= few_; }
  // visit(flow, bytes left) for all of them.
  template <class Visit>
  void end(double now, Visit visit) {
    shares_.each_left(now, visit);
    forget();
  }
  void forget() {
    shares_.clear();
    is_there_ = false;
  }
  // When a flow of it ends, or rates are due; infinite where there is none.
  double next() const {
    if (!is_there_) return std::numeric_limits<double>::infinity();
    return std::min(shares_.next_end(), shares_.next_due());
  }

 private:
  const double tolerance_;
  ApproximateShares shares_;
  bool is_there_ = false;
  std::size_t few_ = 0;  // flows at which it is over
  std::uint64_t met_ = 0;
};

}  // namespace reprise::sim
