// SPDX-License-Identifier: MIT
// For tests: a DUMPI file of one rank, written byte by byte.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>

namespace reprise::trace_io {

class DumpiFile {
 public:
  // A record of the procedure of that number. Times in microseconds; −1: without times. Fields follow.
  DumpiFile& call(unsigned procedure, double begin, double end);
  DumpiFile& byte(std::int64_t);                             // field of 1 byte
  DumpiFile& half(std::int64_t);                             // of 2
  DumpiFile& word(std::int64_t);                             // of 4
  DumpiFile& words(std::initializer_list<std::int64_t>);     // a list of integers of 4 bytes
  DumpiFile& status(std::int64_t source, std::int64_t tag);  // the one of a call
  DumpiFile& no_status() { return word(0); }
  // count, datatype, peer, tag, communicator
  DumpiFile& message(std::int64_t count, std::int64_t type, std::int64_t peer, std::int64_t tag,
                     std::int64_t comm);
  // The whole file: the footer counts the records, and `uncounted` more of a procedure.
  std::string text(std::map<unsigned, unsigned> uncounted = {}) const;

 private:
  void put(std::uint64_t value, int bytes);
  std::string body_;
  std::map<unsigned, unsigned> calls_;
};

}  // namespace reprise::trace_io
