// SPDX-License-Identifier: MIT
// A verb of the reprise command: one file each, one row each in main.cpp's table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace reprise::cli {

using Arguments = std::vector<std::string>;

struct Verb {
  std::string_view name;
  std::string_view one_line;
  int (*run)(
      const Arguments&);  // the arguments after the verb; returns the exit status; throws InputError, RunError
};

extern const Verb kRecordVerb;
extern const Verb kTraceVerb;
extern const Verb kReplayVerb;
extern const Verb kStudyVerb;
extern const Verb kPlatformVerb;
extern const Verb kValidateVerb;
extern const Verb kExportVerb;
extern const Verb kImportVerb;
extern const Verb kCompareVerb;

inline constexpr int kDone = 0, kFailed = 1, kBadUsage = 2;

}  // namespace reprise::cli
