// SPDX-License-Identifier: MIT
#include "sim/export/ti_export.hpp"

#include <cstdio>
#include <filesystem>
#include <vector>

#include "sim/export/ti_lines.hpp"
#include "sim/export/ti_rank.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {
namespace fs = std::filesystem;

std::vector<bool> same_as_world(const trace_io::Trace& trace,
                                const trace_io::CommunicatorTable& table) {
  std::vector<bool> same;
  for (std::uint32_t d = 0; d < trace.communicators.size(); ++d) {
    bool is_world = table.group_count(d) == 1 && table.group_size(d, 0) == trace.header.ranks;
    for (std::int32_t r = 0; is_world && r < trace.header.ranks; ++r)
      is_world = table.member(d, 0, r) == Rank{r};
    same.push_back(is_world);
  }
  return same;
}

fs::path make_folder(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed)
    throw InputError(folder, "cannot be created as a folder: " + failed.message(),
                     "name another one with -o");
  return fs::absolute(folder);
}

void refuse_losses(const TiLosses& losses, const std::string& name) {
  std::string named;
  for (const auto& [what, loss] : losses)
    if (loss.severity != trace_io::Severity::notice)
      named += (named.empty() ? "" : ", ") + what + " (" + std::to_string(loss.count) + ")";
  if (named.empty()) return;
  throw InputError(name, "time-independent traces cannot express everything in it: " + named,
                   "export anyway with --lossy");
}

}  // namespace

TiSummary export_ti(const trace_io::Trace& trace, const std::string& name,
                    const TiSettings& settings, const std::string& folder) {
  if (trace.header.recorded.size() != trace.header.ranks)
    throw InputError(name, "it does not contain all ranks, and a replay needs them",
                     "export a complete trace");
  const trace_io::Programs programs(trace);
  const trace_io::CommunicatorTable communicators(trace);
  TiJob job{trace,
            programs,
            communicators,
            same_as_world(trace, communicators),
            settings,
            DeltaPlayer(settings.deltas, settings.seed),
            {}};
  if (programs.thread_count() > 1)
    job.losses["threads other than the first left out"] = {trace_io::Severity::partial,
                                                           programs.thread_count() - 1};

  const fs::path place = make_folder(folder);
  TiSummary summary{(place / "ti.txt").string(), 0, {}};
  std::vector<fs::path> files;
  try {
    for (std::int32_t r = 0; r < trace.header.ranks; ++r) {
      files.push_back(place / ("rank-" + std::to_string(r) + ".txt"));
      TiLines lines(files.back().string(), Rank{r});
      if (programs.has(Rank{r}, 0)) TiRank(job, Rank{r}, lines).write();
      summary.lines += lines.lines();
      lines.close();
    }
    if (!settings.lossy) refuse_losses(job.losses, name);
  } catch (...) {
    std::error_code ignored;
    for (const auto& file : files) fs::remove(file, ignored);
    fs::remove(place, ignored);  // where nothing else is in it
    throw;
  }
  std::FILE* index = std::fopen(summary.index.c_str(), "w");
  if (index == nullptr) throw RunError(summary.index, "could not be opened for writing");
  for (const auto& file : files) std::fprintf(index, "%s\n", file.c_str());
  if (std::fclose(index) != 0) throw RunError(summary.index, "could not be written");
  summary.losses = std::move(job.losses);
  return summary;
}

}  // namespace reprise::sim
