// SPDX-License-Identifier: MIT
#include "trace-io/file/coded_sequences.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace reprise::trace_io;

namespace {

ValueSequence sequence_of(const std::vector<std::int64_t>& values) {
  ValueSequence sequence;
  for (const std::int64_t value : values) sequence.append(value);
  return sequence;
}

std::vector<std::int64_t> random_values(std::mt19937_64& random, std::size_t count,
                                        std::uint64_t choices) {
  std::vector<std::int64_t> values(count);
  for (auto& value : values) value = static_cast<std::int64_t>(random() % choices);
  return values;
}

// What comes back of sequences that are put one after the other; how many bytes they take.
std::size_t round_trip(const std::vector<ValueSequence>& sequences, const SequencePlace& place = {},
                       SymbolContexts contexts = SymbolContexts::aligned) {
  ContextEncoder encoder;
  CodedSequences writer(contexts), reader(contexts);
  std::vector<bool> is_coded;
  for (const auto& sequence : sequences) is_coded.push_back(writer.put(encoder, sequence, place));
  const auto bytes = encoder.bits().finish();
  ContextDecoder decoder{std::span(bytes)};
  std::string problem;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    if (!is_coded[i]) continue;
    const auto read = reader.take(decoder, place, bytes.size(), problem);
    INFO("sequence " << i);
    REQUIRE(problem.empty());
    REQUIRE(read.terms() == sequences[i].terms());
  }
  CHECK(decoder.bits().is_at_end());
  return bytes.size();
}

}  // namespace

TEST_CASE("coded sequences come back in the same terms, whatever their values", "[trace-io]") {
  std::mt19937_64 random(11);
  std::vector<ValueSequence> sequences;
  std::vector<std::int64_t> above;
  for (std::size_t i = 0; i < 300; ++i) {
    auto values = random_values(random, 40 + 20 * (random() % 4), 2 + random() % 60);
    if (random() % 3 == 0 && above.size() == values.size()) values = above;
    const std::uint64_t how = random() % 5;
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < values.size(); ++j) {
      if (how == 1) values[j] = sum += values[j] + 1;                              // a counter
      if (how == 2) values[j] = values[j] * -1000;                                 // a function
      if (how == 3) values[j] = static_cast<std::int64_t>(random());               // noise
      if (how == 4 && j < above.size()) values[j] = above[j] * 3 + values[j] % 2;  // near another
    }
    above = values;
    sequences.push_back(sequence_of(values));
  }
  const auto around = ValueSequence::of_run(3, 1, 8);
  for (const auto contexts : {SymbolContexts::same_size, SymbolContexts::aligned}) {
    round_trip(sequences, {}, contexts);
    round_trip(sequences, {&around}, contexts);
  }
}

TEST_CASE("sequences of one pattern cost a few bytes each", "[trace-io]") {
  std::mt19937_64 random(13);
  const auto branch = random_values(random, 2000, 8);
  std::vector<ValueSequence> sequences = {sequence_of(branch)};
  const std::size_t alone = round_trip(sequences);
  CHECK(alone > 700);  // 3 bits a value
  for (std::int64_t i = 1; i <= 100; ++i) {
    auto values = branch;
    for (auto& value : values) value = i % 2 == 0 ? value * i : (value > 3 ? i : 0);
    sequences.push_back(sequence_of(values));
  }
  CHECK(round_trip(sequences) < alone + 1000);
  std::int64_t tag = 0;
  auto tags = branch;
  for (auto& value : tags) value = tag += 2 * value + 1;
  sequences.push_back(sequence_of(tags));
  for (auto& value : tags) ++value;
  sequences.push_back(sequence_of(tags));
  CHECK(round_trip(sequences) < alone + 1100);
}

TEST_CASE("what is longer coded than in terms stays in terms", "[trace-io]") {
  ContextEncoder encoder;
  CodedSequences writer(SymbolContexts::aligned);
  SECTION("long runs") {
    ValueSequence runs;
    for (std::int64_t i = 0; i < 20; ++i) runs.append_run(i * i, 1, 1000);
    CHECK_FALSE(writer.put(encoder, runs, {}));
  }
  SECTION("noise") {
    std::mt19937_64 random(17);
    CHECK_FALSE(
        writer.put(encoder, sequence_of(random_values(random, 10'000, ~std::uint64_t{0})), {}));
  }
  SECTION("terms that appending the values does not give") {
    std::vector<ValueSequence::Term> terms;
    for (std::int64_t i = 0; i < 20; ++i) terms.push_back({false, i * i, 0, 1, 0});
    for (int i = 0; i < 20; ++i) terms.push_back({false, 5, 0, 3, 0});
    const auto sequence = ValueSequence::from_terms(terms);
    REQUIRE(sequence.terms() != sequence_of(sequence.unrolled()).terms());
    CHECK_FALSE(writer.put(encoder, sequence, {}));
  }
  CHECK(encoder.bits().finish().empty());
}

TEST_CASE("damaged sequences are refused, each for its reason, or give others", "[trace-io]") {
  std::mt19937_64 random(19);
  std::vector<std::string> seen;
  for (unsigned run = 0; run < 300; ++run) {
    std::vector<std::uint8_t> bytes(200);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    ContextDecoder decoder{std::span<const std::uint8_t>(bytes)};
    CodedSequences reader(SymbolContexts::aligned);
    for (unsigned i = 0; i < 50; ++i) {
      std::string problem;
      const auto sequence = reader.take(decoder, {}, bytes.size(), problem);
      if (problem.empty()) {
        CHECK(sequence.size() >= 1);
        continue;
      }
      CHECK(sequence.empty());
      seen.push_back(problem);
      break;
    }
  }
  const auto is_seen = [&](const char* start) {
    return std::any_of(seen.begin(), seen.end(),
                       [&](const std::string& problem) { return problem.starts_with(start); });
  };
  CHECK(is_seen("a size of a coded sequence that none before has"));
  CHECK(is_seen("a coded sequence of "));
  CHECK(is_seen("an alphabet of "));
}

TEST_CASE("a coded sequence of more values than can be is refused", "[trace-io]") {
  ContextEncoder encoder;
  encoder.number(Coded::sequence_size, {0, 0, 0, 0, 0, 1}, 0);
  encoder.number(Coded::sequence_size, {1U << 20U, 1, 2, 3, 4, 5}, 262'145);
  const auto bytes = encoder.bits().finish();
  ContextDecoder decoder{std::span(bytes)};
  CodedSequences reader(SymbolContexts::aligned);
  std::string problem;
  CHECK(reader.take(decoder, {}, bytes.size(), problem).empty());
  CHECK(problem == "a coded sequence of 262145 values, 1 to 262144 can be");
}
