// SPDX-License-Identifier: MIT
// The symbols of a new pattern, one by one, beside those of other sequences as the loops around align them.
//
// What for  what one call of a loop's body does follows from what others do in the same iteration: also from those in branches, which have a value for some
//           iterations only, in inner loops, and further out. Such sequences have other sizes.
// How       a sequence leaves a column under its own size, and one under the executions of each loop around it: its last symbol in each of them. The next sequence looks
//           for columns of its size and, by the place of each of its values, of the loops around it, at the same place and at the one before; likewise for columns with one
//           execution more or less, since ranks that take another branch in the first pass have it in front of their loop. Who writes
//           chooses up to three, each the one that leaves fewest symbols open together with those before.
#include <algorithm>
#include <bit>
#include <utility>

#include "trace-io/file/coded_sequences.hpp"
#include "trace-io/file/symbol_table.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kColumnsOfSize = 32, kMostCells = std::size_t{1} << 22U;
// Values by which columns are compared: all of them, and the best of these.
constexpr std::size_t kGlanced = 256, kCompared = 1024, kFinalists = 6;
constexpr std::size_t kWorth =
    4;  // symbols that a column must leave open fewer than none, or those before it

// Some of a sequence's values, equally far apart.
struct Sample {
  std::vector<std::size_t> at;
  std::vector<std::uint16_t> symbols;

  Sample(const std::vector<std::uint16_t>& row, std::size_t most)
      : at(std::min(row.size(), most)), symbols(at.size()) {
    for (std::size_t k = 0; k < at.size(); ++k) {
      at[k] = k * row.size() / at.size();
      symbols[k] = row[at[k]];
    }
  }
  std::vector<std::uint32_t> of(const std::vector<std::uint32_t>& known) const {
    std::vector<std::uint32_t> some(at.size());
    for (std::size_t k = 0; k < at.size(); ++k) some[k] = known[at[k]] * 331;
    return some;
  }
};

// How many of the symbols are not those that mostly go with what is known and what is above, or go with them for the first time.
std::size_t open_symbols(const std::vector<std::uint32_t>& known, const std::uint32_t* above,
                         const std::vector<std::uint16_t>& symbols) {
  constexpr std::size_t kCells = 4096;
  std::array<std::uint16_t, kCells> counts{}, most{};
  std::size_t hits = 0, pairs = 0;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::size_t key = (known[i] + above[i] * 67) % kCells;
    const std::uint16_t count = ++counts[(key * 61 + symbols[i]) % kCells];
    if (count == 1) ++pairs;
    if (count <= most[key]) continue;
    most[key] = count;
    ++hits;
  }
  return symbols.size() - hits + pairs;
}

// Where in an execution of the innermost loop each value is.
class PlaceInLoop {
 public:
  explicit PlaceInLoop(const std::vector<LoopPlaces>& levels) {
    if (levels.empty()) return;
    place_ = &levels.front().place;
    times_.resize(levels.front().executions);
    for (const std::uint32_t execution : *place_) ++times_[execution];
  }
  // REQUIRES: i is one more than in the call before, or 0.
  void at(std::size_t i) {
    iterations_ = 0;
    if (place_ == nullptr || i >= place_->size()) return;
    done_ = i > 0 && (*place_)[i] == (*place_)[i - 1] ? done_ + 1 : 0;
    iterations_ = times_[(*place_)[i]];
  }
  std::uint64_t iterations() const { return iterations_; }
  std::uint64_t done() const { return std::min(done_, kFar); }
  std::uint64_t left() const { return std::min(iterations_ - std::min(done_, iterations_), kFar); }

 private:
  static constexpr std::uint64_t kFar = 20;
  const std::vector<std::uint32_t>* place_ = nullptr;
  std::vector<std::uint32_t> times_;
  std::uint64_t iterations_ = 0, done_ = 0;
};

}  // namespace

void CodedSequences::keep_column(std::uint64_t size, Column column) {
  if (cells_ + column.size() > kMostCells) return;
  auto& columns = sizes_[size].columns;
  if (columns.size() == kColumnsOfSize) {
    cells_ -= columns.front().size();
    columns.erase(columns.begin());
  }
  cells_ += column.size();
  columns.push_back(std::move(column));
}

void CodedSequences::keep_columns(const std::vector<std::uint16_t>& symbols) {
  Column own(symbols);
  for (std::uint16_t& symbol : own) ++symbol;
  for (const LoopPlaces& level : levels_) {
    if (level.executions == own.size() || level.executions < 2) continue;
    Column outer(level.executions);
    for (std::size_t i = 0; i < std::min(own.size(), level.place.size()); ++i)
      outer[level.place[i]] = own[i];
    keep_column(level.executions, std::move(outer));
  }
  const std::uint64_t size = own.size();
  keep_column(size, std::move(own));
}

