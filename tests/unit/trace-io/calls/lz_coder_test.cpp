// SPDX-License-Identifier: MIT
// The coder of call streams: words by hand, random streams there and back, times to an eighth, a coder that never grows.
#include "trace-io/calls/lz_coder.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "trace-io/calls/call_stream_coder.hpp"
#include "trace-io/calls/call_time_code.hpp"

using namespace reprise::trace_io;

namespace {

using Symbols = std::vector<std::uint16_t>;

std::vector<std::byte> bytes_of(std::initializer_list<unsigned> values) {
  std::vector<std::byte> bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::vector<std::byte> encoded(const Symbols& symbols, LzForm form, unsigned window,
                               std::size_t block) {
  std::vector<std::byte> memory(LzHistory::memory_bytes(form, window)),
      room(symbols.size() * 5 + 64);
  LzEncoder encoder(LzHistory(form, window, memory));
  ZeroEliminator zeros(room);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    encoder.put(symbols[i], zeros);
    if ((i + 1) % block == 0) encoder.end_block(zeros);
  }
  encoder.end_block(zeros);
  room.resize(zeros.size());
  return room;
}

// Streams as programs make them: calls in loops, of random depth, now and then something else; or noise.
Symbols random_calls(std::mt19937_64& random) {
  Symbols symbols;
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  const std::uint64_t functions = std::uint64_t{1} << below(17), length = below(20000);
  if (below(4) == 0) {
    while (symbols.size() < length) symbols.push_back(static_cast<std::uint16_t>(below(functions)));
    return symbols;
  }
  while (symbols.size() < length) {
    Symbols body;
    std::size_t depth = 0;
    for (std::uint64_t i = below(60); i > 0; --i) {
      const bool leaves = depth > 0 && below(2) == 0;
      body.push_back(leaves ? kLeave : static_cast<std::uint16_t>(1 + below(functions)));
      depth += leaves ? std::size_t(-1) : 1;
    }
    body.insert(body.end(), depth, kLeave);
    for (std::uint64_t times = 1 + below(100); times > 0; --times) {
      symbols.insert(symbols.end(), body.begin(), body.end());
      if (below(9) == 0) symbols.push_back(static_cast<std::uint16_t>(below(functions)));
    }
  }
  return symbols;
}

}  // namespace

TEST_CASE("words and bytes of a repeated call by hand") {
  const Symbols calls = {5, 0, 5, 0, 5, 0, 5, 0, 5, 0};
  // literally 5 0 5 0 5: the last one stands where the 5 before it stood, behind 0 5 0; what follows that is repeated 5 times
  CHECK(encoded(calls, LzForm::symbol, 8, 1000) == bytes_of({0x11, 5, 5, 0x05, 5, 5}));
}

TEST_CASE("a count ends at what differs and a literal follows it") {
  const Symbols calls = {5, 0, 5, 0, 5, 0, 5, 7, 0};
  // 5 0 5 0 5 (2) 7 0: neither 7 nor the 0 after it stands where one stood before
  CHECK(encoded(calls, LzForm::symbol, 8, 1000) == bytes_of({0x11, 5, 5, 0x15, 5, 2, 7}));
}

TEST_CASE("300 random streams come back as they were, in all forms and any window") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    std::mt19937_64 random(seed);
    const Symbols symbols = random_calls(random);
    const auto window = static_cast<unsigned>(8 + seed % 9);
    const std::size_t block = 1 + random() % 5000;
    for (const LzForm form : {LzForm::symbol, LzForm::context, LzForm::sparse}) {
      const auto bytes = encoded(symbols, form, window, block);
      std::vector<std::byte> memory(LzHistory::memory_bytes(form, window));
      LzDecoder decoder(LzHistory(form, window, memory));
      // blocks are read as they were written: each from its own group on
      std::vector<std::byte> again(LzHistory::memory_bytes(form, window)), room(block * 5 + 64);
      LzEncoder encoder(LzHistory(form, window, again));
      Symbols back;
      for (std::size_t at = 0; at < symbols.size(); at += block) {
        ZeroEliminator zeros(room);
        const std::size_t end = std::min(symbols.size(), at + block);
        for (std::size_t i = at; i < end; ++i) encoder.put(symbols[i], zeros);
        encoder.end_block(zeros);
        ZeroRestorer restorer(std::span<const std::byte>(room).first(zeros.size()));
        for (std::size_t i = at; i < end; ++i)
          back.push_back(decoder.next(restorer).value_or(65535));
        REQUIRE(decoder.end_block(restorer));
      }
      INFO("seed " << seed << ", window " << window);
      REQUIRE(back == symbols);
      REQUIRE(bytes.size() <= symbols.size() * 5 + 64);
    }
  }
}

