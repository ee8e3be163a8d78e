// SPDX-License-Identifier: MIT
#include "trace-io/file/context_coder.hpp"

#include <catch2/catch.hpp>
#include <random>

using namespace reprise::trace_io;

namespace {

constexpr Contexts kNoContexts = {0, 1, 2, 3, 4, 5};

// The same context in all places but the number of it.
Contexts of(std::uint64_t context) {
  return {context, context + 1, context + 2, context + 3, context + 4, context + 5};
}

}  // namespace

TEST_CASE("coded numbers of any size come back", "[trace-io]") {
  std::mt19937_64 random(3);
  std::vector<std::uint64_t> numbers = {0, 1, 2, 3, ~std::uint64_t{0}, std::uint64_t{1} << 63U};
  for (unsigned i = 0; i < 5000; ++i) numbers.push_back(random() >> (random() % 64));
  ContextEncoder encoder;
  for (const std::uint64_t number : numbers) {
    CHECK(encoder.number(Coded::path_up, of(number % 3), number) == number);
    encoder.number(Coded::reference, of(number % 5), number, kWholeNumber);
    encoder.symbol(Coded::sequence_symbol, of(number % 7), 12, number % 4096);
    encoder.decide(Coded::path_end, kNoContexts, number % 2 == 0);
  }
  const auto bytes = encoder.bits().finish();
  ContextDecoder decoder{std::span(bytes)};
  for (const std::uint64_t number : numbers) {
    REQUIRE(decoder.number(Coded::path_up, of(number % 3)) == number);
    REQUIRE(decoder.number(Coded::reference, of(number % 5), 0, kWholeNumber) == number);
    REQUIRE(decoder.symbol(Coded::sequence_symbol, of(number % 7), 12) == number % 4096);
    REQUIRE(decoder.decide(Coded::path_end, kNoContexts) == (number % 2 == 0));
  }
  CHECK(decoder.bits().is_at_end());
}

TEST_CASE("coded numbers that follow from their context take next to nothing", "[trace-io]") {
  ContextEncoder encoder;
  for (std::uint64_t i = 0; i < 10'000; ++i)
    encoder.number(Coded::reference, of(10 * (i % 7)), 1000 + i % 7, kWholeNumber);
  CHECK(encoder.bits().finish().size() < 200);
}

TEST_CASE("bytes that no writer wrote give numbers, too", "[trace-io]") {
  std::mt19937_64 random(5);
  std::vector<std::uint8_t> bytes(100);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  ContextDecoder decoder{std::span<const std::uint8_t>(bytes)};
  for (unsigned i = 0; i < 1000; ++i) {
    decoder.number(Coded::path_up, of(i % 3));
    CHECK(decoder.symbol(Coded::sequence_symbol, of(i), 5) < 32);
  }
  CHECK(decoder.bits().is_at_end());
}
