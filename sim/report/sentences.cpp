// SPDX-License-Identifier: MIT
#include "sim/report/sentences.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/report/number_text.hpp"
#include "sim/report/study_page.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

constexpr char kBegin = '\x02', kEnd = '\x03';

double number_at(const ordered_json& object, const char* key, double otherwise) {
  const auto* value = find(object, key);
  return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
}

// A list of kinds, the first that has something to say says it.
constexpr std::string (*kFirst[])(const StudyView&) = {damage_sentence, numeric_sentence,
                                                       choice_sentence};

// The fastest that can be told apart from the fastest of all.
const PointView* next_after_tie(const StudyView& view) {
  for (const PointView& point : view.points)
    if (point.is_done && &point != view.fastest() && !against_fastest(view, point).is_alike())
      return &point;
  return nullptr;
}

std::vector<const PointView*> tied(const StudyView& view) {
  std::vector<const PointView*> points;
  for (const PointView& point : view.points)
    if (point.is_done && &point != view.fastest() && against_fastest(view, point).is_alike())
      points.push_back(&point);
  return points;
}

std::string first_lack(const StudyView& view) {
  const auto* certainty = find(*view.json, "certainty");
  const auto& lacks =
      certainty == nullptr ? part_of(*view.json, "none") : part_of(*certainty, "lacks");
  return lacks.empty() ? "" : lacks[0].get<std::string>();
}

// Of a study with one point.
std::string band_sentence(const StudyView& view) {
  const auto* band = find(*view.fastest()->json, "band");
  const std::string lack = first_lack(view);
  if (band == nullptr)
    return lack.empty() ? "" : "How sure: unknown, because nothing is known about " + lack + ".";
  const double low = number_at(*band, "low_s", 0), high = number_at(*band, "high_s", 0);
  const TimeUnit unit = unit_for(high);
  return "How sure: with a probability of 95\u202f% one run takes " +
         range_text(low, high, unit, " to ") + "\u202f" + unit.name +
         (lack.empty() ? "" : ". Not included: " + lack) + ".";
}

std::string sure_sentence(const StudyView& view) {
  const PointView& fastest = *view.fastest();
  const auto* certainty = find(*view.json, "certainty");
  if (certainty == nullptr || view.done() == 0) return "";
  if (view.done() == 1) return view.points.size() == 1 ? band_sentence(view) : "";
  std::string text = "How sure: ";
  const auto same = tied(view);
  const PointView* next = next_after_tie(view);
  const PointView* other = same.empty() ? next : same.front();
  if (other == nullptr) return "";
  const Comparison against = against_fastest(view, *other);
  if (!against.probability)
    return text + "unknown, because nothing is known about " + first_lack(view) + ".";
  const double first = number_at(*fastest.json, "probability_fastest", -1);
  text += bold(fastest.name) + " takes less time than " + bold(other->name) +
          " with a probability of " + probability_text(1 - *against.probability);
  if (same.empty())
    text += interval_text(against, false);
  else if (next != nullptr)
    if (const Comparison apart = against_fastest(view, *next); apart.probability)
      text += ", and than " + bold(next->name) + ", the next that clearly differs, with " +
              probability_text(1 - *apart.probability);
  if (first >= 0 && view.done() > 2)
    text += "; it is the fastest of all with " + probability_text(first);
  if (const auto lack = first_lack(view); !lack.empty()) text += ". Not included: " + lack;
  return text + ".";
}

std::string limit_sentence(const StudyView& view) {
  const PointView& fastest = *view.fastest();
  const std::string limit = limit_of(fastest);
  if (limit.empty()) return "";
  return (view.done() > 1 ? bold(fastest.name) + " is limited by " : "It is limited by ") + limit +
         ".";
}

// Under another network model another point may be the fastest.
std::string models_text(const StudyView& view) {
  std::map<std::string, std::pair<double, const PointView*>> best;
  for (const PointView& point : view.points)
    for (const auto& model : part_of(*point.json, "models")) {
      const std::string name = model.value("network", "");
      const double time = point.time * number_at(model, "ratio", 1);
      const auto [at, is_new] = best.try_emplace(name, time, &point);
      if (!is_new && time < at->second.first) at->second = {time, &point};
    }
  std::string text;
  for (const auto& [name, found] : best)
    if (found.second != view.fastest() && !against_fastest(view, *found.second).is_alike())
      text += (text.empty() ? "with the " : ", with the ") + name + " network " +
              bold(found.second->name) + " would be first";
  return text;
}

// By how much messages on the fastest point's machine must be dearer, so that OTHER is before it.
std::string calibration_text(const StudyView& view, const PointView& other) {
  const PointView& fastest = *view.fastest();
  if (fastest.band == nullptr) return "";
  const double u = number_at(*fastest.band, "uncertainty", 0),
               low = number_at(*fastest.band, "low_s", 0),
               high = number_at(*fastest.band, "high_s", 0);
  if (u <= 0 || low <= 0 || high <= low) return "";
  const double step = std::log(high / low) / 2, gap = std::log(other.time / fastest.time),
               z = gap / step;
  if (z > 3) return "";
  return "messages " + percent(std::pow(1 + u, z) - 1) +
         " more expensive than calibrated would put " + bold(other.name) + " before it";
}

