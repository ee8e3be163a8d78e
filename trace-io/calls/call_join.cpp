// SPDX-License-Identifier: MIT
#include "trace-io/calls/call_join.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "trace-io/base/error.hpp"
#include "trace-io/calls/call_tables.hpp"

namespace reprise::trace_io {
namespace {
namespace fs = std::filesystem;

class Joined {
 public:
  explicit Joined(std::string path) : path_(std::move(path)), out_(path_, std::ios::binary) {
    check();
  }
  void put(CallBlockHead head, const std::vector<std::byte>& payload) {
    head.bytes = static_cast<std::uint32_t>(payload.size());
    head.checksum = call_checksum(head, payload);
    out_.write(reinterpret_cast<const char*>(&head), sizeof head);
    out_.write(reinterpret_cast<const char*>(payload.data()),
               static_cast<std::streamsize>(payload.size()));
    check();
  }
  // Entries of a table, in as many blocks as they need.
  template <class Entry, class Bytes>
  void put_table(CallBlockKind kind, const std::vector<Entry>& entries, const Bytes& bytes_of) {
    constexpr std::size_t kEnough = kMostPayload / 4;
    CallBlockHead head;
    head.kind = kind;
    std::vector<std::byte> payload;
    for (const Entry& entry : entries) {
      const auto bytes = bytes_of(entry);
      payload.insert(payload.end(), bytes.begin(), bytes.end());
      ++head.count;
      if (payload.size() < kEnough) continue;
      put(head, payload);
      payload.clear();
      head.count = 0;
    }
    if (head.count > 0) put(head, payload);
  }
  void close() {
    out_.close();
    check();
  }

 private:
  void check() {
    if (!out_)
      throw RunError(path_, "cannot be written",
                     "is the disk full? The streams are still in the folder of the ranks' files");
  }
  std::string path_;
  std::ofstream out_;
};

void write_joined(const CallFile& file, Joined& to) {
  to.put_table(CallBlockKind::modules, file.modules, module_bytes);
  to.put_table(CallBlockKind::functions, file.functions, function_bytes);
  for (const auto& [rank, numbers] : file.numbers) {
    CallBlockHead head;
    head.kind = CallBlockKind::numbers;
    head.rank = rank;
    head.count = static_cast<std::uint32_t>(numbers.size());
    const auto* from = reinterpret_cast<const std::byte*>(numbers.data());
    to.put(head, {from, from + numbers.size() * sizeof(std::uint32_t)});
  }
  for (const CallLoss& loss : file.losses) {
    CallBlockHead head;
    head.kind = CallBlockKind::loss;
    head.rank = loss.rank;
    head.count = static_cast<std::uint32_t>(loss.count);
    const auto* from = reinterpret_cast<const std::byte*>(loss.what.data());
    to.put(head, {from, from + loss.what.size()});
  }
  for (const CallStream& stream : file.streams)
    for (const CallBlockPlace& place : stream.blocks) to.put(place.head, read_payload(file, place));
}

}  // namespace

CallFile join_calls(const std::string& folder, const std::string& output,
                    const NameFunctions& name) {
  CallFile file = open_calls(folder);
  name(file);
  const std::string unfinished = output + ".unfinished";
  try {
    Joined to(unfinished);
    write_joined(file, to);
    to.close();
    fs::rename(unfinished, output);
  } catch (...) {
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    throw;
  }
  return file;
}

}  // namespace reprise::trace_io
