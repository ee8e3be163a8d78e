// SPDX-License-Identifier: MIT
#include "recorder/sampling/frame_expression.hpp"

#include "recorder/sampling/table_reader.hpp"

namespace reprise::recorder {
namespace {

class Evaluation {
 public:
  Evaluation(TableBytes expression, const FrameValues& frame) : in_(expression), frame_(frame) {}

  void push(std::uintptr_t value) {
    if (depth_ == kDepth)
      is_sound_ = false;
    else
      stack_[depth_++] = value;
  }

  std::optional<std::uintptr_t> run() {
    while (is_sound_ && in_.is_sound() && !in_.is_at_end()) step(in_.fixed<std::uint8_t>());
    const std::uintptr_t result = pop();
    return is_sound_ && in_.is_sound() ? std::optional(result) : std::nullopt;
  }

 private:
  static constexpr std::size_t kDepth = 16;

  std::uintptr_t pop() {
    if (depth_ == 0) {
      is_sound_ = false;
      return 0;
    }
    return stack_[--depth_];
  }

  void push_register(std::uint64_t number, std::int64_t offset) {
    if (number >= kDwarfRegisters)
      is_sound_ = false;
    else
      push(frame_.values[number] + static_cast<std::uintptr_t>(offset));
  }

  template <class Number>
  void push_constant() {
    push(static_cast<std::uintptr_t>(static_cast<std::intptr_t>(in_.fixed<Number>())));
  }

  void step(std::uint8_t code) {
    if (code >= 0x30 && code <= 0x4f) return push(code - 0x30U);
    if (code >= 0x70 && code <= 0x8f) return push_register(code - 0x70U, in_.signed_number());
    switch (code) {
      case 0x06: {
        const auto word = frame_.load(pop());
        is_sound_ = is_sound_ && word.has_value();
        return push(word.value_or(0));
      }
      case 0x08:
        return push_constant<std::uint8_t>();
      case 0x09:
        return push_constant<std::int8_t>();
      case 0x0a:
        return push_constant<std::uint16_t>();
      case 0x0b:
        return push_constant<std::int16_t>();
      case 0x0c:
        return push_constant<std::uint32_t>();
      case 0x0d:
        return push_constant<std::int32_t>();
      case 0x10:
        return push(in_.unsigned_number());
      case 0x11:
        return push(static_cast<std::uintptr_t>(in_.signed_number()));
      case 0x12: {
        const std::uintptr_t top = pop();
        push(top);
        return push(top);
      }
      case 0x23:
        return push(pop() + in_.unsigned_number());
      case 0x92: {
        const std::uint64_t number = in_.unsigned_number();
        return push_register(number, in_.signed_number());
      }
      default:
        return combine(code);
    }
  }

  void combine(std::uint8_t code) {
    const std::uintptr_t second = pop(), first = pop();
    const auto x = static_cast<std::intptr_t>(first), y = static_cast<std::intptr_t>(second);
    switch (code) {
      case 0x1a:
        return push(first & second);
      case 0x1c:
        return push(first - second);
      case 0x21:
        return push(first | second);
      case 0x22:
        return push(first + second);
      case 0x24:
        return push(second < 64 ? first << second : 0);
      case 0x29:
        return push(x == y ? 1 : 0);
      case 0x2a:
        return push(x >= y ? 1 : 0);
      case 0x2b:
        return push(x > y ? 1 : 0);
      case 0x2c:
        return push(x <= y ? 1 : 0);
      case 0x2d:
        return push(x < y ? 1 : 0);
      case 0x2e:
        return push(x != y ? 1 : 0);
      default:
        is_sound_ = false;
    }
  }

  TableReader in_;
  const FrameValues& frame_;
  std::array<std::uintptr_t, kDepth> stack_{};
  std::size_t depth_ = 0;
  bool is_sound_ = true;
};

}  // namespace

std::optional<std::uintptr_t> evaluate(TableBytes expression, const FrameValues& frame,
                                       std::optional<std::uintptr_t> initial) noexcept {
  Evaluation evaluation(expression, frame);
  if (initial) evaluation.push(*initial);
  return evaluation.run();
}

}  // namespace reprise::recorder
