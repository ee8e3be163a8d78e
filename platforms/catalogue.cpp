// SPDX-License-Identifier: MIT
#include "platforms/catalogue.hpp"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <system_error>

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::platforms {

namespace fs = std::filesystem;

std::vector<std::string> platform_folders() {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("REPRISE_PLATFORM_PATH")) {
    std::string rest = path;
    while (!rest.empty()) {
      const std::size_t colon = rest.find(':');
      if (colon != 0) folders.push_back(rest.substr(0, colon));
      rest.erase(0, colon == std::string::npos ? rest.size() : colon + 1);
    }
  }
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error)
    folders.push_back((program.parent_path().parent_path() / "share/reprise/machines").string());
  folders.emplace_back(REPRISE_INSTALLED_MACHINES);
  folders.emplace_back(REPRISE_SOURCE_MACHINES);
  return folders;
}

std::vector<CatalogueEntry> list_platforms(const std::vector<std::string>& folders) {
  std::map<std::string, std::string> paths;
  for (const std::string& folder : folders) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
      if (entry->path().extension() == ".json")
        paths.try_emplace(entry->path().stem().string(), entry->path().string());
  }
  std::vector<CatalogueEntry> entries;
  for (const auto& [name, path] : paths) entries.push_back({name, path});
  return entries;
}

std::string find_platform(const std::string& name, const std::vector<std::string>& folders,
                          const std::string& where) {
  if (name.find('/') != std::string::npos || name.ends_with(".json") || name.ends_with(".xml"))
    return name;  // loading says whether it is there
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : list_platforms(folders)) {
    if (entry.name == name) return entry.path;
    names.push_back(entry.name);
  }
  std::error_code ignored;
  if (fs::is_regular_file(name, ignored)) return name;
  std::string hint;
  if (const auto nearest = nearest_word(name, names)) {
    hint = "did you mean \"" + *nearest + "\"?";
  } else {
    for (const std::string& known : names) hint += (hint.empty() ? "known: " : ", ") + known;
    hint += std::string(hint.empty() ? "give" : "; or give") + " the path of a platform file";
  }
  throw InputError(where, "no platform is called \"" + name + '"', hint);
}

}  // namespace reprise::platforms
