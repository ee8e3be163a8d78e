// SPDX-License-Identifier: MIT
// Sums that one thread adds to without a lock while another one, which writes a snapshot, reads them: each as it was at some moment.
// Relaxed loads and stores of eight bytes: on 64-bit machines the same instructions as without.
#pragma once

#include <cstdint>

#include "trace-io/base/quantity.hpp"

namespace reprise::recorder {

inline void add_owned(std::uint64_t& sum, std::uint64_t more) noexcept {
  __atomic_store_n(&sum, sum + more, __ATOMIC_RELAXED);
}
inline void add_owned(Nanoseconds& sum, Nanoseconds more) noexcept {
  __atomic_store_n(&sum.value, sum.value + more.value, __ATOMIC_RELAXED);
}

inline std::uint64_t read_shared(const std::uint64_t& sum) noexcept {
  return __atomic_load_n(&sum, __ATOMIC_RELAXED);
}
inline Nanoseconds read_shared(const Nanoseconds& sum) noexcept {
  return Nanoseconds{__atomic_load_n(&sum.value, __ATOMIC_RELAXED)};
}

}  // namespace reprise::recorder
