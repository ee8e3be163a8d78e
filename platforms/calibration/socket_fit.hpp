// SPDX-License-Identifier: MIT
// The link between two sockets of a node, from times of messages between ranks on both, given the path inside a socket.
//
// Model      a message to the other socket crosses the path of a socket, this link and the path of the other socket (docs/PLATFORMS.md).
// Latency    of the smallest message: its time less the overheads of send and receive, less twice the latency of the path inside; not below 0.
// Bandwidth  the slope between the two largest messages, which has no start-up in it; that of the path inside where messages between
//            sockets are not slower.
// Errors     InputError: no times one way, or none of two sizes from 64 KiB on.
#pragma once

#include <optional>
#include <string>

#include "platforms/calibration/measurements.hpp"
#include "platforms/platform.hpp"

namespace reprise::platforms {

struct SocketFit {
  Seconds latency;
  BytesPerSecond bandwidth;
  bool is_as_fast_inside = false;  // the bandwidth is that of the path inside
  std::string source;
};

// INSIDE: latency and bandwidth of one message inside a socket, and MPI's costs there. None where nothing was measured between sockets.
std::optional<SocketFit> fit_sockets(const Measurements&, const LinkSpec& inside, const Mpi&);

}  // namespace reprise::platforms
