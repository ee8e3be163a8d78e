// SPDX-License-Identifier: MIT
// What a message between ranks consists of: a checksum, the tables of a trace, and its nodes (leaf_stream.hpp).
//
// Node by node  the structure (tables of procedures, modules, call paths and sites, and how nodes nest), which is the same bytes on ranks that
//               are alike; everything else that is no node, as the payload of a trace without any; then the nodes.
// Whole         the payload of the trace, where it has something that the nodes have no room for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "trace-io/gather/byte_stream.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

inline constexpr std::uint64_t kWhole = 0, kNodeByNode = 1;  // how a message begins

// Samples of functions, counters, messages, names, clusters of iterations: a rank that records has them only where they were asked for.
bool is_to_be_sent_whole(const Trace&);

std::vector<std::byte> with_sum(std::vector<std::byte>);
// Throws InputError where the sum is wrong; `from` names the sender.
std::span<const std::byte> without_sum(std::span<const std::byte>, const std::string& from);

void put_payload(ByteWriter&, const Trace&);
Trace take_payload(ByteReader&, const std::string& from);

// Of the structure.
void put_tables(ByteWriter&, const Trace&);
void take_tables(ByteReader&, Trace&);
// A trace of all tables but those.
Trace other_tables(const Trace&);

// How nodes nest, the last part of the structure: the program of each thread, each loop before its body.
class NestingWriter {
 public:
  explicit NestingWriter(ByteWriter& out) : out_(out) {}  // which must outlive this
  void nodes(std::size_t count) { out_.put(count); }  // of a program, or of the loop written last
  void loop() { out_.put(0); }
  void leaf(SiteId site) {
    out_.put(1 + zigzag(std::int64_t{site} - std::int64_t{next_}));
    next_ = site + 1;
  }

 private:
  ByteWriter& out_;
  SiteId next_ = 0;
};

}  // namespace reprise::trace_io
