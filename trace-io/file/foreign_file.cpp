// SPDX-License-Identifier: MIT
#include "trace-io/file/foreign_file.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {
namespace {

struct Sign {
  std::string_view start;  // of the file
  const char* what;
  const char* hint;
};

constexpr const char* kRecordHint =
    "record a trace with: reprise record -o FILE.reprise -- mpirun -n N ./program";
constexpr const char* kJsonHint =
    "a platform is used with: reprise replay TRACE -p FILE; a study with: reprise study FILE";

// The first match counts.
constexpr std::array kSigns = {
    Sign{"\x7f"
         "ELF",
         "a program (ELF)", kRecordHint},
    Sign{"#!", "a script", kRecordHint},
    Sign{"reprise-text ", "the text form of a trace", "convert it with: reprise trace assemble"},
    Sign{"OTF2", "an OTF2 trace", kRecordHint},
    Sign{"#Paraver", "a Paraver trace", kRecordHint},
    Sign{"%EventDef", "a Pajé trace", kRecordHint},
    Sign{"@ mpiP", "an mpiP report", kRecordHint},
    Sign{"{", "JSON", kJsonHint},
    Sign{"[", "JSON", kJsonHint},
    Sign{"<?xml", "XML", kRecordHint},
    Sign{"\x1f\x8b", "gzip-compressed data", "decompress it first"},
    Sign{"\x28\xb5\x2f\xfd", "zstd-compressed data", "decompress it first"},
    Sign{"\xfd"
         "7zXZ",
         "xz-compressed data", "decompress it first"},
    Sign{"BZh", "bzip2-compressed data", "decompress it first"},
    Sign{"PK\x03\x04", "a zip archive", "unpack it first"},
};

// A time-independent trace of SimGrid: "0 init" or "p0 init" in its first line.
bool looks_like_time_independent(std::string_view text) {
  std::size_t at = !text.empty() && text[0] == 'p' ? 1 : 0;
  const std::size_t digits = at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  return at > digits && text.substr(at, 5) == " init";
}

bool is_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 ? byte != 0x7f : c == '\n' || c == '\r' || c == '\t';
  });
}

}  // namespace

void refuse_foreign(std::span<const std::byte> file, const std::string& name) {
  constexpr std::size_t kLooked = 512;
  const std::string_view start(reinterpret_cast<const char*>(file.data()),
                               std::min(file.size(), kLooked));
  const auto refuse = [&](const char* what, const char* hint) {
    throw InputError(name, std::string("not a reprise trace: it looks like ") + what, hint);
  };
  for (const Sign& sign : kSigns)
    if (start.starts_with(sign.start)) refuse(sign.what, sign.hint);
  if (looks_like_time_independent(start)) refuse("a SimGrid time-independent trace", kRecordHint);
  if (is_text(start)) refuse("text", kRecordHint);
  if (std::all_of(file.begin(), file.end(), [](std::byte b) { return b == std::byte{0}; }))
    throw InputError(name, "not a reprise trace: it contains only zero bytes", kRecordHint);
  throw InputError(name, "not a reprise trace: it is binary data of another kind", kRecordHint);
}

}  // namespace reprise::trace_io
