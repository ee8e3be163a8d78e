// SPDX-License-Identifier: MIT
#include "trace-io/file/coded_sequences.hpp"

#include <algorithm>
#include <utility>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kAlphabets = 64;       // that can come again
constexpr std::uint64_t kValuesOfTerm = 64;  // more in a sequence are left to its terms

// Whether who reads the values one by one has the same terms again.
bool gives_its_terms(const ValueSequence& sequence, const std::vector<std::int64_t>& values) {
  if (sequence.is_grown()) return true;
  ValueSequence again;
  for (const std::int64_t value : values) again.append(value);
  return again.terms() == sequence.terms();
}

}  // namespace

const CodedSequences::Pattern* CodedSequences::pattern_of(const CodedRow& row) const {
  if (row.pattern == 0) return nullptr;
  const auto& patterns = sizes_.find(row.size)->second.patterns;
  return &patterns[patterns.size() - row.pattern];
}

template <class Coder>
bool CodedSequences::transfer(Coder& coder, CodedRow& row, const SequencePlace& place,
                              std::string& problem) {
  const std::uint64_t before = recent_sizes_.empty() ? 0 : recent_sizes_.back(),
                      around_size = place.around == nullptr ? 0 : place.around->size();
  const auto recent = std::find(recent_sizes_.rbegin(), recent_sizes_.rend(), row.size);
  std::uint64_t back = 0;
  if (recent != recent_sizes_.rend())
    back = static_cast<std::uint64_t>(recent - recent_sizes_.rbegin()) + 1;
  back = coder.number(
      Coded::sequence_size,
      {0, before, around_size, last_known_, packed_context(before, around_size), rows_ < 2}, back);
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
  row.form = static_cast<RowForm>(
      coder.number(Coded::sequence_form,
                   {0, last_form_, back, row.size, packed_context(last_form_, row.size), patterns},
                   static_cast<std::uint64_t>(row.form)));
  last_form_ = static_cast<std::uint64_t>(row.form);
  if (last_form_ >= kRowForms || (row.form == RowForm::distances && patterns == 0)) {
    problem = "form " + std::to_string(last_form_) + " of a coded sequence that cannot be";
    return false;
  }
  if (row.form == RowForm::distances)
    row.other = coder.number(Coded::sequence_row, {7, row.size, patterns, 0, 1, 2}, row.other);
  row.pattern =
      coder.number(Coded::sequence_pattern,
                   {last_form_, last_known_, packed_context(row.size, patterns),
                    packed_context(row.size, last_known_), packed_context(last_known_, last_form_),
                    std::min<std::uint64_t>(patterns, 3)},
                   row.pattern);
  if (row.other >= std::max<std::uint64_t>(patterns, 1) || row.pattern > patterns) {
    problem = "a pattern of a coded sequence that none before has";
    return false;
  }
  last_known_ = row.pattern;
  if (!transfer_alphabet(coder, row, problem)) return false;
  if (row.pattern == 0 && !transfer_symbols(coder, row, place)) {
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
  again = coder.number(
      Coded::sequence_alphabet,
      {100, 200 + form, packed_context(300, count), packed_context(400, like_number, form),
       packed_context(500, row.size), packed_context(600, row.size, like_number)},
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
    const std::uint64_t code = coder.number(
        Coded::sequence_value,
        {packed_context(form, place), packed_context(own, form), packed_context(other, place, form),
         packed_context(other, static_cast<std::uint64_t>(ratio_own),
                        static_cast<std::uint64_t>(ratio_like)),
         packed_context(own, other), packed_context(static_cast<std::uint64_t>(before), form)},
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

void CodedSequences::keep(CodedRow&& row, std::vector<std::int64_t> values) {
  values_ += row.size;
  if (row.pattern > 0) return;
  if (contexts_ != SymbolContexts::same_size) keep_columns(row.symbols);
  Size& size = sizes_[row.size];
  size.by_hash.emplace(hash_of(row.symbols), size.patterns.size());
  size.patterns.push_back({std::move(row.symbols), std::move(values), std::move(row.alphabet)});
}

bool CodedSequences::put(ContextEncoder& coder, const ValueSequence& sequence,
                         const SequencePlace& place) {
  const std::uint64_t size = sequence.size(), terms = sequence.term_count();
  const bool is_fit = size <= kMostValues && size <= kValuesOfTerm * terms &&
                      values_ + size <= kFreeValues + kValuesOfByte * coder.bits().size();
  Plan plan;
  std::vector<std::int64_t> values;
  if (is_fit) {
    values = sequence.unrolled();
    if (gives_its_terms(sequence, values)) plan = planned(values, terms * 12);
  }
  if (!is_fit || plan.row.size == 0 || plan.cost == ~std::uint64_t{0}) return false;
  std::string problem;
  transfer(coder, plan.row, place, problem);
  keep(std::move(plan.row), std::move(values));
  return true;
}

ValueSequence CodedSequences::take(ContextDecoder& coder, const SequencePlace& place,
                                   std::uint64_t bytes, std::string& problem) {
  CodedRow row;
  ValueSequence sequence;
  if (!transfer(coder, row, place, problem)) return sequence;
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