std::vector<CodedSequences::Aligned> CodedSequences::aligned(std::uint64_t size) const {
  std::vector<Aligned> all;
  const auto add = [&](std::uint64_t executions, const std::vector<std::uint32_t>* place,
                       std::int32_t first_lag) {
    const auto found = sizes_.find(executions);
    if (found == sizes_.end()) return;
    const auto& columns = found->second.columns;
    for (auto column = columns.rbegin(); column != columns.rend(); ++column)
      for (std::int32_t lag = first_lag; lag < first_lag + 2; ++lag)
        all.push_back({&*column, place, lag});
  };
  const auto add_all = [&](std::uint64_t more, std::int32_t first_lag) {
    add(size + more, nullptr, first_lag);
    for (const LoopPlaces& level : levels_)
      if (level.executions >= 2 && level.executions != size)
        add(level.executions + more, &level.place, first_lag);
  };
  add_all(0, 0);
  if (contexts_ != SymbolContexts::peeled) return all;
  add_all(1, -1);
  add_all(~std::uint64_t{0}, 0);
  return all;
}

CodedSequences::Choice CodedSequences::chosen(const CodedRow& row,
                                              const std::vector<Aligned>& all) const {
  std::vector<std::uint32_t> known(row.size);
  PlaceInLoop place(levels_);
  for (std::size_t i = 0; i < known.size(); ++i) {
    place.at(i);
    known[i] = (place.done() == 0 ? 1 : 0) + (place.left() == 1 ? 2 : 0);
  }
  // All are compared by few values, the best of these by more.
  const Sample few(row.symbols, kGlanced), many(row.symbols, kCompared);
  std::vector<std::uint32_t> few_above;
  few_above.reserve(all.size() * few.at.size());
  for (const Aligned& other : all)
    for (const std::size_t i : few.at) few_above.push_back(other.at(i));
  std::vector<std::uint32_t> above(many.at.size());
  std::vector<std::pair<std::size_t, std::size_t>> ranked(all.size());  // open symbols, number
  Choice choice{};
  std::size_t least = open_symbols(many.of(known), above.data(), many.symbols);
  for (std::size_t& number : choice) {
    const auto few_known = few.of(known), many_known = many.of(known);
    for (std::size_t c = 0; c < all.size(); ++c)
      ranked[c] = {open_symbols(few_known, &few_above[c * few.at.size()], few.symbols), c};
    const std::size_t finalists = std::min(kFinalists, ranked.size());
    std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(finalists),
                      ranked.end());
    for (std::size_t f = 0; f < finalists; ++f) {
      const Aligned& other = all[ranked[f].second];
      for (std::size_t k = 0; k < above.size(); ++k) above[k] = other.at(many.at[k]);
      const std::size_t open = open_symbols(many_known, above.data(), many.symbols);
      if (open + (number == 0 ? kWorth : 0) >= least) continue;
      least = open;
      number = ranked[f].second + 1;
    }
    if (number == 0) break;
    for (std::size_t i = 0; i < known.size(); ++i)
      known[i] = known[i] * 37 + all[number - 1].at(i) + 1;
  }
  return choice;
}

template <class Coder>
bool CodedSequences::transfer_aligned(Coder& coder, CodedRow& row) {
  const auto all = aligned(row.size);
  Choice choice{};
  if (!row.symbols.empty()) choice = chosen(row, all);  // who writes chooses
  row.symbols.resize(row.size);
  std::array<const Aligned*, kChosen> others{};
  std::uint64_t before = 0;
  for (std::size_t k = 0; k < kChosen; ++k) {
    before = choice[k] =
        coder.number(Coded::sequence_row,
                     {30 + k, packed_context(30 + k, all.size()), packed_context(33 + k, before),
                      packed_context(36 + k, row.size), 39, 40},
                     choice[k]);
    if (choice[k] > all.size()) return false;
    if (choice[k] == 0) break;
    others[k] = &all[choice[k] - 1];
  }
  const auto count = static_cast<std::uint64_t>(row.alphabet.size());
  const auto bits = static_cast<unsigned>(std::bit_width(count - 1));
  SymbolTable alphabet(count);
  for (const std::int64_t value : row.alphabet) alphabet.symbol_of(value);
  PlaceInLoop place(levels_);
  history_.begin();
  std::uint64_t last = 0, last2 = 0;
  const std::uint64_t salt = ++rows_ << 40U;
  for (std::size_t i = 0; i < row.size; ++i) {
    std::array<std::uint64_t, kChosen> with{};
    for (std::size_t k = 0; k < kChosen; ++k)
      if (others[k] != nullptr) with[k] = others[k]->at(i) + 1U;
    place.at(i);
    std::uint64_t foreseen = 0;
    if (const auto value = history_.foreseen())
      if (const auto symbol = alphabet.find(*value)) foreseen = *symbol + 1U;
    const std::uint64_t symbol = coder.symbol(
        Coded::sequence_symbol,
        {salt + packed_context(with[0], 0, place.left()), salt + packed_context(with[0], with[1]),
         salt + packed_context(with[0], with[1], with[2], place.left()),
         salt + packed_context(with[0], 1, last, last2),
         salt + packed_context(place.left(), place.done(), place.iterations(), last),
         packed_context(foreseen, history_.matched(), bits)},
        bits, row.symbols[i]);
    if (symbol >= count) return false;
    row.symbols[i] = static_cast<std::uint16_t>(symbol);
    history_.note(row.alphabet[symbol]);
    last2 = std::exchange(last, symbol + 1);
  }
  return true;
}

template bool CodedSequences::transfer_aligned(ContextEncoder&, CodedRow&);
template bool CodedSequences::transfer_aligned(ContextDecoder&, CodedRow&);

}  // namespace reprise::trace_io
