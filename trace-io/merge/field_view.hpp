// SPDX-License-Identifier: MIT
// A field entry with what joining it to another one needs: where its lowest rank stands, and the forms it can take.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "trace-io/merge/frame_positions.hpp"
#include "trace-io/merge/rank_unions.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Ordered by preference where several are possible: what names a fixed rank (a root) is absolute for all later ranks too.
inline constexpr std::array kPeerForms{PeerForm::absolute, PeerForm::relative,
                                       PeerForm::exclusive_or};
using FormSet = std::uint8_t;  // bit 1 << form, as FieldEntry::other_forms
constexpr FormSet form_bit(PeerForm form) {
  return static_cast<FormSet>(1U << static_cast<unsigned>(form));
}

enum class JoinRule : std::uint8_t {
  any_prefix,      // a sequence may be joined to a longer one that it begins
  same_constancy,  // but not to one that varies where it does not itself: what a peer field's frame depends on stays constant
};

struct FieldView {
  FieldEntry entry;
  std::optional<Position> at;  // of its lowest rank; none where only the absolute form is possible
  FormSet forms = form_bit(PeerForm::absolute);

  FieldView(FieldEntry, std::optional<Position>);

  // Makes one entry of both where that loses nothing, else changes nothing. `same_length`: no prefixes.
  bool join(FieldView& other, bool same_length, JoinRule, RankUnions&);

  // Equal for views whose values are the same in that form; none where the view cannot take the form.
  std::optional<std::uint64_t> key(PeerForm) const;
  // Equal for views one of which is a prefix of the other in that form.
  std::optional<std::uint64_t> prefix_key(PeerForm) const;
};

}  // namespace reprise::trace_io
