// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "trace-io/model/communicators.hpp"

namespace reprise::trace_io {

constexpr PeerForm kForms[] = {PeerForm::absolute, PeerForm::relative, PeerForm::exclusive_or};

TEST_CASE("peer_form: special codes are the same for all ranks in every form", "[model]") {
  for (const PeerForm form : kForms)
    for (std::int64_t code = 0; code < kFirstPeer; ++code)
      CHECK(recast(code, form, Position{3, 8}, Position{5, 8}) == code);
}

TEST_CASE("peer_form: a right neighbour on a ring is a right neighbour for every rank", "[model]") {
  for (std::int32_t size = 1; size <= 17; ++size)
    for (std::int32_t from = 0; from < size; ++from)
      for (std::int32_t to = 0; to < size; ++to)
        REQUIRE(recast(kFirstPeer + (from + 1) % size, PeerForm::relative, Position{from, size},
                       Position{to, size}) == kFirstPeer + (to + 1) % size);
}

TEST_CASE("peer_form: a partner across a hypercube is the partner for every rank", "[model]") {
  for (std::int32_t bit = 1; bit < 16; bit *= 2)
    for (std::int32_t from = 0; from < 16; ++from)
      for (std::int32_t to = 0; to < 16; ++to)
        REQUIRE(recast(kFirstPeer + (from ^ bit), PeerForm::exclusive_or, Position{from, 16},
                       Position{to, 16}) == kFirstPeer + (to ^ bit));
}

TEST_CASE("peer_form: in frames of one size the way back undoes the way there", "[model]") {
  for (const PeerForm form : kForms)
    for (std::int32_t size = 1; size <= 17; ++size)
      for (std::int32_t from = 0; from < size; ++from)
        for (std::int32_t to = 0; to < size; ++to)
          for (std::int32_t peer = 0; peer < size; ++peer) {
            const std::int64_t there =
                recast(kFirstPeer + peer, form, Position{from, size}, Position{to, size});
            REQUIRE(there >= kFirstPeer);
            if (form == PeerForm::relative) REQUIRE(there < kFirstPeer + size);
            REQUIRE(recast(there, form, Position{to, size}, Position{from, size}) ==
                    kFirstPeer + peer);
          }
}

TEST_CASE("peer_form: recasting composes as its header says, frames of unlike sizes included",
          "[model]") {
  for (const PeerForm form : kForms)
    for (std::int32_t size = 1; size <= 9; ++size)
      for (std::int32_t via_size = 1; via_size <= 9; ++via_size)
        for (std::int32_t from = 0; from < size; ++from)
          for (std::int32_t via = 0; via < via_size; ++via)
            for (std::int32_t to = 0; to < size; ++to)
              for (std::int32_t peer = 0; peer < size; ++peer) {
                const std::int32_t around = ((peer - from) % size + size) % size;
                const std::int32_t distance = std::min(around, size - around);  // |d|
                const bool composes = form != PeerForm::relative || size == via_size ||
                                      2 * distance < std::min(size, via_size);
                if (!composes) continue;
                const Position a{from, size}, b{via, via_size}, c{to, size};
                const std::int64_t code = kFirstPeer + peer;
                REQUIRE(recast(recast(code, form, a, b), form, b, c) == recast(code, form, a, c));
              }
}

TEST_CASE("peer_form: a neighbour stays a neighbour in a frame of another size", "[model]") {
  // Last of 4, to the right: the first. Last of 9, to the right: the first.
  CHECK(recast(kFirstPeer + 0, PeerForm::relative, Position{3, 4}, Position{8, 9}) ==
        kFirstPeer + 0);
  // First of 4, to the left: the last.
  CHECK(recast(kFirstPeer + 3, PeerForm::relative, Position{0, 4}, Position{0, 9}) ==
        kFirstPeer + 8);
}

TEST_CASE("peer_form: a position outside the frame is no trouble", "[model]") {
  // Intercommunicators: rank 6 of its own group, 2 peers in the other.
  CHECK(recast(kFirstPeer + 1, PeerForm::relative, Position{6, 2}, Position{7, 2}) ==
        kFirstPeer + 0);
  CHECK(recast(kFirstPeer + 1, PeerForm::relative, Position{0, 0}, Position{1, 4}) ==
        kFirstPeer + 1);
}

}  // namespace reprise::trace_io
