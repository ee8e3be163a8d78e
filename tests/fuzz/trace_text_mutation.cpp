// SPDX-License-Identifier: MIT
#include "tests/fuzz/trace_text_mutation.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include "tests/fuzz/random_call.hpp"
#include "tests/fuzz/trace_lines.hpp"

namespace reprise::fuzz {
namespace {

using Place = std::ptrdiff_t;

std::size_t ranks_of(const Lines& lines) {
  for (const std::string& line : lines)
    if (line.starts_with("ranks "))
      return std::clamp<std::size_t>(std::strtoull(line.c_str() + 6, nullptr, 10), 1, 64);
  return 1;
}

class Mutation {
 public:
  Mutation(Lines& lines, Random& random)
      : lines_(lines), random_(random), statements_(statements_of(lines)) {}

  void one() {
    if (statements_.empty()) {
      lines_.insert(lines_.end(), {"thread 0 {", random_call(random_, ranks_of(lines_)), "}"});
      return;
    }
    switch (random_.below(13)) {
      case 0:
      case 1:
        return insert(any_statement(), {random_call(random_, ranks_of(lines_))});
      case 2:
        return remove(any_statement());
      case 3:
        return insert(any_statement(), statement(any_statement()));
      case 4:
        return move();
      case 5:
        return wrap();
      case 6:
        return unwrap();
      case 7:
        return restrict_ranks();
      case 8:
        return change_header();
      case 9:
        return tell_ranks_apart();
      default:
        return change_number();
    }
  }

 private:
  std::size_t any_statement() { return statements_[random_.below(statements_.size())]; }
  Lines statement(std::size_t at) const {
    return {lines_.begin() + static_cast<Place>(at),
            lines_.begin() + static_cast<Place>(end_of_statement(lines_, at))};
  }
  void insert(std::size_t at, const Lines& more) {
    lines_.insert(lines_.begin() + static_cast<Place>(at), more.begin(), more.end());
  }
  void remove(std::size_t at) {
    lines_.erase(lines_.begin() + static_cast<Place>(at),
                 lines_.begin() + static_cast<Place>(end_of_statement(lines_, at)));
  }

  void move() {
    const Lines moved = statement(any_statement());
    const std::size_t from = any_statement();
    const Lines removed = statement(from);
    remove(from);
    statements_ = statements_of(lines_);
    if (statements_.empty()) return;
    insert(any_statement(), random_.one_in(2) ? removed : moved);
  }

  void wrap() {
    const std::size_t first = any_statement();
    std::size_t end = first;  // over some statements of the same body
    for (std::size_t i = random_.below(4) + 1; i > 0 && end < lines_.size() && !closes(lines_[end]);
         --i)
      end = end_of_statement(lines_, end);
    lines_.insert(lines_.begin() + static_cast<Place>(end), "}");
    insert(first,
           {"loop " + std::to_string(random_.below(9)) + (random_.one_in(4) ? " exit 1 {" : " {")});
  }

  void unwrap() {
    const std::size_t at = any_statement();
    if (!opens(lines_[at])) return;
    lines_.erase(lines_.begin() + static_cast<Place>(end_of_statement(lines_, at)) - 1);
    lines_.erase(lines_.begin() + static_cast<Place>(at));
  }

  void restrict_ranks() {
    std::string& line = lines_[any_statement()];
    const std::size_t colon = line.find(": ");
    if (line.find("rank") < colon && colon < line.find('{')) {
      line.erase(0, colon + 2);
      return;
    }
    const std::size_t first = random_.below(ranks_of(lines_));
    const std::size_t last = first + random_.below(ranks_of(lines_) - first);
    line = "ranks " + std::to_string(first) + "-" + std::to_string(last) + ": " + line;
  }

  // A number of a field becomes one for rank 0 and one for the others.
  void tell_ranks_apart() {
    std::string& line = lines_[any_statement()];
    const std::size_t ranks = ranks_of(lines_), equals = line.find('=');
    if (equals == std::string::npos || ranks < 2) return;
    const std::size_t end = std::min(line.find(' ', equals), line.size());
    const std::string value = line.substr(equals + 1, end - equals - 1);
    if (value.find_first_of("{[<(") != std::string::npos) return;
    line.replace(equals + 1, value.size(),
                 "{0: " + std::to_string(random_.below(4)) + "; 1-" + std::to_string(ranks - 1) +
                     ": " + value + "}");
  }

