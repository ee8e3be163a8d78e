// SPDX-License-Identifier: MIT
#include "trace-io/calls/call_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "trace-io/base/error.hpp"
#include "trace-io/calls/call_tables.hpp"
#include "trace-io/calls/lz_history.hpp"

namespace reprise::trace_io {
namespace {
namespace fs = std::filesystem;

std::string place_of(const std::string& path, std::uint64_t offset) {
  return path + ", byte " + std::to_string(offset);
}

bool is_possible(const CallBlockHead& head) {
  if (head.magic != kCallBlockMagic || head.bytes > kMostPayload || head.rank < kAllRanks)
    return false;
  switch (head.kind) {
    case CallBlockKind::events:
      return head.rank >= 0 && head.count <= kMostSymbols && head.begin_ns <= head.end_ns &&
             head.form >= static_cast<int>(LzForm::symbol) &&
             head.form <= static_cast<int>(LzForm::sparse) && head.window >= kLeastWindow &&
             head.window <= kMostWindow &&
             head.time_bytes == ((head.flags & CallBlockHead::kTimed) != 0 ? head.count : 0) &&
             head.time_bytes <= head.bytes && head.flags <= 3;
    case CallBlockKind::modules:
    case CallBlockKind::functions:
    case CallBlockKind::numbers:
    case CallBlockKind::loss:
      return head.flags == 0 && head.time_bytes == 0;
  }
  return false;
}

std::vector<std::byte> read_bytes(std::istream& in, std::size_t size, const std::string& where) {
  std::vector<std::byte> bytes(size);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (!in) throw RunError(where, "cannot be read", "is the file being changed?");
  return bytes;
}

std::vector<std::byte> checked_payload(std::istream& in, const CallBlockHead& head,
                                       const std::string& where) {
  auto bytes = read_bytes(in, head.bytes, where);
  if (call_checksum(head, bytes) != head.checksum)
    throw InputError(where, "a block has been altered: its checksum does not match",
                     "record again; --count reads what comes before it");
  return bytes;
}

class Opening {
 public:
  explicit Opening(CallFile& file) : file_(file), tables_(file) {}

  void add(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::error_code failed;
    const auto size = fs::file_size(path, failed);
    if (!in || failed)
      throw InputError(path, "cannot be read", "give a file that `reprise record` has written");
    file_.paths.push_back(path);
    std::uint64_t at = 0;
    CallBlockHead head;
    while (size - at >= sizeof head) {
      in.seekg(static_cast<std::streamoff>(at));
      in.read(reinterpret_cast<char*>(&head), sizeof head);
      if (!in) throw RunError(path, "cannot be read", "is the file being changed?");
      if (!is_possible(head)) refuse(path, at);
      if (size - at - sizeof head < head.bytes) break;
      at += sizeof head;
      if (head.kind == CallBlockKind::events)
        streams_[{head.rank, head.thread}].push_back(
            {static_cast<std::uint32_t>(file_.paths.size() - 1), at, head});
      else
        tables_.add(head, checked_payload(in, head, place_of(path, at)), place_of(path, at));
      at += head.bytes;
    }
    if (at < size) {
      if (at == 0) refuse(path, 0);
      file_.cut.push_back(path);
    }
  }

  void finish() {
    for (auto& [key, blocks] : streams_)
      file_.streams.push_back({key.first, key.second, std::move(blocks)});
    std::stable_sort(file_.losses.begin(), file_.losses.end(),
                     [](const CallLoss& a, const CallLoss& b) { return a.rank < b.rank; });
  }

 private:
  [[noreturn]] static void refuse(const std::string& path, std::uint64_t at) {
    if (at == 0)
      throw InputError(path, "is not a file of call streams",
                       "record one with --functions trace: it is NAME.calls beside the trace");
    throw InputError(place_of(path, at), "a block's header is invalid",
                     "the file is damaged: record again");
  }

  CallFile& file_;
  CallTables tables_;
  std::map<std::pair<std::int32_t, std::uint32_t>, std::vector<CallBlockPlace>> streams_;
};

}  // namespace

std::string calls_beside(const std::string& trace) {
  constexpr std::string_view kTrace = ".reprise";
  return (trace.ends_with(kTrace) ? trace.substr(0, trace.size() - kTrace.size()) : trace) +
         kCallPartEnding;
}

std::uint64_t CallStream::symbols() const {
  std::uint64_t sum = 0;
  for (const auto& block : blocks) sum += block.head.count;
  return sum;
}
std::uint64_t CallStream::lost() const {
  std::uint64_t sum = 0;
  for (const auto& block : blocks) sum += block.head.lost;
  return sum;
}
std::uint64_t CallStream::bytes() const {
  std::uint64_t sum = 0;
  for (const auto& block : blocks) sum += sizeof block.head + block.head.bytes;
  return sum;
}

std::uint32_t CallFile::function_of(std::int32_t rank, std::uint16_t symbol) const {
  const auto own = numbers.find(rank);
  if (own == numbers.end() || symbol == kLeave || symbol > own->second.size())
    return kUnknownFunction;
  return own->second[symbol - 1U];
}

CallFile open_calls(const std::string& path) {
  CallFile file;
  Opening opening(file);
  if (std::error_code failed; fs::is_directory(path, failed)) {
    std::vector<std::string> parts;
    for (const auto& entry : fs::directory_iterator(path, failed))
      if (entry.path().extension() == kCallPartEnding && entry.file_size(failed) > 0)
        parts.push_back(entry.path());
    if (parts.empty())
      throw InputError(path, "there are no call streams in this folder",
                       "record with --functions trace: ranks leave them in NAME.calls.parts");
    std::sort(parts.begin(), parts.end());
    for (const auto& part : parts) opening.add(part);
  } else {
    opening.add(path);
  }
  opening.finish();
  return file;
}

std::vector<std::byte> read_payload(const CallFile& file, const CallBlockPlace& place) {
  const std::string& path = file.paths.at(place.file);
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(place.offset));
  return checked_payload(in, place.head, place_of(path, place.offset));
}

}  // namespace reprise::trace_io
