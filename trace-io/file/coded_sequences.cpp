// SPDX-License-Identifier: MIT
#include "trace-io/file/coded_sequences.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "trace-io/base/integers.hpp"
#include "trace-io/file/symbol_table.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kLookedAt = 512;       // values by which they are compared
constexpr std::size_t kAlphabets = 64;       // that can come again
constexpr std::size_t kMatch = 3;            // values that must have come before
constexpr std::uint64_t kValuesOfTerm = 64;  // more in a sequence are left to its terms

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

std::uint64_t packed(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0, std::uint64_t d = 0) {
  return ((a * 4099 + b) * 4099 + c) * 4099 + d;
}

}  // namespace

const CodedSequences::Pattern* CodedSequences::pattern_of(const CodedRow& row) const {
  if (row.pattern == 0) return nullptr;
  const auto& patterns = sizes_.find(row.size)->second.patterns;
  return &patterns[patterns.size() - row.pattern];
}

template <class Coder>
bool CodedSequences::transfer(Coder& coder, CodedRow& row, const ValueSequence* around,
                              std::string& problem) {
  const std::uint64_t before = recent_sizes_.empty() ? 0 : recent_sizes_.back(),
                      around_size = around == nullptr ? 0 : around->size();
  const auto place = std::find(recent_sizes_.rbegin(), recent_sizes_.rend(), row.size);
  std::uint64_t back = 0;
  if (place != recent_sizes_.rend())
    back = static_cast<std::uint64_t>(place - recent_sizes_.rbegin()) + 1;
  back = coder.number(Coded::sequence_size,
                      {0, before, around_size, last_known_, packed(before, around_size), rows_ < 2},
                      back);
  if (back > recent_sizes_.size()) {
    problem = "a size of a coded sequence that none before has";
    return false;
  }
  if (back == 0)
    row.size = coder.number(Coded::sequence_size, {1U << 20U, 1, 2, 3, 4, 5}, row.size);
  else
    row.size = recent_sizes_[recent_sizes_.size() - back];
  if (row.size == 0 || row.size > kMostValues) {
    problem = "a coded sequence of " + std::to_string(row.size) + " values, 1 to " +
              std::to_string(kMostValues) + " can be";
    return false;
  }
  if (back > 0)
    recent_sizes_.erase(recent_sizes_.end() - static_cast<std::ptrdiff_t>(back));
  else if (recent_sizes_.size() == kAlphabets)
    recent_sizes_.erase(recent_sizes_.begin());
  recent_sizes_.push_back(row.size);
  const Size& size = sizes_[row.size];
  const std::uint64_t patterns = size.patterns.size();
  row.form = static_cast<RowForm>(coder.number(
      Coded::sequence_form, {0, last_form_, back, row.size, packed(last_form_, row.size), patterns},
      static_cast<std::uint64_t>(row.form)));
  last_form_ = static_cast<std::uint64_t>(row.form);
  if (last_form_ >= kRowForms || (row.form == RowForm::distances && patterns == 0)) {
    problem = "form " + std::to_string(last_form_) + " of a coded sequence that cannot be";
    return false;
  }
  if (row.form == RowForm::distances)
    row.other = coder.number(Coded::sequence_row, {7, row.size, patterns, 0, 1, 2}, row.other);
  row.pattern = coder.number(
      Coded::sequence_pattern,
      {last_form_, last_known_, packed(row.size, patterns), packed(row.size, last_known_),
       packed(last_known_, last_form_), std::min<std::uint64_t>(patterns, 3)},
      row.pattern);
  if (row.other >= std::max<std::uint64_t>(patterns, 1) || row.pattern > patterns) {
    problem = "a pattern of a coded sequence that none before has";
    return false;
  }
  last_known_ = row.pattern;
  if (!transfer_alphabet(coder, row, problem)) return false;
  if (row.pattern == 0 && !transfer_symbols(coder, row, around)) {
    problem = "a symbol of a coded sequence that is not in its alphabet";
    return false;
  }
  return true;
}

