// SPDX-License-Identifier: MIT
// Bytes of payload in one element of a datatype, remembered for the types that MPI itself names: those are never freed, so
// their handles never mean another type later.
//
// Cost    a comparison for a named type used lately; else two calls into the library.
// Threads none: the caller holds the handle lock.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>

#include "recorder/handle_map.hpp"

namespace reprise::recorder {

class TypeSizes {
 public:
  std::int64_t size_of(MPI_Datatype type) {
    const HandleKey key = key_of(type);
    const Entry& entry = entries_[place_of(key)];
    return entry.key == key ? entry.size : ask(type);
  }

 private:
  struct Entry {
    HandleKey key = 0;  // no handle of MPI_DATATYPE_NULL comes here
    std::int64_t size = 0;
  };
  static constexpr std::size_t kEntries = 64;
  static std::size_t place_of(HandleKey key) { return (key * 0x9e3779b97f4a7c15u) >> 58; }
  std::int64_t ask(MPI_Datatype type);

  std::array<Entry, kEntries> entries_{};
};

}  // namespace reprise::recorder
