// SPDX-License-Identifier: MIT
#include "trace-io/import/ti/ti_import.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/import/ranks/import_format.hpp"
#include "trace-io/import/ranks/pairwise_merge.hpp"
#include "trace-io/import/ti/ti_rank.hpp"
#include "trace-io/import/ti/ti_reader.hpp"

namespace reprise::trace_io {
namespace {
namespace fs = std::filesystem;

constexpr std::int64_t kMostRanks = std::int64_t{1}
                                    << 24;  // a slip of the pen must not ask for all memory

std::int64_t rank_of(const TiReader& in) {
  const auto rank = in.whole(0, "the rank");
  if (rank < 0 || rank >= kMostRanks) in.refuse("no rank " + std::string(in.word(0)));
  return rank;
}

bool has_rank_first(const TiReader& line) {
  return line.words() > 1 && line.word(0).find_first_not_of("0123456789") == std::string_view::npos;
}

// An index may come from somebody else, and name what its sender wants to see: messages about a line quote it, so only files that look
// like traces get that far.
void refuse_other_file(const std::string& file, const std::string& index, std::size_t number) {
  TiReader in(file);
  if (!in.next() || (has_rank_first(in) && in.word(1) == "init")) return;
  throw InputError(file, "is not a time-independent trace",
                   "line " + std::to_string(number) + " of " + index +
                       " names it; the first line of a trace is an \"init\"");
}

// A line of a trace begins with a number and goes on with a verb; an index has one name a line.
std::vector<std::string> files_in(const std::string& path) {
  TiReader in(path);
  std::vector<std::string> files;
  while (in.next()) {
    if (has_rank_first(in) && files.empty()) return {path};
    const std::string name(in.line());
    std::error_code ignored;
    const auto beside = fs::path(path).parent_path() / name;
    files.push_back(!fs::exists(name, ignored) && fs::exists(beside, ignored) ? beside.string()
                                                                              : name);
    refuse_other_file(files.back(), path, files.size());
  }
  if (files.empty())
    throw InputError(path, "names no trace",
                     "give the index that lists one file per rank, or a trace");
  return files;
}

std::int32_t ranks_in(const std::string& file) {
  std::int64_t ranks = 0;
  for (TiReader in(file); in.next();) ranks = std::max(ranks, rank_of(in) + 1);
  if (ranks == 0) throw InputError(file, "holds no line of a trace");
  return static_cast<std::int32_t>(ranks);
}

Trace import_shared(const std::string& file, const std::string& program,
                    const ImportSettings& settings) {
  const std::int32_t ranks = ranks_in(file);
  std::vector<std::unique_ptr<TiRank>> all;
  for (std::int32_t r = 0; r < ranks; ++r)
    all.push_back(std::make_unique<TiRank>(Rank{r}, ranks, settings));
  for (TiReader in(file); in.next();) all[static_cast<std::size_t>(rank_of(in))]->read(in);
  PairwiseMerge merged;
  for (auto& one : all) {
    merged.add(one->finish(program));
    one.reset();
  }
  return merged.finish();
}

}  // namespace

Trace import_ti(const std::string& path, const ImportSettings& settings) {
  const auto files = files_in(path);
  if (files.size() == 1) return import_shared(files[0], path, settings);
  if (files.size() > static_cast<std::size_t>(kMostRanks))
    throw InputError(path, "names more than 2^24 files");
  const auto ranks = static_cast<std::int32_t>(files.size());
  PairwiseMerge merged;
  for (std::int32_t r = 0; r < ranks; ++r) {
    TiRank rank(Rank{r}, ranks, settings);
    for (TiReader in(files[static_cast<std::size_t>(r)]); in.next();) {
      if (rank_of(in) != r)
        in.refuse("a line of rank " + std::string(in.word(0)) + " in the file of rank " +
                      std::to_string(r),
                  "line " + std::to_string(r + 1) + " of the index names the file of rank " +
                      std::to_string(r));
      rank.read(in);
    }
    merged.add(rank.finish(path));
    if (settings.progress) settings.progress(static_cast<double>(r + 1) / ranks);
  }
  return merged.finish();
}

// An index may hold any name, so any text that is no other format is taken for it: its reader says what is wrong.
static bool is_ti(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char begin[512];
  in.read(begin, sizeof begin);
  return std::none_of(begin, begin + in.gcount(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n' && c != '\r';
  });
}

extern const ImportFormat kTiFormat;
const ImportFormat kTiFormat = {
    "ti", "SimGrid's time-independent traces: the index, or one file with all ranks", false, &is_ti,
    [](const std::vector<std::string>& files, const ImportSettings& settings) {
      return import_ti(files.front(), settings);
    }};

}  // namespace reprise::trace_io
