// SPDX-License-Identifier: MIT
#include "sim/study/application_file.hpp"

#include <cmath>
#include <set>

#include "sim/study/axis_file.hpp"
#include "sim/study/point_labels.hpp"
#include "sim/study/study_keys.hpp"  // made of study.schema.json
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using nlohmann::json;
using platforms::JsonPlace;
using platforms::ObjectReader;

constexpr std::uint64_t kMostRanks = std::uint64_t{1} << 22;

std::vector<std::string> texts_of(ObjectReader& reader, std::string_view key) {
  std::vector<std::string> texts;
  for (const json& word : reader.list(key, 1)) {
    if (!word.is_string())
      reader.refuse(key, "expected texts, found " + platforms::describe_value(word));
    texts.push_back(word.get<std::string>());
  }
  return texts;
}

std::vector<std::string> traces_of(ObjectReader& reader, const std::string& folder) {
  if (reader.has("trace") == reader.has("traces"))
    throw InputError(reader.place().text(),
                     reader.has("trace") ? "both \"trace\" and \"traces\"" : "there is no trace",
                     "name one recording with \"trace\", or several runs or numbers of ranks "
                     "with \"traces\"");
  if (reader.has("trace")) return {beside_study(folder, reader.text("trace"))};
  std::vector<std::string> paths;
  for (const auto& path : texts_of(reader, "traces")) paths.push_back(beside_study(folder, path));
  return paths;
}

class ApplicationParser {
 public:
  ApplicationParser(const std::vector<Axis>& axes, const std::string& folder)
      : axes_(axes), folder_(folder) {}

  Application parse(const json& value, const JsonPlace& place) const {
    ObjectReader reader(value, place, kApplicationKeys);
    Application parsed;
    parsed.place = place;
    parsed.label = reader.text("label");
    parsed.traces = traces_of(reader, folder_);
    if (reader.has("record")) parsed.record = texts_of(reader, "record");
    if (reader.has("weight")) parsed.weight = weight_of(reader);
    if (reader.has("placement")) parsed.placement = placement_of(reader);
    if (reader.has("ranks")) parsed.ranks = ranks_of(reader);
    if (reader.has("changes"))
      parsed.changes = parse_changes(reader.any("changes"), place.child("changes"));
    if (reader.has("cases")) {
      const json& list = reader.list("cases", 1);
      for (std::size_t i = 0; i < list.size(); ++i)
        parsed.cases.push_back(case_of(list[i], place.child("cases").child(i)));
    }
    reader.finish();
    return parsed;
  }

 private:
  static double weight_of(ObjectReader& reader) {
    const json& value = reader.any("weight");
    if (!value.is_number() || !std::isfinite(value.get<double>()) || value.get<double>() < 0)
      reader.refuse("weight",
                    "expected a number of zero or more, found " + platforms::describe_value(value),
                    "a weight is the share of the jobs, in any unit: 3, 0.5");
    return value.get<double>();
  }

  std::string placement_of(ObjectReader& reader) const {
    return placement_beside_study(folder_, reader.text("placement"),
                                  reader.place().child("placement"));
  }

  static std::uint32_t ranks_of(ObjectReader& reader) {
    return static_cast<std::uint32_t>(reader.count("ranks", 1, kMostRanks));
  }

  ApplicationCase case_of(const json& value, const JsonPlace& place) const {
    static const std::vector<std::string> own_keys = {"changes", "placement", "ranks"};
    ApplicationCase parsed;
    parsed.where = points_called(axes_, value, own_keys, place);
    if (parsed.where.axes.empty())
      throw InputError(place.text(), "names no machine",
                       "name an axis and its label, such as \"machine\": \"" +
                           (axes_.empty() ? std::string("…") : axes_[0].values[0].label) + '"');
    std::vector<std::string_view> keys(own_keys.begin(), own_keys.end());
    for (const Axis& axis : axes_) keys.emplace_back(axis.name);
    ObjectReader reader(value, place, keys);
    for (const auto& [axis, values] : parsed.where.axes) reader.any(axes_[axis].name);
    if (reader.has("changes"))
      parsed.changes = parse_changes(reader.any("changes"), place.child("changes"));
    if (reader.has("placement")) parsed.placement = placement_of(reader);
    if (reader.has("ranks")) parsed.ranks = ranks_of(reader);
    reader.finish();
    return parsed;
  }

  const std::vector<Axis>& axes_;
  const std::string& folder_;
};

void check_basket(ObjectReader& file, Study& study) {
  std::set<std::string> labels;
  double sum = 0;
  for (const Application& one : study.applications) {
    if (!labels.insert(one.label).second)
      throw InputError(one.place.text(), "two applications are called \"" + one.label + '"',
                       "give each a label of its own");
    sum += one.weight;
  }
  if (sum <= 0)
    file.refuse("applications", "all weights are 0", "give the relevant ones a weight above 0");
  for (Application& one : study.applications) one.weight /= sum;
  for (const Axis& axis : study.axes)
    if (axis.name == kApplicationAxis)
      file.refuse("axes", "an axis is called \"application\" beside a basket of applications",
                  "give the axis another name");
  bool always_named = false;
  for (const Axis& axis : study.axes) {
    bool every_value = true;
    for (const AxisValue& value : axis.values) every_value &= value.platform.has_value();
    always_named |= every_value;
  }
  if (study.platform.empty() && !always_named)
    file.refuse("applications", "no platform is named for some of the points",
                "name one with \"platform\", or in every value of an axis: each application was "
                "recorded on a machine of its own");
}

}  // namespace

void parse_applications(ObjectReader& file, const std::string& folder, Study& study) {
  study.is_basket = file.has("applications");
  if (!study.is_basket) {
    Application one;
    one.place = file.place();
    one.traces = traces_of(file, folder);
    if (file.has("record")) one.record = texts_of(file, "record");
    study.applications.push_back(std::move(one));
    return;
  }
  for (const char* key : {"trace", "traces", "record"})
    if (file.has(key))
      file.refuse(key, "cannot be combined with \"applications\"",
                  "each application names its own; leave one of the two out");
  const json& list = file.list("applications", 1);
  const ApplicationParser parser(study.axes, folder);
  for (std::size_t i = 0; i < list.size(); ++i)
    study.applications.push_back(
        parser.parse(list[i], file.place().child("applications").child(i)));
  check_basket(file, study);
}

void parse_costs(ObjectReader& file, Study& study) {
  if (file.has("electricity")) {
    ObjectReader reader(file.any("electricity"), file.place().child("electricity"),
                        kElectricityKeys);
    if (reader.has("price"))
      study.electricity = platforms::parse_per_kilowatt_hour(reader.text("price"),
                                                             reader.place().child("price").text());
    if (reader.has("co2")) {
      study.carbon = platforms::parse_per_kilowatt_hour(reader.text("co2"),
                                                        reader.place().child("co2").text());
      if (study.carbon->currency != "g")
        reader.refuse("co2", '"' + study.carbon->currency + "\" is not grams",
                      "write grams, such as \"380 g/kWh\"");
    }
    reader.finish();
  }
  if (file.has("years")) study.years = file.factor("years");
}

}  // namespace reprise::sim
