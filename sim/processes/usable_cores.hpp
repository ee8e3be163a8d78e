// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace reprise::sim {

// That this process may run on, as its affinity says: at least one.
std::size_t usable_cores();

}  // namespace reprise::sim
