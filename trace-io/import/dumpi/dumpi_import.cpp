// SPDX-License-Identifier: MIT
#include "trace-io/import/dumpi/dumpi_import.hpp"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "trace-io/base/error.hpp"
#include "trace-io/import/dumpi/dumpi_rank.hpp"
#include "trace-io/import/ranks/import_format.hpp"
#include "trace-io/import/ranks/pairwise_merge.hpp"

namespace reprise::trace_io {
namespace {
namespace fs = std::filesystem;

struct Meta {
  std::string prefix;  // of the files' names
  std::int64_t ranks = 0;
};

// What a .meta file says; none where it is no such file.
std::optional<Meta> read_meta(const std::string& path) {
  std::ifstream in(path);
  Meta meta;
  bool has_prefix = false;
  std::string line;
  for (int lines = 0; lines < 64 && std::getline(in, line); ++lines) {
    const auto equals = line.find('=');
    if (equals == std::string::npos) continue;
    while (line.ends_with('\r') || line.ends_with(' ')) line.pop_back();
    const std::string name = line.substr(0, equals), value = line.substr(equals + 1);
    if (name == "fileprefix") meta.prefix = value, has_prefix = true;
    if (name != "numprocs") continue;
    const auto [end, error] =
        std::from_chars(value.data(), value.data() + value.size(), meta.ranks);
    if (error != std::errc{} || end != value.data() + value.size() || meta.ranks < 1 ||
        meta.ranks > kMaxRanks)
      throw InputError(path, "numprocs is \"" + value + "\", not a number of ranks");
  }
  if (!has_prefix || meta.ranks == 0) return {};
  return meta;
}

// PREFIX0012.bin, of so many digits.
std::string numbered(const std::string& prefix, std::size_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return prefix + text + ".bin";
}

std::vector<std::string> files_of_meta(const std::string& path, const Meta& meta) {
  const fs::path folder = fs::path(path).parent_path();
  const auto in_folder = [&](std::size_t rank, std::size_t digits) {
    // The program may have run elsewhere: only the name of the prefix counts.
    return numbered((folder / fs::path(meta.prefix).filename()).string() + "-", rank, digits);
  };
  std::error_code ignored;
  std::size_t digits = 1;
  while (digits < 9 && !fs::exists(in_folder(0, digits), ignored)) ++digits;
  if (digits == 9) digits = 4;
  std::vector<std::string> files;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(meta.ranks); ++rank) {
    files.push_back(in_folder(rank, digits));
    if (!fs::exists(files.back(), ignored))
      throw InputError(files.back(), "is missing",
                       path + " says that the trace has " + std::to_string(meta.ranks) + " ranks");
  }
  return files;
}

std::vector<std::string> files_of(const std::vector<std::string>& given) {
  if (given.size() > 1) return given;
  const std::string& path = given.front();
  if (!DumpiReader::has_magic(path)) {
    if (const auto meta = read_meta(path)) return files_of_meta(path, *meta);
    return given;
  }
  if (!path.ends_with(".bin")) return given;
  const std::string stem = path.substr(0, path.size() - 4);
  const auto last = stem.find_last_not_of("0123456789");
  const std::size_t begin = last == std::string::npos ? 0 : last + 1, digits = stem.size() - begin;
  if (digits == 0) return given;
  const std::string prefix = stem.substr(0, begin);
  if (prefix.ends_with('-')) {
    const std::string beside = prefix.substr(0, prefix.size() - 1) + ".meta";
    if (const auto meta = read_meta(beside)) return files_of_meta(beside, *meta);
  }
  std::vector<std::string> files;
  std::error_code ignored;
  while (files.size() < static_cast<std::size_t>(kMaxRanks)) {
    const std::string next = numbered(prefix, files.size(), digits);
    if (!fs::exists(next, ignored)) break;
    files.push_back(next);
  }
  return files.empty() ? given : files;
}

// The first reading: who makes which communicators, and whether all ranks are here.
void read_communicators(DumpiReader& in, std::int32_t rank, std::int32_t ranks,
                        DumpiCommunicators& communicators) {
  DumpiRecord record;
  while (in.next(record)) {
    communicators.add(rank, record);
    if (record.procedure == "MPI_Comm_size" && record.scalars[0] == DumpiCommunicators::kWorld &&
        record.scalars[1] != ranks)
      in.refuse("is of a run of " + std::to_string(record.scalars[1]) + " ranks, but there are " +
                    std::to_string(ranks) + (ranks == 1 ? " file" : " files"),
                "give the .meta file, or the .bin files of all ranks in their order");
  }
}

bool is_dumpi(const std::string& path) {
  if (DumpiReader::has_magic(path)) return true;
  std::ifstream in(path);
  std::string line;
  for (int lines = 0; lines < 64 && std::getline(in, line); ++lines)
    if (line.starts_with("fileprefix=")) return true;
  return false;
}

}  // namespace

Trace import_dumpi(const std::vector<std::string>& given, const ImportSettings& settings) {
  const auto files = files_of(given);
  ImportedJob job;
  job.program = files.front();
  job.mpi_library = "DUMPI trace";
  job.settings = settings;
  job.ranks = static_cast<std::int32_t>(files.size());
  DumpiCommunicators communicators(job.ranks);
  std::map<std::string, std::vector<Rank>> hosts;
  for (std::int32_t r = 0; r < job.ranks; ++r) {
    DumpiReader in(files[static_cast<std::size_t>(r)]);
    read_communicators(in, r, job.ranks, communicators);
    if (!in.host().empty()) hosts[in.host()].push_back(Rank{r});
  }
  for (const auto& [name, ranks] : hosts)
    job.hosts.push_back({name, 0, RankList::from_ranks(ranks)});
  communicators.resolve(job);
  PairwiseMerge merged;
  for (std::int32_t r = 0; r < job.ranks; ++r) {
    DumpiReader in(files[static_cast<std::size_t>(r)]);
    DumpiRank rank(job, Rank{r}, communicators);
    rank.read(in);
    merged.add(rank.finish());
    if (settings.progress) settings.progress(static_cast<double>(r + 1) / job.ranks);
  }
  return merged.finish();
}

extern const ImportFormat kDumpiFormat;
const ImportFormat kDumpiFormat = {
    "dumpi", "DUMPI traces: NAME.meta, the .bin files of all ranks, or one of them", true,
    &is_dumpi, &import_dumpi};

}  // namespace reprise::trace_io
