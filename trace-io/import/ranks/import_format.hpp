// SPDX-License-Identifier: MIT
// A format that can be imported: its word, how a file of it is told from others, and its reader.
#pragma once

#include <string>
#include <vector>

#include "trace-io/import/ranks/import_settings.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct ImportFormat {
  const char* word;                             // as --format has it
  const char* description;                      // "OTF2 archives: the anchor file, NAME.otf2"
  bool takes_many;                              // whether a trace may be several files
  bool (*recognises)(const std::string& path);  // looks at the beginning of the file only
  // REQUIRES: at least one file; exactly one unless takes_many.
  Trace (*import)(const std::vector<std::string>& files, const ImportSettings&);
};

}  // namespace reprise::trace_io
