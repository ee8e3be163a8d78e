// SPDX-License-Identifier: MIT
#include "trace-io/file/term_columns.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <string>

#include "tests/unit/trace-io/payload_version.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/shared_reader.hpp"
#include "trace-io/file/shared_writer.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

constexpr std::int32_t kColumnRanks = 16;

// Rank r has 100 r … 100 r + r: runs whose starts and counts are lines.
FieldValues triangle(bool is_vector = false) {
  FieldValues field;
  for (std::int32_t rank = 0; rank < kColumnRanks; ++rank) {
    FieldEntry& entry = field.emplace_back();
    entry.ranks = RankList::single(Rank{rank});
    for (std::int64_t i = 0; i < 3; ++i)
      entry.values.append_run(100 * rank, 1, static_cast<std::uint64_t>(2 + rank));
    if (is_vector) entry.lengths.append(1);
  }
  return field;
}

FieldValues read(const ColumnWriter& out, bool is_vector = false,
                 std::uint32_t version = kColumnsVersion) {
  const auto payload = out.payload();
  const std::string name = "f";
  ColumnReader in(payload, version, name);
  SharedReader reader(in, version);
  reader.set_rank_count(kColumnRanks);
  FieldValues field = reader.field(is_vector, RankList::all(kColumnRanks));
  in.expect_end();
  return field;
}

std::string refused(const ColumnWriter& out) {
  try {
    read(out);
  } catch (const InputError& error) {
    REQUIRE(error.where().starts_with("f at payload byte "));
    REQUIRE(error.hint() == kDamagedHint);
    return error.problem();
  }
  return "accepted";
}

// A field of terms in columns: its head in column fields, the rest in sequences.
std::string refused(std::initializer_list<std::uint64_t> fields,
                    std::initializer_list<std::uint64_t> sequences) {
  ColumnWriter out;
  for (const auto number : {std::uint64_t{0}, kTermColumns}) out.put(Column::fields, number);
  for (const auto number : fields) out.put(Column::fields, number);
  for (const auto number : sequences) out.put(Column::sequences, number);
  return refused(out);
}

}  // namespace

TEST_CASE("term columns: rows of unlike lengths along lines take bytes of the lines",
          "[trace-io]") {
  for (const bool is_vector : {false, true}) {
    ColumnWriter out;
    SharedWriter writer(out);
    const FieldValues written = triangle(is_vector);
    writer.field(written, is_vector, RankList::all(kColumnRanks));
    CHECK(writer.has_columns());
    CHECK(out.size(Column::fields) + out.size(Column::sequences) <
          70);  // each for itself: more than 16 times 8
    const FieldValues back = read(out, is_vector);
    REQUIRE(back.size() == written.size());
    for (std::size_t i = 0; i < back.size(); ++i) CHECK(same_terms(back[i], written[i]));
  }
}

TEST_CASE("term columns: irregular values, few entries and lines have none", "[trace-io]") {
  const auto has_columns = [](std::int32_t ranks, const std::function<std::int64_t(int)>& value) {
    FieldValues field;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
      FieldEntry& entry = field.emplace_back();
      entry.ranks = RankList::single(Rank{rank});
      entry.values.append(value(rank));
    }
    ColumnWriter out;
    SharedWriter writer(out);
    writer.field(field, false, RankList::all(ranks));
    return writer.has_columns();
  };
  CHECK_FALSE(has_columns(16, [](int rank) { return rank * 7919 % 1009; }));
  CHECK_FALSE(has_columns(16, [](int rank) { return 3 * rank; }));  // shifted rows
  CHECK_FALSE(has_columns(4, [](int rank) { return rank / 2 * 1000 + rank % 2; }));
}

// All ranks but the own one, by rank: 12 ranks that each send to 11 others, three times.
std::string exchange() {
  std::string text = "reprise-text 1\nranks 12\nthread 0 {\n  loop 33 {\n    MPI_Send peer={";
  for (int rank = 0; rank < 12; ++rank) {
    text += (rank > 0 ? "; " : "") + std::to_string(rank) + ": absolute:(";
    for (int peer = 0, others = 0; peer < 12; ++peer)
      if (peer != rank) text += (others++ > 0 ? ", " : "") + std::to_string(kFirstPeer + peer);
    text += ")*3";
  }
  return text + "} tag=7 bytes=8\n  }\n}\n";
}

