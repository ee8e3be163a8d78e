// SPDX-License-Identifier: MIT
// Files with numbers coded by context (FORMAT.md, section 10).
#include <catch2/catch.hpp>
#include <random>

#include "tests/unit/trace-io/files/random_trace.hpp"
#include "tests/unit/trace-io/payload_version.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/container.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/quick_bytes.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using reprise::trace_io::testing::payload_version;

namespace {

std::vector<std::byte> coded(const Trace& trace) {
  std::uint32_t version = 0;
  auto payload = encode_payload(trace, version, true);
  REQUIRE(version == kNeighboursVersion);
  return payload;
}

// Calls of two procedures at so many places, in loops whose iterations follow no rule.
Trace of_calls(int places) {
  std::mt19937 random(29);
  std::string text = "reprise-text 1\nranks 4\nthread 0 {\n loop 100 {\n";
  for (int place = 0; place < places; place += 10) {
    text += "  loop {0-3: (";
    for (int i = 0; i < 100; ++i) text += (i == 0 ? "" : ", ") + std::to_string(random() % 3);
    text += ")} {\n";
    for (int i = place; i < std::min(place + 10, places); ++i)
      text += "   MPI_Bcast peer=0 send_bytes=" + std::to_string(8 + i % 7) + " at f" +
              std::to_string(i) + "\n   MPI_Barrier at g" + std::to_string(i) + "\n";
    text += "  }\n";
  }
  return assemble(text + " }\n}\n", "calls");
}

std::string refusal(const std::vector<std::byte>& payload) {
  try {
    decode_payload(payload, kNeighboursVersion, "f");
  } catch (const InputError& error) {
    CHECK(error.hint() == kDamagedHint);
    return error.where() + ": " + error.problem();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("coded files: random traces come back in every part", "[trace-io]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    const Trace trace = random_trace(seed);
    const Trace back = deserialise(wrap(coded(trace), kNeighboursVersion), "t");
    REQUIRE(encode_payload(back) == encode_payload(trace));
    REQUIRE(dump(back) == dump(trace));
    REQUIRE(coded(back) == coded(trace));
  }
}

TEST_CASE("coded files: written for many calls only, and shorter", "[trace-io]") {
  const auto version_of = [](const Trace& trace) { return payload_version(serialise(trace)); };
  CHECK(version_of(of_calls(100)) == kFormatVersion);
  const Trace many = of_calls(300);
  CHECK(version_of(many) == kNeighboursVersion);
  CHECK(std::to_integer<std::uint32_t>(serialise_quickly(many)[kVersionOffset]) == kFormatVersion);
  CHECK(serialise(many).size() < wrap(encode_payload(many)).size());
  CHECK(dump(deserialise(serialise(many), "t")) == dump(many));
  CHECK(serialise(deserialise(serialise(many), "t")) == serialise(many));
}

TEST_CASE("coded files: a damaged stream is refused, or gives another trace", "[trace-io]") {
  const auto whole = coded(of_calls(60));
  std::mt19937 random(31);
  std::size_t refused = 0;
  for (unsigned run = 0; run < 200; ++run) {
    auto payload = whole;
    payload[payload.size() - 1 - random() % 300] ^= static_cast<std::byte>(1U << random() % 8);
    if (refusal(payload) != "accepted") ++refused;
  }
  CHECK(refused > 150);
}

TEST_CASE("coded files: bytes left over in the stream are refused", "[trace-io]") {
  Trace empty;
  empty.header.recorded = RankList::all(1);
  auto payload = coded(empty);
  const std::size_t lengths = kColumns;  // each below 128: a byte
  REQUIRE(payload[lengths - 1] < std::byte{100});
  payload[lengths - 1] =
      static_cast<std::byte>(std::to_integer<unsigned>(payload[lengths - 1]) + 9U);
  for (unsigned i = 0; i < 9; ++i) payload.push_back(std::byte{1});
  const std::size_t start = payload.size() - std::to_integer<std::size_t>(payload[lengths - 1]);
  CHECK(refusal(payload) == "f at payload byte " + std::to_string(start) +
                                ": column \"coded\" has bytes that nothing refers to");
}

TEST_CASE("coded files: a form of call paths that does not exist is refused", "[trace-io]") {
  Trace empty;
  empty.header.recorded = RankList::all(1);
  auto payload = coded(empty);
  std::size_t at = kColumns;
  for (std::size_t c = 0; c < static_cast<std::size_t>(Column::call_paths); ++c)
    at += std::to_integer<std::size_t>(payload[c]);
  REQUIRE(payload[at] == std::byte{1});
  payload[at] = std::byte{2};
  CHECK(refusal(payload) == "f at payload byte " + std::to_string(at) +
                                ": form of call paths 2 does not exist, there are 2 forms");
}
