// SPDX-License-Identifier: MIT
#include "recorder/handles.hpp"

namespace reprise::recorder {

constinit Handles* all_handles = nullptr;

void make_handles() {
  if (all_handles == nullptr) all_handles = new Handles;
}

}  // namespace reprise::recorder
