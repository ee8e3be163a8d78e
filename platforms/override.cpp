// SPDX-License-Identifier: MIT
#include "platforms/override.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include "platforms/json/object_reader.hpp"
#include "platforms/json/platform_keys.hpp"
#include "platforms/load.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;

// Pointers to everything inside VALUE.
void list_pointers(const json& value, const std::string& pointer, std::vector<std::string>& into) {
  if (!pointer.empty()) into.push_back(pointer);
  if (value.is_object()) {
    for (const auto& [key, child] : value.items())
      list_pointers(child, pointer + '/' + pointer_token(key), into);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      list_pointers(value[i], pointer + '/' + std::to_string(i), into);
  }
}

// "/network/link" as its parts, in their escaped form.
std::vector<std::string> split_pointer(const std::string& pointer) {
  std::vector<std::string> tokens;
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    tokens.push_back(pointer.substr(begin, end - begin));
    begin = end + 1;
  }
  return tokens;
}

std::vector<std::string> tokens_in(const json& value) {
  std::vector<std::string> tokens;
  if (value.is_object()) {
    for (const auto& [key, child] : value.items()) tokens.push_back(pointer_token(key));
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) tokens.push_back(std::to_string(i));
  }
  return tokens;
}

// The part of VALUE that TOKEN leads to, nullptr if there is none. Not the library's own look-up: that one asserts on
// pointers from outside, or creates what is missing.
json* find_child(json& value, const std::string& token) {
  if (value.is_object()) {
    for (auto& [key, child] : value.items())
      if (pointer_token(key) == token) return &child;
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i)
      if (std::to_string(i) == token) return &value[i];
  }
  return nullptr;
}

// POINTER leads nowhere: with every part put right, or as the end of a longer one; else what there is where it ends.
std::string setting_hint(json& root, const std::string& pointer) {
  json* value = &root;
  std::string corrected;
  for (const std::string& token : split_pointer(pointer)) {
    const std::vector<std::string> known = tokens_in(*value);
    json* next = find_child(*value, token);
    const auto nearest = next != nullptr ? std::optional(token) : nearest_word(token, known);
    if (!nearest) {
      std::vector<std::string> pointers;
      list_pointers(root, "", pointers);
      for (const std::string& longer : pointers)
        if (longer.ends_with(pointer)) return "did you mean \"" + longer + "\"?";
      std::string names;
      for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
      if (names.empty()) return corrected + " is " + describe_value(*value);
      return "known in " + (corrected.empty() ? "/" : corrected) + ": " + names;
    }
    value = find_child(*value, *nearest);
    corrected += '/' + *nearest;
  }
  return "did you mean \"" + corrected + "\"?";
}

// A key that some object of a platform file may have; whether this object may is for the parser to say.
bool is_key(const std::string& token) {
  return std::find(kEveryKey.begin(), kEveryKey.end(), token) != kEveryKey.end();
}

// What a file may leave out and POINTER names in full; nullptr where it is there, or is no such thing. An end of a longer pointer is no setting
// of its own: "/link/latency" means "/network/link/latency".
json* make_setting(Document& document, const std::string& pointer) {
  if (!pointer.starts_with('/') || !document.value.is_object()) return nullptr;
  json* value = &document.value;
  const std::vector<std::string> tokens = split_pointer(pointer);
  std::size_t found = 0;
  for (; found < tokens.size(); ++found) {
    json* child = find_child(*value, tokens[found]);
    if (child == nullptr) break;
    value = child;
  }
  if (found == tokens.size() || !value->is_object()) return nullptr;
  // "/mpi/collectives/allreduce": its keys are procedures.
  const bool is_free = pointer.starts_with("/mpi/collectives/");
  for (std::size_t i = found; i < tokens.size(); ++i)
    if (!is_key(tokens[i]) && !(is_free && i > 1)) return nullptr;
  if (found == 0 && tokens.size() > 1) {
    std::vector<std::string> pointers;
    list_pointers(document.value, "", pointers);
    for (const std::string& longer : pointers)
      if (longer.ends_with(pointer)) return nullptr;
  }
  for (std::size_t i = found; i < tokens.size(); ++i) value = &(*value)[tokens[i]];
  return value;
}

// A quantity or a word, or a value of JSON: what is not JSON is a text.
bool is_json(std::string_view value) {
  return value.starts_with('"') || value.starts_with('[') || value.starts_with('{') ||
         json::accept(value);
}

