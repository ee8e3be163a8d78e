// SPDX-License-Identifier: MIT
#include "recorder/capture/frame_steps.hpp"

#include <utility>

#include "recorder/sampling/unwind_tables.hpp"

namespace reprise::recorder {
namespace {

// The return address is the word below the frame's end, and the caller's stack pointer is that end.
bool is_usual(const FrameRules& rules) {
  using Kind = RegisterRule::Kind;
  const RegisterRule &back = rules.registers[kReturnAddress],
                     &frame_pointer = rules.registers[kFramePointer];
  return rules.cfa_expression.empty() && back.kind == Kind::at_offset &&
         back.offset == -static_cast<std::int32_t>(sizeof(std::uintptr_t)) &&
         rules.registers[kStackPointer].kind == Kind::same &&
         (frame_pointer.kind == Kind::same ||
          (frame_pointer.kind == Kind::at_offset && frame_pointer.offset < 0));
}

}  // namespace

FrameSteps::Step FrameSteps::read(std::uintptr_t address) {
  Step step;
  step.address = address;
  const auto entry = find_unwind_entry(address - 1);  // the call is in front of it
  FrameRules rules;
  if (!entry || entry->is_signal_frame || !rules_at(*entry, address - 1, rules)) return step;
  if (rules.registers[kReturnAddress].kind == RegisterRule::Kind::undefined) {
    step.kind = Kind::outermost;
    return step;
  }
  if (!is_usual(rules)) return step;
  if (rules.cfa_register == kStackPointer)
    step.kind = Kind::from_stack_pointer;
  else if (rules.cfa_register == kFramePointer)
    step.kind = Kind::from_frame_pointer;
  step.frame = rules.cfa_offset;
  if (rules.registers[kFramePointer].kind == RegisterRule::Kind::at_offset)
    step.saved = rules.registers[kFramePointer].offset;
  return step;
}

void FrameSteps::grow() {
  std::vector<Step> old(steps_.empty() ? kFewest : 2 * steps_.size());
  old.swap(steps_);
  for (const Step& step : old) {
    if (step.address == 0) continue;
    std::size_t at = place_of(step.address);
    while (steps_[at].address != 0) at = (at + 1) & (steps_.size() - 1);
    steps_[at] = step;
  }
}

void FrameSteps::clear() {
  std::vector<Step>().swap(steps_);
  known_ = 0;
}

const FrameSteps::Step& FrameSteps::step_at(std::uintptr_t address) {
  if (known_ == kMost / 2) clear();
  if (2 * known_ >= steps_.size()) grow();
  std::size_t at = place_of(address);
  for (; steps_[at].address != 0; at = (at + 1) & (steps_.size() - 1))
    if (steps_[at].address == address) return steps_[at];
  ++known_;
  return steps_[at] = read(address);
}

bool FrameSteps::walk(Frame wrapper, std::size_t limit, StackReading& reading, Unwound& result) {
  result.frames = result.word_count = 0;
  result.reached_end = false;
  result.can_be_remembered = true;
  std::uintptr_t stack = stack_position(wrapper), address = return_address(wrapper);
  const std::uintptr_t* saved = wrapper;  // where the frame pointer's value lies
  for (;;) {
    result.addresses[result.frames++] = address;
    if (result.frames == limit) return true;
    const Step& step = step_at(address);
    if (step.kind == Kind::other) return false;
    if (step.kind == Kind::outermost) {
      result.reached_end = true;
      return true;
    }
    const bool by_frame_pointer = step.kind == Kind::from_frame_pointer;
    if (by_frame_pointer && !reading.can_read(saved)) return false;
    const std::uintptr_t end = (by_frame_pointer ? *saved : stack) +
                               static_cast<std::uintptr_t>(std::intptr_t{step.frame});
    const auto* back = reinterpret_cast<const std::uintptr_t*>(end) - 1;
    if (end <= stack || !reading.can_read(back)) return false;
    if (by_frame_pointer) result.words[result.word_count++] = {saved, *saved};
    if (step.saved != 0)
      saved = reinterpret_cast<const std::uintptr_t*>(
          end + static_cast<std::uintptr_t>(std::intptr_t{step.saved}));
    address = *back;
    if (address == 0) {
      result.reached_end = true;
      return true;
    }
    result.words[result.word_count++] = {back, address};
    stack = end;
  }
}

}  // namespace reprise::recorder
