// SPDX-License-Identifier: MIT
// A document against a JSON schema, as far as our schemas go; and which of a schema's keys no document has had.
#pragma once

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "platforms/json/document.hpp"

class SchemaCheck {
 public:
  using json = nlohmann::json;

  explicit SchemaCheck(const std::string& path)
      : schema_(reprise::platforms::load_json(path).value), definitions_(schema_.at("$defs")) {
    for (const auto& [name, definition] : definitions_.items())
      if (definition.contains("properties"))
        for (const auto& [key, ignored] : definition["properties"].items())
          unmet_.insert(name + "/" + key);
  }

  const json& definitions() const { return definitions_; }
  bool accepts(const json& document) { return accepts(document, schema_, ""); }
  // "torus/dimensions": keys of closed objects that no accepted document had.
  const std::set<std::string>& unmet() const { return unmet_; }

 private:
  bool accepts(const json& value, const json& rule, const std::string& definition) {
    if (rule.contains("$ref")) {
      const auto name = rule["$ref"].get<std::string>().substr(8);  // behind "#/$defs/"
      if (!accepts(value, definitions_.at(name), name)) return false;
    }
    return has_type(value, rule) && is_listed(value, rule) && is_in_range(value, rule) &&
           is_one_of(value, rule) && has_members(value, rule, definition);
  }

  static bool has_type(const json& value, const json& rule) {
    if (!rule.contains("type")) return true;
    const std::string type = rule["type"];
    return type == "object"    ? value.is_object()
           : type == "array"   ? value.is_array()
           : type == "string"  ? value.is_string()
           : type == "boolean" ? value.is_boolean()
           : type == "integer" ? value.is_number_integer()
                               : type == "number" && value.is_number();
  }

  static bool is_listed(const json& value, const json& rule) {
    if (rule.contains("const") && value != rule["const"]) return false;
    if (!rule.contains("enum")) return true;
    return std::find(rule["enum"].begin(), rule["enum"].end(), value) != rule["enum"].end();
  }

  static bool is_in_range(const json& value, const json& rule) {
    if (value.is_number()) {
      const double number = value;
      if (number < rule.value("minimum", number) || number > rule.value("maximum", number))
        return false;
      if (rule.contains("exclusiveMinimum") && number <= rule["exclusiveMinimum"].get<double>())
        return false;
    }
    if (value.is_string() && rule.contains("pattern"))
      return std::regex_search(value.get<std::string>(),
                               std::regex(rule["pattern"].get<std::string>()));
    if (value.is_string())
      return value.get_ref<const std::string&>().size() >= rule.value("minLength", 0U);
    return !value.is_array() || (value.size() >= rule.value("minItems", 0U) &&
                                 value.size() <= rule.value("maxItems", value.size()));
  }

  bool is_one_of(const json& value, const json& rule) {
    for (const char* word : {"oneOf", "anyOf"}) {
      if (!rule.contains(word)) continue;
      std::size_t count = 0;
      for (const json& one : rule[word])
        if (accepts(value, one, "")) ++count;
      if (count == 0 || (count > 1 && word == std::string("oneOf"))) return false;
    }
    return !rule.contains("not") || !accepts(value, rule["not"], "");
  }

  bool has_members(const json& value, const json& rule, const std::string& definition) {
    if (value.is_array() && rule.contains("items"))
      for (const json& item : value)
        if (!accepts(item, rule["items"], "")) return false;
    if (!value.is_object()) return true;
    for (const json& key : rule.value("required", json::array()))
      if (!value.contains(key.get<std::string>())) return false;
    const json known = rule.value("properties", json::object());
    const json others = rule.value("additionalProperties", json(true));
    for (const auto& [key, member] : value.items()) {
      if (known.contains(key)) {
        if (!accepts(member, known[key], "")) return false;
      } else if (others.is_boolean() ? !others.get<bool>() : !accepts(member, others, "")) {
        return false;
      }
    }
    for (const auto& [key, member] : value.items()) unmet_.erase(definition + "/" + key);
    return true;
  }

  const json schema_;
  const json& definitions_;
  std::set<std::string> unmet_;
};
