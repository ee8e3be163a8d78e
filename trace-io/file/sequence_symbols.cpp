// SPDX-License-Identifier: MIT
// How the symbols of a new pattern are coded: as a function of another pattern's, or one by one; in files of version 7 beside patterns of the same size.
#include <algorithm>
#include <array>
#include <bit>

#include "trace-io/base/integers.hpp"
#include "trace-io/file/coded_sequences.hpp"
#include "trace-io/file/symbol_table.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kLookedAt = 512;  // values by which they are compared

// How many of the symbols are not those that mostly go with the other's.
std::size_t misses(const std::vector<std::uint16_t>& other, const std::vector<std::uint16_t>& own) {
  constexpr std::size_t kCells = 4096;
  std::array<std::uint16_t, kCells> counts{}, most{};
  const std::size_t looked = std::min(own.size(), kLookedAt);
  std::size_t hits = 0, pairs = 0;
  for (std::size_t i = 0; i < looked; ++i) {
    const std::uint16_t count = ++counts[(std::size_t{other[i]} * 67 + own[i]) % kCells];
    if (count == 1) ++pairs;
    std::uint16_t& best = most[other[i]];
    if (count > best) {
      best = count;
      ++hits;
    }
  }
  return looked - hits + pairs;
}

// By symbol of the other: the own one, if there is always the same; empty otherwise.
std::vector<std::uint16_t> function_from(const std::vector<std::uint16_t>& other,
                                         std::size_t others,
                                         const std::vector<std::uint16_t>& own) {
  constexpr std::uint16_t kNone = 0xffff;
  std::vector<std::uint16_t> map(others, kNone);
  for (std::size_t i = 0; i < own.size(); ++i) {
    std::uint16_t& known = map[other[i]];
    if (known != kNone && known != own[i]) return {};
    known = own[i];
  }
  return map;
}

// Where in the loop around a value is.
class PlaceAround {
 public:
  explicit PlaceAround(const ValueSequence* around) {
    if (around != nullptr) cursor_ = ValueSequence::Cursor(*around);
    next();
  }
  void advance() {
    ++done_;
    if (done_ >= iterations_) next();
  }
  std::uint64_t done() const {
    return std::min<std::uint64_t>(static_cast<std::uint64_t>(done_), kFar);
  }
  std::uint64_t left() const {
    return std::min<std::uint64_t>(static_cast<std::uint64_t>(iterations_ - done_), kFar);
  }
  std::uint64_t iterations() const { return static_cast<std::uint64_t>(iterations_) & 1023U; }

 private:
  static constexpr std::uint64_t kFar = 20;
  void next() {
    done_ = 0;
    iterations_ = 0;
    for (int tried = 0; iterations_ <= 0 && !cursor_.at_end() && tried < kTries; ++tried)
      iterations_ = cursor_.next();
    iterations_ = std::max<std::int64_t>(iterations_, 0);
  }
  static constexpr int kTries = 1 << 16;
  ValueSequence::Cursor cursor_;
  std::int64_t iterations_ = 0, done_ = 0;
};

}  // namespace

// A pattern that follows from another one, symbol by symbol. False where it does not.
template <class Coder>
bool CodedSequences::transfer_function(Coder& coder, CodedRow& row, bool& is_sound) {
  const auto& patterns = sizes_.find(row.size)->second.patterns;
  const std::size_t tried = std::min(patterns.size(), kCandidates);
  std::uint64_t from = 0;
  std::vector<std::uint16_t> map;
  for (std::size_t back = 1; back <= tried && from == 0 && !row.symbols.empty(); ++back) {
    const Pattern& other = patterns[patterns.size() - back];
    map = function_from(other.symbols, other.alphabet.size(), row.symbols);
    if (!map.empty()) from = back;
  }
  from =
      coder.number(Coded::sequence_row,
                   {10, packed_context(10, tried), packed_context(10, row.size), 11, 12, 13}, from);
  is_sound = from <= tried;
  if (from == 0 || !is_sound) return false;
  const Pattern& other = patterns[patterns.size() - from];
  map.resize(other.alphabet.size());
  std::uint64_t next = 0, last = 0;
  for (std::uint16_t& symbol : map) {
    last = coder.number(Coded::sequence_row,
                        {20, packed_context(20, next), packed_context(20, next, last),
                         packed_context(21, last), 22, 23},
                        symbol);
    is_sound = is_sound && last < row.alphabet.size();
    symbol = static_cast<std::uint16_t>(last);
    if (last == next) ++next;
  }
  if (!is_sound) return false;
  row.symbols.resize(row.size);
  for (std::size_t i = 0; i < row.size; ++i) row.symbols[i] = map[other.symbols[i]];
  return true;
}

