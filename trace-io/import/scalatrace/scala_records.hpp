// SPDX-License-Identifier: MIT
// The records of a ScalaTrace file: calls with the ranks that make them, the loops that begin at them, parameters and times.
//
// Values   a parameter is a list of numbers for some ranks, read round and round: the rank's n-th call has the n-th of them. A list
//          of a vector holds the elements of call after call, likewise. ScalaTrace may have kept a histogram in place of the list.
// Loops    of a record, outermost first, each with how many records from here on belong to it, counted as the rank sees them
//          (records of others left out), and how often it goes round.
// Times    microseconds, in histograms by the call before (its stack signature), over all ranks of the record. Instructions likewise,
//          in thousands.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trace-io/import/scalatrace/scala_histogram.hpp"
#include "trace-io/model/rank_list.hpp"

namespace reprise::trace_io {

// Parameters by their numbers in the file (record/common/inc/paramtype.h of ScalaTrace), as far as a trace of ours has a use for them.
enum class ScalaField : std::uint8_t {
  recvcounts = 1,
  counts = 3,
  array_of_ranks = 10,
  ranges = 11,
  array_of_requests = 12,
  comm = 16,
  count = 18,
  datatype = 20,
  recvcount = 21,
  recvtype = 22,
  operation = 24,
  root = 25,
  dest = 26,
  tag = 27,
  request = 28,
  group = 33,
  color = 35,
  key = 36,
  group1 = 37,
  group2 = 38,
  source = 43,
  recvtag = 45,
};

struct ScalaValues {
  RankList ranks;
  std::vector<std::int32_t> list;  // empty where only a histogram is known
  double mean = 0;                 // of the histogram
};

// Those of all ranks; null where none has the rank.
const ScalaValues* values_for(const std::vector<ScalaValues>&, Rank);

struct ScalaLoop {
  std::vector<ScalaValues> iterations, length;
};

using ScalaSignature = std::vector<std::uint64_t>;  // return addresses, innermost first

struct ScalaTimes {
  std::uint32_t predecessor = 0;  // a signature's number
  ScalaHistogram histogram;
};

struct ScalaRecord {
  std::uint32_t file = 0;
  std::uint64_t line = 0;  // where it begins
  RankList ranks;
  std::string procedure;  // "MPI_Send"
  std::string imported;   // what a trace of ours calls it: "MPI_Send", or "MPI_Send (time only)"
  std::uint32_t signature = 0;
  std::vector<ScalaLoop> loops;
  std::map<std::int32_t, std::vector<ScalaValues>> parameters;  // by number
  std::vector<ScalaTimes> compute, instructions, communicate;
};

struct ScalaTrace {
  std::vector<std::string> files;
  std::vector<ScalaRecord> records;  // those of a file follow each other
  std::vector<ScalaSignature> signatures;

  // "file:line".
  std::string place(const ScalaRecord&) const;
};

}  // namespace reprise::trace_io
