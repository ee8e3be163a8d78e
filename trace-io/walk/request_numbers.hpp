// SPDX-License-Identifier: MIT
// The numbers of requests as whoever walks a trace sees them: slots, whatever the trace calls them by.
//
// Ages    a trace may call requests by their ages (model/request_order.hpp). A walk passes all starts and completions of a thread, so it
//         can tell which request is meant, and gives it a slot: the smallest number that is free, as the recorder does.
// Given   numbers ≥ 0, of persistent requests among others, get slots in the same way, so that the two never meet.
// Not so  a thread that has no ages: its numbers are passed on as they are, at no cost.
// Wrong   an age that no request has becomes a number that no request has.
#pragma once

#include <cstdint>
#include <map>
#include <span>

#include "trace-io/base/free_slots.hpp"
#include "trace-io/model/procedure.hpp"
#include "trace-io/model/request_fields.hpp"
#include "trace-io/model/request_order.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Whether one of its requests is called by its age.
bool has_ages(const Leaf&, const Procedure&);

class RequestNumbers {
 public:
  // Turns the numbers of one call into slots. `request` may be null.
  void translate(const RequestFields&, std::int64_t* request, std::span<std::int64_t> requests,
                 std::span<std::int64_t> completed);

  static constexpr std::int64_t kNoRequest = (1 << 20) - 1;

 private:
  struct Given {
    std::uint32_t slot;
    bool is_persistent;
  };

  void start(const RequestFields&, std::int64_t& number);
  void name(std::int64_t& number, RequestEnding);

  RequestOrder order_;
  FreeSlots slots_;
  std::map<std::int64_t, Given> given_;
};

}  // namespace reprise::trace_io
