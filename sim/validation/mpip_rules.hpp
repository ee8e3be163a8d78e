// SPDX-License-Identifier: MIT
// What mpiP counts: the procedures that it times, and the bytes that it books for a call.
// Source: mpiP 3.5, make-wrappers.py and its *.protos.txt.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace reprise::sim::validation {

enum class ByteRule : std::uint8_t {
  none,                  // 0, whatever the call moves
  point_to_point,        // the send argument
  send_argument,         // the send argument, on every rank
  unless_in_place,       // the send argument; with MPI_IN_PLACE one that MPI ignores
  at_root,               // the send argument; elsewhere than at the root one that MPI ignores
  list_at_root,          // Σ of the send arguments, likewise
  list_unless_in_place,  // Σ of the send arguments; with MPI_IN_PLACE ones that MPI ignores
  receive_list,          // Σ of the receive arguments
  input_output,          // bytes read or written, booked as input and output
  one_sided,             // bytes put or accumulated, booked as one-sided
  one_sided_both_ways,   // likewise; with MPI_NO_OP ones that MPI ignores
  unknown,               // something that a trace does not hold
};

struct MpipOperation {
  std::string_view name;  // without "MPI_"
  ByteRule bytes = ByteRule::none;
  // How often it is called depends on chance: a program polls until something has happened.
  bool is_poll = false;
};

// None where mpiP does not time the procedure. Cost: O(log n).
std::optional<MpipOperation> mpip_operation(std::string_view name_without_prefix);

}  // namespace reprise::sim::validation
