// SPDX-License-Identifier: MIT
// Flows over the same links with the same bound are one class: whatever shares links fairly gives all of them one rate.
//
// Cost    finding the class of a flow: a hash of its links, and a comparison with the class found.
// Memory  8 bytes for each link of a class, as many places for each as the longest route has, rounded up to a power of two; and 40 a class.
//         Classes without flows are given up.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace reprise::sim {

class FlowClasses {
 public:
  using Class = std::uint32_t;
  using Link = std::uint32_t;
  struct Use {
    Link link;
    std::uint32_t place;  // the owner's: where the class stands in what it keeps of the link
  };

  struct Found {
    Class index;
    bool is_new;
  };
  // The class over these links. REQUIRES: they are in the same order for all flows that cross them.
  Found find_or_add(std::span<const Link> links);
  void give_back(Class);

  std::span<Use> uses(Class one) {
    return {uses_.data() + std::size_t{one} * stride_, classes_[one].links};
  }
  std::uint32_t size() const {  // with those given back, which have no links
    return static_cast<std::uint32_t>(classes_.size());
  }

 private:
  static constexpr Class kNone = ~Class{0};
  struct State {
    std::uint64_t hash = 0;
    std::uint32_t links = 0;
    Class next = kNone;  // of the same hash
  };
  void widen(std::size_t links);

  std::size_t stride_ = 4;
  std::vector<Use> uses_;
  std::vector<State> classes_;
  std::vector<Class> free_;
  std::unordered_map<std::uint64_t, Class> first_;  // by hash; looked up only, never listed
};

}  // namespace reprise::sim
