// SPDX-License-Identifier: MIT
#include "trace-io/check/field_domain.hpp"

#include <array>
#include <limits>
#include <utility>

#include "trace-io/check/sequence_sums.hpp"
#include "trace-io/model/byte_counts.hpp"
#include "trace-io/model/tag_steps.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kLeastInteger = std::numeric_limits<std::int32_t>::min(),
                       kMostInteger = std::numeric_limits<std::int32_t>::max();

// A range and, of peers, which of the special codes below kFirstPeer belong to it.
struct Domain {
  std::int64_t least = std::numeric_limits<std::int64_t>::min(),
               most = std::numeric_limits<std::int64_t>::max();
  std::uint32_t specials = ~std::uint32_t{0};  // bit 1 << code
  const char* peers = "";                      // what they are, in words
  bool has_none = true;                        // whether it may be kNone
};

constexpr std::uint32_t bit(std::int64_t special) { return std::uint32_t{1} << special; }

constexpr Domain peers(std::uint32_t specials, const char* words) {
  return {0, kFirstPeer + kMostInteger, specials, words};
}
constexpr Domain kAnyPeerCode = peers(~std::uint32_t{0}, "");
constexpr Domain kDestination = peers(bit(kProcNull), "a destination is a rank or MPI_PROC_NULL");
constexpr Domain kSource =
    peers(bit(kProcNull) | bit(kAnySource), "a source is a rank, MPI_ANY_SOURCE or MPI_PROC_NULL");
constexpr Domain kRootPeer =
    peers(bit(kProcNull) | bit(kRoot), "a root is a rank, MPI_ROOT or MPI_PROC_NULL");

Domain peer_domain(Kind kind) {
  switch (kind) {
    case Kind::receive:
    case Kind::start_receive:
    case Kind::init_receive:
    case Kind::probe:
    case Kind::matched_probe:
      return kSource;
    case Kind::collective:
    case Kind::start_collective:
      return kRootPeer;
    default:  // sends, and whatever is done to a window's target
      return kDestination;
  }
}

Domain domain_of(Kind kind, Field field) {
  switch (field) {
    case Field::peer:
      return peer_domain(kind);
    case Field::receive_peer:
      return kSource;
    case Field::matched_peer:
    case Field::matched_peers:
    case Field::sources:
    case Field::destinations:
    case Field::group:
      return kAnyPeerCode;
    case Field::tag:
      return {has_tag_steps(kind) ? kLeastTagStep : kAnyTag, kMostInteger};
    case Field::receive_tag:
      return {kAnyTag, kMostInteger};
    case Field::matched_tag:
    case Field::matched_tags:
      return {kLeastInteger, kMostInteger};
    case Field::bytes:
    case Field::receive_bytes:
    case Field::send_bytes:
    case Field::receive_bytes_per_peer:
    case Field::send_bytes_list:
    case Field::receive_bytes_list:
    case Field::element_bytes:
      return {0, kMostBytes};
    case Field::request: {
      // A send may have none: nothing refers to it (file/unawaited_sends.hpp).
      const bool fills = kind != Kind::wait && kind != Kind::start && kind != Kind::cancel &&
                         kind != Kind::request_free && kind != Kind::start_send;
      return {.least = kLeastInteger, .most = kMostInteger, .has_none = !fills};
    }
    case Field::window:
    case Field::file:
      return {0, kMostInteger};
    case Field::requests:
    case Field::completed:  // ages are below kNone (model/request_order.hpp)
      return {kLeastInteger, kMostInteger};
    case Field::message:
      return {kNone, kMostInteger};
    default:  // indices that tables answer for, and flags
      return {};
  }
}

std::string special_name(std::int64_t code) {
  constexpr std::array kNames{"MPI_PROC_NULL", "MPI_ANY_SOURCE", "MPI_ROOT", "no peer"};
  return std::cmp_less(code, kNames.size()) ? kNames[static_cast<std::size_t>(code)]
                                            : "the code " + std::to_string(code);
}

bool is_allowed(const Domain& domain, std::int64_t special) {
  return (domain.specials & bit(special)) != 0;
}

std::string refused(const Domain& domain, std::int64_t special) {
  return special_name(special) + ", but " + domain.peers;
}

}  // namespace

std::string domain_problem(const Procedure& procedure, const FieldSpec& spec,
                           const ValueSequence& values, std::uint64_t used) {
  const Domain domain = domain_of(procedure.kind, spec.field);
  if (used == 0) return "";
  const bool is_constant = values.is_constant();
  const SequenceSums sums(is_constant ? ValueSequence{} : values);
  const auto above = [&](std::int64_t threshold) {
    if (is_constant) return values.front() > threshold ? used : 0;
    return sums.count_above(used, threshold);
  };
  const bool has_least = domain.least > std::numeric_limits<std::int64_t>::min();
  if (has_least && above(domain.least - 1) < used)
    return "a value below " + std::to_string(domain.least);
  if (above(domain.most) > 0) return "a value above " + std::to_string(domain.most);
  if (!domain.has_none && above(kNone - 1) != above(kNone))
    return "no request, where the call starts one";
  if (spec.frame == PeerFrame::not_a_peer) return "";
  for (std::int64_t special = 0; special < kFirstPeer; ++special)
    if (!is_allowed(domain, special) && above(special - 1) != above(special))
      return refused(domain, special);
  return "";
}

bool is_in_domain(const Procedure& procedure, const FieldSpec& spec, std::int64_t value) {
  const Domain domain = domain_of(procedure.kind, spec.field);
  if (value < domain.least || value > domain.most) return false;
  if (!domain.has_none && value == kNone) return false;
  const bool is_special = spec.frame != PeerFrame::not_a_peer && value >= 0 && value < kFirstPeer;
  return !is_special || is_allowed(domain, value);
}

}  // namespace reprise::trace_io
