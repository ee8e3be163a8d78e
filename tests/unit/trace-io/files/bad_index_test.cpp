// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/trace-io/files/payload_columns.hpp"
#include "tests/unit/trace-io/files/random_trace.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/container.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using reprise::trace_io::testing::Payload;
using reprise::trace_io::testing::refusal;

namespace {

constexpr const char* kText = R"(reprise-text 1
ranks 4
communicator 2: 1 3
thread 0 {
  rank 1: MPI_Send peer=3 bytes=8 | compute 1us
  rank 1: MPI_Waitall requests=[0]
  loop 3 {
    MPI_Barrier
  }
}
)";

}  // namespace

TEST_CASE("decode: every kind of bad index is refused at its byte", "[trace-io]") {
  Payload payload(kText);
  SECTION("procedure of a site") {
    REQUIRE(payload.change(Column::sites, 1, 9) ==
            "procedure 9 does not exist, there are 3 procedures");
  }
  SECTION("call path of a site") {
    REQUIRE(payload.change(Column::sites, 2, 60) ==
            "a site's call path does not exist, there are 3 call paths");
  }
  SECTION("parent of a frame") {
    REQUIRE(payload.change(Column::call_paths, 1, 9) ==
            "frame 9 does not exist, there are 1 frames so far");
  }
  SECTION("module of a frame") {
    REQUIRE(payload.change(Column::call_paths, 3, 9) ==
            "module 9 does not exist, there are 1 modules");
  }
  SECTION("rank list of a node") {
    REQUIRE(payload.change(Column::structure, 2, 50) ==
            "rank list reference 50 is beyond 1, the last so far");
  }
  SECTION("site of a leaf") {
    REQUIRE(payload.change(Column::structure, 3, 60) ==
            "a site that does not exist, there are 3 sites");
  }
  SECTION("field") {
    REQUIRE(payload.change(Column::fields, 0, 50) ==
            "field reference 50 is beyond 0, the last so far");
  }
  SECTION("peer form") {
    REQUIRE(payload.change(Column::fields, 2, 7) == "peer form 7 does not exist");
  }
  SECTION("sequence") {
    REQUIRE(payload.change(Column::fields, 3, 50) ==
            "sequence reference 50 is beyond 1, the last so far");
  }
  SECTION("communicator of an index") {
    auto& column = payload[Column::communicators];
    REQUIRE(payload.change(Column::communicators, column.size() - 2, 5) ==
            "communicator 5 does not exist, there are 1 communicators");
  }
  SECTION("predecessor") {
    REQUIRE(payload.change(Column::deltas, 2, 99) ==
            "a site that does not exist, there are 3 sites");
  }
  SECTION("rank of an extreme") {
    REQUIRE(payload.change(Column::extreme_ranks, 0, 4) ==
            "rank 4 does not exist, there are 4 ranks");
  }
  SECTION("start of a rank list") {
    REQUIRE(payload.change(Column::rank_lists, 1, 40) == "a rank list starts outside ranks 0 to 3");
  }
  SECTION("timing encoding") {
    REQUIRE(payload.change(Column::header, 1, 9) == "timing encoding 9 does not exist");
  }
  SECTION("clock") { REQUIRE(payload.change(Column::header, 2, 2) == "clock 2 does not exist"); }
  SECTION("rank count") {
    REQUIRE(payload.change(Column::header, 0, 0) == "0 ranks stated, 1 to 4194304 can be");
  }
}

