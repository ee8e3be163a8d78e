// SPDX-License-Identifier: MIT
#include "platforms/json/document.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/platforms/corpus.hpp"

using namespace reprise::platforms;

namespace {
std::string problem(const std::string& text) {
  return corpus::message_of([&] { parse_document(text, "f"); });
}
}  // namespace

TEST_CASE("document: every kind of value is kept", "[platforms]") {
  const Document document =
      parse_document(R"({"a": [1, -2, 0.5, true, null, "é\n"], "b": {"c": {}}})", "f");
  CHECK(document.value ==
        nlohmann::json::parse(R"({"a": [1, -2, 0.5, true, null, "é\n"], "b": {"c": {}}})"));
  CHECK(document.value["a"][0].is_number_integer());
  CHECK(document.value["a"][2].is_number_float());
}

TEST_CASE("document: a syntax error is placed at the start of the token that is wrong",
          "[platforms]") {
  CHECK(problem("{\"a\": tru}") == "f:1:7: invalid literal");
  CHECK(problem("{\"a\": -}") == "f:1:7: invalid number");
  CHECK(problem("{\"a\" \"b\"}") == "f:1:6: expected ':', found a string");
  CHECK(problem("[1 \"\\\"x\"]") == "f:1:4: expected ',' or ']', found a string");
  CHECK(problem("[1 23]") == "f:1:4: expected ',' or ']', found a number");
  CHECK(problem("[1\n true]") == "f:2:2: expected ',' or ']', found true");
  CHECK(problem("{\"a\":}") == "f:1:6: expected a value, found '}'");
  CHECK(problem("[") == "f:1:2: expected a value, found the end of the file");
  CHECK(problem("\"") == "f:1:2: invalid string: missing closing quote");
}

TEST_CASE("document: the same key may be in two objects but not twice in one", "[platforms]") {
  CHECK_NOTHROW(parse_document(R"({"a": {"k": 1}, "b": {"k": 1}})", "f"));
  CHECK(problem(R"({"b": {"k": 1}, "a": {"k": 1, "x": 2, "k": 1}})") ==
        "f:1:39: the key \"k\" is already in this object\n  remove one of the two");
  CHECK(problem(R"({"a\"": 1, "a\"": 2})") ==
        "f:1:12: the key \"a\"\" is already in this object\n  remove one of the two");
}

TEST_CASE("document: depth is limited, at the limit it is accepted", "[platforms]") {
  CHECK_NOTHROW(parse_document(std::string(64, '[') + std::string(64, ']'), "f"));
  CHECK(problem("\n" + std::string(100000, '[')) ==
        "f:2:65: more than 64 nested objects and arrays");
}

TEST_CASE("document: a file that is absent, a folder, or far too large is refused", "[platforms]") {
  CHECK(corpus::message_of([] { load_json("/nonexistent/x.json"); }) ==
        "/nonexistent/x.json: cannot be opened: No such file or directory");
  CHECK(corpus::message_of([] { load_json("/"); }) == "/: is a directory, not a JSON file");
  CHECK(problem(std::string(kMaxFileBytes + 1, ' ')) ==
        "f: larger than 16 MiB: not a reprise JSON file");
}
