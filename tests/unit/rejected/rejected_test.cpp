// SPDX-License-Identifier: MIT
// Files that must be refused, each with its whole message.
//
// To add one  put KIND/NAME.json beside this source, and KIND/NAME.expected with the message: where (KIND/NAME.json, and the
//             place in it), problem, and in a second line the remedy. Where a key or a word is misspelt, the remedy names the
//             right one. Nothing else is to be done; `test_rejected` prints what a new file is refused with.
// To add a    kind, name its folder and its loader in kKinds.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/load.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/study_file.hpp"
#include "trace-io/base/error.hpp"

namespace {

namespace fs = std::filesystem;

struct Kind {
  std::string_view folder;
  void (*load)(const std::string& path);  // throws InputError
  std::size_t fewest;                     // files that there are at least
};

constexpr auto kKinds = std::to_array<Kind>({
    {"platform", [](const std::string& path) { reprise::platforms::load_platform(path); }, 115},
    {"scenario", [](const std::string& path) { reprise::sim::load_scenario(path); }, 40},
    {"study", [](const std::string& path) { reprise::sim::load_study(path); }, 35},
});

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> files_in(std::string_view folder, std::string_view suffix) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(REPRISE_REJECTED) / folder))
    if (entry.path().extension() == suffix) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The message that the file is refused with, its places named from the corpus' folder on, and a line break.
std::string refusal_of(const Kind& kind, const fs::path& file) {
  try {
    kind.load(file.string());
  } catch (const reprise::InputError& error) {
    std::string message = error.what();
    const std::string root = std::string(REPRISE_REJECTED) + '/';
    for (std::size_t at; (at = message.find(root)) != std::string::npos;)
      message.erase(at, root.size());
    return message + '\n';
  }
  return "accepted\n";
}

}  // namespace

TEST_CASE("rejected files: each is refused with the message beside it", "[rejected]") {
  for (const Kind& kind : kKinds)
    for (const fs::path& file : files_in(kind.folder, ".json"))
      CHECK(refusal_of(kind, file) == text_of(fs::path(file).replace_extension(".expected")));
}

TEST_CASE("rejected files: no message is without its file, and none of them is gone",
          "[rejected]") {
  for (const Kind& kind : kKinds) {
    CHECK(files_in(kind.folder, ".json").size() >= kind.fewest);
    for (const fs::path& message : files_in(kind.folder, ".expected"))
      CHECK(fs::exists(fs::path(message).replace_extension(".json")));
  }
}