TEST_CASE("decode: every kind of bad count is refused at its byte", "[trace-io]") {
  Payload payload(kText);
  const auto left = [&](Column column, std::size_t read) {
    return std::to_string(payload[column].size() - read);
  };
  SECTION("nodes") {
    REQUIRE(payload.change(Column::structure, 1, 127) ==
            "127 nodes claimed, but column \"structure\" has " + left(Column::structure, 2) +
                " bytes left");
  }
  SECTION("sites") {
    REQUIRE(payload.change(Column::sites, 0, 127) ==
            "127 sites claimed, but column \"sites\" has 6 bytes left");
  }
  SECTION("field entries") {
    REQUIRE(payload.change(Column::fields, 1, 126) ==
            "42 field entries claimed, but column \"fields\" has " + left(Column::fields, 2) +
                " bytes left");
  }
  SECTION("bins") {
    REQUIRE(payload.change(Column::bin_counts, 0, 126) ==
            "63 bins claimed, but column \"bin counts\" has 1 bytes left");
  }
  SECTION("no bins of a rounded distribution") {
    REQUIRE(payload.change(Column::bin_counts, 0, 1) == "the fullest bin is none of 0");
  }
  SECTION("sequence terms") {
    REQUIRE(payload.change(Column::sequences, 0, 127) ==
            "127 sequence terms claimed, but column \"sequences\" has " +
                left(Column::sequences, 1) + " bytes left");
  }
  SECTION("a loop of sequence terms that is not there") {
    REQUIRE(payload.change(Column::sequences, 1, 5) == "sequence term kind 5 does not exist");
  }
  SECTION("single values beyond the terms of their sequence") {
    payload[Column::sequences][1] = std::byte{4};
    REQUIRE(payload.change(Column::sequences, 2, 9) ==
            "9 single values where there is room for 2 terms");
  }
  SECTION("too few nodes leave bytes behind") {
    payload[Column::structure][1] = std::byte{2};
    const std::string error = refusal(payload.bytes());
    REQUIRE(error.ends_with(" bytes that nothing refers to"));
  }
}

TEST_CASE("decode: numbers and columns that end too early or too late are refused", "[trace-io]") {
  Payload payload(kText);
  SECTION("a number without end") {
    payload[Column::sites].back() |= std::byte{0x80};
    REQUIRE(refusal(payload.bytes()) == "f at payload byte " +
                                            std::to_string(payload.start(Column::sites) + 6) +
                                            ": column \"sites\" ends within a number");
  }
  SECTION("a number of more than 64 bits") {
    auto& column = payload[Column::squares];
    column.assign(19, std::byte{0xff});
    REQUIRE(refusal(payload.bytes()) ==
            "f at payload byte " + std::to_string(payload.start(Column::squares)) +
                ": a number in column \"squares\" needs more than 128 bits");
  }
  SECTION("a column that is longer than the payload") {
    auto bytes = payload.bytes();
    bytes[0] = std::byte{0x7f};
    bytes[1] = std::byte{0x7f};
    REQUIRE(refusal(bytes).find("claims 127 bytes, ") != std::string::npos);
  }
  SECTION("bytes behind the last column") {
    auto bytes = payload.bytes();
    bytes.push_back(std::byte{0});
    REQUIRE(refusal(bytes) == "f at payload byte " + std::to_string(bytes.size() - 1) +
                                  ": 1 bytes follow the last column");
  }
}

TEST_CASE("decode: loops within loops have a limit", "[trace-io]") {
  std::string text = "reprise-text 1\nranks 1\nthread 0 {\n";
  for (int depth = 0; depth < kMaxNesting; ++depth) text += "loop 1 {\n";
  text += "MPI_Barrier\n";
  for (int depth = 0; depth < kMaxNesting; ++depth) text += "}\n";
  const auto bytes = serialise(assemble(text + "}\n", "t"));
  REQUIRE(deserialise(bytes, "t").threads.size() == 1);
}

TEST_CASE("decode: payloads with random changes are refused or hold together", "[trace-io]") {
  std::mt19937 random(1);
  int accepted = 0;
  for (int round = 0; round < 1200; ++round) {
    auto payload = encode_payload(random_trace(static_cast<std::uint32_t>(round % 20)));
    for (int changes = 1 + static_cast<int>(random() % 3); changes > 0; --changes)
      payload[random() % payload.size()] = static_cast<std::byte>(random() & 0xff);
    try {
      const Trace trace = deserialise(wrap(payload), "t");
      REQUIRE(serialise(deserialise(serialise(trace), "t")) == serialise(trace));
      ++accepted;
    } catch (const InputError&) {
    }
  }
  REQUIRE(accepted > 0);  // changed times and names are as good as any
}
