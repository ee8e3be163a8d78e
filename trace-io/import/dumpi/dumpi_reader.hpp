// SPDX-License-Identifier: MIT
// The records of one DUMPI file, one after the other.
//
// Form    big-endian: magic, the body (two time bases, records, the end's label), header, footer with the count of calls per
//         procedure, sizes of datatypes, and at the end an index with the place of each. A record is a procedure's number (2 B), a mask
//         that says which of thread, CPU time, wall time, counters and statuses there are, these, then the fields of the procedure
//         (dumpi_records.def).
// Errors  InputError with the file and the record: no magic, no index (cut off), numbers of no procedure, lists longer than the file.
// Cost    O(bytes); memory: one record, and the footer.
// Source  sst-dumpi, dumpi/common/io.c and iodefs.h.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace reprise::trace_io {

struct DumpiStatus {
  std::int32_t bytes = 0, source = 0, tag = 0;
  bool is_cancelled = false;
};

struct DumpiRecord {
  std::string_view procedure;  // "MPI_Send"
  std::uint32_t number = 0;    // of the procedure
  bool is_function = false;    // a record of a function of the program's, no MPI call
  std::uint32_t thread = 0;
  bool has_times = false, has_wall_times = false;
  std::int64_t begin = 0, end = 0;  // ns since the file's time base
  std::vector<std::int64_t> scalars;
  std::vector<std::vector<std::int64_t>> lists;
  std::vector<DumpiStatus> statuses;
};

class DumpiReader {
 public:
  explicit DumpiReader(std::string path);

  // False at the end of the body.
  bool next(DumpiRecord&);
  // Of all calls that were made, by the procedure's number; recorded or not.
  const std::vector<std::uint32_t>& calls_made() const { return calls_made_; }
  // Bytes of an element; −1 where the file does not say.
  std::int64_t type_bytes(std::int64_t type) const;
  std::uint64_t records() const { return records_; }
  const std::string& host() const { return host_; }
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint = "") const;

  static std::string_view name_of(std::size_t procedure);
  static bool has_magic(const std::string& path);

 private:
  std::uint64_t get(int bytes);
  std::int64_t get_signed() { return static_cast<std::int32_t>(get(4)); }
  std::size_t length(std::size_t element);
  void skip(std::uint64_t bytes);
  void seek(std::uint64_t to);
  void read_index();
  void read_fields(DumpiRecord&, std::string_view form);
  void read_list(DumpiRecord&, int element);
  void read_texts();
  void read_statuses(DumpiRecord&);
  bool is_at_least(int version, int subversion, int subsubversion) const;

  std::string path_;
  std::ifstream in_;
  std::uint64_t size_ = 0, at_ = 0, records_ = 0, record_begin_ = 0;
  std::array<int, 3> version_{};
  std::string host_;
  std::vector<std::uint32_t> calls_made_;
  std::vector<std::int64_t> type_bytes_;
  bool has_statuses_ = false;
};

}  // namespace reprise::trace_io
