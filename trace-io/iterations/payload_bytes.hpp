// SPDX-License-Identifier: MIT
// The bytes of a call, as iteration profiles count them: what the rank hands to MPI to send, put, get, read or write.
//
// Rules   as `reprise trace info` counts them: receives count nothing, which the sender has counted; a collective counts the rank's send
//         argument (per peer, where MPI counts so). Persistent requests count nothing: a start has no size of its own.
// Cost    the fields of a site are looked up once; then one addition a field.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace-io/model/event.hpp"

namespace reprise::trace_io {

class PayloadBytes {
 public:
  // `procedure`: the site's.
  std::uint64_t of(const EventView& event, std::string_view procedure) {
    while (event.site >= fields_.size()) fields_.push_back({});
    Fields& fields = fields_[event.site];
    if (!fields.is_known) fields = looked_up(procedure);
    std::uint64_t bytes = 0;
    for (std::uint32_t left = fields.scalars; left != 0; left &= left - 1)
      bytes += size(event.scalars[static_cast<std::size_t>(__builtin_ctz(left))]);
    for (std::uint32_t left = fields.vectors; left != 0; left &= left - 1)
      for (const auto one : event.vectors[static_cast<std::size_t>(__builtin_ctz(left))])
        bytes += size(one);
    return bytes;
  }

 private:
  struct Fields {
    bool is_known = false;
    std::uint32_t scalars = 0, vectors = 0;  // one bit each
  };
  static Fields looked_up(std::string_view procedure);
  static std::uint64_t size(std::int64_t value) {
    return value > 0 ? static_cast<std::uint64_t>(value) : 0;
  }

  std::vector<Fields> fields_;  // by site
};

}  // namespace reprise::trace_io