  void change_header() {
    constexpr std::array kLines{"communicator 2: 0 1",
                                "communicator 3 copy 1: 0 1",
                                "communicator 2 ranks 0: 0 1",
                                "communicator 4: 0 | 1",
                                "communicator 3: 1 0",
                                "timing histogram",
                                "clock cpu",
                                "incomplete",
                                "recorded 0-1",
                                "thread 1 {"};
    const std::string line = kLines[random_.below(kLines.size())];
    if (opens(line)) {
      lines_.insert(lines_.end(), {line, random_call(random_, ranks_of(lines_)), "}"});
    } else if (random_.one_in(4)) {
      for (std::string& old : lines_)
        if (old.starts_with("ranks ")) old = "ranks " + std::to_string(random_.below(9) + 1);
    } else if (lines_.size() > 2) {
      insert(2, {line});
    }
  }

  void change_number() {
    std::string& line = lines_[random_.one_in(8) ? random_.below(lines_.size()) : any_statement()];
    std::vector<std::size_t> numbers;
    for (std::size_t i = 1; i < line.size(); ++i)
      if (std::isdigit(static_cast<unsigned char>(line[i])) != 0 &&
          std::isalnum(static_cast<unsigned char>(line[i - 1])) == 0)
        numbers.push_back(i);
    if (numbers.empty()) return;
    const std::size_t at = numbers[random_.below(numbers.size())];
    std::size_t end = at;
    while (end < line.size() && std::isdigit(static_cast<unsigned char>(line[end])) != 0) ++end;
    const auto old = static_cast<std::uint64_t>(std::strtoull(line.c_str() + at, nullptr, 10));
    const std::string changed = random_.one_in(3)   ? odd_number(random_)
                                : random_.one_in(2) ? std::to_string(old + 1)
                                : old > 0           ? std::to_string(old - 1)
                                                    : std::to_string(random_.below(20));
    line.replace(at, end - at, changed);
  }

  Lines& lines_;
  Random& random_;
  std::vector<std::size_t> statements_;
};

}  // namespace

std::string mutated(std::string_view text, std::uint64_t seed, std::size_t most) {
  Random random(seed);
  Lines lines = lines_of(text);
  for (std::size_t left = 1 + random.below(4); left > 0; --left) Mutation(lines, random).one();
  std::string result = text_of(lines);
  return result.size() <= most ? result : std::string(text.substr(0, most));
}

std::string crossed(std::string_view first, std::string_view second, std::uint64_t seed,
                    std::size_t most) {
  Random random(seed);
  Lines lines = lines_of(first);
  const Lines others = lines_of(second);
  const auto theirs = statements_of(others);
  const auto ours = statements_of(lines);
  if (theirs.empty() || ours.empty()) return std::string(first);
  const std::size_t from = theirs[random.below(theirs.size())];
  std::size_t end = from;
  for (std::size_t i = 1 + random.below(8); i > 0 && end < others.size() && !closes(others[end]);
       --i)
    end = end_of_statement(others, end);
  const std::size_t at = ours[random.below(ours.size())];
  lines.insert(lines.begin() + static_cast<Place>(at), others.begin() + static_cast<Place>(from),
               others.begin() + static_cast<Place>(end));
  for (const std::string& line : others) {
    if (!line.starts_with("communicator ")) continue;
    const std::string number = line.substr(0, line.find_first_of(" :", 13));
    const bool is_there = std::any_of(lines.begin(), lines.end(), [&](const std::string& own) {
      return own.starts_with(number);
    });
    if (!is_there && lines.size() > 2) lines.insert(lines.begin() + 2, line);
  }
  const std::string result = text_of(lines);
  return result.size() <= most ? result : std::string(first);
}

}  // namespace reprise::fuzz
