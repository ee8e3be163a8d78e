// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "sim/cli/trace_actions.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/merge.hpp"

namespace reprise::cli {
namespace {
namespace fs = std::filesystem;

std::vector<fs::path> parts_in(const std::string& folder) {
  std::error_code failed;
  std::vector<fs::path> parts;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".part") parts.push_back(entry.path());
  if (failed)
    throw InputError(folder, "cannot be read: " + failed.message(),
                     "name the FILE.reprise.parts folder that the program left");
  if (parts.empty())
    throw InputError(folder, "holds no parts of a trace",
                     "name the FILE.reprise.parts folder that the program left");
  std::sort(parts.begin(), parts.end(), [](const fs::path& a, const fs::path& b) {
    const auto x = a.string(), y = b.string();
    return x.size() != y.size() ? x.size() < y.size() : x < y;  // rank-2 before rank-10
  });
  return parts;
}

std::vector<trace_io::Trace> readable(const std::vector<fs::path>& parts) {
  std::vector<trace_io::Trace> traces;
  for (const auto& part : parts) {
    try {
      traces.push_back(trace_io::load(part));
    } catch (const InputError& error) {
      std::fprintf(stderr, "reprise: warning: left out: %s\n", error.what());
    }
  }
  return traces;
}

}  // namespace

trace_io::Trace salvage_parts(const std::string& folder) {
  auto level = readable(parts_in(folder));
  if (level.empty()) throw InputError(folder, "no part in it can be read", "");
  while (level.size() > 1) {  // neighbours first: they are the most alike
    std::vector<trace_io::Trace> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2)
      next.push_back(trace_io::merge(std::move(level[i]), std::move(level[i + 1])));
    if (level.size() % 2) next.push_back(std::move(level.back()));
    level = std::move(next);
  }
  trace_io::finalize(level.front());  // not done yet where ranks are missing
  trace_io::round_durations(level.front());
  level.front().header.complete = false;
  return std::move(level.front());
}

}  // namespace reprise::cli
