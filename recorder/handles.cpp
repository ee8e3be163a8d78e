// SPDX-License-Identifier: MIT
#include "recorder/handles.hpp"

namespace reprise::recorder {

Handles& handles() {
  static Handles& all = *new Handles;
  return all;
}

}  // namespace reprise::recorder
