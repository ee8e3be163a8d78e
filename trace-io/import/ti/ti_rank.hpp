// SPDX-License-Identifier: MIT
// The lines of one rank, folded into a trace of that rank while they are read. See ti_import.hpp.
#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "trace-io/compress/thread_compressor.hpp"
#include "trace-io/import/ti/ti_import.hpp"
#include "trace-io/import/ti/ti_reader.hpp"

namespace reprise::trace_io {

class TiRank {
 public:
  TiRank(Rank, std::int32_t ranks, const ImportSettings&);
  void read(const TiReader&);  // one line; its first word is this rank's number
  // The trace of this rank alone. REQUIRES: called once, at the end.
  Trace finish(const std::string& program);

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // sender, receiver, tag
  struct Type {
    std::int64_t bytes;
  };

  void append(const char* procedure, std::initializer_list<std::int64_t> scalars,
              std::initializer_list<std::vector<std::int64_t>> vectors = {});
  SiteId site(const char* procedure);
  void pass(double seconds) { pending_ns_ += seconds * 1e9; }
  void pass_flops(double flops) { pass(flops / settings_.flops_per_second); }

  std::int64_t peer(const TiReader&, std::size_t word, const char* what) const;
  Type type(const TiReader&, std::size_t word) const;  // the default type where the word is missing
  std::int64_t bytes(const TiReader&, std::size_t word, Type) const;
  std::vector<std::int64_t> list(const TiReader&, std::size_t first, std::size_t count, Type) const;
  std::int64_t root(const TiReader&, std::size_t word) const;  // rank 0 where the word is missing

  void init(const TiReader&);
  void message(const TiReader&);
  void sendrecv(const TiReader&);
  void wait(const TiReader&);
  void wait_all();
  void reduction(const TiReader&);
  void uniform(const TiReader&);     // gather, scatter, allgather, alltoall
  void with_lists(const TiReader&);  // the v forms and reducescatter

  Rank rank_;
  std::int32_t ranks_;
  ImportSettings settings_;
  ThreadCompressor compressor_;
  std::vector<std::string> procedures_;
  std::vector<CallPath> paths_;
  std::vector<Module> files_;
  std::vector<Site> sites_;
  std::map<std::pair<std::string, std::pair<std::string, std::int64_t>>, SiteId> known_sites_;
  std::pair<std::string, std::int64_t> location_;
  std::map<Key, std::deque<std::int64_t>> open_;  // slots of requests
  std::vector<bool> slot_taken_;
  std::map<std::string, std::uint64_t> ignored_;
  Type default_type_{1};
  double pending_ns_ = 0;
  bool inside_ = false, ended_ = false;
};

}  // namespace reprise::trace_io
