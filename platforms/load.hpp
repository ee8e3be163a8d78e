// SPDX-License-Identifier: MIT
// From a platform file to a Platform. Strict: see json/object_reader.hpp for what is refused and how it is said.
//
// The file format is described, key by key, in platform.schema.json, of which the parsers' key lists are made.
#pragma once

#include <string>

#include "platforms/json/document.hpp"
#include "platforms/platform.hpp"

namespace reprise::platforms {

// All throw InputError.
// A platform file as a document; one in XML is taken for a SimGrid platform (xml/simgrid_platform.hpp).
Document load_document(const std::string& path);
Platform parse_platform(const Document&);
Platform load_platform(const std::string& path);

}  // namespace reprise::platforms
