// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/import/dumpi_file.hpp"

#include <cmath>

namespace reprise::trace_io {
namespace {

constexpr unsigned kProcedures = 290, kEnd = 293;
constexpr std::uint64_t kMagic = 0xffaadd44554d5049, kFooterMagic = 0xf007fee7;

std::string big_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int at = bytes - 1; at >= 0; --at) text.push_back(static_cast<char>(value >> (8 * at)));
  return text;
}

}  // namespace

void DumpiFile::put(std::uint64_t value, int bytes) { body_ += big_endian(value, bytes); }
DumpiFile& DumpiFile::byte(std::int64_t v) { return put(static_cast<std::uint64_t>(v), 1), *this; }
DumpiFile& DumpiFile::half(std::int64_t v) { return put(static_cast<std::uint64_t>(v), 2), *this; }
DumpiFile& DumpiFile::word(std::int64_t v) { return put(static_cast<std::uint64_t>(v), 4), *this; }

DumpiFile& DumpiFile::call(unsigned procedure, double begin, double end) {
  put(procedure, 2);
  ++calls_[procedure];
  const bool has_times = begin >= 0;
  put(has_times ? 3 | 8 : 3, 1);  // statuses, wall times
  if (has_times)
    for (const double time : {begin, end})
      put(7, 2), put(std::uint64_t(std::llround(time * 1e3)), 4);
  return *this;
}

DumpiFile& DumpiFile::words(std::initializer_list<std::int64_t> values) {
  word(static_cast<std::int64_t>(values.size()));
  for (const auto value : values) word(value);
  return *this;
}

DumpiFile& DumpiFile::status(std::int64_t source, std::int64_t tag) {
  return word(1).word(8).word(source).byte(0).byte(0).word(tag);
}

DumpiFile& DumpiFile::message(std::int64_t count, std::int64_t type, std::int64_t peer,
                              std::int64_t tag, std::int64_t comm) {
  return word(count).half(type).word(peer).word(tag).half(comm);
}

std::string DumpiFile::text(std::map<unsigned, unsigned> uncounted) const {
  std::string file = big_endian(kMagic, 8);
  const std::uint64_t body = file.size();
  file += big_endian(0, 8) + body_ + big_endian(kEnd, 2);
  const std::uint64_t header = file.size();
  file += std::string("\1\1\0", 3) + big_endian(0, 8) + big_endian(1, 2) + "h" + big_endian(0, 2) +
          big_endian(0, 8);
  const std::uint64_t footer = file.size();
  file += big_endian(kFooterMagic, 8);
  for (unsigned p = 0; p <= kProcedures; ++p) {
    const auto found = calls_.find(p);
    file += big_endian((found == calls_.end() ? 0 : found->second) + uncounted[p], 4);
  }
  for (unsigned p = 0; p <= kProcedures; ++p) file += big_endian(0, 4);
  const std::uint64_t sizes = file.size();
  file += big_endian(30, 4);
  for (unsigned type = 0; type < 30; ++type)
    file += big_endian(type == 9 ? 4 : type == 14 ? 8 : type == 28 ? 24 : 1, 4);
  file += big_endian(kMagic, 8);
  for (const std::uint64_t place :
       {sizes, std::uint64_t{0}, std::uint64_t{0}, header, body, footer, std::uint64_t{0}})
    file += big_endian(place, 8);
  return file;
}

}  // namespace reprise::trace_io
