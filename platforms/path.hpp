// SPDX-License-Identifier: MIT
// What a message costs between two places of a machine, alone on its way: docs/MODEL.md's first table.
#pragma once

#include <string>
#include <string_view>

#include "platforms/platform.hpp"
#include "platforms/routes.hpp"

namespace reprise::platforms {

// A node, and the core of it that a rank would have: where a node has several sockets or network interfaces, routes begin and end at those
// of the core.
struct Spot {
  NodeIndex node = 0;
  std::uint32_t core = 0;
};

// "17", a node's name, or either with a core: "17:3". Throws InputError{WHERE, …}.
Spot parse_spot(std::string_view text, const Platform&, const std::string& where);

class Path {
 public:
  Path(const Platform&, const RouteTable&, Spot from, Spot to);

  const Route& route() const { return route_; }
  bool is_rendezvous(Bytes size) const { return size > mpi_.eager_limit; }
  Seconds message_time(
      Bytes) const;  // from the call of the send to the end of a receive that was posted in time
  Seconds least_latency() const { return message_time(Bytes{}); }
  BytesPerSecond bandwidth() const;  // that ever larger messages come near to

 private:
  const Mpi& mpi_;
  Route route_;
};

}  // namespace reprise::platforms
