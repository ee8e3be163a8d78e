// SPDX-License-Identifier: MIT
#include "sim/study/study_file.hpp"

#include <array>
#include <filesystem>

#include "platforms/json/document_kind.hpp"
#include "sim/experiment/experiment.hpp"
#include "sim/study/application_file.hpp"
#include "sim/study/axis_file.hpp"
#include "sim/study/point_labels.hpp"
#include "sim/study/study_keys.hpp"  // made of study.schema.json
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::sim {
namespace {

using nlohmann::json;
using platforms::JsonPlace;
using platforms::ObjectReader;

constexpr std::uint64_t kMaxSeeds = 100'000;

class StudyParser {
 public:
  explicit StudyParser(const platforms::Document& document)
      : folder_(std::filesystem::path(document.file).parent_path().string()),
        reader_(document.value, {document.file, ""}, kStudyKeys.keys) {
    study_.file = document.file;
  }

  Study parse() {
    reader_.expect_format_1();
    if (reader_.has("$schema")) reader_.text("$schema");
    study_.name = reader_.text("name");
    study_.question = reader_.text("question");
    if (reader_.has("platform"))
      study_.platform = platform_beside_study(folder_, reader_.text("platform"));
    if (reader_.has("placement"))
      study_.placement = placement_beside_study(folder_, reader_.text("placement"),
                                                reader_.place().child("placement"));
    if (reader_.has("network")) study_.network = read_network(reader_);
    if (reader_.has("changes"))
      study_.changes = parse_changes(reader_.any("changes"), reader_.place().child("changes"));
    if (reader_.has("axes")) parse_axes();
    if (reader_.has("scenarios")) add_axis(scenario_axis(reader_, folder_), "scenarios");
    parse_applications(reader_, folder_, study_);
    parse_costs(reader_, study_);
    if (reader_.has("noise")) parse_noise();
    parse_seeds();
    parse_baseline();
    if (reader_.has("exclude")) parse_exclude();
    if (reader_.has("efficiencies")) study_.efficiencies = reader_.flag("efficiencies");
    if (reader_.has("sensitivities")) study_.sensitivities = reader_.flag("sensitivities");
    if (reader_.has("models")) study_.models = reader_.flag("models");
    if (reader_.has("limits")) parse_limits();
    reader_.finish();
    return std::move(study_);
  }

 private:
  void parse_axes() {
    const json& list = reader_.list("axes", 0);
    for (std::size_t i = 0; i < list.size(); ++i)
      add_axis(parse_axis(list[i], reader_.place().child("axes").child(i), folder_), "axes");
  }

  void add_axis(Axis axis, std::string_view key) {
    for (const Axis& other : study_.axes)
      if (other.name == axis.name)
        reader_.refuse(key, "two axes are called \"" + axis.name + '"',
                       "give each a name of its own");
    study_.axes.push_back(std::move(axis));
  }

  void parse_noise() {
    const std::string name = reader_.text("noise");
    study_.noise = name == "none" || name == "recorded" ? name : beside_study(folder_, name);
  }

  // Where nothing is drawn, more seeds are more of the same.
  void parse_seeds() {
    if (reader_.has("seeds"))
      study_.seeds = static_cast<std::uint32_t>(reader_.count("seeds", 1, kMaxSeeds));
    if (!reader_.has("deltas")) return;
    study_.deltas = static_cast<Deltas>(reader_.choice("deltas", kDeltasNames));
    const bool is_drawn = study_.deltas == Deltas::sample || study_.deltas == Deltas::ordered;
    if (study_.seeds > 1 && !is_drawn && !has_noise())
      reader_.refuse("seeds",
                     std::to_string(study_.seeds) +
                         " seeds, but no compute times are sampled with deltas \"" +
                         std::string(name_of(study_.deltas)) + "\" and no noise",
                     "leave out \"deltas\", or write \"deltas\": \"ordered\"");
  }

  bool has_noise() const {
    const auto noisy = [](const std::vector<Change>& changes) {
      for (const Change& change : changes)
        if (change.written.contains("noise")) return true;
      return false;
    };
    if (study_.noise != "none" || noisy(study_.changes)) return true;
    for (const Axis& axis : study_.axes)
      for (const AxisValue& value : axis.values)
        if (noisy(value.changes)) return true;
    return false;
  }

  static void need_object(const json& value, const JsonPlace& place) {
    if (!value.is_object())
      throw InputError(place.text(),
                       "expected an object, found " + platforms::describe_value(value));
  }

  // An axis that it does not name is at the value that changes nothing, else at its first.
  void parse_baseline() {
    for (const Axis& axis : study_.axes) study_.baseline.push_back(neutral_value(axis));
    study_.is_baseline_named = reader_.has("baseline");
    if (!study_.is_baseline_named) return;
    const JsonPlace place = reader_.place().child("baseline");
    const json& baseline = reader_.any("baseline");
    need_object(baseline, place);
    for (const auto& [name, label] : baseline.items()) {
      const std::size_t axis = axis_called(study_.axes, name, place);
      study_.baseline[axis] = value_called(study_.axes[axis], label, place.child(name));
    }
  }

  void parse_exclude() {
    const json& list = reader_.list("exclude", 0);
    for (std::size_t i = 0; i < list.size(); ++i) {
      const JsonPlace place = reader_.place().child("exclude").child(i);
      need_object(list[i], place);
      if (list[i].empty())
        throw InputError(place.text(), "leaves out every point",
                         "name an axis and the values to leave out");
      Exclusion exclusion = points_called(study_.axes, list[i], {}, place);
      const bool takes_baseline = matches(exclusion, study_.baseline);
      if (takes_baseline)
        throw InputError(place.text(), "leaves out the baseline",
                         "name another point in \"baseline\"");
      study_.exclude.push_back(std::move(exclusion));
    }
  }

  void parse_limits() {
    ObjectReader limits(reader_.any("limits"), reader_.place().child("limits"), kLimitsKeys);
    if (limits.has("cpu_time")) study_.limits.cpu_time = limits.seconds("cpu_time");
    if (limits.has("memory")) study_.limits.memory = limits.bytes("memory");
    if (limits.has("cpu_time") && study_.limits.cpu_time.value <= 0)
      limits.refuse("cpu_time", "zero is too little time");
    if (limits.has("memory") && study_.limits.memory.value < kLeastMemory.value)
      limits.refuse("memory", "less than 64 MiB is too little memory");
    limits.finish();
  }

  static constexpr Bytes kLeastMemory{std::uint64_t{64} << 20};
  std::string folder_;
  ObjectReader reader_;
  Study study_;
};

}  // namespace

Study parse_study(const platforms::Document& document) {
  refuse_other_kind(document, platforms::DocumentKind::study);
  return StudyParser(document).parse();
}
Study load_study(const std::string& path) { return parse_study(platforms::load_document(path)); }

}  // namespace reprise::sim