json& find_setting(Document& document, const std::string& pointer, const std::string& where) {
  if (!pointer.starts_with('/'))
    throw InputError(where, "\"" + pointer + "\" is not a setting",
                     "write a path such as \"/network/link/latency\"");
  json* value = &document.value;
  for (const std::string& token : split_pointer(pointer)) {
    value = find_child(*value, token);
    if (value == nullptr) {
      throw InputError(where, document.file + " has no setting \"" + pointer + '"',
                       setting_hint(document.value, pointer));
    }
  }
  return *value;
}

std::string shortest(double value) {
  std::array<char, 64> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return std::string(buffer.data(), end);
}

}  // namespace

void set_value(Document& document, const std::string& pointer, std::string_view value,
               const std::string& where) {
  json* const made = make_setting(document, pointer);
  json& setting = made != nullptr ? *made : find_setting(document, pointer, where);
  if ((made == nullptr && setting.is_string() && !value.starts_with('"')) ||
      (made != nullptr && !is_json(value))) {
    // Checked by the JSON parser, so that a setting never holds what a file could not: it must be UTF-8.
    const std::string text =
        json(std::string(value)).dump(-1, ' ', false, json::error_handler_t::replace);
    setting = json::parse(text);
    return;
  }
  try {
    setting = parse_document(value, where).value;
  } catch (const InputError&) {
    throw InputError(
        where,
        "\"" + std::string(value) + "\" is not a value that can replace " + describe_value(setting),
        "write numbers, true and false as they are and texts in double quotes");
  }
}

void apply_set(Document& document, std::string_view argument, const std::string& where) {
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos) {
    throw InputError(where, "\"" + std::string(argument) + "\" sets nothing",
                     "write POINTER=VALUE such as \"/network/link/latency=0.3 us\"");
  }
  set_value(document, std::string(argument.substr(0, equals)), argument.substr(equals + 1), where);
}

void multiply_value(Document& document, const std::string& pointer, double factor,
                    const std::string& where) {
  REPRISE_ASSERT(std::isfinite(factor) && factor >= 0, "factors are finite and not negative");
  json& setting = find_setting(document, pointer, where);
  if (setting.is_number()) {
    const double product = setting.get<double>() * factor;
    // A count stays a count where it can; else the parser says that it is none any more.
    if (setting.is_number_integer() && product == std::nearbyint(product) && product >= 0 &&
        product < 0x1p53)
      setting = static_cast<std::uint64_t>(product);
    else
      setting = product;
    return;
  }
  if (setting.is_string()) {
    const std::string text = setting.get<std::string>();
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc{} && std::isfinite(number) && text[0] >= '.' && text[0] <= '9') {
      setting = shortest(number * factor) + std::string(end, text.data() + text.size());
      return;
    }
  }
  throw InputError(where,
                   "\"" + pointer + "\" cannot be multiplied: it is " + describe_value(setting));
}

void multiply_links(Document& document, std::string_view key, double factor,
                    const std::string& where) {
  Platform platform =
      parse_platform(document);  // so that the keys below are there, or the user hears of it
  const json& root = document.value;
  std::vector<std::string> links;
  for (const Cable& link : platform.network ? network_links(platform) : node_links(platform))
    links.push_back(link.pointer);
  if (!platform.network) links.resize(1);  // the sockets' own path
  for (const std::string& link : links) {
    const json::json_pointer pointer(link);
    if (root.contains(pointer) && root.at(pointer).contains(key))
      multiply_value(document, link + '/' + std::string(key), factor, where);
  }
  const json::json_pointer per_message("/intra_node/per_receiver_bandwidth");
  if (key == "bandwidth" && !platform.network && root.contains(per_message))
    multiply_value(document, per_message.to_string(), factor, where);
}

void multiply_overheads(Document& document, double factor, const std::string& where) {
  parse_platform(document);
  const auto multiply = [&](const std::string& pointer) {
    if (document.value.contains(json::json_pointer(pointer)))
      multiply_value(document, pointer, factor, where);
  };
  for (const std::string mpi : {"/mpi", "/intra_node/mpi"})
    for (const std::string key : {"/send_overhead", "/recv_overhead"}) {
      multiply(mpi + key);
      const std::string levels = mpi + "/cold_caches";
      for (std::size_t i = 0; document.value.contains(json::json_pointer(levels)) &&
                              i < document.value.at(json::json_pointer(levels)).size();
           ++i) {
        const std::string points = levels + '/' + std::to_string(i) + key;
        for (std::size_t j = 0; document.value.contains(json::json_pointer(points)) &&
                                j < document.value.at(json::json_pointer(points)).size();
             ++j)
          multiply(points + '/' + std::to_string(j) + "/time");
      }
    }
}

}  // namespace reprise::platforms
