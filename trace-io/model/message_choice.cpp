// SPDX-License-Identifier: MIT
#include "trace-io/model/message_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::trace_io {
namespace {

// What stands in front of a separator; the text goes on behind it.
std::string_view taken_up_to(std::string_view& text, std::string_view separator) {
  const auto at = text.find(separator);
  const std::string_view taken = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + separator.size());
  return taken;
}

std::optional<std::uint64_t> share_of(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  const std::string number(text.substr(0, text.size() - 1));
  char* end = nullptr;
  const double percent = std::strtod(number.c_str(), &end);
  if (end == number.c_str() || *end != '\0' || !(percent > 0) || percent > 100) return std::nullopt;
  const double share = percent / 100 * static_cast<double>(kWholeShare);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(share)));
}

std::optional<std::uint64_t> count_of(std::string_view text) {
  if (text.empty() || text.size() > 10) return std::nullopt;
  std::uint64_t count = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    count = 10 * count + static_cast<std::uint64_t>(c - '0');
  }
  return count;
}

std::optional<std::uint64_t> time_of(std::string_view text) try {
  constexpr double kMost = 1e12;  // ns
  const double ns = parse_seconds(text, "messages").value * 1e9;
  return ns >= 0 && ns <= kMost ? std::optional(static_cast<std::uint64_t>(std::llround(ns)))
                                : std::nullopt;
} catch (const InputError&) {
  return std::nullopt;
}

bool read_sizes(std::string_view text, MessageChoice& choice) try {
  if (taken_up_to(text, "=") != "size" || text.find("..") == std::string_view::npos) return false;
  const std::string_view from = taken_up_to(text, "..");
  if (!from.empty())
    choice.least_bytes = static_cast<std::uint64_t>(parse_bytes(from, "messages").value);
  if (!text.empty())
    choice.most_bytes = static_cast<std::uint64_t>(parse_bytes(text, "messages").value);
  return choice.least_bytes <= choice.most_bytes;
} catch (const InputError&) {
  return false;
}

}  // namespace

std::optional<MessageChoice> message_choice_of(std::string_view text) {
  constexpr std::uint64_t kMostMessages = std::uint64_t{1} << 32;
  MessageChoice choice;
  choice.wanted = true;
  std::string_view how = taken_up_to(text, ",");
  if (!text.empty() && !read_sizes(text, choice)) return std::nullopt;
  const std::string_view mode = taken_up_to(how, ":");
  if (mode == "sample") {
    const auto share = share_of(how);
    if (!share) return std::nullopt;
    choice.share = *share;
    return choice;
  }
  if (mode != "counter" && mode != "timer") return std::nullopt;
  const bool counts = mode == "counter";
  choice.mode = counts ? MessageMode::counter : MessageMode::timer;
  const bool varies = how.find('~') != std::string_view::npos;
  const std::string_view first = taken_up_to(how, "~");
  const auto period = counts ? count_of(first) : time_of(first);
  const auto variance = !varies  ? std::optional<std::uint64_t>(0)
                        : counts ? count_of(how)
                                 : time_of(how);
  if (!period || !variance || *period < 1 ||
      *period > (counts ? kMostMessages : ~std::uint64_t{0}) ||
      2 * *variance >= *period + (counts ? 0 : 1))
    return std::nullopt;
  choice.period = *period;
  choice.variance = *variance;
  return choice;
}

}  // namespace reprise::trace_io
