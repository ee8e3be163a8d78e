// SPDX-License-Identifier: MIT
// From a platform file to a Platform. Strict: see json/object_reader.hpp for what is refused and how it is said.
//
// The file format is described, key by key, in platform.schema.json; a test holds the two together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/json/document.hpp"
#include "platforms/platform.hpp"

namespace reprise::platforms {

// All throw InputError.
Platform parse_platform(const Document&);
Platform load_platform(const std::string& path);

// The keys that the parser knows in each kind of object, for the test against the schema. "platform" is the file itself.
struct ObjectKeys {
  std::string_view object;
  std::vector<std::string_view> required, optional;
};
std::vector<ObjectKeys> known_platform_keys();

}  // namespace reprise::platforms