template <class Coder>
bool CodedSequences::transfer_symbols(Coder& coder, CodedRow& row, const SequencePlace& place) {
  levels_.clear();
  if (contexts_ != SymbolContexts::same_size && place.loops != nullptr && place.rank)
    levels_ = place.loops->of(*place.rank, row.size);
  bool is_sound = true;
  if (transfer_function(coder, row, is_sound)) return true;
  if (!is_sound) return false;
  return contexts_ == SymbolContexts::same_size
             ? transfer_beside_same_size(coder, row, place.around)
             : transfer_aligned(coder, row);
}

template <class Coder>
bool CodedSequences::transfer_beside_same_size(Coder& coder, CodedRow& row,
                                               const ValueSequence* around) {
  const auto& patterns = sizes_.find(row.size)->second.patterns;
  const std::size_t tried = std::min(patterns.size(), kCandidates);
  std::array<std::size_t, 2> best = {0, 0};  // counted back from 1; 0: none
  if (!row.symbols.empty()) {                // who writes chooses
    std::array<std::size_t, 2> least = {row.size + 1, row.size + 1};
    for (std::size_t back = 1; back <= tried; ++back) {
      const std::size_t missed = misses(patterns[patterns.size() - back].symbols, row.symbols);
      if (missed < least[0]) {
        least = {missed, least[0]};
        best = {back, best[0]};
      } else if (missed < least[1]) {
        least[1] = missed;
        best[1] = back;
      }
    }
  }
  row.symbols.resize(row.size);
  std::array<const std::vector<std::uint16_t>*, 2> others = {nullptr, nullptr};
  for (std::size_t k = 0; k < 2; ++k) {
    best[k] = coder.number(
        Coded::sequence_row,
        {k, packed_context(k, tried), packed_context(k, k == 0 ? 0 : best[0], tried), 3, 4, 5},
        best[k]);
    if (best[k] > tried) return false;
    if (best[k] > 0) others[k] = &patterns[patterns.size() - best[k]].symbols;
  }
  const auto count = static_cast<std::uint64_t>(row.alphabet.size());
  const auto bits = static_cast<unsigned>(std::bit_width(count - 1));
  SymbolTable alphabet(count);
  for (const std::int64_t value : row.alphabet) alphabet.symbol_of(value);
  PlaceAround place(around);
  std::uint64_t last = 0, last2 = 0, above_last = 0;
  history_.begin();
  ++rows_;
  const std::uint64_t salt = rows_ << 40U;
  for (std::size_t i = 0; i < row.size; ++i) {
    const std::uint64_t above = others[0] == nullptr ? 0 : (*others[0])[i] + 1U,
                        above2 = others[1] == nullptr ? 0 : (*others[1])[i] + 1U;
    std::uint64_t foreseen = 0;
    if (const auto value = history_.foreseen())
      if (const auto symbol = alphabet.find(*value)) foreseen = *symbol + 1U;
    const std::uint64_t symbol =
        coder.symbol(Coded::sequence_symbol,
                     {salt + packed_context(above, 0), salt + packed_context(above, last),
                      salt + packed_context(above, above_last, last, last2),
                      salt + packed_context(place.left(), place.done(), place.iterations(), last),
                      salt + packed_context(foreseen, history_.matched(), last),
                      salt + packed_context(above, above2, place.left())},
                     bits, row.symbols[i]);
    if (symbol >= count) return false;
    row.symbols[i] = static_cast<std::uint16_t>(symbol);
    history_.note(row.alphabet[symbol]);
    last2 = last;
    last = symbol + 1;
    above_last = above;
    place.advance();
  }
  return true;
}

template bool CodedSequences::transfer_symbols(ContextEncoder&, CodedRow&, const SequencePlace&);
template bool CodedSequences::transfer_symbols(ContextDecoder&, CodedRow&, const SequencePlace&);

}  // namespace reprise::trace_io
