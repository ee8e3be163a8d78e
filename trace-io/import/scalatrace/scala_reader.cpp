// SPDX-License-Identifier: MIT
#include "trace-io/import/scalatrace/scala_reader.hpp"

#include <algorithm>
#include <fstream>
#include <limits>

#include "trace-io/base/error.hpp"
#include "trace-io/import/scalatrace/scala_words.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::string_view kOperations[] = {
#define X(name) std::string_view(#name),
#include "trace-io/import/scalatrace/operations.def"
#undef X
};
constexpr std::int64_t kFirstOperation = 1000;
// Statistics by their numbers (paramtype.h).
constexpr std::int64_t kTime = 75, kInstructions = 76;
// How deep loops nest: a folded sequence of values nests as deep.
constexpr std::size_t kMostLoops = 60;

class Reader {
 public:
  explicit Reader(ScalaTrace& trace) : trace_(trace) {}

  void read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw InputError(path, "cannot be opened");
    trace_.files.push_back(path);
    file_ = static_cast<std::uint32_t>(trace_.files.size() - 1);
    events_ = 0;
    std::string text;
    bool is_open = false;
    std::uint64_t line = 0;
    while (std::getline(in, text)) {
      ++line;
      if (!text.empty() && text.back() == '\r') text.pop_back();
      ScalaWords words(text, path, line);
      if (words.peek().empty()) {
        if (is_open) end(words);
        is_open = false;
        continue;
      }
      if (is_open == (words.peek() == "RANKS:"))
        words.refuse(
            is_open ? "a record begins within another"
                    : "a record begins with \"" + std::string(words.peek().substr(0, 40)) + "\"",
            "a record begins with RANKS: and ends with an empty line");
      is_open = true;
      read_line(words, line);
    }
    if (in.bad()) throw InputError(path, "cannot be read");
    if (is_open)
      throw InputError(path + ":" + std::to_string(line), "the file ends within a record",
                       "a record ends with an empty line; is the copy complete?");
    if (events_ == 0) throw InputError(path, "holds no record");
  }

 private:
  void read_line(ScalaWords& words, std::uint64_t line) {
    const std::string_view first = words.next();
    if (first == "RANKS:") {
      trace_.records.emplace_back();
      record().file = file_;
      record().line = line;
      record().ranks = ranks(words);
      has_event_ = false;
      return done(words);
    }
    if (first.starts_with("EVENT")) return event(words, first);
    if (!has_event_) words.refuse("a record without EVENT behind its RANKS");
    if (first == "COMP" || first == "COMM") return times(words, first == "COMP");
    if (first.starts_with("LOOP")) return loop(words, first);
    std::int32_t number = 0;
    const auto [end, error] =
        std::from_chars(first.data(), first.data() + first.size(), number, 16);
    if (error != std::errc{} || end != first.data() + first.size() || number < 0)
      words.refuse("a line of no known kind: \"" + std::string(first.substr(0, 40)) + "\"",
                   "lines begin with RANKS:, EVENT, COMP, COMM, LOOP or the number of a parameter");
    record().parameters[number].push_back(values(words, true));
    done(words);
  }

  void event(ScalaWords& words, std::string_view first) {
    if (has_event_) words.refuse("a second EVENT in a record");
    has_event_ = true;
    if (first != "EVENT:" && first != "EVENT" + std::to_string(events_) + ":")
      words.refuse("\"" + std::string(first.substr(0, 40)) + "\" where record " +
                       std::to_string(events_) + " was to follow",
                   "records are numbered from 0 on, in their order");
    ++events_;
    const std::int64_t operation = words.whole("the operation");
    if (operation < kFirstOperation ||
        operation >= kFirstOperation + static_cast<std::int64_t>(std::size(kOperations)))
      words.refuse("no operation " + std::to_string(operation),
                   "ScalaTrace numbers them from " + std::to_string(kFirstOperation) + " to " +
                       std::to_string(kFirstOperation +
                                      static_cast<std::int64_t>(std::size(kOperations)) - 1));
    record().procedure = kOperations[operation - kFirstOperation];
    record().signature = signature(words);
    done(words);
  }

  void times(ScalaWords& words, bool is_compute) {
    // "4b-0:", of which the number behind the stroke only counts.
    const std::string_view which = words.next();
    const auto stroke = which.find('-');
    std::int64_t kind = 0;
    const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), kind, 16);
    if (error != std::errc{} || stroke == std::string_view::npos || end != which.data() + stroke ||
        !which.ends_with(':') || (kind != kTime && kind != kInstructions))
      words.refuse("no statistic \"" + std::string(which.substr(0, 40)) + "\"",
                   "4b is time, 4c thousands of instructions");
    ScalaTimes read;
    read.predecessor = signature(words);
    read.histogram = histogram(words);
    done(words);
    if (!is_compute && kind == kInstructions) return;  // of the MPI library, not of the program
    auto& all = !is_compute     ? record().communicate
                : kind == kTime ? record().compute
                                : record().instructions;
    for (const auto& other : all)
      if (other.predecessor == read.predecessor) words.refuse("two histograms for one call before");
    all.push_back(std::move(read));
  }

  void loop(ScalaWords& words, std::string_view first) {
    auto& loops = record().loops;
    if (first != "LOOP" + std::to_string(loops.size()) + ":")
      words.refuse("\"" + std::string(first.substr(0, 40)) + "\" where loop " +
                       std::to_string(loops.size()) + " was to follow",
                   "loops are numbered from 0 on, from the outermost to the innermost");
    if (loops.size() == kMostLoops)
      words.refuse("more than " + std::to_string(kMostLoops) + " loops begin at one call");
    ScalaLoop read;
    words.expect("iter:");
    while (!words.peek().empty() && words.peek() != "mem:")
      read.iterations.push_back(values(words, false));
    words.expect("mem:");
    while (!words.peek().empty()) read.length.push_back(values(words, false));
    for (const auto* part : {&read.iterations, &read.length})
      for (const auto& some : *part) {
        const bool is_length = part == &read.length;
        if (some.list.empty())
          words.refuse("of a loop only a histogram is known", "the trace cannot be played");
        const auto [least, most] = std::minmax_element(some.list.begin(), some.list.end());
        if (*least < (is_length ? 1 : 0))
          words.refuse("a loop has " + std::to_string(*least) +
                       (is_length ? " records" : " iterations"));
        if (is_length && *least != *most)
          words.refuse("the number of records in a loop changes from " + std::to_string(*least) +
                           " to " + std::to_string(*most),
                       "loops that ScalaTrace has only approximately matched cannot be read");
      }
    loops.push_back(std::move(read));
  }

  // ( VALUE… )[ RANKS ], or for all of the record's ranks VALUE… or a histogram.
  ScalaValues values(ScalaWords& words, bool may_be_for_all) {
    ScalaValues read;
    if (words.skip("(")) {
      const bool is_histogram = words_of_histogram(words, read);
      if (is_histogram) return read;
      words.expect(")");
      words.expect("[");
      read.ranks = ranks(words);
      words.expect("]");
    } else {
      if (!may_be_for_all) words.expect("(");
      while (!words.peek().empty())
        read.list.push_back(static_cast<std::int32_t>(words.whole("a value")));
      read.ranks = record().ranks;
    }
    if (read.list.empty()) words.refuse("a parameter without a value");
    return read;
  }

  // Behind a "(": whether it is a histogram; else the values up to the ")".
  bool words_of_histogram(ScalaWords& words, ScalaValues& read) {
    ScalaWords ahead = words;
    while (!ahead.peek().empty() && ahead.peek() != ")") ahead.next();
    ahead.next();
    if (ahead.peek() != "{") {
      while (!words.peek().empty() && words.peek() != ")")
        read.list.push_back(static_cast<std::int32_t>(words.whole("a value")));
      return false;
    }
    read.mean = histogram_body(words).mean();
    read.ranks = record().ranks;
    return true;
  }

  ScalaHistogram histogram(ScalaWords& words) {
    words.expect("(");
    return histogram_body(words);
  }

  static ScalaHistogram histogram_body(ScalaWords& words) {
    ScalaHistogram read;
    read.count = count(words);
    words.real("the average");
    read.min_rank =
        Rank{static_cast<std::int32_t>(words.whole("the rank of the minimum", 0, kMaxRanks - 1))};
    read.min = words.real("the minimum");
    read.max_rank =
        Rank{static_cast<std::int32_t>(words.whole("the rank of the maximum", 0, kMaxRanks - 1))};
    read.max = words.real("the maximum");
    words.expect(")");
    std::uint64_t counted = 0;
    while (words.skip("{")) {
      ScalaHistogram::Bin bin;
      words.real("the start of a bin");
      bin.min = words.real("the minimum of a bin");
      bin.average = words.real("the average of a bin");
      bin.max = words.real("the maximum of a bin");
      words.real("the end of a bin");
      bin.count = count(words);
      words.expect("}");
      if (bin.count == 0) continue;
      counted += bin.count;
      if (bin.min > bin.max || bin.min < read.min - kRounding || bin.max > read.max + kRounding ||
          bin.average < bin.min - kRounding || bin.average > bin.max + kRounding)
        words.refuse("a bin of a histogram lies outside of its extremes");
      bin.average = std::clamp(bin.average, bin.min, bin.max);
      read.bins.push_back(bin);
    }
    if (counted != read.count || read.count == 0)
      words.refuse("a histogram of " + std::to_string(read.count) +
                   " elements, of which its bins have " + std::to_string(counted));
    return read;
  }

  static constexpr double kRounding = 0.011;  // two decimals
  static std::uint64_t count(ScalaWords& words) {
    return static_cast<std::uint64_t>(
        words.whole("a number of elements", 0, std::numeric_limits<std::int64_t>::max() / 1024));
  }

  // COUNT (−DEPTH START (ITERATIONS STRIDE)…)…, up to a bracket or the end.
  RankList ranks(ScalaWords& words) const {
    std::vector<RankList::Term> terms;
    const std::int64_t count = words.whole("the number of terms of a rank list", 1, kMaxRanks);
    for (std::int64_t t = 0; t < count; ++t) {
      RankList::Term term;
      const std::int64_t depth =
          -words.whole("the depth of a term of a rank list", -kMostDepth, -1);
      term.start = Rank{
          static_cast<std::int32_t>(words.whole("the first rank of a term", 0, kMaxRanks - 1))};
      for (std::int64_t d = 0; d < depth; ++d) {
        const std::int64_t times = words.whole("how many ranks a term has", 1, kMaxRanks),
                           stride = words.whole("the stride of a term", 0, kMaxRanks);
        if (times == 1) continue;
        if (stride == 0) words.refuse("a rank list with a stride of 0 names a rank twice");
        term.dimensions.push_back(
            {static_cast<std::uint32_t>(times), static_cast<std::int32_t>(stride)});
      }
      terms.push_back(std::move(term));
    }
    return RankList::from_terms(
        terms, kMaxRanks,
        trace_.place(record()) + (has_event_ ? ": a rank list of the record" : ": its rank list"));
  }
  static constexpr std::int64_t kMostDepth = 32;

  std::uint32_t signature(ScalaWords& words) {
    // HEX_HEX…; "NULL" before a program's first call.
    std::string_view text = words.next();
    ScalaSignature read;
    while (text != "NULL" && !text.empty()) {
      const auto stroke = std::min(text.find('_'), text.size());
      std::uint64_t address = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + stroke, address, 16);
      if (error != std::errc{} || end != text.data() + stroke)
        words.refuse("a stack signature has \"" +
                     std::string(text.substr(0, std::min<std::size_t>(stroke, 40))) +
                     "\", no address");
      if (read.size() < kMaxFrames) read.push_back(address);
      text.remove_prefix(std::min(stroke + 1, text.size()));
    }
    const auto [known, is_new] =
        signatures_.try_emplace(read, static_cast<std::uint32_t>(trace_.signatures.size()));
    if (is_new) trace_.signatures.push_back(std::move(read));
    return known->second;
  }

  void done(const ScalaWords& words) const {
    if (!words.peek().empty())
      words.refuse("\"" + std::string(words.peek().substr(0, 40)) + "\" where the line was to end");
  }
  void end(const ScalaWords& words) const {
    if (!has_event_) words.refuse("a record without EVENT");
  }
  ScalaRecord& record() { return trace_.records.back(); }
  const ScalaRecord& record() const { return trace_.records.back(); }

  ScalaTrace& trace_;
  std::uint32_t file_ = 0;
  std::uint64_t events_ = 0;  // of the file
  bool has_event_ = false;
  std::map<ScalaSignature, std::uint32_t> signatures_;
};

}  // namespace

const ScalaValues* values_for(const std::vector<ScalaValues>& all, Rank rank) {
  for (const auto& some : all)
    if (some.ranks.contains(rank)) return &some;
  return nullptr;
}

std::string ScalaTrace::place(const ScalaRecord& record) const {
  return files[record.file] + ":" + std::to_string(record.line);
}

ScalaTrace read_scalatrace(const std::vector<std::string>& files) {
  ScalaTrace trace;
  Reader reader(trace);
  for (const auto& file : files) reader.read(file);
  return trace;
}

bool is_scalatrace(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string first, second;
  std::getline(in, first);
  std::getline(in, second);
  return first.starts_with("RANKS: ") && second.starts_with("EVENT");
}

}  // namespace reprise::trace_io
