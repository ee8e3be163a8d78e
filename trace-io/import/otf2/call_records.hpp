// SPDX-License-Identifier: MIT
// What an OTF2 archive records between the beginning and the end of one MPI call.
#pragma once

#include <otf2/otf2.h>

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::trace_io {

struct CallRecords {
  struct Message {
    std::uint32_t peer = 0, tag = 0;
    OTF2_CommRef comm = OTF2_UNDEFINED_COMM;
    std::uint64_t bytes = 0, request = 0;
    bool has_request = false;
  };
  struct Rma {
    enum class What : std::uint8_t { put, get, atomic, lock, unlock, sync, group, create, free };
    What what;
    OTF2_RmaWinRef window;
    std::uint32_t remote = 0;
    std::uint64_t bytes = 0, bytes_back = 0, matching = 0;
    bool is_exclusive = false;
    OTF2_GroupRef group = OTF2_UNDEFINED_GROUP;
  };

  std::vector<Message> sent, received;
  std::vector<std::uint64_t> requested;  // of receives (MPI_IRECV_REQUEST)
  std::vector<std::uint64_t> started;    // of nonblocking collectives
  std::vector<std::uint64_t> completed, cancelled;
  std::uint64_t tested = 0;
  std::vector<Rma> rma;
  bool is_collective = false;
  OTF2_CommRef comm = OTF2_UNDEFINED_COMM;  // of the collective
  std::uint32_t root = 0;
  std::uint64_t bytes_sent = 0, bytes_received = 0;
  const std::string* fields = nullptr;  // what an export of ours has attached

  void clear() {
    for (auto* messages : {&sent, &received}) messages->clear();
    for (auto* requests : {&requested, &started, &completed, &cancelled}) requests->clear();
    rma.clear();
    tested = 0;
    is_collective = false;
    comm = OTF2_UNDEFINED_COMM;
    bytes_sent = bytes_received = 0;
    root = 0;
    fields = nullptr;
  }
};

}  // namespace reprise::trace_io
