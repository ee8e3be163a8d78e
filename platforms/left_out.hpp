// SPDX-License-Identifier: MIT
// What a platform's file says that no replay does, in words: for reports.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "platforms/platform.hpp"

namespace reprise::platforms {

inline std::vector<std::string> left_out_of(const Platform& platform) {
  const auto* routed =
      platform.network ? std::get_if<RoutedBySimgrid>(&platform.network->topology) : nullptr;
  return routed == nullptr ? std::vector<std::string>{} : routed->left_out;
}

}  // namespace reprise::platforms