std::string change_sentence(const StudyView& view) {
  if (view.done() < 2 || find(*view.json, "certainty") == nullptr) return "";
  const PointView* next = next_after_tie(view);
  std::string text = models_text(view);
  if (next != nullptr)
    if (const auto more = calibration_text(view, *next); !more.empty())
      text += (text.empty() ? "" : "; ") + more;
  if (!text.empty()) return "What would change the ranking: " + text + ".";
  const auto same = tied(view);
  const auto* band = find(*view.fastest()->json, "band");
  if (same.empty() || band == nullptr) return "";
  const auto* shares = find(*band, "shares");
  if (shares == nullptr) return "";
  const std::pair<const char*, const char*> names[] = {
      {"compute_times", view.fastest()->recordings > 1
                            ? "how much runs differ, which more recordings reduce"
                            : "how much compute times vary, which more seeds reduce"},
      {"calibration", "the fit error of the machine's file"},
      {"network_model", "the difference between network models"}};
  const auto* most =
      std::max_element(std::begin(names), std::end(names), [&](const auto& a, const auto& b) {
        return number_at(*shares, a.first, 0) < number_at(*shares, b.first, 0);
      });
  if (number_at(*shares, most->first, 0) <= 0) return "";
  return std::string("Most of the uncertainty is ") + most->second + " (" +
         percent(number_at(*shares, most->first, 0)) + " of the variance).";
}

}  // namespace

std::string bold(const std::string& name) { return kBegin + name + kEnd; }

std::string plain(const std::string& sentence) {
  std::string text = sentence;
  std::erase_if(text, [](char c) { return c == kBegin || c == kEnd; });
  return text;
}

markup::Markup marked_up(const std::string& sentence) {
  markup::Markup text;
  for (std::size_t at = 0; at < sentence.size();) {
    const std::size_t begin = std::min(sentence.find(kBegin, at), sentence.size());
    const std::size_t end = std::min(sentence.find(kEnd, begin), sentence.size());
    text += plain(sentence.substr(at, begin - at));
    if (begin < sentence.size())
      text += markup::element("strong", plain(sentence.substr(begin, end - begin)));
    at = std::max(end, begin) + 1;
  }
  return text;
}

bool Comparison::is_alike() const {
  if (std::abs(ratio - 1) <= 0.005) return true;
  return low && high && *low <= 1 && *high >= 1;
}

std::string probability_text(double probability) {
  if (probability > 0.999) return "more than 99.9\u202f%";
  if (probability < 0.001) return "less than 0.1\u202f%";
  return percent(probability);
}

Comparison comparison_of(const ordered_json& json) {
  Comparison found;
  found.ratio = number_at(json, "ratio", 1);
  if (const auto* probability = find(json, "probability")) {
    found.probability = probability->get<double>();
    found.low = number_at(json, "low", found.ratio);
    found.high = number_at(json, "high", found.ratio);
  }
  return found;
}

Comparison against_fastest(const StudyView& view, const PointView& point) {
  if (const auto* json = find(*point.json, "against_fastest")) return comparison_of(*json);
  const double least = view.fastest()->time;
  return {.ratio = least > 0 ? point.time / least : 1, .low = {}, .high = {}, .probability = {}};
}

std::optional<Comparison> effect_of(const PointView& point, const std::string& axis) {
  const auto* effects = find(*point.json, "effects");
  const auto* effect = effects == nullptr ? nullptr : find(*effects, axis.c_str());
  if (effect == nullptr) return std::nullopt;
  return comparison_of(*effect);
}

std::string interval_text(const Comparison& found, bool is_turned) {
  if (!found.low || !found.high || *found.low <= 0 || *found.low == *found.high) return "";
  const double low = is_turned ? 1 / *found.high : *found.low,
               high = is_turned ? 1 / *found.low : *found.high;
  const std::string from = digits(low, 3), to = digits(high, 3);
  return from == to ? "" : " (95\u202f%: " + from + " to " + to + ")";
}

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  const bool is_cut = names.size() > kMost + 1;
  const std::size_t shown = is_cut ? kMost : names.size();
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + bold(names[i]);
  return is_cut ? text + " and " + counted(names.size() - kMost, "other") : text;
}

std::string ratio_text(double ratio) {
  if (ratio > 0 && ratio <= 0.995) return digits(1 / ratio, 3) + " times as fast";
  return ratio < 1.005 ? "as long" : digits(ratio, 3) + " times as long";
}

std::string time_text(const PointView& point) {
  if (point.seeds == 1) return seconds(point.time);
  const TimeUnit unit = unit_for(point.time);
  return seconds(point.time) + " (" + range_text(point.low, point.high, unit, " to ") + "\u202f" +
         unit.name + " over " +
         (point.recordings > 1 ? counted(point.recordings, "recording")
                               : counted(point.seeds, "seed")) +
         ")";
}

std::vector<std::string> answer_sentences(const StudyView& view) {
  if (view.fastest() == nullptr) return {"No simulation of this study has a result."};
  if (auto of_offers = offers_sentences(view); !of_offers.empty()) return of_offers;
  std::vector<std::string> sentences;
  for (const auto kind : kFirst)
    if (auto text = kind(view); !text.empty()) {
      sentences.push_back(std::move(text));
      break;
    }
  for (auto text : {sure_sentence(view), limit_sentence(view), change_sentence(view)})
    if (!text.empty()) sentences.push_back(std::move(text));
  return sentences;
}

}  // namespace reprise::sim::report

namespace reprise::sim {

nlohmann::ordered_json answer_sentences(const nlohmann::ordered_json& results) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& sentence : report::answer_sentences(report::view_of(results)))
    list.push_back(report::plain(sentence));
  return list;
}

}  // namespace reprise::sim
