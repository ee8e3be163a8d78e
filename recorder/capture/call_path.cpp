// SPDX-License-Identifier: MIT
#include "recorder/capture/call_path.hpp"

#include <unwind.h>

namespace reprise::recorder {
namespace {

constexpr int kFramePointerRegister = 6;  // rbp in the x86-64 psABI's DWARF numbering
constexpr std::size_t kSavedWords =
    8;  // a function saves at most six registers between its locals and its return address

struct Walk {
  Unwound& result;
  std::size_t limit;
  std::uintptr_t start;  // the wrapper's caller's stack position
  bool found = false;
  std::uintptr_t position =
      0;  // of the frame visited last: its stack pointer after the call returned
  std::uintptr_t frame_pointer = 0;
  const std::uintptr_t* frame_pointer_saved = nullptr;  // where that value lies; null where unknown
};

void remember(Unwound& result, const std::uintptr_t* where, std::uintptr_t value) {
  result.words[result.word_count++] = {where, value};
}

// The frame that was visited last keeps its caller's frame pointer among the words just below its return address, if it
// changed it at all.
const std::uintptr_t* saved_frame_pointer(std::uintptr_t value, std::uintptr_t position,
                                          std::uintptr_t begin) {
  const auto* word = reinterpret_cast<const std::uintptr_t*>(position) - 2;
  for (std::size_t i = 0; i < kSavedWords && reinterpret_cast<std::uintptr_t>(word) >= begin;
       ++i, --word)
    if (*word == value) return word;
  return nullptr;
}

_Unwind_Reason_Code visit(_Unwind_Context* context, void* walk_pointer) {
  Walk& walk = *static_cast<Walk*>(walk_pointer);
  const std::uintptr_t position = _Unwind_GetCFA(context);
  const std::uintptr_t address = _Unwind_GetIP(context);
  if (!walk.found) {
    if (position != walk.start) return _URC_NO_REASON;  // still in the recorder
    walk.found = true;
    walk.frame_pointer_saved = reinterpret_cast<const std::uintptr_t*>(position) - 2;
    walk.frame_pointer = *walk.frame_pointer_saved;
  } else {
    // The frame visited last ends at `position`. One that is found through its frame pointer has it two words below.
    if (position == walk.frame_pointer + 2 * sizeof(std::uintptr_t)) {
      if (walk.frame_pointer_saved == nullptr)
        walk.result.can_be_remembered = false;
      else
        remember(walk.result, walk.frame_pointer_saved, walk.frame_pointer);
    }
    const std::uintptr_t frame_pointer = _Unwind_GetGR(context, kFramePointerRegister);
    if (frame_pointer != walk.frame_pointer)
      walk.frame_pointer_saved = saved_frame_pointer(frame_pointer, position, walk.position);
    walk.frame_pointer = frame_pointer;
    remember(walk.result, reinterpret_cast<const std::uintptr_t*>(position) - 1, address);
  }
  walk.position = position;
  if (address == 0) {
    --walk.result.word_count;
    walk.result.reached_end = true;
    return _URC_END_OF_STACK;
  }
  walk.result.addresses[walk.result.frames++] = address;
  return walk.result.frames == walk.limit ? _URC_END_OF_STACK : _URC_NO_REASON;
}

}  // namespace

void unwind(Frame wrapper, std::size_t limit, Unwound& result) noexcept {
  result.frames = result.word_count = 0;
  result.reached_end = false;
  result.can_be_remembered = true;
  Walk walk{result, limit, stack_position(wrapper)};
  if (_Unwind_Backtrace(visit, &walk) == _URC_END_OF_STACK && result.frames < limit)
    result.reached_end = true;
  if (result.frames == 0) {  // no unwind table leads out of the recorder: the caller alone
    result.addresses[result.frames++] = return_address(wrapper);
    result.can_be_remembered = false;
  }
}

}  // namespace reprise::recorder
