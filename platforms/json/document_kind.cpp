// SPDX-License-Identifier: MIT
#include "platforms/json/document_kind.hpp"

#include <array>
#include <optional>
#include <string>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

struct Named {
  DocumentKind kind;
  const char* name;
  const char* where;  // such a file goes to
};

constexpr std::array kNamed{
    Named{DocumentKind::platform, "a platform", "use it with --platform"},
    Named{DocumentKind::scenario, "a scenario", "use it with --scenario"},
    Named{DocumentKind::study, "a study", "run it with: reprise study FILE"},
    Named{DocumentKind::noise, "a noise signature", "use it with --noise"},
    Named{DocumentKind::probe, "a measurement of reprise-probe",
          "make a platform from it with: reprise platform calibrate FILE"},
    Named{DocumentKind::answer, "the answer of a replay", "it is meant for programs: docs/JSON.md"},
    Named{DocumentKind::results, "the results of a study",
          "they are meant for programs: docs/JSON.md"}};

std::optional<DocumentKind> kind_of(const nlohmann::json& value) {
  if (!value.is_object()) return std::nullopt;
  const auto has = [&value](const char* key) { return value.contains(key); };
  if (has("predicted_time_s")) return DocumentKind::answer;
  if (has("points") && has("study")) return DocumentKind::results;
  if (has("measured_by")) {
    if (has("arrivals")) return DocumentKind::noise;
    return has("series") ? std::optional(DocumentKind::probe) : std::nullopt;
  }
  if (has("nodes")) return DocumentKind::platform;
  if (has("trace")) return DocumentKind::study;
  if (has("changes") && !has("axes")) return DocumentKind::scenario;
  return std::nullopt;
}

}  // namespace

void refuse_other_kind(const Document& document, DocumentKind wanted) {
  const auto kind = kind_of(document.value);
  if (!kind || *kind == wanted) return;
  const Named& is = kNamed[static_cast<std::size_t>(*kind)];
  throw InputError(
      document.file,
      std::string("is ") + is.name + ", not " + kNamed[static_cast<std::size_t>(wanted)].name,
      is.where);
}

}  // namespace reprise::platforms
