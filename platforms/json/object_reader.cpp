// SPDX-License-Identifier: MIT
#include "platforms/json/object_reader.hpp"

#include <algorithm>
#include <cmath>

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {

using nlohmann::json;

namespace {

// Quantities of a machine end here: what is beyond is a slip, and times made of it leave what a double can tell apart, or any double.
// 32 years; per second, of bytes or of floating-point operations.
constexpr double kLeastFactor = 1e-9, kMostFactor = 1e9, kMostSeconds = 1e9, kLeastRate = 1e-9,
                 kMostRate = 1e24;

}  // namespace

JsonPlace JsonPlace::child(std::string_view key) const {
  return {file, pointer + '/' + pointer_token(key)};
}
JsonPlace JsonPlace::child(std::size_t index) const {
  return {file, pointer + '/' + std::to_string(index)};
}
std::string JsonPlace::text() const { return pointer.empty() ? file : file + " at " + pointer; }

std::string pointer_token(std::string_view key) {
  std::string token;
  for (const char c : key) {
    if (c == '~')
      token += "~0";
    else if (c == '/')
      token += "~1";
    else
      token += c;
  }
  return token;
}

std::string describe_value(const json& value) {
  switch (value.type()) {
    case json::value_t::object:
      return "an object";
    case json::value_t::array:
      return "a list";
    case json::value_t::null:
      return "null";
    case json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case json::value_t::string:
      return "the text \"" + value.get<std::string>() + '"';
    default:
      return "the number " + value.dump();
  }
}

ObjectReader::ObjectReader(const json& value, JsonPlace place,
                           std::span<const std::string_view> known_keys)
    : value_(value), place_(std::move(place)), known_keys_(known_keys) {
  if (!value.is_object())
    throw InputError(place_.text(), "expected an object, found " + describe_value(value));
  for (const auto& [key, ignored] : value.items()) {
    if (std::find(known_keys.begin(), known_keys.end(), key) != known_keys.end()) continue;
    std::vector<std::string> absent, all;
    for (const std::string_view known : known_keys) {
      all.emplace_back(known);
      if (!has(known)) absent.emplace_back(known);
    }
    std::string hint;
    if (const auto nearest = nearest_word(key, absent)) {
      hint = "did you mean \"" + *nearest + "\"?";
    } else {
      for (const std::string& known : all) hint += (hint.empty() ? "" : ", ") + known;
      hint = "known here: " + hint;
    }
    throw InputError(place_.text(), "unknown key \"" + key + '"', hint);
  }
}

void ObjectReader::expect_format_1() {
  if (const std::uint64_t format = count("format", 1, 1'000'000); format != 1)
    refuse("format", "format " + std::to_string(format) + " is unknown",
           "this version reads format 1");
}

const json& ObjectReader::any(std::string_view key) {
  REPRISE_ASSERT(std::find(known_keys_.begin(), known_keys_.end(), key) != known_keys_.end(),
                 "only known keys are read");
  const auto found = value_.find(key);
  if (found == value_.end()) refuse_missing(key);
  read_.insert(std::string(key));
  return *found;
}

void ObjectReader::refuse_missing(std::string_view key) const {
  std::vector<std::string_view> missing = {key};
  for (const std::string_view other : known_keys_.first(required_))
    if (other != key && !has(other)) missing.push_back(other);
  std::string names;
  for (std::size_t i = 0; i < missing.size(); ++i)
    names += (i == 0                    ? ""
              : i + 1 == missing.size() ? " and "
                                        : ", ") +
             ('"' + std::string(missing[i]) + '"');
  throw InputError(place_.text(), missing.size() == 1 ? "the key " + names + " is missing"
                                                      : "the keys " + names + " are missing");
}

void ObjectReader::refuse(std::string_view key, const std::string& problem,
                          const std::string& hint) const {
  throw InputError(place_.child(key).text(), problem, hint);
}

void ObjectReader::refuse_type(std::string_view key, std::string_view expected) const {
  refuse(key, "expected " + std::string(expected) + ", found " + describe_value(*value_.find(key)));
}

std::string ObjectReader::text(std::string_view key) {
  const json& value = any(key);
  if (!value.is_string()) refuse_type(key, "a text");
  if (value.get_ref<const std::string&>().empty()) refuse(key, "the text is empty");
  return value.get<std::string>();
}

bool ObjectReader::flag(std::string_view key) {
  const json& value = any(key);
  if (!value.is_boolean()) refuse_type(key, "true or false");
  return value.get<bool>();
}

std::uint64_t ObjectReader::count(std::string_view key, std::uint64_t least, std::uint64_t most) {
  const json& value = any(key);
  if (!value.is_number_integer()) refuse_type(key, "a whole number");
  if (value.is_number_unsigned()) {
    const auto number = value.get<std::uint64_t>();
    if (number >= least && number <= most) return number;
  }
  refuse(key, value.dump() + " is not between " + std::to_string(least) + " and " +
                  std::to_string(most));
}

double ObjectReader::factor(std::string_view key) {
  const json& value = any(key);
  if (!value.is_number()) refuse_type(key, "a number");
  const double number = value.get<double>();
  if (!(number > 0)) refuse(key, value.dump() + " is not above zero");
  if (number < kLeastFactor || number > kMostFactor)
    refuse(key, value.dump() + " is not between 1e-9 and 1e9");
  return number;
}

std::string ObjectReader::quantity_text(std::string_view key, std::string_view example) {
  const json& value = any(key);
  if (value.is_number()) {
    refuse(key, "the number " + value.dump() + " has no unit",
           "write it as a text with its unit, such as " + std::string(example));
  }
  if (!value.is_string()) refuse_type(key, "a text such as " + std::string(example));
  return value.get<std::string>();
}

Seconds ObjectReader::seconds(std::string_view key) {
  const std::string text = quantity_text(key, "\"0.6 us\"");
  const Seconds time = parse_seconds(text, place_.child(key).text());
  if (time.value > kMostSeconds) refuse(key, '"' + text + "\" is more than 1e9 s");
  return time;
}

Bytes ObjectReader::bytes(std::string_view key) {
  return parse_bytes(quantity_text(key, "\"64 KiB\""), place_.child(key).text());
}

BytesPerSecond ObjectReader::bandwidth(std::string_view key) {
  const std::string text = quantity_text(key, "\"12.5 GB/s\"");
  const BytesPerSecond rate = parse_bytes_per_second(text, place_.child(key).text());
  if (rate.value <= 0) refuse(key, '"' + text + "\" is not above zero");
  if (rate.value < kLeastRate || rate.value > kMostRate)
    refuse(key, '"' + text + "\" is not between 1e-9 B/s and 1e24 B/s");
  return rate;
}

FlopPerSecond ObjectReader::speed(std::string_view key) {
  const std::string text = quantity_text(key, "\"8.9 Gflop/s\"");
  const FlopPerSecond rate = parse_flop_per_second(text, place_.child(key).text());
  if (rate.value <= 0) refuse(key, '"' + text + "\" is not above zero");
  if (rate.value < kLeastRate || rate.value > kMostRate)
    refuse(key, '"' + text + "\" is not between 1e-9 flop/s and 1e24 flop/s");
  return rate;
}

std::size_t ObjectReader::choice(std::string_view key, std::span<const std::string_view> names) {
  const std::string chosen = text(key);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == chosen) return i;
    all.emplace_back(names[i]);
  }
  std::string hint;
  if (const auto nearest = nearest_word(chosen, all)) {
    hint = "did you mean \"" + *nearest + "\"?";
  } else {
    for (const std::string& name : all) hint += (hint.empty() ? "one of: " : ", ") + name;
  }
  refuse(key, "unknown value \"" + chosen + '"', hint);
}

const json& ObjectReader::list(std::string_view key, std::size_t least) {
  const json& value = any(key);
  if (!value.is_array()) refuse_type(key, "a list");
  if (value.size() < least) {
    refuse(key, value.empty() ? "the list is empty"
                              : "the list has fewer than " + std::to_string(least) + " elements");
  }
  return value;
}

void ObjectReader::finish() const {
  for (const auto& [key, ignored] : value_.items())
    REPRISE_ASSERT(read_.contains(key), "every known key that is there is read");
}

}  // namespace reprise::platforms
