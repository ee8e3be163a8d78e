// SPDX-License-Identifier: MIT
// Events of a Paraver trace that carry the fields of a call, for what Paraver's own cannot say: written by our export, read by our
// import, unknown to others. They stand in the record of the call's entry, in the order of fields().
//
// Form     words as ranks/field_text.hpp has them, one event each: its type says which kind of word, its value is the number.
#pragma once

#include <cstdint>

namespace reprise::trace_io {

inline constexpr std::int64_t kFieldEvents = 98000000;
enum class FieldEvent : std::uint8_t {
  none,     // the call has no fields
  number,   // a scalar, or an element of a vector
  request,  // likewise, and a request
  vector,   // a vector begins; its value is its length
};
inline constexpr std::int64_t kFieldEventTypes = 4;

}  // namespace reprise::trace_io
