// SPDX-License-Identifier: MIT
// Numbers of calls as guesses by place, and by the numbers beside them.
#include "trace-io/file/coded_references.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <span>
#include <vector>

using namespace reprise;
using namespace reprise::trace_io;

namespace {

// A call at a place of its own: two fields, the second a function of the first.
struct Call {
  CallPlace place;
  std::uint64_t partner, size;
};

std::vector<Call> calls() {
  constexpr std::size_t kCalls = 3000;
  std::mt19937_64 random(43);
  std::vector<std::uint64_t> sizes(40);
  for (auto& size : sizes) size = random() % 500;
  std::vector<Call> all(kCalls);
  for (Call& call : all) {
    call.place = {1, random(), random(), random()};
    call.partner = random() % sizes.size();
    call.size = sizes[call.partner];
  }
  return all;
}

// Bytes that they take; they are read back.
std::size_t bytes_of(bool has_neighbours) {
  ContextEncoder encoder;
  CodedReferences writer(has_neighbours), reader(has_neighbours);
  const std::vector<Call> all = calls();
  for (const Call& call : all) {
    writer.reference(encoder, Referred::field, call.place, 1, {}, call.partner);
    writer.reference(encoder, Referred::field, call.place, 2, {}, call.size);
  }
  const auto bytes = encoder.bits().finish();
  ContextDecoder decoder{std::span<const std::uint8_t>(bytes)};
  for (const Call& call : all) {
    REQUIRE(reader.reference(decoder, Referred::field, call.place, 1, {}, 0) == call.partner);
    REQUIRE(reader.reference(decoder, Referred::field, call.place, 2, {}, 0) == call.size);
  }
  return bytes.size();
}

}  // namespace

TEST_CASE("coded references: a number that follows from the one beside it costs little",
          "[trace-io]") {
  // The first fields alone: log2(40) bits each, 2000 bytes.
  CHECK(bytes_of(true) < 2700);
  CHECK(bytes_of(false) > 3700);
}
