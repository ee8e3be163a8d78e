// SPDX-License-Identifier: MIT
// How the end of a message that shares links grows with each parameter, through the begins and ends of those that it shares them with.
//
// Model    a flow that begins at t₀ with the rate r₀, and has the rates r₁ … r_m from t₁ … t_m on, ends at e where Σ r_k (t_k+1 − t_k) is its
//          bytes. The rates are the bandwidth's, so with d = d/d ln p
//              de = dt₀ + (e − t₀ for the bandwidth, else 0) + Σ_k (r_k − r_k−1) / r_m · (dt_k − d°t_k)
//          where t_k is the begin or end that has moved the rate, and d°t_k = dt₀ + (t_k − t₀ for the bandwidth) its slope if it moved along with
//          the message: the message's own slope at the beginning. Slopes add up to the time on both sides.
// Reach    the formula holds while t₀ < t_k < e. Where a change of kReach of a parameter would move t_k past one of them, the sum counts as far as
//          they are apart: two messages that meet for a moment would else hand on slopes that hold for no change worth the name, and grow
//          without bound from message to message.
// Causes   of one instant that share a link with the flow count by halves, thirds …
// Cost     an instant of several causes: O(their links); a change of a rate: O(links of the flow), some 40 ns.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/engine/critical_path/slopes.hpp"
#include "sim/network/flow_observer.hpp"

namespace reprise::sim {

class FlowSlopes {
 public:
  using Links = FlowObserver::Links;
  static constexpr double kReach = 0.01;

  // A flow begins or ends now, at a time with these slopes; null: nobody knows them.
  void note_cause(double now, Links, const Slopes*);
  // A flow has got its first rate.
  void settle() { is_settled_ = true; }
  // Rates of a message that has begun at START with slopes OWN, its BANDWIDTH being that parameter: said once, before its first change.
  bool is_followed(std::uint32_t message) const {
    return message < drift_of_.size() && drift_of_[message] != kNone;
  }
  void follow(std::uint32_t message, double start, const Slopes& own, Parameter bandwidth);
  // Rates BEFORE and AFTER in bytes per second, LEFT in bytes. Not a struct: all six stay in registers.
  void change(std::uint32_t message, double now, double before, double after, double left, Links);
  // The message has ended: SLOPES, of its own begin and time, get what others' are worth.
  void finish(std::uint32_t message, Slopes& slopes);
  void clear();

 private:
  struct Cause {
    Slopes slopes;
    bool is_known = true;
    std::uint32_t links_end = 0;
  };
  struct Sum {
    Slopes slopes;
    double count = 0, spread = 0;
    bool is_known = true;
    void add(const Cause&, const Slopes& first);
    void add(const Sum&);
  };
  struct LinkSum {
    std::uint64_t settling = 0;
    std::uint32_t sum = 0;
  };
  // All that a change of a rate reads and writes, in four lines of a cache.
  struct alignas(64) Drift {
    std::array<double, Slopes::kWidth> own{}, moved{};  // moved: times the last rate
    double start = 0, rate = 0, blur = 0;
    std::uint8_t flaws = 0;
    Parameter bandwidth{};
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  void add_up_by_links();
  // Asked at each change of a rate, and mostly for what the last one found.
  const Sum& cause_of(double now, Links links) {
    const bool is_found = is_added_up_ && is_settled_ && now == instant_;
    return is_found && (causes_.size() == 1 || are_alike_) ? all_ : find_cause(now, links);
  }
  const Sum& find_cause(double now, Links);

  double instant_ = -1;
  bool is_settled_ = false;  // rates have changed since the last cause
  bool is_added_up_ = false;
  bool are_alike_ = true;
  std::vector<Cause> causes_;
  std::vector<platforms::LinkIndex> cause_links_;
  std::uint64_t settling_ = 0;
  std::vector<LinkSum> link_sums_;
  std::vector<Sum> sums_;
  Sum all_, found_;
  std::vector<std::uint32_t> drift_of_;  // by message
  std::vector<Drift> drifts_;
  std::vector<std::uint32_t> free_;
};

}  // namespace reprise::sim
