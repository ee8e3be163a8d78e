// SPDX-License-Identifier: MIT
// The lines of one rank's liballprof file as calls. See liballprof_import.hpp.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace-io/import/ranks/imported_rank.hpp"

namespace reprise::trace_io {

class AllprofRank {
 public:
  AllprofRank(const ImportedJob&, Rank, std::string file);
  void read(std::string_view line, std::uint64_t number);
  Trace finish() { return rank_.finish(); }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint = "") const;
  std::string_view word(std::size_t argument) const;
  std::int64_t whole(std::size_t argument, const char* what) const;
  std::int64_t time(std::size_t word) const;
  std::int64_t part(std::size_t argument, std::size_t which, const char* what) const;
  std::int64_t bytes(std::size_t count) const;  // of this argument and the datatype behind it
  bool on_known_communicator(std::size_t argument, std::int64_t& index);
  bool peer(std::size_t argument, std::int64_t& code) const;

  bool describe(ImportedCall&, const Procedure&);
  bool message(ImportedCall&, const Procedure&);
  bool sendrecv(ImportedCall&);
  bool wait_all(ImportedCall&);
  bool collective(ImportedCall&, const Procedure&);

  const ImportedJob& job_;
  ImportedRank rank_;
  std::string file_;
  std::uint64_t line_ = 0;
  std::int64_t first_ = -1;  // time, ns
  std::vector<std::string_view> words_;
  std::map<std::uint64_t, std::uint64_t> requests_;  // address → number
  std::uint64_t next_request_ = 0;
};

}  // namespace reprise::trace_io
