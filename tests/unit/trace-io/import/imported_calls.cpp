// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/import/imported_calls.hpp"

#include <unistd.h>

#include <fstream>

#include "trace-io/walk/cursor.hpp"

namespace reprise::trace_io {

std::vector<std::string> calls_of(const Trace& trace, std::int32_t rank) {
  const Programs programs(trace);
  Cursor cursor(programs, Rank{rank}, 0);
  std::vector<std::string> calls;
  while (cursor.advance()) {
    std::string text(cursor.procedure().name);
    for (const auto value : cursor.scalars()) text += " " + std::to_string(value);
    for (std::size_t i = 0; i < vector_count(cursor.procedure()); ++i) {
      text += " |";
      for (const auto value : cursor.vector(i)) text += " " + std::to_string(value);
    }
    calls.push_back(text);
  }
  return calls;
}

std::vector<std::string> losses_of(const Trace& trace) {
  std::vector<std::string> losses;
  for (const auto& loss : trace.losses)
    losses.push_back(loss.name + ": " + std::to_string(loss.count));
  return losses;
}

std::pair<std::int64_t, std::int64_t> times_of(const Trace& trace, std::int32_t rank,
                                               std::size_t call) {
  const Programs programs(trace);
  Cursor cursor(programs, Rank{rank}, 0);
  for (std::size_t i = 0; i <= call; ++i)
    if (!cursor.advance()) return {-1, -1};
  const auto sum = [](const DeltaClass* delta) {
    return delta == nullptr ? 0 : delta->durations.sum().value;
  };
  return {sum(cursor.compute()), sum(cursor.communicate())};
}

ScratchFolder::ScratchFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "reprise-import-XXXXXX").string();
  folder_ = mkdtemp(pattern.data());
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string ScratchFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name)) << text;
  return path(name);
}

}  // namespace reprise::trace_io
