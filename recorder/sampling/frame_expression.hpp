// SPDX-License-Identifier: MIT
// A frame's registers and stack, and the expressions by which unwind tables compute with them (DWARF 5, section 2.5).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "recorder/sampling/interrupted_stack.hpp"
#include "recorder/sampling/unwind_tables.hpp"

namespace reprise::recorder {

struct FrameValues {
  std::array<std::uintptr_t, kDwarfRegisters> values{};
  StackBounds stack;

  // A word of the stack; none where it is not within the bounds.
  std::optional<std::uintptr_t> load(std::uintptr_t address) const {
    std::uintptr_t word = 0;
    if (address < stack.low || address >= stack.high || stack.high - address < sizeof word)
      return std::nullopt;
    std::memcpy(&word, reinterpret_cast<const void*>(address), sizeof word);
    return word;
  }
};

// None where an operation is not known, or reads outside of the stack. INITIAL: what is on the expression's own stack at first.
std::optional<std::uintptr_t> evaluate(TableBytes expression, const FrameValues&,
                                       std::optional<std::uintptr_t> initial) noexcept;

}  // namespace reprise::recorder
