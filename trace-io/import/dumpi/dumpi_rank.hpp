// SPDX-License-Identifier: MIT
// The records of one rank's DUMPI file as calls. See dumpi_import.hpp.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace-io/import/dumpi/dumpi_communicators.hpp"
#include "trace-io/import/dumpi/dumpi_reader.hpp"
#include "trace-io/import/ranks/imported_rank.hpp"

namespace reprise::trace_io {

class DumpiRank {
 public:
  DumpiRank(const ImportedJob&, Rank, const DumpiCommunicators&);
  // All records of the file. Throws InputError.
  void read(DumpiReader&);
  Trace finish() { return rank_.finish(); }

 private:
  struct Place {
    std::uint32_t number;  // in the job
    std::int64_t index;    // on this rank
    std::int32_t size;
  };
  // A receive with a wildcard waits until its completion says from whom it was.
  struct Wildcard {
    std::uint64_t call = 0;
    std::uint32_t communicator = 0;
    bool any_source = false, any_tag = false;
  };
  struct Persistent {
    std::string procedure;
    std::vector<std::int64_t> fields;
  };
  struct Match {
    std::int64_t peer = kNoPeer, tag = kNone;
  };

  void read_call();
  // False where the call can be kept as time only.
  bool describe(ImportedCall&, const Procedure&);
  bool message(ImportedCall&, const Procedure&);
  bool add_half(ImportedCall&, std::size_t count, bool is_receive, std::size_t comm);
  bool sendrecv(ImportedCall&);
  bool probe(ImportedCall&, const Procedure&);
  bool complete(ImportedCall&, const Procedure&);
  bool complete_several(ImportedCall&, const Procedure&);
  bool collective(ImportedCall&, const Procedure&);
  bool gather_or_scatter(ImportedCall&, const Procedure&, const Place&);
  bool with_lists(ImportedCall&, const Procedure&, const Place&);
  bool communicator(ImportedCall&, const Procedure&);
  void start_persistent(std::int64_t request);
  void count_again();

  bool is_failed_test(const Procedure&) const;
  std::optional<Place> place(std::int64_t comm);
  // Bytes of so many elements of the type; none where its size is not known.
  std::optional<std::int64_t> bytes(std::int64_t count, std::int64_t type);
  std::optional<std::int64_t> root(std::int64_t rank, const Place&) const;
  std::optional<std::vector<std::int64_t>> sizes(std::size_t list, std::int64_t type);
  std::optional<std::int64_t> source(std::int64_t rank, const Place&, const DumpiStatus*) const;
  Match match(std::uint64_t request, const DumpiStatus*);
  Match match_here(std::int64_t source, std::int64_t tag, const DumpiStatus*) const;
  std::int64_t commutes(std::int64_t operation) const;
  const DumpiStatus* status(std::size_t nth) const;
  std::int64_t field(std::size_t nth) const { return record_.scalars[nth]; }

  const ImportedJob& job_;
  const DumpiCommunicators& communicators_;
  ImportedRank rank_;
  DumpiReader* in_ = nullptr;
  DumpiRecord record_;
  std::int64_t first_ = -1, last_ = 0;  // ns: the first time, the last one after it
  bool keeps_waiting_ = false;
  std::uint64_t waiting_request_ = 0;
  Wildcard wildcard_;
  std::size_t made_ = 0;                         // communicators
  std::map<std::int64_t, std::uint32_t> comms_;  // number in the file → in the job
  std::unordered_map<std::uint64_t, Wildcard> wildcards_;
  std::map<std::int64_t, Persistent> persistent_;
  std::map<std::int64_t, bool> operations_;  // of the program's own: whether they commute
  std::vector<std::uint32_t> counts_;        // records per procedure
};

}  // namespace reprise::trace_io
