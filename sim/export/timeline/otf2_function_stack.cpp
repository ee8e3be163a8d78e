// SPDX-License-Identifier: MIT
#include "sim/export/timeline/otf2_function_stack.hpp"

#include <string>

#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

void put_event(OTF2_ErrorCode code) {
  if (code != OTF2_SUCCESS)
    throw RunError("the OTF2 archive",
                   std::string("could not be written: ") + OTF2_Error_GetDescription(code));
}

}  // namespace

void Otf2FunctionStack::enter(OTF2_EvtWriter* out, Open open, std::int64_t now) {
  put_event(OTF2_EvtWriter_Enter(out, nullptr, static_cast<std::uint64_t>(now), open.region));
  stack_.push_back(open);
  ++events_;
}

void Otf2FunctionStack::leave(OTF2_EvtWriter* out, std::size_t depth, std::int64_t now) {
  for (; stack_.size() > depth; stack_.pop_back()) {
    put_event(
        OTF2_EvtWriter_Leave(out, nullptr, static_cast<std::uint64_t>(now), stack_.back().region));
    ++events_;
  }
}

void Otf2FunctionStack::go_to(OTF2_EvtWriter* out, Otf2DefinitionTables& definitions,
                              const TimedCall& call) {
  const auto& frames = definitions.frames_of(call.site);
  const bool is_first = !has_begun_;
  has_begun_ = true;
  if (is_first && definitions.run()) {
    enter(out, {{}, *definitions.run()}, call.computed_since);
    base_ = stack_.size();
  }
  const auto caller = [&](std::size_t depth) { return frames[frames.size() - 1 - depth]; };
  std::size_t same = 0;
  while (same < frames.size() && base_ + same < stack_.size() &&
         stack_[base_ + same].frame == caller(same))
    ++same;
  // One more, where the same function goes on at another place.
  if (same < frames.size() && base_ + same < stack_.size() &&
      stack_[base_ + same].region == definitions.frame(caller(same))) {
    stack_[base_ + same].frame = caller(same);
    ++same;
  }
  leave(out, base_ + same, end_);
  for (; same < frames.size(); ++same)
    enter(out, {caller(same), definitions.frame(caller(same))},
          is_first && stack_.empty() ? call.computed_since : call.begin);
  end_ = call.end;
}

void Otf2FunctionStack::leave_all(OTF2_EvtWriter* out) { leave(out, 0, end_); }

}  // namespace reprise::sim
