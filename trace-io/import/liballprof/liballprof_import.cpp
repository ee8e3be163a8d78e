// SPDX-License-Identifier: MIT
#include "trace-io/import/liballprof/liballprof_import.hpp"

#include <filesystem>
#include <fstream>

#include "trace-io/base/error.hpp"
#include "trace-io/import/liballprof/allprof_rank.hpp"
#include "trace-io/import/ranks/import_format.hpp"
#include "trace-io/import/ranks/pairwise_merge.hpp"

namespace reprise::trace_io {
namespace {
namespace fs = std::filesystem;

// The files of all ranks where one of them is given: its name with other last numbers, from 0 on.
std::vector<std::string> files_of(const std::vector<std::string>& given) {
  if (given.size() > 1) return given;
  const fs::path path(given.front());
  const std::string name = path.filename().string();
  const auto last = name.find_last_of("0123456789");
  if (last == std::string::npos) return given;
  const auto before = name.find_last_not_of("0123456789", last);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  std::vector<std::string> files;
  std::error_code ignored;
  for (;;) {
    const fs::path next =
        path.parent_path() /
        (name.substr(0, begin) + std::to_string(files.size()) + name.substr(last + 1));
    if (!fs::exists(next, ignored) || files.size() > static_cast<std::size_t>(kMaxRanks)) break;
    files.push_back(next.string());
  }
  return files.empty() ? given : files;
}

bool is_liballprof(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  for (int lines = 0; lines < 64 && std::getline(in, line); ++lines) {
    if (line.find("collprof") != std::string::npos && line.starts_with("#")) return true;
    if (line.empty() || line.front() == '#') continue;
    return line.starts_with("MPI_Init") && line.find(':') != std::string::npos;
  }
  return false;
}

}  // namespace

Trace import_liballprof(const std::vector<std::string>& given, const ImportSettings& settings) {
  const auto files = files_of(given);
  ImportedJob job;
  job.program = files.front();
  job.mpi_library = "liballprof trace";
  job.settings = settings;
  job.ranks = static_cast<std::int32_t>(files.size());
  PairwiseMerge merged;
  for (std::size_t r = 0; r < files.size(); ++r) {
    std::ifstream in(files[r]);
    if (!in) throw InputError(files[r], "cannot be opened");
    AllprofRank rank(job, Rank{static_cast<std::int32_t>(r)}, files[r]);
    std::string line;
    for (std::uint64_t number = 1; std::getline(in, line); ++number) rank.read(line, number);
    merged.add(rank.finish());
    if (settings.progress)
      settings.progress(static_cast<double>(r + 1) / static_cast<double>(files.size()));
  }
  return merged.finish();
}

extern const ImportFormat kLiballprofFormat;
const ImportFormat kLiballprofFormat = {
    "liballprof", "liballprof's text traces: the files of all ranks, or one of them", true,
    &is_liballprof, &import_liballprof};

}  // namespace reprise::trace_io