// Version 3 has no such field: what an older reader knows stays as it is, and only what needs columns says version 4.
TEST_CASE("term columns: a file says version 4 where it has them, else version 3", "[trace-io]") {
  const auto version_of = [](const std::string& text) {
    return testing::payload_version(serialise(assemble(text, "t")));
  };
  CHECK(version_of("reprise-text 1\nranks 16\nthread 0 {\n  MPI_Allreduce send_bytes=8\n}\n") == 3);
  CHECK(version_of(exchange()) == 4);
}

TEST_CASE("golden: a file of version 4 reads as it did when it was written", "[trace-io]") {
  const std::string stem = std::string(REPRISE_GOLDEN_DIRECTORY) + "/v4/exchange";
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save(assemble(exchange(), "t"), stem + ".reprise");
    std::ofstream(stem + ".txt") << dump(load(stem + ".reprise"));
  }
  const Trace golden = load(stem + ".reprise");
  std::ifstream text(stem + ".txt", std::ios::binary);
  CHECK(dump(golden) == std::string(std::istreambuf_iterator<char>(text), {}));
  CHECK(serialise(golden) == serialise(assemble(exchange(), "t")));
}

TEST_CASE("term columns: rules that give nothing are refused", "[trace-io]") {
  CHECK(refused({1}, {}) == "terms in columns of 1 entries for 16 ranks");
  CHECK(refused({17}, {}) == "terms in columns of 17 entries for 16 ranks");
  // 15 entries: the numbers of entries as one run 0, 1, 2 …
  CHECK(refused({15, 0}, {1, 1, 16, 0, 2}) ==
        "numbers of entries that do not divide 16 ranks among 15 entries");
  CHECK(refused({15, 0}, {1, 0, 15, 0}) ==
        "numbers of entries that do not divide 16 ranks among 15 entries");
  CHECK(refused({15, 0}, {1, 0, 16, 0}) ==
        "numbers of entries that do not divide 16 ranks among 15 entries");
  CHECK(refused({16, 3}, {}) == "peer form 3 does not exist");
  CHECK(refused({16, 0}, {0}) == "terms in columns for 0 entries where 16 are left");
  CHECK(refused({16, 0}, {17}) == "terms in columns for 17 entries where 16 are left");
  // One run each: the column of starts has 15 numbers.
  CHECK(refused({16, 0}, {16, 1, 0, 0, 1, 0, 15, 0}) ==
        "a column of 15 numbers for terms of 16 entries");
  // Starts and strides 0, counts 0.
  CHECK(refused({16, 0}, {16, 1, 0, 0, 1, 0, 16, 0, 1, 1}) ==
        "terms in columns do not nest, or count more than 63 bits hold");
  // A loop over one term that is not there.
  CHECK(refused({16, 0}, {16, 1, 2, 0, 1, 0, 16, 0, 0, 1, 0, 16, 4}) ==
        "terms in columns do not nest, or count more than 63 bits hold");
}

TEST_CASE("term columns: earlier versions have none", "[trace-io]") {
  ColumnWriter out;
  SharedWriter writer(out);
  writer.field(triangle(), false, RankList::all(kColumnRanks));
  CHECK_THROWS_AS(read(out, false, kFormatVersion), InputError);
}

// 2¹⁶ numbers are free, then 16 for each byte: 22 bytes cannot stand for more.
TEST_CASE("term columns: what they give is bounded by the file", "[trace-io]") {
  constexpr std::int32_t kMany = 1 << 17;
  ColumnWriter out;
  for (const std::uint64_t number : {std::uint64_t{0}, kTermColumns, std::uint64_t{kMany}})
    out.put(Column::fields, number);
  const auto payload = out.payload();
  const std::string name = "f";
  ColumnReader in(payload, kColumnsVersion, name);
  SharedReader reader(in, kColumnsVersion);
  reader.set_rank_count(kMany);
  try {
    reader.field(false, RankList::all(kMany));
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(error.problem() == "more values are copied than the file has room for");
  }
}
