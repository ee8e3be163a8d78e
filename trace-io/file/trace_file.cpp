// SPDX-License-Identifier: MIT
#include "trace-io/file/trace_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/container.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/quick_bytes.hpp"
#include "trace-io/order/order_code.hpp"

namespace reprise::trace_io {
namespace {

// Payloads below compress well enough without coding numbers by context.
constexpr std::size_t kSmallPayload = std::size_t{1} << 14U;

// Of those of many calls it is known beforehand that coding is shorter.
bool has_many_calls(const Trace& trace) {
  constexpr std::size_t kMany = 512;
  std::size_t calls = 0;
  for (const auto& program : trace.threads) for_each_leaf(program, [&](const Leaf&) { ++calls; });
  return calls >= kMany;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }
  bool close() {  // whether everything arrived: some file systems tell only now
    const int number = number_;
    number_ = -1;
    return ::close(number) == 0;
  }

 private:
  int number_;
};

[[noreturn]] void refuse(const std::string& path, const std::string& what, const char* hint) {
  throw InputError(path, what + ": " + std::strerror(errno), hint);
}

bool write_all(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

void sync_directory_of(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "."
                                : slash == 0               ? "/"
                                                           : path.substr(0, slash);
  const Descriptor opened(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0)
    ::fsync(opened.number());  // not every file system can; the file itself is synced already
}

}  // namespace

std::vector<std::byte> serialise(const Trace& trace) {
  std::uint32_t version = 0;
  if (has_many_calls(trace) || has_peaks(trace)) {
    const auto payload = encode_payload(trace, version, true);
    return wrap_coded(payload, version);
  }
  const auto payload = encode_payload(trace, version);
  auto file = wrap_coded(payload, version);
  if (payload.size() < kSmallPayload) return file;
  const auto coded = encode_payload(trace, version, true);
  auto shorter = wrap_coded(coded, version);
  return shorter.size() < file.size() ? shorter : file;
}

std::vector<std::byte> serialise_quickly(const Trace& trace) {
  std::uint32_t version = 0;
  const auto payload = encode_payload(trace, version);
  return wrap(payload, version, Effort::little);
}

Trace deserialise(std::span<const std::byte> bytes, const std::string& name) {
  std::uint32_t version = 0;
  const auto payload = unwrap(bytes, name, version);
  Trace trace = decode_payload(payload, version, name);
  for (const auto& finding : check_structure(trace))
    if (finding.severity == Severity::error)
      throw InputError(name + ": " + finding.where, finding.problem, kDamagedHint);
  return trace;
}

void save(const Trace& trace, const std::string& path) { save_bytes(serialise(trace), path); }

void save_bytes(std::span<const std::byte> bytes, const std::string& path) {
  std::string temporary = path + ".XXXXXX";
  Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.number() < 0)
    refuse(path, "cannot create a file beside it", "choose another place with -o");
  const mode_t mask = ::umask(0);
  ::umask(mask);
  const bool complete = ::fchmod(file.number(), 0666 & ~mask) == 0 &&
                        write_all(file.number(), bytes) && ::fsync(file.number()) == 0 &&
                        file.close() && ::rename(temporary.c_str(), path.c_str()) == 0;
  if (!complete) {
    const int reason = errno;
    ::unlink(temporary.c_str());
    errno = reason;
    refuse(path, "cannot write the trace", "free some space or choose another place with -o");
  }
  sync_directory_of(path);
}

Trace load(const std::string& path) { return deserialise(file_bytes(path), path); }

std::vector<std::byte> file_bytes(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) refuse(path, "cannot open the trace", "");
  std::vector<std::byte> bytes;
  std::vector<std::byte> chunk(1 << 16);
  for (;;) {
    const ssize_t got = ::read(file.number(), chunk.data(), chunk.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EISDIR)
      throw InputError(
          path, "is a folder, not a trace",
          path.ends_with(".parts") || path.ends_with(".parts/")
              ? "merge what its ranks saved: reprise trace salvage " + path + " -o FILE"
              : std::string());
    if (got < 0) refuse(path, "cannot read the trace", "");
    if (got == 0) break;
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + got);
    if (bytes.size() >= kMagic.size() &&
        std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
      break;
  }
  return bytes;
}

}  // namespace reprise::trace_io
