// SPDX-License-Identifier: MIT
#include "platforms/xml/profile_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

constexpr char kLines[] = "write TIME VALUE, PERIODICITY SECONDS or LOOPAFTER SECONDS";

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kBlanks = " \t\v\f";
  std::vector<std::string_view> words;
  for (;;) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) return words;
    const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
    words.push_back(word);
    line.remove_prefix(word.size());
  }
}

bool is_distribution(std::string_view word) {
  static constexpr std::array<std::string_view, 9> kWords{
      "STOCHASTIC", "NORM", "NORMAL", "GAUSS", "GAUSSIAN", "EXP", "EXPONENTIAL", "UNIF", "UNIFORM"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

class Reader {
 public:
  Reader(const std::string& file, std::uint64_t first_line) : file_(file), line_(first_line) {}

  ProfileValues read(std::string_view text, double periodicity) {
    if (periodicity > 0) period_ = periodicity;
    for (bool is_last = false; !is_last; ++line_) {
      const auto end = text.find('\n');
      is_last = end == std::string_view::npos;
      std::string_view line = text.substr(0, end);
      if (!is_last) text.remove_prefix(end + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      take(words_of(line));
      if (found_.is_stochastic) return std::move(found_);
    }
    --line_;
    set_period();
    return std::move(found_);
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint) const {
    throw InputError(file_ + ':' + std::to_string(line_), problem, hint);
  }

  double number(std::string_view word) const {
    double value = 0;
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value) ||
        value < 0)
      refuse('"' + std::string(word) + "\" is not a number of 0 or more", kLines);
    return value;
  }

  void take(std::vector<std::string_view> words) {
    if (words.empty() || words[0][0] == '#' || words[0][0] == '%') return;
    if (std::any_of(words.begin(), words.end(), is_distribution)) {
      found_ = {};
      found_.is_stochastic = true;
      return;
    }
    if (words.size() == 2 && words[0] == "PERIODICITY") {
      period_ = number(words[1]);
      return;
    }
    if (words.size() == 2 && words[0] == "LOOPAFTER") {
      loop_after_ = number(words[1]);
      return;
    }
    std::erase(words, "DET");
    if (words.size() != 2) refuse("a line of a profile has a time and a value", kLines);
    const double time = number(words[0]);
    auto& steps = found_.steps;
    if (!steps.empty() && time < steps.back().from.value)
      refuse(to_text(Seconds{time}) + " comes after " + to_text(steps.back().from),
             "sort the lines by time");
    if (!steps.empty() && time == steps.back().from.value) steps.pop_back();
    steps.push_back({Seconds{time}, number(words[1])});
  }

  void set_period() {
    if (found_.steps.empty() || (!period_ && !loop_after_)) return;
    if (period_ && loop_after_) refuse("both a periodicity and LOOPAFTER", "keep one of them");
    const Seconds last = found_.steps.back().from;
    found_.repeat_every = period_ ? Seconds{*period_} : last + Seconds{*loop_after_};
    if (found_.repeat_every.value <= 0 || found_.repeat_every < last ||
        !std::isfinite(found_.repeat_every.value))
      refuse("it repeats every " + to_text(found_.repeat_every) + ", and its last line is at " +
                 to_text(last),
             "give a longer periodicity, or none");
  }

  const std::string& file_;
  std::uint64_t line_;
  std::optional<double> period_, loop_after_;
  ProfileValues found_;
};

}  // namespace

ProfileValues parse_profile(std::string_view text, const std::string& file,
                            std::uint64_t first_line, double periodicity) {
  return Reader(file, first_line).read(text, periodicity);
}

}  // namespace reprise::platforms
