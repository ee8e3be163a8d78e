// SPDX-License-Identifier: MIT
// Numbers of links behind those of the machine: one for each rank that is bound in what it takes in, and those of single messages, which share
// them with nobody.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "platforms/routes.hpp"

namespace reprise::sim {

class OwnLinks {
 public:
  using Link = platforms::LinkIndex;
  static constexpr Link kNoLink = ~Link{0};

  explicit OwnLinks(Link first) : next_(first) {}

  Link of_receiver(std::int32_t rank) {
    const auto at = static_cast<std::size_t>(rank);
    if (of_receivers_.size() <= at) of_receivers_.resize(at + 1, kNoLink);
    if (of_receivers_[at] == kNoLink) of_receivers_[at] = next_++;
    return of_receivers_[at];
  }
  // A message's: one that was given back, or a new one.
  Link take() {
    if (free_.empty()) return next_++;
    const Link link = free_.back();
    free_.pop_back();
    return link;
  }
  void give_back(Link link) { free_.push_back(link); }

 private:
  std::vector<Link> of_receivers_;  // by rank
  std::vector<Link> free_;
  Link next_;
};

}  // namespace reprise::sim
