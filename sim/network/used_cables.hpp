// SPDX-License-Identifier: MIT
// Which kinds of cables messages had on their way: what a change of the others could not matter to.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "platforms/routes.hpp"

namespace reprise::sim {

// Which classes of links were on any route that was asked for.
class UsedCables {
 public:
  explicit UsedCables(const platforms::RouteTable& routes)
      : routes_(routes), used_(routes.link_classes().size()) {}
  void note(const platforms::Route& route) {
    for (const auto link : route.links) used_[routes_.link_class_index(link)] = 1;
  }
  std::vector<std::string> names() const {  // LinkClass::cable, sorted, each once
    std::vector<std::string> names;
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (used_[i] != 0) names.push_back(routes_.link_classes()[i].cable);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

 private:
  const platforms::RouteTable& routes_;
  std::vector<char> used_;
};

}  // namespace reprise::sim
