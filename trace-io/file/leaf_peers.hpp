// SPDX-License-Identifier: MIT
// Who each rank's partner is in a call, as far as the fields of the call that come first say it: what one rank sends is what its partner
// receives, so the sizes of the one are the sizes of the other in another order of ranks (FORMAT.md, section 3).
//
// Cost  O(ranks · log).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "trace-io/model/communicators.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class LeafPeers {
 public:
  using TableSource =
      std::function<const CommunicatorTable&()>;  // called when the table is first needed

  // The call's first fields, and the specs of all.
  LeafPeers(std::span<const FieldValues> fields, std::span<const FieldSpec> specs,
            TableSource table)
      : fields_(fields), specs_(specs), table_(std::move(table)) {}

  std::size_t fields() const { return fields_.size(); }
  // The partners' world ranks, in the order of the ranks; none unless the field is of single peers, counted in the call's communicator,
  // and every rank has one and the same in all its calls.
  std::optional<std::vector<Rank>> named_by(std::size_t field, const RankList& ranks) const;

  // How many values the lists of all ranks have in a field; 0 where the field is none of lists.
  std::uint64_t listed_values(std::size_t field) const;
  // The field seen from the other side: what each member of the rank's communicator has for it, in the members' order, call by
  // call. None unless every rank has one communicator, whose members are all here, have equally many calls and one value for each member in all
  // of them. Ranks with equal lists are one entry. Cost: O(values).
  std::optional<FieldValues> received_from(std::size_t field, const RankList& ranks) const;

 private:
  bool may_name(std::size_t field) const;
  const FieldValues* communicators() const;

  std::span<const FieldValues> fields_;
  std::span<const FieldSpec> specs_;
  TableSource table_;
};

}  // namespace reprise::trace_io
