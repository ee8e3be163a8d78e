// SPDX-License-Identifier: MIT
// Call paths in the column of coded numbers (FORMAT.md, section 10), written and read.
#pragma once

#include <string>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/file/coded_paths.hpp"
#include "trace-io/file/payload_io.hpp"

namespace reprise::trace_io {

// Whether coded paths may be so long.
inline bool are_short(const std::vector<CallPath>& paths) {
  std::size_t frames = 0, longest = 0;
  for (const CallPath& path : paths) {
    frames += path.frames.size() + 1;
    longest = std::max(longest, path.frames.size());
  }
  return frames <= CodedPaths::kMostFrames && longest <= kMaxFrames;
}

// REQUIRES: are_short().
inline void put_coded_paths(PayloadWriter& out, const Trace& trace) {
  out.number(Column::call_paths, trace.call_paths.size());
  CodedPaths coded(trace.modules.size());
  for (const CallPath& path : trace.call_paths) {
    std::vector<Frame> frames(path.frames.rbegin(), path.frames.rend());
    coded.path(*out.coder(), frames);
  }
}

inline void take_coded_paths(PayloadReader& in, Trace& trace) {
  CodedPaths coded(trace.modules.size());
  std::vector<Frame> frames;
  std::size_t all = 0;
  for (std::uint64_t left = in.number(Column::call_paths); left > 0; --left) {
    coded.path(*in.coder(), frames);
    all += frames.size() + 1;
    if (!coded.problem().empty()) in.refuse(Column::call_paths, coded.problem());
    if (all > CodedPaths::kMostFrames)
      in.refuse(Column::call_paths, "more than " + std::to_string(CodedPaths::kMostFrames) +
                                        " frames of coded call paths");
    trace.call_paths.emplace_back().frames.assign(frames.rbegin(), frames.rend());
  }
}

}  // namespace reprise::trace_io
