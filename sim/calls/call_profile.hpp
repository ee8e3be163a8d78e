// SPDX-License-Identifier: MIT
// Streams of calls as profiles: how often each function was entered on which call path and, where events have times, for how long.
//
// Read     forwards, one block in memory; the profile grows with the call paths that differ, to kMostPaths. Calls on paths beyond are counted with
//          the path that they were made on.
// Open     functions that were entered before the first event and those that are left after the last one count for the part that is there.
// Cost     linear in the events up to the last one asked for: all before it have to be read.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trace-io/calls/call_reader.hpp"

namespace reprise::sim {

// "main"; "program+0x1f40" where it has no name, "other functions" for those beyond the table.
std::string function_name(const trace_io::CallFile&, std::uint32_t function);

struct CallRange {
  std::uint64_t from = 0, count = ~std::uint64_t{0};  // events of each stream
};

struct CallPathNode {
  std::uint32_t function =
      0;  // index into CallFile::functions, or kUnknownFunction; of the root nothing
  std::size_t parent = 0;
  std::map<std::uint32_t, std::size_t> children;  // by function
  std::uint64_t calls = 0, first = 0;             // the event at which it was first entered
  std::uint64_t inclusive_ns = 0, exclusive_ns = 0;
};

struct CallRow {
  std::uint32_t function = 0;
  std::uint64_t calls = 0, inclusive_ns = 0, exclusive_ns = 0;
};

class CallProfile {
 public:
  static constexpr std::size_t kMostPaths = std::size_t{1} << 20U;

  explicit CallProfile(const trace_io::CallFile& file) : file_(file) {}
  // Throws InputError as the reader does.
  void add(const trace_io::CallStream&, CallRange);

  const std::vector<CallPathNode>& nodes() const { return nodes_; }  // 0 is the root of all
  // By function, those entered most often first, with times those that took most themselves. A function in itself counts once in inclusive.
  std::vector<CallRow> rows() const;
  bool is_timed() const { return is_timed_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t beyond() const { return beyond_; }  // calls on paths beyond kMostPaths
  // "main > step > solve"
  std::string path_text(std::size_t node) const;

 private:
  std::size_t child(std::size_t parent, std::uint32_t function);

  const trace_io::CallFile& file_;
  std::vector<CallPathNode> nodes_ = std::vector<CallPathNode>(1);
  bool is_timed_ = false;
  std::uint64_t events_ = 0, beyond_ = 0;
};

}  // namespace reprise::sim
