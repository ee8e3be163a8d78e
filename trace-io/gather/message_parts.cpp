// SPDX-License-Identifier: MIT
#include "trace-io/gather/message_parts.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstring>
#include <utility>

#include "trace-io/file/payload.hpp"
#include "trace-io/iterations/ranks_iterations.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kSumBytes = sizeof(XXH64_hash_t);

void put_text(ByteWriter& out, const std::string& text) {
  out.put_bytes(std::as_bytes(std::span(text)));
}

std::string take_text(ByteReader& in) {
  const auto bytes = in.take_bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::vector<std::byte> with_sum(std::vector<std::byte> bytes) {
  const XXH64_hash_t sum = XXH64(bytes.data(), bytes.size(), 0);
  bytes.resize(bytes.size() + kSumBytes);
  std::memcpy(bytes.data() + bytes.size() - kSumBytes, &sum, kSumBytes);
  return bytes;
}

std::span<const std::byte> without_sum(std::span<const std::byte> bytes, const std::string& from) {
  if (bytes.size() < kSumBytes) ByteReader(bytes, from).refuse();
  const auto content = bytes.first(bytes.size() - kSumBytes);
  XXH64_hash_t sum = 0;
  std::memcpy(&sum, bytes.data() + content.size(), kSumBytes);
  if (sum != XXH64(content.data(), content.size(), 0)) ByteReader(bytes, from).refuse();
  return content;
}

void put_payload(ByteWriter& out, const Trace& trace) {
  std::uint32_t version = 0;
  const auto payload = encode_payload(trace, version);
  out.put(version);
  out.put_bytes(payload);
}

Trace take_payload(ByteReader& in, const std::string& from) {
  const auto version = static_cast<std::uint32_t>(in.take());
  return decode_payload(in.take_bytes(), version, from);
}

bool is_to_be_sent_whole(const Trace& trace) {
  return trace.functions != nullptr || trace.counters != nullptr || trace.messages != nullptr ||
         !trace.frame_names.empty() || has_iterations(trace) ||
         trace.header.recorded.size() == trace.header.ranks;
}

void put_tables(ByteWriter& out, const Trace& trace) {
  out.put(trace.procedures.size());
  for (const std::string& name : trace.procedures) put_text(out, name);
  out.put(trace.modules.size());
  for (const Module& module : trace.modules) {
    put_text(out, module.path);
    put_text(out, module.build_id);
  }
  out.put(trace.call_paths.size());
  for (const CallPath& path : trace.call_paths) {
    out.put(path.frames.size());
    std::uint64_t before = 0;
    for (const Frame& frame : path.frames) {
      out.put(frame.module);
      out.put_signed(static_cast<std::int64_t>(frame.offset - std::exchange(before, frame.offset)));
    }
  }
  out.put(trace.sites.size());
  for (const Site& site : trace.sites) {
    out.put(site.procedure);
    out.put(site.call_path);
  }
}

void take_tables(ByteReader& in, Trace& trace) {
  trace.procedures.resize(in.count());
  for (std::string& name : trace.procedures) name = take_text(in);
  trace.modules.resize(in.count());
  for (Module& module : trace.modules) {
    module.path = take_text(in);
    module.build_id = take_text(in);
  }
  trace.call_paths.resize(in.count());
  for (CallPath& path : trace.call_paths) {
    path.frames.resize(in.count());
    std::uint64_t before = 0;
    for (Frame& frame : path.frames) {
      frame.module = static_cast<std::uint32_t>(in.take());
      frame.offset = before += static_cast<std::uint64_t>(in.take_signed());
    }
  }
  trace.sites.resize(in.count());
  for (Site& site : trace.sites) {
    site.procedure = static_cast<std::uint32_t>(in.take());
    site.call_path = static_cast<std::uint32_t>(in.take());
  }
}

Trace other_tables(const Trace& trace) {
  Trace other;
  other.header = trace.header;
  other.communicators = trace.communicators;
  other.communicator_indices = trace.communicator_indices;
  other.losses = trace.losses;
  other.times_apart = trace.times_apart;
  other.compensation = trace.compensation;
  other.preemptions = trace.preemptions;
  other.completions = trace.completions;
  return other;
}

}  // namespace reprise::trace_io
