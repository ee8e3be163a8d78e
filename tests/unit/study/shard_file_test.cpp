// SPDX-License-Identifier: MIT
#include "sim/study/shard_file.hpp"

#include <catch2/catch.hpp>

#include "tests/cli/scratch.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"

using namespace reprise::sim;

TEST_CASE("shard file: names sort by number", "[study]") {
  CHECK(shard_path("d", "shard", {2, 8, ""}) == "d/shard-3-of-8.jsonl");
  CHECK(shard_path("d", "times", {2, 128, ""}) == "d/times-003-of-128.jsonl");
}

TEST_CASE("shard file: lines are added to what is there", "[study]") {
  const Scratch scratch;
  const auto path = scratch.path("folder/shard-1-of-1.jsonl");
  LineFile(path).append(R"({"key":"a","status":"done"})");
  LineFile(path).append(R"({"key":"b","status":"done"})");
  CHECK(reprise::read_text_file(path) ==
        "{\"key\":\"a\",\"status\":\"done\"}\n{\"key\":\"b\",\"status\":\"done\"}\n");
}

TEST_CASE("shard file: a torn last line is not read, and taken off before the next", "[study]") {
  const Scratch scratch;
  const std::string whole = "{\"key\":\"a\",\"status\":\"done\"}\n";
  for (const std::string& torn :
       {std::string("{\"key\":\"b\",\"sta"), std::string("{"), std::string(5000, 'x')}) {
    const auto path = scratch.file("shard-1-of-2.jsonl", whole + torn);
    const auto rows = read_rows(scratch.folder().string());
    CHECK(rows.rows.size() == 1);
    CHECK(rows.torn_lines == 1);
    LineFile(path).append(R"({"key":"b","status":"failed"})");
    CHECK(reprise::read_text_file(path) == whole + "{\"key\":\"b\",\"status\":\"failed\"}\n");
  }
  const auto path = scratch.file("shard-2-of-2.jsonl", "nothing but a torn line");
  { const LineFile opened(path); }
  CHECK(reprise::read_text_file(path).empty());
}

TEST_CASE("shard file: a line that ends and is no row is damage", "[study]") {
  const Scratch scratch;
  for (const char* line : {"{\"key\":\"a\",\"status\":\"do", "[]",
                           "{\"key\":1,\"status\":\"done\"}", "{\"key\":\"a\"}", ""}) {
    const auto path = scratch.file(
        "shard-1-of-1.jsonl", "{\"key\":\"a\",\"status\":\"done\"}\n" + std::string(line) + "\n");
    CHECK_THROWS_WITH(
        read_rows(scratch.folder().string()),
        path + ":2: is not a row of a study\n  delete the line, and its simulation is repeated");
  }
}

TEST_CASE("shard file: one process at a time writes it", "[study]") {
  const Scratch scratch;
  const auto path = scratch.path("shard-1-of-1.jsonl");
  const LineFile held(path);
  CHECK_THROWS_WITH(LineFile(path), path +
                                        ": another process is writing it\n  give each process a "
                                        "share of its own with --shard I/N, or wait for that one");
  CHECK(read_rows(scratch.folder().string()).is_being_written == std::vector<bool>{true});
}

TEST_CASE("shard file: a folder that is not there has no rows", "[study]") {
  const Scratch scratch;
  CHECK(read_rows(scratch.path("none")).files.empty());
  scratch.file("results.json", "{}");
  scratch.file("times-1-of-1.jsonl", "not read");
  CHECK(read_rows(scratch.folder().string()).files.empty());
}
