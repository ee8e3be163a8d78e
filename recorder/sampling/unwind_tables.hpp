// SPDX-License-Identifier: MIT
// How a function's caller is found at an instruction, from the unwind tables that compilers write into every program (.eh_frame).
//
// Why not libgcc's unwinder  it follows what it finds, and a table that is wrong at this very instruction (an epilogue, assembly) leads it to addresses
//          that are not mapped: between two instructions of a stranger's program a fault would be ours. Here nothing is read but tables and,
//          by the caller, words within the bounds of the stack.
// Signals  takes no lock and allocates nothing: modules are found by _dl_find_object (glibc 2.35; without it nothing is found).
// Cost     some 100 ns: a binary search and a few dozen bytes of table.
// Source   DWARF 5, section 6.4 (call frame information); LSB 5, .eh_frame and .eh_frame_hdr; x86-64 psABI (register numbers).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace reprise::recorder {

inline constexpr std::size_t kDwarfRegisters = 17;
inline constexpr std::size_t kFramePointer = 6, kStackPointer = 7, kReturnAddress = 16;

using TableBytes = std::span<const std::uint8_t>;

// Where the caller's value of a register is.
struct RegisterRule {
  enum class Kind : std::uint8_t {
    same,        // still in the register
    undefined,   // nowhere; of the return address: there is no caller
    at_offset,   // in memory, at the frame's address + offset
    is_offset,   // is the frame's address + offset
    in_register  // in register number `offset`
    ,
    at_expression,  // in memory where the expression says
    is_expression
  };
  Kind kind = Kind::same;
  std::int32_t offset = 0;
  const std::uint8_t* expression = nullptr;  // offset: its length
};

struct FrameRules {
  std::uint32_t cfa_register = kStackPointer;
  std::int32_t cfa_offset = 0;
  TableBytes cfa_expression;  // if not empty, in place of these two
  std::array<RegisterRule, kDwarfRegisters> registers{};
};

// The function around an address.
struct UnwindEntry {
  std::uintptr_t begin = 0, end = 0;
  std::uintptr_t module_begin = 0, module_end = 0;
  bool is_signal_frame = false;
  std::uint64_t code_align = 1;
  std::int64_t data_align = 1;
  TableBytes initial, instructions;
};

// None where no table has it, or in a form that is not known.
std::optional<UnwindEntry> find_unwind_entry(std::uintptr_t address) noexcept;
// The rules at an address of the entry; false where they are not known.
bool rules_at(const UnwindEntry&, std::uintptr_t address, FrameRules&) noexcept;

}  // namespace reprise::recorder
