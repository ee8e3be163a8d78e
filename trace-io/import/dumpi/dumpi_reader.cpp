// SPDX-License-Identifier: MIT
#include "trace-io/import/dumpi/dumpi_reader.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kMagic = 0xffaadd44554d5049, kFooterMagic = 0xf007fee7;
constexpr std::uint64_t kFunctionEnter = 291, kFunctionExit = 292, kEnd = 293;
// Bits of a record's mask.
constexpr std::uint64_t kStatuses = 3, kCpuTime = 1 << 2, kWallTime = 1 << 3, kThread = 1 << 6,
                        kCounters = 1 << 7;

struct RecordForm {
  std::string_view procedure, fields;
};
constexpr RecordForm kForms[] = {
#define X(name, fields) {#name, fields},
#include "trace-io/import/dumpi/dumpi_records.def"
#undef X
};
constexpr std::size_t kProcedures = std::size(kForms);
static_assert(kProcedures == kFunctionEnter - 1);

// Of DUMPI's own datatypes, where a file has no table of sizes (before 0.6.6): as on machines with 64-bit longs.
constexpr std::int64_t kUsualBytes[] = {-1, 0,  1, 1, 1, 1, 4, 2, 2, 4,  4,  8, 8, 4,
                                        8,  16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};

// Where the root stands among the integers of a record that has fields at the root alone; the rank is in front.
struct RootFields {
  std::size_t rank, root;
};
RootFields root_fields(std::string_view procedure) {
  if (procedure == "MPI_Gather" || procedure == "MPI_Scatter") return {0, 3};
  if (procedure == "MPI_Gatherv") return {0, 4};
  if (procedure == "MPI_Scatterv") return {0, 5};
  if (procedure == "MPI_Comm_spawn") return {0, 1};
  return {1, 2};  // MPI_Comm_spawn_multiple
}

}  // namespace

DumpiReader::DumpiReader(std::string path) : path_(std::move(path)), in_(path_, std::ios::binary) {
  if (!in_) throw InputError(path_, "cannot be opened");
  in_.seekg(0, std::ios::end);
  size_ = static_cast<std::uint64_t>(std::max<std::streamoff>(0, in_.tellg()));
  read_index();
}

bool DumpiReader::has_magic(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::uint64_t magic = 0;
  for (int byte = 0; byte < 8; ++byte)
    magic = magic << 8 | (static_cast<std::uint64_t>(in.get()) & 0xff);
  return magic == kMagic;
}

std::string_view DumpiReader::name_of(std::size_t procedure) {
  return procedure < kProcedures ? kForms[procedure].procedure : std::string_view();
}

void DumpiReader::refuse(const std::string& problem, const std::string& hint) const {
  std::string place = path_;
  if (records_ > 0)
    place +=
        ": record " + std::to_string(records_) + " (at byte " + std::to_string(record_begin_) + ")";
  throw InputError(place, problem, hint);
}

std::uint64_t DumpiReader::get(int bytes) {
  unsigned char read[8];
  if (!in_.read(reinterpret_cast<char*>(read), bytes))
    refuse("ends in the middle", "the file is cut off or damaged");
  at_ += static_cast<std::uint64_t>(bytes);
  std::uint64_t value = 0;
  for (int byte = 0; byte < bytes; ++byte) value = value << 8 | read[byte];
  return value;
}

void DumpiReader::seek(std::uint64_t to) {
  if (to > size_)
    refuse("names byte " + std::to_string(to) + ", but has " + std::to_string(size_),
           "the file is cut off or damaged");
  in_.clear();
  in_.seekg(static_cast<std::streamoff>(to));
  at_ = to;
}

void DumpiReader::skip(std::uint64_t bytes) {
  if (bytes > 0) seek(at_ + bytes);
}

std::size_t DumpiReader::length(std::size_t element) {
  const std::int64_t count = get_signed();
  if (count < 0 || static_cast<std::uint64_t>(count) * element > size_ - at_)
    refuse("has a list of " + std::to_string(count) + " elements, more than the file holds",
           "the file is damaged");
  return static_cast<std::size_t>(count);
}

bool DumpiReader::is_at_least(int version, int subversion, int subsubversion) const {
  return version_ >= std::array<int, 3>{version, subversion, subsubversion};
}

void DumpiReader::read_index() {
  seek(0);
  if (size_ < 8 || get(8) != kMagic)
    refuse("is not a DUMPI trace", "a DUMPI trace is a .bin file of each rank and a .meta file");
  // Newer versions have put entries in front: sizes, addresses, counters. The four behind are in all.
  std::uint64_t sizes = 0;
  int entries = 7;
  for (; entries >= 4; --entries) {
    const auto bytes = static_cast<std::uint64_t>(entries + 1) * 8;
    if (size_ < bytes + 8) continue;
    seek(size_ - bytes);
    if (get(8) == kMagic) break;
  }
  if (entries < 4) refuse("has no index at its end", "the file is cut off: its run did not end");
  if (entries == 7) sizes = get(8);
  skip(static_cast<std::uint64_t>(std::min(entries, 6) - 4) * 8);
  const std::uint64_t header = get(8), body = get(8), footer = get(8);
  if (header > 0) {
    seek(header);
    for (int& part : version_) part = static_cast<int>(get(1));
    skip(8);
    const auto letters = get(2);
    for (std::uint64_t i = 0; i < letters; ++i) host_.push_back(static_cast<char>(get(1)));
  }
  if (footer > 0) {
    seek(footer);
    if (get(8) != kFooterMagic) refuse("has no footer where its index says", "the file is damaged");
    for (std::size_t i = 0; i < kProcedures; ++i)
      calls_made_.push_back(static_cast<std::uint32_t>(get(4)));
  }
  type_bytes_.assign(std::begin(kUsualBytes), std::end(kUsualBytes));
  if (sizes > 0) {
    seek(sizes);
    type_bytes_.resize(length(4));
    for (auto& bytes : type_bytes_) bytes = get_signed();
  }
  seek(body);
  skip(8);  // the time bases
}

