// SPDX-License-Identifier: MIT
#include "trace-io/file/finish_times.hpp"

#include <array>

#include "trace-io/file/container.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kMicrosecond = 1000;
constexpr std::array kTimes{&FinishTimes::fold, &FinishTimes::finalize, &FinishTimes::write,
                            &FinishTimes::symbols};

std::uint64_t code_of(Nanoseconds time) {
  const std::int64_t whole =
      time.value > 0 ? (time.value + kMicrosecond / 2) / kMicrosecond : std::int64_t{0};
  return kFinishTimes.code(kFinishTimes.rounded(static_cast<std::uint64_t>(whole)));
}

}  // namespace

void append_finish_times(std::vector<std::byte>& file, const FinishTimes& times) {
  std::vector<std::byte> content;
  for (const auto time : kTimes) {
    const std::uint64_t code = code_of(times.*time);  // below 2^14
    content.push_back(static_cast<std::byte>(code & 0xffU));
    content.push_back(static_cast<std::byte>(code >> 8U));
  }
  append_frame(file, FrameKind::finish_times, content);
}

std::optional<FinishTimes> finish_times(std::span<const std::byte> file) {
  const auto content = frame_of(file, FrameKind::finish_times);
  if (content.size() != 2 * kTimes.size()) return std::nullopt;
  FinishTimes times;
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    const std::uint64_t code = std::to_integer<std::uint64_t>(content[2 * i]) |
                               std::to_integer<std::uint64_t>(content[2 * i + 1]) << 8U;
    const std::uint64_t whole = kFinishTimes.number(code % (kFinishTimes.largest_code() + 1));
    if (whole > INT64_MAX / kMicrosecond) return std::nullopt;
    times.*kTimes[i] = Nanoseconds{static_cast<std::int64_t>(whole) * kMicrosecond};
  }
  return times;
}

std::optional<FinishTimes> load_finish_times(const std::string& path) {
  return finish_times(file_bytes(path));
}

}  // namespace reprise::trace_io
