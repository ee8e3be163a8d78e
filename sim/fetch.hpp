// SPDX-License-Identifier: MIT
// Asking for memory before it is needed: a replay of thousands of ranks waits for cache lines more than it computes.
#pragma once

#include <cstddef>

#include "trace-io/base/prefetch.hpp"

namespace reprise::sim {

inline constexpr std::size_t kCacheLine = 64;

// Asks the processor to have an object in its cache soon. Changes nothing else, whatever stands there.
template <class Object>
void fetch(const Object& object) {
  const char* const begin = reinterpret_cast<const char*>(&object);
  for (std::size_t at = 0; at < sizeof(Object); at += kCacheLine) prefetch(begin + at);
  prefetch(begin + sizeof(Object) - 1);
}

}  // namespace reprise::sim