std::int64_t DumpiReader::type_bytes(std::int64_t type) const {
  if (type < 2 || type >= static_cast<std::int64_t>(type_bytes_.size())) return -1;
  return type_bytes_[static_cast<std::size_t>(type)];
}

bool DumpiReader::next(DumpiRecord& record) {
  record_begin_ = at_;
  ++records_;
  const std::uint64_t number = get(2);
  if (number == kEnd) return false;
  record.is_function = number == kFunctionEnter || number == kFunctionExit;
  if (number >= kProcedures && !record.is_function)
    refuse("is of no procedure: number " + std::to_string(number), "the file is damaged");
  record.number = static_cast<std::uint32_t>(number);
  record.procedure = record.is_function ? "a function" : kForms[number].procedure;
  record.scalars.clear();
  record.lists.clear();
  record.statuses.clear();
  const std::uint64_t mask = get(1);
  has_statuses_ = (mask & kStatuses) != 0;
  record.thread = (mask & kThread) != 0 ? static_cast<std::uint32_t>(get(2)) : 0;
  record.has_wall_times = (mask & kWallTime) != 0;
  record.has_times = (mask & (kWallTime | kCpuTime)) != 0;
  record.begin = record.end = 0;
  const auto time = [&] {
    const auto seconds = static_cast<std::int64_t>(get(2));
    return seconds * 1'000'000'000 + get_signed();
  };
  for (const std::uint64_t kind : {kCpuTime, kWallTime})  // wall times, where both are there
    if ((mask & kind) != 0) {
      record.begin = time();
      record.end = time();
    }
  if ((mask & kCounters) != 0) {
    const std::uint64_t counters = get(1);
    skip(counters * 16);
  }
  if (record.is_function)
    skip(8);
  else
    read_fields(record, kForms[number].fields);
  return true;
}

void DumpiReader::read_fields(DumpiRecord& record, std::string_view form) {
  const auto root = root_fields(record.procedure);
  for (std::size_t at = 0; at < form.size(); ++at) {
    if (form[at] == '?' && record.scalars[root.rank] != record.scalars[root.root]) {
      ++at;
      continue;
    }
    switch (form[at]) {
      case 'b':
        record.scalars.push_back(static_cast<std::int64_t>(get(1)));
        break;
      case 'h':
        record.scalars.push_back(static_cast<std::int64_t>(get(2)));
        break;
      case 'q':
        record.scalars.push_back(static_cast<std::int64_t>(get(8)));
        break;
      case 'V':
      case 'W':
        if (is_at_least(0, 6, form[at] == 'V' ? 9 : 8)) {
          read_list(record, 4);
          break;
        }
        [[fallthrough]];
      case 'i':
        record.scalars.push_back(get_signed());
        break;
      case 'B':
        skip(length(1));
        break;
      case 'H':
        read_list(record, 2);
        break;
      case 'I':
        read_list(record, 4);
        break;
      case 'M':
        for (std::size_t lists = length(4); lists > 0; --lists) read_list(record, 4);
        break;
      case 'A': {
        std::size_t texts = length(4);
        if (!is_at_least(0, 6, 2)) skip(4);
        for (; texts > 0; --texts) skip(length(1));
        break;
      }
      case 'T':
        read_texts();
        break;
      case 'U':
        for (std::size_t lists = length(4); lists > 0; --lists) read_texts();
        break;
      case 's':
        read_statuses(record);
        break;
      default:  // '?' of a record at its root
        break;
    }
  }
}

void DumpiReader::read_list(DumpiRecord& record, int element) {
  auto& list = record.lists.emplace_back(length(static_cast<std::size_t>(element)));
  for (auto& value : list) value = element == 4 ? get_signed() : static_cast<std::int64_t>(get(2));
}

void DumpiReader::read_texts() {
  for (std::size_t texts = length(4); texts > 0; --texts) skip(length(1));
}

void DumpiReader::read_statuses(DumpiRecord& record) {
  if (!has_statuses_) return;
  const bool has_tags = is_at_least(0, 6, 3);
  record.statuses.resize(length(has_tags ? 14 : 10));
  for (auto& status : record.statuses) {
    status.bytes = static_cast<std::int32_t>(get_signed());
    status.source = static_cast<std::int32_t>(get_signed());
    status.is_cancelled = get(1) != 0;
    skip(1);  // the error
    status.tag = has_tags ? static_cast<std::int32_t>(get_signed()) : -1;
  }
}

}  // namespace reprise::trace_io