TEST_CASE("files of form 2 are read as they were written: its words are the same as ever") {
  std::mt19937_64 random(2002);
  Symbols symbols;
  for (unsigned step = 0; step < 3000; ++step) {
    const auto function = static_cast<std::uint16_t>(
        1 + step % 5 + (random() % 50 == 0 ? random() % 9 : std::uint64_t{0}));
    const auto called = static_cast<std::uint16_t>(function + 20);
    symbols.insert(symbols.end(), {function, called, kLeave, kLeave});
  }
  const auto bytes = encoded(symbols, LzForm::context, 9, symbols.size() + 1);
  std::uint64_t sum = 1469598103934665603U;  // FNV-1a
  for (const std::byte byte : bytes)
    sum = (sum ^ static_cast<std::uint64_t>(byte)) * 1099511628211U;
  CHECK(bytes.size() == 665);
  CHECK(sum == 17535772901703578161U);
}

TEST_CASE("what is repeated is cut where a block is full, and no symbol before or behind") {
  for (const bool is_timed : {false, true}) {
    const CallStreamForm form{LzForm::sparse, 12, is_timed};
    const std::uint32_t most =
        is_timed ? CallStreamCoder::kTimedPerBlock : CallStreamCoder::kSymbolsPerBlock;
    std::vector<std::byte> memory(CallStreamCoder::memory_bytes(form)),
        again(LzHistory::memory_bytes(form.form, form.window));
    CallStreamCoder coder(form, memory);
    LzDecoder decoder(LzHistory(form.form, form.window, again));
    const auto symbol_at = [](std::uint32_t i) {
      return static_cast<std::uint16_t>(i % 3 == 2 ? kLeave
                                                   : 1 + i % 3 + (i % 700'001 == 0 ? 9 : 0));
    };
    std::uint32_t read = 0;
    const auto read_block = [&] {
      const std::uint32_t count = coder.count();
      const auto block = coder.finish_block();
      CHECK(block.head.count == count);
      CHECK(block.times.size() == (is_timed ? count : 0));
      ZeroRestorer words(block.words);
      for (std::uint32_t i = 0; i < count; ++i)
        REQUIRE(decoder.next(words).value_or(65535) == symbol_at(read++));
      REQUIRE(decoder.end_block(words));
      coder.begin_block();
    };
    const std::uint32_t all = 2 * most + 12345;
    for (std::uint32_t i = 0; i < all; ++i) {
      coder.put(symbol_at(i), i);
      CHECK(coder.is_full() == ((i + 1) % most == 0));
      if (coder.is_full()) read_block();
    }
    CHECK(coder.count() == 12345);
    read_block();
    CHECK(coder.is_empty());
    CHECK(read == all);
  }
}

TEST_CASE("words that end early give no symbol") {
  const auto bytes = encoded({5, 6, 7, 8, 9}, LzForm::symbol, 8, 1000);
  std::vector<std::byte> memory(LzHistory::memory_bytes(LzForm::symbol, 8));
  LzDecoder decoder(LzHistory(LzForm::symbol, 8, memory));
  ZeroRestorer restorer(std::span<const std::byte>(bytes).first(4));
  CHECK(!decoder.next(restorer));
}

TEST_CASE("a code of time is at most an eighth short, and grows with the time") {
  std::uint8_t before = 0;
  for (std::uint64_t ticks = 0; ticks < kLongestCoded; ticks += 1 + ticks / 50) {
    const auto code = code_of_interval(ticks);
    REQUIRE(code >= before);
    REQUIRE(interval_of_code(code) <= ticks);
    REQUIRE(8 * (ticks - interval_of_code(code)) <= ticks);
    before = code;
  }
  CHECK(code_of_interval(~std::uint64_t{0}) == 255);
  for (unsigned code = 0; code < 256; ++code)
    REQUIRE(code_of_interval(interval_of_code(static_cast<std::uint8_t>(code))) == code);
}

TEST_CASE("a stream has its memory once, however long it becomes") {
  for (const LzForm form : {LzForm::symbol, LzForm::context, LzForm::sparse}) {
    const CallStreamForm stream{form, 16, false};
    constexpr std::size_t kGuard = 4096;
    std::vector<std::byte> memory(CallStreamCoder::memory_bytes(stream) + kGuard);
    CallStreamCoder coder(stream, std::span(memory).first(memory.size() - kGuard));
    std::mt19937_64 random(7);
    std::size_t blocks = 0, most = 0;
    for (std::uint32_t i = 0; i < 3'000'000; ++i) {
      coder.put(static_cast<std::uint16_t>(random()), 0);
      if (!coder.is_full()) continue;
      const auto block = coder.finish_block();
      most = std::max(most, block.words.size());
      ++blocks;
      coder.begin_block();
    }
    CHECK(blocks > 100);
    CHECK(most <= CallStreamCoder::kWordBytes);
    CHECK(std::all_of(memory.end() - kGuard, memory.end(),
                      [](std::byte byte) { return byte == std::byte{0}; }));
  }
  CHECK(CallStreamCoder::memory_bytes({LzForm::symbol, 16, false}) == 458'752);
}
