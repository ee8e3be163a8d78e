// SPDX-License-Identifier: MIT
// The formats, and the two that are the answer's JSON as it is.
#include <algorithm>
#include <array>

#include "sim/formats/format.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {

#define X(format) extern const Format format;
#include "sim/formats/formats.def"
#undef X

extern const Format kJson = {.name = "json",
                             .write = [](const Answer& answer, const Presentation& shown) {
                               return json_text(to_json(answer, shown.details));
                             }};

extern const Format kCsv = {.name = "csv",
                            .is_one_table = true,
                            .write = [](const Answer& answer, const Presentation& shown) {
                              if (!shown.details || shown.order.empty())
                                return csv_text(ranks_json(answer.outcome));
                              for (const auto& [detail, figure] : answer.details)
                                if (detail == shown.order.front()) return csv_text(figure->rows());
                              return std::string();
                            }};

namespace {

constexpr auto kFormats = std::to_array<const Format*>({
#define X(format) &(format),
#include "sim/formats/formats.def"
#undef X
});

}  // namespace

std::span<const Format* const> formats() { return kFormats; }

std::string format_names() {
  std::string names;
  for (const Format* format : kFormats)
    names += (names.empty() ? "" : "|") + std::string(format->name);
  return names;
}

const Format& format_named(std::string_view name) {
  const auto found = std::find_if(kFormats.begin(), kFormats.end(),
                                  [&](const Format* format) { return format->name == name; });
  REPRISE_ASSERT(found != kFormats.end(), "the format is one of those that there are");
  return **found;
}

}  // namespace reprise::sim
