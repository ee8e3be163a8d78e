// SPDX-License-Identifier: MIT
// One JSON object, read key by key: for platforms, scenarios and studies.
//
// Refused  a key that is not in the list of known ones (with "did you mean"), a missing key, a value of the wrong type, a
//          bare number where a quantity with a unit is due. Errors are InputError at "FILE at /json/pointer".
// Use      construct with the keys that the object may have; read each; finish() asserts that none was forgotten by us.
// Lifetime refers to the JSON value and to the key list, which must outlive it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

// Where a value is: the file and the JSON pointer to it.
struct JsonPlace {
  std::string file, pointer;
  JsonPlace child(std::string_view key) const;
  JsonPlace child(std::size_t index) const;
  std::string text() const;  // "dane.json at /network/link", or the file alone for the whole of it
};

// The keys that one kind of object may have: the required ones, then the optional ones. schema_keys.cpp makes them of the schemas.
template <std::size_t N>
struct KeyList {
  std::array<std::string_view, N> keys;
  std::size_t required;
};

class ObjectReader {
 public:
  ObjectReader(const nlohmann::json& value, JsonPlace place,
               std::span<const std::string_view> known_keys);
  // The same, and where a key is missing all others that are missing are named with it.
  template <std::size_t N>
  ObjectReader(const nlohmann::json& value, JsonPlace place, const KeyList<N>& list)
      : ObjectReader(value, std::move(place), list.keys) {
    required_ = list.required;
  }

  bool has(std::string_view key) const { return value_.contains(key); }
  const JsonPlace& place() const noexcept { return place_; }
  const nlohmann::json& value() const noexcept { return value_; }
  std::span<const std::string_view> known_keys() const noexcept { return known_keys_; }

  // All: the key must be there. For an optional one ask has() first.
  std::string text(std::string_view key);
  bool flag(std::string_view key);
  std::uint64_t count(std::string_view key, std::uint64_t least, std::uint64_t most);
  double factor(std::string_view key);  // a plain number above zero
  Seconds seconds(std::string_view key);
  Bytes bytes(std::string_view key);
  BytesPerSecond bandwidth(std::string_view key);  // above zero
  FlopPerSecond speed(std::string_view key);       // above zero
  std::size_t choice(std::string_view key,
                     std::span<const std::string_view> names);  // the index of the name
  void expect_format_1();                                       // the key "format"
  const nlohmann::json& any(std::string_view key);              // unchecked: the caller reads it
  const nlohmann::json& list(std::string_view key,
                             std::size_t least);  // an array of at least so many elements

  void finish() const;
  // Wrong content of a key, said by the caller.
  [[noreturn]] void refuse(std::string_view key, const std::string& problem,
                           const std::string& hint = "") const;

 private:
  std::string quantity_text(std::string_view key, std::string_view example);
  [[noreturn]] void refuse_missing(std::string_view key) const;
  [[noreturn]] void refuse_type(std::string_view key, std::string_view expected) const;

  const nlohmann::json& value_;
  JsonPlace place_;
  std::span<const std::string_view> known_keys_;
  std::size_t required_ = 0;  // of them the first so many
  std::set<std::string, std::less<>> read_;
};

// "an object", "the number 12.5", "the text \"fast\"" …: what a message says was found.
std::string describe_value(const nlohmann::json& value);

// A JSON pointer's token for KEY: '~' and '/' escaped (RFC 6901).
std::string pointer_token(std::string_view key);

}  // namespace reprise::platforms
