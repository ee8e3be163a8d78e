// SPDX-License-Identifier: MIT
// Platforms by name: `--platform ethernet-10g` or `--platform ./my-cluster.json`.
//
// A name with a '/' or one that ends in ".json" is a path. Any other is NAME.json in the first of these folders that has it:
//   each folder of REPRISE_PLATFORM_PATH (separated by ':'); share/reprise/machines beside the program's bin folder; the
//   folder of this build's installation; the source tree this was built from.
#pragma once

#include <string>
#include <vector>

namespace reprise::platforms {

struct CatalogueEntry {
  std::string name, path;
};

std::vector<std::string> platform_folders();

// What the folders hold, sorted by name; of equal names the one that find_platform takes.
std::vector<CatalogueEntry> list_platforms(const std::vector<std::string>& folders);

// The path of the file: NAME itself where it is one (a slash, .json, .xml, or a file that is there and no machine is called so). Throws
// InputError{WHERE, …} with the nearest name where there is none.
std::string find_platform(const std::string& name, const std::vector<std::string>& folders,
                          const std::string& where);

}  // namespace reprise::platforms
