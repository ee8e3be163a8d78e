// SPDX-License-Identifier: MIT
// Who is in the communicators of a DUMPI trace.
//
// A rank's file numbers its communicators as the rank meets them, and says how each was made, not of whom. So the files are read once
// before the import for the calls that make communicators: the k-th such call on a communicator is the same call for all its members,
// and what they gave it (color and key, which group, who got none) tells the members of what it made.
//
// Resolved    Comm_dup, Comm_split, Comm_create, Cart_create, Graph_create, Cart_sub, of the world and of what was so made.
// Assumed     the order of a communicator of Comm_create whose group is not made by incl, excl or range_incl of the whole group of the
//             one it is made on, and of one whose creation may reorder: as in the old communicator. Counted by is_order_assumed().
// Unresolved  intercommunicators, those of dynamic processes, and calls on which members differ: member() has none.
// Cost        O(calls that make communicators · log), memory likewise.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "trace-io/import/dumpi/dumpi_reader.hpp"
#include "trace-io/import/ranks/imported_job.hpp"

namespace reprise::trace_io {

class DumpiCommunicators {
 public:
  static constexpr std::int64_t kNull = 1, kWorld = 2, kSelf = 3;  // as the files have them

  explicit DumpiCommunicators(std::int32_t ranks);
  // Each record of a rank, in its order.
  void add(std::int32_t rank, const DumpiRecord&);
  // Adds all communicators to the job, the world (0) and each rank's own (1) first.
  void resolve(ImportedJob&);
  // What the rank's n-th call that makes a communicator made, counted from 0: its number in the job.
  std::optional<std::uint32_t> made(std::int32_t rank, std::size_t nth) const;
  std::uint64_t orders_assumed() const { return orders_assumed_; }

  // Whether a record makes a communicator; if so, where its fields have the old one and the new one.
  struct Fields {
    std::size_t old_comm, new_comm;
  };
  static std::optional<Fields> fields_of(const DumpiRecord&);

 private:
  enum class Way : std::uint8_t { same, split, some, cart, sub, unknown };
  struct Making {
    Way way = Way::unknown;
    std::size_t parent = 0, result = 0;  // instances on this rank; kNoInstance for MPI_COMM_NULL
    std::int64_t color = 0, key = 0;
    bool may_reorder = false;
    std::vector<std::int64_t> list{};  // ranks of Comm_create's group in the old one, dimensions
    std::optional<std::uint32_t> made{};
  };
  struct Group {
    std::size_t of = 0;               // instance
    bool is_all = true;               // else:
    std::vector<std::int64_t> ranks;  // in that communicator
  };
  struct OneRank {
    std::map<std::int64_t, std::size_t>
        instances;  // number in the file → the communicator it is now
    std::size_t next_instance = 2;
    std::map<std::int64_t, Group> groups;
    std::vector<Making> makings;
    std::map<std::size_t, std::vector<std::size_t>> on;  // instance → the makings on it
  };
  struct Known {  // a communicator whose members are known
    std::vector<std::int32_t> members;
    std::vector<std::size_t> instances;  // of each member
    std::vector<std::int64_t> dimensions;
  };
  void add_group(OneRank&, const DumpiRecord&);
  void make_on(const Known&, ImportedJob&, std::vector<Known>& next);
  void make(const Known&, const std::vector<Making*>&, ImportedJob&, std::vector<Known>& next);

  static constexpr std::size_t kNoInstance = ~std::size_t{0};
  std::vector<OneRank> ranks_;
  std::uint64_t orders_assumed_ = 0;
};

}  // namespace reprise::trace_io
