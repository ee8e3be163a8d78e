// SPDX-License-Identifier: MIT
// The version that a file's payload is in, whichever way the payload is compressed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "trace-io/file/container.hpp"

namespace reprise::trace_io::testing {

inline std::uint32_t payload_version(std::span<const std::byte> file) {
  std::uint32_t version = 0;
  unwrap(file, "file", version);
  return version;
}

}  // namespace reprise::trace_io::testing
