// SPDX-License-Identifier: MIT
#include "sim/report/sentences.hpp"

#include <algorithm>

#include "sim/report/number_text.hpp"
#include "sim/report/study_page.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

constexpr char kBegin = '\x02', kEnd = '\x03';

// A list of kinds, the first that has something to say says it.
constexpr std::string (*kFirst[])(const StudyView&) = {damage_sentence, numeric_sentence,
                                                       choice_sentence};

std::string limit_sentence(const StudyView& view) {
  const PointView& fastest = *view.fastest();
  const std::string limit = limit_of(fastest);
  if (limit.empty()) return "";
  if (view.done() < 2) return "It is limited by " + limit + ".";
  return "The run with " + bold(fastest.name) + " is limited by " + limit + ".";
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

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  const bool is_cut = names.size() > kMost + 1;
  const std::size_t shown = is_cut ? kMost : names.size();
  bool has_commas = false;
  for (std::size_t i = 0; i < shown; ++i) has_commas |= names[i].find(", ") != std::string::npos;
  const char* const between = has_commas ? "; " : ", ";
  const char* const before_last = has_commas && names.size() > 2 ? "; and " : " and ";
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? before_last : between) + bold(names[i]);
  return is_cut ? text + before_last + counted(names.size() - kMost, "other") : text;
}

std::string ratio_text(double ratio) {
  if (ratio > 0 && ratio <= 0.995) return digits(1 / ratio, 3) + " times as fast";
  return ratio < 1.005 ? "as long" : digits(ratio, 3) + " times as long";
}

std::string time_text(const PointView& point) {
  if (point.seeds == 1) return seconds(point.time);
  const TimeUnit unit = unit_for(point.time);
  return seconds(point.time) + " (median; " + range_text(point.low, point.high, unit, " to ") +
         "\u202f" + unit.name + " over " +
         (point.recordings > 1 ? counted(point.recordings, "recording")
                               : counted(point.seeds, "seed")) +
         ")";
}

std::string lacks_sentence(const StudyView& view) {
  if (view.done() == 0) return "";
  std::string text;
  for (const auto& lack : part_of(part_of(*view.json, "certainty"), "lacks"))
    text += (text.empty() ? "Not included: " : "; ") + lack.get<std::string>();
  return text.empty() ? text : text + ".";
}

std::vector<std::string> answer_sentences(const StudyView& view) {
  if (view.fastest() == nullptr && view.missing() > 0)
    return {"No answer yet: " + std::to_string(view.missing()) + " of " +
            counted(view.points.size(), "point") +
            (view.missing() == 1 ? " lacks simulations." : " lack simulations.")};
  if (view.fastest() == nullptr) return {"No simulation of this study has a result."};
  if (auto of_offers = offers_sentences(view); !of_offers.empty()) return of_offers;
  std::vector<std::string> sentences;
  for (const auto kind : kFirst)
    if (auto text = kind(view); !text.empty()) {
      sentences.push_back(std::move(text));
      break;
    }
  if (view.done() > 1)
    if (auto text = apart_sentence(view, first_place(view)); !text.empty())
      sentences.push_back(std::move(text));
  if (auto text = nodes_sentence(view); !text.empty()) sentences.push_back(std::move(text));
  for (auto& text : axis_sentences(view)) sentences.push_back(std::move(text));
  for (auto& text : crossing_sentences(view)) sentences.push_back(std::move(text));
  for (auto text : {sure_sentence(view), bands_sentence(view), models_sentence(view),
                    limit_sentence(view), change_sentence(view)})
    if (!text.empty()) sentences.push_back(std::move(text));
  return sentences;
}

}  // namespace reprise::sim::report

namespace reprise::sim {

nlohmann::ordered_json answer_sentences(const nlohmann::ordered_json& results) {
  const auto view = report::view_of(results);
  auto list = nlohmann::ordered_json::array();
  for (const auto& sentence : report::answer_sentences(view))
    list.push_back(report::plain(sentence));
  if (const auto lacks = report::lacks_sentence(view); !lacks.empty())
    list.front() = list.front().get<std::string>() + " " + report::plain(lacks);
  return list;
}

}  // namespace reprise::sim
