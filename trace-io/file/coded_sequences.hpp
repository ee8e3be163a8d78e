// SPDX-License-Identifier: MIT
// Long sequences as numbers coded by context (FORMAT.md, "Coded sequences"): what one call of a loop's body does, others do in the same pattern.
//
// What for  the values that decide how a program branches (iterations of an inner loop, how many vectors are left) reach hundreds of sequences: each loop and field
//           behind the branch repeats them, under other numbers.
// How       a sequence is a pattern (which of its values are equal) and an alphabet (which values these are). Sequences of one size with the same pattern
//           share it. A new pattern is coded symbol by symbol; contexts are up to three earlier sequences that foresee it best together (aligned_symbols.cpp), the place in the
//           loop around, and the symbols before. In files of version 7 they are two patterns of the same size (sequence_symbols.cpp). Counters (tags) have patterns in their differences, or in their distances from another sequence.
// Cost      some 10 ns a value where the pattern is known; where it is new, 300 ns a bit, and who writes compares 256 of its values with some hundred other sequences;
//           memory: 10 bytes a value of each new pattern, and 8 MiB at most.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/file/context_coder.hpp"
#include "trace-io/file/loops_around.hpp"
#include "trace-io/file/value_history.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

// In place of the number of a sequence's terms, which is greater by one where there is a coder.
inline constexpr std::uint64_t kCodedSequence = 0;

enum class RowForm : std::uint8_t { values, differences, distances };
inline constexpr std::uint64_t kRowForms = 3;

// One sequence as the file has it.
struct CodedRow {
  std::uint64_t size = 0;  // values
  RowForm form = RowForm::values;
  std::uint64_t other =
      0;  // distances: whose values they are from, counted back from the newest pattern of the size
  std::uint64_t pattern = 0;           // 0: a new one; n: counted back likewise, from 1
  std::vector<std::int64_t> alphabet;  // in the order in which the pattern has them first
  std::vector<std::uint16_t> symbols;  // indices into it; of a new pattern
};

// Where a sequence stands.
struct SequencePlace {
  const ValueSequence* around = nullptr;  // version 7: the iterations of the loop around, or none
  LoopsAround* loops = nullptr;           // the loops around, if they are known
  std::optional<Rank> rank{};             // whose values they are, one an execution
};

// What the symbols of a new pattern are foreseen by.
enum class SymbolContexts : std::uint8_t {
  same_size,  // version 7
  aligned,    // versions 8 and 9
  peeled  // also beside loops with one execution more or less, as where a first pass stands apart on some ranks
};

// Of a pattern.
inline std::uint64_t hash_of(const std::vector<std::uint16_t>& symbols) {
  std::uint64_t hash = symbols.size();
  for (const std::uint16_t symbol : symbols) hash = mixed_bits(hash ^ symbol);
  return hash;
}

class CodedSequences {
 public:
  static constexpr std::uint64_t kMostSymbols = 4096, kMostValues = std::uint64_t{1} << 18;
  static constexpr std::size_t kCandidates = 16;  // patterns of the same size that are tried
  // Values of all coded sequences: at most so many, and so many for each byte of the column.
  static constexpr std::uint64_t kFreeValues = std::uint64_t{1} << 18, kValuesOfByte = 512;

  explicit CodedSequences(SymbolContexts contexts) : contexts_(contexts) {}

  // Puts the sequence, if that is shorter than its terms and gives the very same ones.
  bool put(ContextEncoder&, const ValueSequence&, const SequencePlace&);
  // Takes the next one. Empty sequence and a PROBLEM where the bytes give none. `bytes`: of the whole column.
  ValueSequence take(ContextDecoder&, const SequencePlace&, std::uint64_t bytes,
                     std::string& problem);

 private:
  struct Pattern {
    std::vector<std::uint16_t> symbols;
    std::vector<std::int64_t> values, alphabet;  // of the first sequence with it
  };
  // The symbols of a sequence, each + 1, by execution of a node; 0 where it has none there.
  using Column = std::vector<std::uint16_t>;
  // One as it stands beside the values of another sequence.
  struct Aligned {
    const Column* column = nullptr;
    const std::vector<std::uint32_t>* place = nullptr;  // none: value by value
    std::int32_t lag = 0;                               // −1: the place behind
    std::uint32_t at(std::size_t i) const {
      if (place != nullptr) {
        if (i >= place->size()) return 0;
        i = (*place)[i];
      }
      const std::size_t from = i - static_cast<std::size_t>(std::ptrdiff_t{lag});
      return from < column->size() ? (*column)[from] : 0;
    }
  };
  static constexpr std::size_t kChosen = 3;
  using Choice = std::array<std::size_t, kChosen>;  // numbers from 1; 0: none
  struct Size {
    std::vector<Pattern> patterns;
    std::vector<Column> columns;                             // the latest last
    std::unordered_map<std::uint64_t, std::size_t> by_hash;  // looked up only
  };
  struct Plan {
    CodedRow row;
    std::uint64_t hash = 0, cost = 0;
  };

  Plan planned(const std::vector<std::int64_t>& values, std::uint64_t most_cost) const;
  Plan plan_of(const std::vector<std::int64_t>& values, std::size_t most_symbols) const;
  const Pattern* pattern_of(const CodedRow&) const;
  // Either direction. False where a reader finds what cannot be.
  template <class Coder>
  bool transfer(Coder&, CodedRow&, const SequencePlace&, std::string& problem);
  template <class Coder>
  bool transfer_alphabet(Coder&, CodedRow&, std::string& problem);
  template <class Coder>
  bool transfer_function(Coder&, CodedRow&, bool& is_sound);
  template <class Coder>
  bool transfer_symbols(Coder&, CodedRow&, const SequencePlace&);
  template <class Coder>
  bool transfer_beside_same_size(Coder&, CodedRow&, const ValueSequence* around);
  template <class Coder>
  bool transfer_aligned(Coder&, CodedRow&);
  std::vector<Aligned> aligned(std::uint64_t size) const;
  Choice chosen(const CodedRow&, const std::vector<Aligned>&) const;
  void keep_columns(const std::vector<std::uint16_t>& symbols);
  void keep_column(std::uint64_t size, Column);
  void keep(CodedRow&&, std::vector<std::int64_t> values);

  std::unordered_map<std::uint64_t, Size> sizes_;  // looked up only
  std::vector<std::uint64_t> recent_sizes_;        // the latest last
  std::vector<std::vector<std::int64_t>> alphabets_;
  ValueHistory history_;
  const SymbolContexts contexts_;
  std::vector<LoopPlaces> levels_;  // of the sequence that is coded
  std::size_t cells_ = 0;           // of all columns
  std::uint64_t values_ = 0, last_form_ = 0, last_known_ = 0, rows_ = 0;
};

}  // namespace reprise::trace_io
