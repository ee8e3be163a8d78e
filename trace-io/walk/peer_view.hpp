// SPDX-License-Identifier: MIT
// Turns a stored peer code, which is as the lowest rank of its entry sees it, into the reading rank's own code.
#pragma once

#include <cstdint>

#include "trace-io/model/peer_form.hpp"

namespace reprise::trace_io {

struct PeerView {
  PeerForm form = PeerForm::absolute;
  Position stored, own;  // in the frame, of the entry's lowest rank and of the reading rank

  std::int64_t operator()(std::int64_t code) const { return recast(code, form, stored, own); }
};

}  // namespace reprise::trace_io
