// SPDX-License-Identifier: MIT
// Key lists for our parsers, made of a JSON schema while the program is built: a key stands in the schema and nowhere else.
//
// usage   schema_keys SCHEMA NAMESPACE HEADER
// Makes   for each closed object of "$defs", such as "size_factor", kSizeFactorKeys: the required keys in their order, then the
//         optional ones in theirs (hints list them so); for each of its keys with an enum, kMpiProgressNames. And kEveryKey: all of them.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using Json = nlohmann::ordered_json;  // in the file's order

// "size_factor" as "SizeFactor"
std::string camel_case(const std::string& name) {
  std::string text;
  bool is_start = true;
  for (const char c : name) {
    if (c != '_')
      text += is_start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    is_start = c == '_';
  }
  return text;
}

std::string quoted(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "\"" : ", \"") + word + '"';
  return text;
}

std::string lists_of(const std::string& name, const Json& object) {
  std::vector<std::string> keys = object.value("required", std::vector<std::string>{});
  const std::size_t required = keys.size();
  std::string names;
  for (const auto& [key, value] : object.at("properties").items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    if (!value.contains("enum")) continue;
    const auto values = value.at("enum").get<std::vector<std::string>>();
    names += "inline constexpr std::array<std::string_view, " + std::to_string(values.size()) +
             "> k" + camel_case(name) + camel_case(key) + "Names{" + quoted(values) + "};\n";
  }
  return "inline constexpr platforms::KeyList<" + std::to_string(keys.size()) + "> k" +
         camel_case(name) + "Keys{{" + quoted(keys) + "}, " + std::to_string(required) + "};\n" +
         names;
}

void write_header(const char* schema, const std::string& space, const char* header) {
  std::ifstream in(schema, std::ios::binary);
  std::string text =
      "// The keys of the schema, by schema_keys.\n#pragma once\n#include "
      "\"platforms/json/object_reader.hpp\"\nnamespace " +
      space + " {\n";
  const Json definitions = Json::parse(in).at("$defs");
  std::set<std::string> every;
  for (const auto& [name, definition] : definitions.items()) {
    if (!definition.contains("additionalProperties") || definition["additionalProperties"] != false)
      continue;
    text += lists_of(name, definition);
    for (const auto& [key, value] : definition.at("properties").items()) every.insert(key);
  }
  text += "inline constexpr std::array<std::string_view, " + std::to_string(every.size()) +
          "> kEveryKey{" + quoted({every.begin(), every.end()}) + "};\n";
  std::ofstream out(header, std::ios::binary);
  out << text << "}\n";
  if (!out.flush()) throw std::runtime_error(std::string(header) + " cannot be written");
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  try {
    write_header(arguments[1], arguments[2], arguments[3]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "schema_keys: %s: %s\n", arguments[1], error.what());
    return 1;
  }
}
