// SPDX-License-Identifier: MIT
#include "trace-io/text/peer_words.hpp"

namespace reprise::trace_io {

std::optional<std::int64_t> peer_code(PeerForm form, std::int64_t distance, Position view) {
  if (form == PeerForm::exclusive_or) {
    if (distance < 0) return std::nullopt;
    const std::int64_t peer = view.me ^ distance;
    return peer < view.size ? std::optional(kFirstPeer + peer) : std::nullopt;
  }
  if (distance <= -view.size || distance >= view.size) return std::nullopt;
  return kFirstPeer + ((view.me + distance) % view.size + view.size) % view.size;
}

std::string peer_word(PeerForm form, std::int64_t code, std::optional<Position> view) {
  switch (code) {
    case kProcNull:
      return "null";
    case kAnySource:
      return "any";
    case kRoot:
      return "root";
    case kNoPeer:
      return "none";
    default:
      break;
  }
  if (code < kFirstPeer) return "";
  const std::int64_t peer = code - kFirstPeer;
  if (form == PeerForm::absolute) return std::to_string(peer);
  if (!view || peer >= view->size) return "";
  if (form == PeerForm::exclusive_or) return std::to_string(peer ^ view->me).insert(0, 1, '^');
  const std::int64_t forward = ((peer - view->me) % view->size + view->size) % view->size;
  if (forward <= view->size / 2) return std::to_string(forward).insert(0, 1, '+');
  return std::to_string(forward - view->size);
}

}  // namespace reprise::trace_io
