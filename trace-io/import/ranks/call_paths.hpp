// SPDX-License-Identifier: MIT
// The call paths and call sites of one rank, as they are met.
//
// How   call paths are a tree: a path is its caller's path and one more frame. A site is a path and the MPI procedure called there.
// Cost  entered(), site(): one comparison where it is what came last, else a hash look-up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "trace-io/import/ranks/imported_job.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class CallPaths {
 public:
  using Path = std::uint32_t;
  static constexpr Path kEmpty = 0;
  // A procedure of this rank, numbered as it is met.
  using ProcedureId = std::uint32_t;

  CallPaths() : nodes_(1) {}
  Path entered(Path caller, ImportedJob::FrameId);
  ProcedureId procedure(std::string_view name);
  SiteId site(Path, ProcedureId);
  const std::string& procedure_of(SiteId site) const { return procedures_[sites_[site].second]; }
  std::size_t size() const { return nodes_.size(); }

  // Fills in the tables of the trace of this rank: procedures, modules, call paths, frames' names, sites.
  void describe(const ImportedJob&, Trace&) const;

 private:
  struct Node {
    Path caller = kEmpty;
    ImportedJob::FrameId frame = 0;
    std::uint32_t depth = 0;
    std::uint64_t last_key = ~std::uint64_t{0};  // what was looked up here last, and its answer
    std::uint32_t last_answer = 0;
  };
  std::uint32_t look_up(Path at, std::uint32_t what, bool is_site);

  std::vector<Node> nodes_;
  std::vector<std::pair<Path, ProcedureId>> sites_;
  std::vector<std::string> procedures_;
  std::unordered_map<std::string, ProcedureId> procedure_ids_;
  std::unordered_map<std::uint64_t, std::uint32_t> children_, site_ids_;
};

}  // namespace reprise::trace_io
