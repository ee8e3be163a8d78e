// SPDX-License-Identifier: MIT
// Measured times of messages and of work on a rank, wherever they come from: what a platform is fitted to.
//
// Paths are one of three: between two ranks of a node (of one socket, where there are several), between two nodes, between two sockets of a node. A file gives some series; several files are put together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

struct Sample {
  Bytes bytes;
  Seconds time;  // a median, or the mean where the tool tells no more
  // Other processes took the core in most repetitions: the time is the 10 % quantile.
  bool is_disturbed = false;
  bool is_of_base = false;  // not measured: base_curve.hpp
  std::uint64_t count = 0;  // of messages that it was taken of; 0 where nobody tells
};

enum class MeasuredPath { kIntraNode, kInterNode, kInterSocket };

struct Series {
  enum class What {
    kOneWay,         // half a round trip
    kExchange,       // both partners send and receive at once; `pairs` do so at once
    kStream,         // per message of many in one direction, one pair
    kBothWays,       // the same in both directions at once: per message and direction
    kPairs,          // per message of `pairs` that all send many in one direction
    kSendOverhead,   // a send of an eager message
    kRecvOverhead,   // a receive whose message has come
    kColdSend,       // these after computing: a send of an eager message,
    kColdReceive,    // a receive whose message has come,
    kColdRoundTrip,  // a message and an empty answer,
    kColdCopy,       // a copy on both ranks at once
    kCopy,           // on one rank
    kReduce,         // on one rank: two operands combined
    kOther,          // measured, but no part of a platform: collectives
  };
  What what = What::kOther;
  MeasuredPath path = MeasuredPath::kIntraNode;
  unsigned pairs = 1;
  std::string name;                   // "pingpong", "osu_allreduce"
  std::string source;                 // "probe.json, 2024-05-14, Open MPI v4.1.4 on dane12"
  std::vector<Sample> samples;        // ascending sizes, each once
  std::optional<Seconds> after = {};  // of computing: of the cold patterns, which have one each
};

// Of one path: the largest message whose send does not wait for the receive.
struct EagerLimit {
  MeasuredPath path = MeasuredPath::kIntraNode;
  Bytes bytes;
  bool is_asynchronous = false;  // larger ones go on while the receiver computes
  std::string source;
  bool tells_progress = true;  // else is_asynchronous is the base's
};

// A message that was timed all along, to see whether the machine stays the same (recorder/probe/machine_state.hpp).
struct Reference {
  MeasuredPath path = MeasuredPath::kIntraNode;
  Bytes bytes;
  Seconds usual, least, most;     // one way: of most looks, and of all of them
  double share = 1;               // of the looks that found the usual state
  std::uint64_t other_times = 0;  // measured in another state
};

struct Measurements {
  std::vector<Series> series;
  std::vector<EagerLimit> eager_limits;
  std::vector<Reference> references;
  std::uint64_t not_measured = 0;        // times that the probe had no time for
  std::optional<unsigned> nodes, cores;  // of what was measured on
  bool include_cold_caches =
      false;  // times of a program's own messages: they hold what its caches cost
};

// The series of one kind and path, of several the one of most pairs; null where there is none.
const Series* find_series(const Measurements&, Series::What, MeasuredPath);

// What each kind of file holds. Throw InputError at "FILE" or "FILE:LINE".
Measurements read_probe_file(const std::string& path);
Measurements read_osu_file(const std::string& path, MeasuredPath of);
Measurements read_netpipe_file(const std::string& path, MeasuredPath of);

// The same from texts, for tests; NAME is the file's.
Measurements parse_osu(const std::string& text, const std::string& name, MeasuredPath of);
Measurements parse_netpipe(const std::string& text, const std::string& name, MeasuredPath of);

}  // namespace reprise::platforms
