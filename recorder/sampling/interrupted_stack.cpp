// SPDX-License-Identifier: MIT
#include "recorder/sampling/interrupted_stack.hpp"

#include <pthread.h>

#include <array>
#include <cstring>
#include <optional>

#include "recorder/sampling/frame_expression.hpp"
#include "recorder/sampling/unwind_tables.hpp"

namespace reprise::recorder {
namespace {

constexpr std::uintptr_t kRedZone = 128;  // bytes below the stack pointer that are in use (psABI)
constexpr std::size_t kWordsLookedAt = 256;  // of the stack of a function that no table knows

constexpr std::array kSavedAs = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                 REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                 REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
static_assert(kSavedAs.size() == kDwarfRegisters);

class Walk {
 public:
  Walk(const ucontext_t& context, StackBounds bounds) {
    for (std::size_t i = 0; i < kDwarfRegisters; ++i)
      frame_.values[i] = static_cast<std::uintptr_t>(
          context.uc_mcontext.gregs[static_cast<std::size_t>(kSavedAs[i])]);
    const std::uintptr_t stack = frame_.values[kStackPointer];
    if (stack >= bounds.low && stack < bounds.high) frame_.stack = {stack - kRedZone, bounds.high};
  }

  std::uintptr_t address() const { return frame_.values[kReturnAddress]; }
  // The interrupted instruction itself; later the call that the return address stands behind.
  std::uintptr_t instruction() const { return is_exact_ ? address() : address() - 1; }

  enum class Step : std::uint8_t { caller, end, unknown };
  Step step(const std::optional<UnwindEntry>& entry) {
    if (frame_.stack.high == 0) return Step::unknown;
    if (!entry) return step_without_table();
    FrameRules rules;
    if (!rules_at(*entry, instruction(), rules)) return Step::unknown;
    const auto cfa = frame_address(rules);
    if (!cfa || *cfa <= frame_.values[kStackPointer] || *cfa > frame_.stack.high)
      return Step::unknown;
    if (rules.registers[kReturnAddress].kind == RegisterRule::Kind::undefined) return Step::end;
    FrameValues caller = frame_;
    for (std::size_t i = 0; i < kDwarfRegisters; ++i) {
      const auto value = value_by(rules.registers[i], *cfa, i);
      if (!value && i == kReturnAddress) return Step::unknown;
      caller.values[i] = value.value_or(0);
    }
    if (rules.registers[kStackPointer].kind == RegisterRule::Kind::same)
      caller.values[kStackPointer] = *cfa;
    frame_ = caller;
    is_exact_ = entry->is_signal_frame;
    return address() == 0 ? Step::end : Step::caller;
  }

 private:
  std::optional<std::uintptr_t> frame_address(const FrameRules& rules) const {
    if (!rules.cfa_expression.empty()) return evaluate(rules.cfa_expression, frame_, std::nullopt);
    if (rules.cfa_register >= kDwarfRegisters) return std::nullopt;
    return frame_.values[rules.cfa_register] + static_cast<std::uintptr_t>(rules.cfa_offset);
  }

  std::optional<std::uintptr_t> value_by(const RegisterRule& rule, std::uintptr_t cfa,
                                         std::size_t number) const {
    using Kind = RegisterRule::Kind;
    const auto expression = [&] {
      return evaluate({rule.expression, static_cast<std::size_t>(rule.offset)}, frame_, cfa);
    };
    switch (rule.kind) {
      case Kind::same:
        return frame_.values[number];
      case Kind::at_offset:
        return frame_.load(cfa + static_cast<std::uintptr_t>(rule.offset));
      case Kind::is_offset:
        return cfa + static_cast<std::uintptr_t>(rule.offset);
      case Kind::in_register:
        if (static_cast<std::size_t>(rule.offset) >= kDwarfRegisters) return std::nullopt;
        return frame_.values[static_cast<std::size_t>(rule.offset)];
      case Kind::is_expression:
        return expression();
      case Kind::at_expression: {
        const auto where = expression();
        return where ? frame_.load(*where) : std::nullopt;
      }
      case Kind::undefined:
        break;
    }
    return std::nullopt;
  }

  // Whether a call instruction ends at the address: e8 and a distance, or ff with /2 in one of its lengths.
  static bool is_behind_call(std::uintptr_t address, const UnwindEntry& entry) {
    const auto* code = reinterpret_cast<const std::uint8_t*>(address);
    const std::uintptr_t room = address - entry.begin;
    if (room >= 5 && code[-5] == 0xe8) return true;
    for (const int length : {2, 3, 4, 6, 7})
      if (room >= static_cast<std::uintptr_t>(length) && code[-length] == 0xff &&
          ((code[1 - length] >> 3U) & 7U) == 2)
        return true;
    return false;
  }

  Step step_without_table() {
    if (!is_exact_) return Step::unknown;  // of the interrupted function only
    std::uintptr_t at = frame_.values[kStackPointer];
    for (std::size_t i = 0; i < kWordsLookedAt; ++i, at += sizeof at) {
      const auto word = frame_.load(at);
      if (!word) return Step::unknown;
      const auto entry = find_unwind_entry(*word - 1);
      if (!entry || !is_behind_call(*word, *entry)) continue;
      frame_.values[kReturnAddress] = *word;
      frame_.values[kStackPointer] = at + sizeof at;
      is_exact_ = false;
      return Step::caller;
    }
    return Step::unknown;
  }

  FrameValues frame_;
  bool is_exact_ = true;
};

}  // namespace

StackBounds stack_of_this_thread() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {};
  void* low = nullptr;
  std::size_t size = 0;
  const bool is_known = pthread_attr_getstack(&attributes, &low, &size) == 0;
  pthread_attr_destroy(&attributes);
  if (!is_known) return {};
  const auto begin = reinterpret_cast<std::uintptr_t>(low);
  return {begin, begin + size};
}

InterruptedPath walk_interrupted(const ucontext_t& context, StackBounds bounds,
                                 std::span<std::uintptr_t> to) noexcept {
  InterruptedPath path;
  if (to.empty()) return path;
  Walk walk(context, bounds);
  auto entry = find_unwind_entry(walk.instruction());
  to[path.frames++] = (entry ? entry->begin : walk.address()) + 1;
  while (path.frames < to.size()) {
    const Walk::Step step = walk.step(entry);
    path.reached_end = step == Walk::Step::end;
    if (step != Walk::Step::caller) break;
    to[path.frames++] = walk.address();
    entry = find_unwind_entry(walk.instruction());
  }
  return path;
}

}  // namespace reprise::recorder