template <class Coder>
bool CodedSequences::transfer_alphabet(Coder& coder, CodedRow& row, std::string& problem) {
  const Pattern* like = pattern_of(row);
  const auto form = static_cast<std::uint64_t>(row.form);
  std::uint64_t count = row.alphabet.size();
  if (like == nullptr)
    count = coder.number(Coded::sequence_alphabet, {0, form, row.size, rows_, 1, 2}, count - 1) + 1;
  else
    count = like->alphabet.size();
  if (count > kMostSymbols || count > row.size) {
    problem = "an alphabet of " + std::to_string(count) + " values";
    return false;
  }
  std::uint64_t again = 0;
  const std::uint64_t like_number = like == nullptr ? 0 : row.pattern;
  for (std::size_t back = 1; back <= alphabets_.size() && again == 0; ++back)
    if (alphabets_[alphabets_.size() - back] == row.alphabet) again = back;
  again = coder.number(Coded::sequence_alphabet,
                       {100, 200 + form, packed(300, count), packed(400, like_number, form),
                        packed(500, row.size), packed(600, row.size, like_number)},
                       again);
  if (again > alphabets_.size()) {
    problem = "an alphabet that none before is";
    return false;
  }
  if (again > 0) {
    const auto at = alphabets_.end() - static_cast<std::ptrdiff_t>(again);
    row.alphabet = *at;
    std::rotate(at, at + 1, alphabets_.end());
    if (row.alphabet.size() == count) return true;
    problem = "an alphabet of another size than its pattern's";
    return false;
  }
  row.alphabet.resize(count);
  std::int64_t before = 0, step = 0, ratio_own = 0, ratio_like = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t like_step = 0;
    if (like != nullptr)
      like_step = difference(like->alphabet[i], i == 0 ? 0 : like->alphabet[i - 1]);
    const std::uint64_t own = static_cast<std::uint64_t>(step),
                        other = static_cast<std::uint64_t>(like_step),
                        place = std::min<std::uint64_t>(i, 3);
    const std::uint64_t code =
        coder.number(Coded::sequence_value,
                     {packed(form, place), packed(own, form), packed(other, place, form),
                      packed(other, static_cast<std::uint64_t>(ratio_own),
                             static_cast<std::uint64_t>(ratio_like)),
                      packed(own, other), packed(static_cast<std::uint64_t>(before), form)},
                     zigzag(difference(row.alphabet[i], before)));
    step = unzigzag(code);
    row.alphabet[i] = before = advanced(before, step);
    if (ratio_like == 0 && i > 0) {
      ratio_own = step;
      ratio_like = like_step;
    }
  }
  if (alphabets_.size() == kAlphabets) alphabets_.erase(alphabets_.begin());
  alphabets_.push_back(row.alphabet);
  return true;
}

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
  from = coder.number(Coded::sequence_row,
                      {10, packed(10, tried), packed(10, row.size), 11, 12, 13}, from);
  is_sound = from <= tried;
  if (from == 0 || !is_sound) return false;
  const Pattern& other = patterns[patterns.size() - from];
  map.resize(other.alphabet.size());
  std::uint64_t next = 0, last = 0;
  for (std::uint16_t& symbol : map) {
    last = coder.number(Coded::sequence_row,
                        {20, packed(20, next), packed(20, next, last), packed(21, last), 22, 23},
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
bool CodedSequences::transfer_symbols(Coder& coder, CodedRow& row, const ValueSequence* around) {
  bool is_sound = true;
  if (transfer_function(coder, row, is_sound)) return true;
  if (!is_sound) return false;
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
    best[k] = coder.number(Coded::sequence_row,
                           {k, packed(k, tried), packed(k, k == 0 ? 0 : best[0], tried), 3, 4, 5},
                           best[k]);
    if (best[k] > tried) return false;
    if (best[k] > 0) others[k] = &patterns[patterns.size() - best[k]].symbols;
  }
  const auto count = static_cast<std::uint64_t>(row.alphabet.size());
  const auto bits = static_cast<unsigned>(std::bit_width(count - 1));
  SymbolTable alphabet(count);
  for (const std::int64_t value : row.alphabet) alphabet.symbol_of(value);
  PlaceAround place(around);
  followers_.resize(std::size_t{1} << kFollowerBits);
  std::uint64_t last = 0, last2 = 0, above_last = 0;
  std::size_t match = 0, matched = 0;
  ++rows_;
  const std::uint64_t salt = rows_ << 40U;
  for (std::size_t i = 0; i < row.size; ++i) {
    const std::uint64_t above = others[0] == nullptr ? 0 : (*others[0])[i] + 1U,
                        above2 = others[1] == nullptr ? 0 : (*others[1])[i] + 1U;
    std::uint64_t foreseen = 0;
    if (match > 0 && match < history_.size())
      if (const auto symbol = alphabet.find(history_[match])) foreseen = *symbol + 1U;
    const std::uint64_t symbol =
        coder.symbol(Coded::sequence_symbol,
                     {salt + packed(above, 0), salt + packed(above, last),
                      salt + packed(above, above_last, last, last2),
                      salt + packed(place.left(), place.done(), place.iterations(), last),
                      salt + packed(foreseen, std::min<std::uint64_t>(matched, 15), last),
                      salt + packed(above, above2, place.left())},
                     bits, row.symbols[i]);
    if (symbol >= count) return false;
    row.symbols[i] = static_cast<std::uint16_t>(symbol);
    const std::int64_t value = row.alphabet[symbol];
    if (match > 0 && match < history_.size() && history_[match] == value) {
      ++match;
      ++matched;
    } else {
      match = matched = 0;
    }
    history_.push_back(value);
    if (i + 1 >= kMatch) {
      WordHash hash;
      for (std::size_t back = 1; back <= kMatch; ++back)
        hash.add(static_cast<std::uint64_t>(history_[history_.size() - back]));
      std::uint32_t& follower = followers_[hash.value() * kHashMultiplier >> (64 - kFollowerBits)];
      if (match == 0) match = follower;
      follower = static_cast<std::uint32_t>(history_.size());
    }
    last2 = last;
    last = symbol + 1;
    above_last = above;
    place.advance();
  }
  return true;
}

void CodedSequences::keep(CodedRow&& row, std::vector<std::int64_t> values) {
  values_ += row.size;
  if (row.pattern > 0) return;
  Size& size = sizes_[row.size];
  size.by_hash.emplace(hash_of(row.symbols), size.patterns.size());
  size.patterns.push_back({std::move(row.symbols), std::move(values), std::move(row.alphabet)});
}

bool CodedSequences::put(ContextEncoder& coder, const ValueSequence& sequence,
                         const ValueSequence* around) {
  const std::uint64_t size = sequence.size(), terms = sequence.term_count();
  const bool is_fit = size <= kMostValues && size <= kValuesOfTerm * terms &&
                      values_ + size <= kFreeValues + kValuesOfByte * coder.bits().size();
  Plan plan;
  std::vector<std::int64_t> values;
  if (is_fit) {
    values = sequence.unrolled();
    ValueSequence again;
    for (const std::int64_t value : values) again.append(value);
    if (again.terms() == sequence.terms()) plan = planned(values, terms * 12);
  }
  if (!is_fit || plan.row.size == 0 || plan.cost == ~std::uint64_t{0}) return false;
  std::string problem;
  transfer(coder, plan.row, around, problem);
  keep(std::move(plan.row), std::move(values));
  return true;
}

ValueSequence CodedSequences::take(ContextDecoder& coder, const ValueSequence* around,
                                   std::uint64_t bytes, std::string& problem) {
  CodedRow row;
  ValueSequence sequence;
  if (!transfer(coder, row, around, problem)) return sequence;
  if (values_ + row.size > kFreeValues + kValuesOfByte * bytes) {
    problem = "more coded values than the file has room for";
    return sequence;
  }
  const Pattern* known = pattern_of(row);
  const auto& symbols = known == nullptr ? row.symbols : known->symbols;
  std::vector<std::int64_t> values(row.size);
  const auto& patterns = sizes_[row.size].patterns;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < row.size; ++i) {
    std::int64_t base = 0;
    if (row.form == RowForm::differences) base = before;
    if (row.form == RowForm::distances) base = patterns[patterns.size() - 1 - row.other].values[i];
    before = values[i] = advanced(base, row.alphabet[symbols[i]]);
    sequence.append(before);
  }
  keep(std::move(row), std::move(values));
  return sequence;
}

}  // namespace reprise::trace_io
