// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "trace-io/base/error.hpp"
#include "trace-io/file/distribution_code.hpp"
#include "trace-io/model/distribution_rounding.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

constexpr std::uint32_t kLimit = 5;

DistributionContext setting() { return {kLimit, 4, kFormatVersion, 0}; }

// Whole and rounded: 1000 durations, most of them 2048 ns, some up to a million.
Distribution example() {
  Distribution exact(kLimit);
  for (int i = 0; i < 1000; ++i)
    exact.add(Nanoseconds{i % 100 == 0  ? 1000 * (i + 1)
                          : i % 10 == 0 ? 5000 + i
                                        : 2048 + i % 7},
              Rank{i % 4});
  return rounded(exact, false).value();
}

Distribution read_back(const ColumnWriter& out, DistributionContext with = setting()) {
  const auto payload = out.payload();
  ColumnReader in(payload, kFormatVersion, "f");
  Distribution distribution = take_distribution(in, with);
  in.expect_end();
  return distribution;
}

// What reading says, without the place.
std::string refusal(const ColumnWriter& out) {
  try {
    read_back(out);
  } catch (const InputError& error) {
    REQUIRE(error.where().starts_with("f at payload byte "));
    return error.problem();
  }
  return "accepted";
}

// The numbers of one distribution in the form of rounded ones, 5 bins at most, 2 of them, the lower one the fullest.
struct Numbers {
  std::uint64_t form = 1 + 2 * (2 + 6 * 5), upper_count = 2, least = 100, range = 900,
                above_least = 3000, gap = 32, excess = 0;
  std::int64_t count = 10;

  ColumnWriter written() const {
    ColumnWriter out;
    out.put_signed(Column::deltas, 0);
    out.put(Column::bin_counts, form);
    out.put_signed(Column::bin_counts, count);
    out.put(Column::bin_counts, upper_count);
    out.put(Column::bin_times, least);
    out.put(Column::extremes, range);
    out.put(Column::bin_times, above_least);
    out.put(Column::bin_times, gap);
    out.put(Column::extreme_ranks, 1);
    out.put(Column::extreme_ranks, 3);
    out.put(Column::squares, excess);
    return out;
  }
};

}  // namespace

TEST_CASE("rounded code: a rounded distribution comes back as it was", "[trace-io]") {
  const Distribution written = example();
  ColumnWriter out;
  DistributionContext with = setting();
  put_distribution(out, written, false, with);
  CHECK(read_back(out) == written);
}

TEST_CASE("rounded code: numbers mean what the format says", "[trace-io]") {
  const Distribution read = read_back(Numbers().written());
  CHECK(read.count() == 10);
  CHECK(read.sum() == Nanoseconds{10 * 100 + 3000});
  CHECK(read.min().value == Nanoseconds{100});
  CHECK(read.max().value == Nanoseconds{1000});
  CHECK(read.min().rank == Rank{1});
  CHECK(read.max().rank == Rank{3});
  REQUIRE(read.bins().size() == 2);
  CHECK(read.bins()[1] == Distribution::Bin{2, 2 * (1000 - 32)});
  CHECK(read.bins()[0] == Distribution::Bin{8, 4000 - 2 * 968});
  const std::uint64_t least = 2064 * 2064 / 8 + 2 * 968 * 968;
  CHECK(read.squares() == Distribution::Squares{0, least});
}

TEST_CASE("rounded code: the excess of squares is relative to the bins' widths", "[trace-io]") {
  Numbers numbers;
  numbers.excess = 1;
  const Distribution read = read_back(numbers.written());
  // 8 durations between 100 and 968, 2 between 258 and 1000, a sixteenth of the squares, 4 significant bits.
  const std::uint64_t spread = (8 * 868 * 868 + 2 * 742 * 742) / 16;
  const std::uint64_t least = 2064 * 2064 / 8 + 2 * 968 * 968;
  CHECK(read.squares() ==
        Distribution::Squares{0, least + ShortFloat<std::uint64_t>{4}.rounded(spread)});
}

TEST_CASE("rounded code: what contradicts itself is refused", "[trace-io]") {
  Numbers numbers;
  SECTION("nothing changed") { CHECK(refusal(numbers.written()) == "accepted"); }
  SECTION("the fullest bin") {
    numbers.form += 2 * 6 * 3;
    CHECK(refusal(numbers.written()) == "the fullest bin is none of 2");
  }
  SECTION("counts") {
    numbers.upper_count = 10;
    CHECK(refusal(numbers.written()) == "a bin's count is 0 or leaves nothing for the fullest bin");
  }
  SECTION("no counts") {
    numbers.upper_count = 0;
    CHECK(refusal(numbers.written()) == "a bin's count is 0 or leaves nothing for the fullest bin");
  }
  SECTION("a sum of more than 63 bits") {
    numbers.above_least = std::uint64_t{1} << 63U;
    CHECK(refusal(numbers.written()) == "a bin's times do not add up");
  }
  SECTION("more in a bin than in all") {
    numbers.above_least = 0;
    CHECK(refusal(numbers.written()) == "a bin's times do not add up");
  }
  SECTION("a gap below nothing") {
    numbers.gap = 1200;
    CHECK(refusal(numbers.written()) == "a bin's times do not add up");
  }
  SECTION("a gap of more than 63 bits") {
    numbers.gap = std::uint64_t{1} << 63U;
    CHECK(refusal(numbers.written()) ==
          "code 9223372036854775808 of a rounded number does not exist");
  }
  SECTION("squares of more than 128 bits") {
    numbers.excess = 1 + 2 * 1200;
    CHECK(refusal(numbers.written()) == "code 1334 of a rounded number does not exist");
  }
  SECTION("squares below nothing") {
    numbers.excess = 2 * 200;
    CHECK(refusal(numbers.written()) ==
          "code 18446744073709551550 of a rounded number does not exist");
  }
}

TEST_CASE("rounded code: the form of ten bits a gap is still read", "[trace-io]") {
  ColumnWriter out;
  out.put_signed(Column::deltas, 0);
  out.put(Column::bin_counts, 1 + 2 * (3 + 6 * 1));  // three bins, the second the fullest
  out.put_signed(Column::bin_counts, 10);
  out.put(Column::bin_counts, 1);
  out.put(Column::bin_counts, 2);
  out.put(Column::bin_times, 100);
  out.put(Column::extremes, 2100);
  out.put(Column::bin_times, 0);          // at the minimum
  out.put(Column::bin_times, 512 + 513);  // 2 · 513 below the maximum
  out.put(Column::bin_times, 300);
  out.put(Column::bin_times, 5);
  out.put(Column::extreme_ranks, 0);
  out.put(Column::extreme_ranks, 1);
  out.put(Column::squares, 9);
  const Distribution read = read_back(out);
  REQUIRE(read.bins().size() == 3);
  CHECK(read.bins()[0] == Distribution::Bin{1, 100});
  CHECK(read.bins()[1] == Distribution::Bin{7, 7 * 400 + 5});
  CHECK(read.bins()[2] == Distribution::Bin{2, 2 * (2200 - 1026)});
  CHECK(read.squares() ==
        Distribution::Squares{0, 100 * 100 + 2805 * 2805 / 7 + 2 * 1174 * 1174 + 9});
  // Written anew it keeps every number.
  ColumnWriter again;
  DistributionContext with = setting();
  put_distribution(again, read, false, with);
  CHECK(read_back(again) == read);
}
