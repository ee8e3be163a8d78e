// SPDX-License-Identifier: MIT
#include "sim/validation/program_name.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>

namespace reprise::sim::validation {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> file_behind(const fs::path& path) {
  std::error_code failed;
  fs::path file = fs::canonical(path, failed);
  if (failed || !fs::is_regular_file(file, failed)) return std::nullopt;
  return file;
}

std::optional<fs::path> resolved(const fs::path& word, const fs::path& other) {
  if (word.has_parent_path()) return file_behind(word);
  if (other.has_parent_path())
    if (const auto beside = file_behind(other.parent_path() / word)) return beside;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const auto found = file_behind(fs::path(folder.empty() ? "." : folder) / word))
      return found;
  return std::nullopt;
}

}  // namespace

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool are_one_program(const std::string& first, const std::string& second) {
  if (base_name(first) == base_name(second)) return true;
  const auto a = resolved(first, second);
  return a && a == resolved(second, first);
}

}  // namespace reprise::sim::validation
