// SPDX-License-Identifier: MIT
#include "recorder/calls/call_output.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <ctime>

namespace reprise::recorder {
namespace {

using trace_io::CallBlockHead;
using trace_io::CallBlockKind;

constexpr std::uint32_t kNoModule = ~std::uint32_t{0};
constexpr int kPatience = 20'000;  // turns

// A write past RLIMIT_FSIZE raises SIGXFSZ, which would end the program; and no handler of its own is to run in the middle of a write.
class SignalsHeld {
 public:
  SignalsHeld() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() {
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    constexpr timespec kNow{0, 0};
    if (is_raised_ && sigismember(&before_, SIGXFSZ) == 0) sigtimedwait(&ours, nullptr, &kNow);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  void note(int error) noexcept { is_raised_ = is_raised_ || error == EFBIG; }

 private:
  sigset_t before_;
  bool is_raised_ = false;
};

// Fields one after another, as trace-io/calls/call_tables.cpp reads them.
class Table {
 public:
  explicit Table(std::span<std::byte> room) noexcept : room_(room) {}
  template <class Number>
  void number(Number value) noexcept {
    put(&value, sizeof value);
  }
  void text(const char* text, std::size_t length) noexcept {
    number(static_cast<std::uint32_t>(length));
    put(text, length);
  }
  bool has_room(std::size_t bytes) const noexcept { return room_.size() - size_ >= bytes; }
  std::span<const std::byte> bytes() const noexcept { return room_.first(size_); }

 private:
  void put(const void* from, std::size_t bytes) noexcept {
    if (!has_room(bytes)) return;
    std::memcpy(room_.data() + size_, from, bytes);
    size_ += bytes;
  }
  std::span<std::byte> room_;
  std::size_t size_ = 0;
};

// As hexadecimal digits; their number. The image begins with the file's ELF header.
std::size_t build_id_of(const void* image, std::uintptr_t base, std::span<char> to) noexcept {
  const auto* header = static_cast<const ElfW(Ehdr)*>(image);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return 0;
  const auto* segments =
      reinterpret_cast<const ElfW(Phdr)*>(static_cast<const std::byte*>(image) + header->e_phoff);
  for (int i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type != PT_NOTE) continue;
    const auto* at = reinterpret_cast<const std::byte*>(base + segments[i].p_vaddr);
    const std::byte* end = at + segments[i].p_memsz;
    while (static_cast<std::size_t>(end - at) >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const std::size_t name = (note.n_namesz + 3U) & ~3U, text = (note.n_descsz + 3U) & ~3U;
      if (static_cast<std::size_t>(end - at) < sizeof note + name + text) break;
      const std::byte* id = at + sizeof note + name;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && 2 * note.n_descsz <= to.size()) {
        for (std::size_t b = 0; b < note.n_descsz; ++b) {
          to[2 * b] = "0123456789abcdef"[static_cast<unsigned>(id[b]) >> 4U];
          to[2 * b + 1] = "0123456789abcdef"[static_cast<unsigned>(id[b]) & 15U];
        }
        return 2 * note.n_descsz;
      }
      at = id + text;
    }
  }
  return 0;
}

}  // namespace

bool CallOutput::open(const char* path, int rank, MpiName mpi_name) noexcept {
  const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) {
    error_ = errno;
    return false;
  }
  process_ = getpid();
  rank_ = rank;
  mpi_name_ = mpi_name;
  file_.store(file, std::memory_order_release);
  return true;
}

bool CallOutput::lock() noexcept {
  for (int turn = 0; turn < kPatience; ++turn) {
    bool nobody = false;
    if (is_locked_.compare_exchange_weak(nobody, true, std::memory_order_acquire)) return true;
    sched_yield();
  }
  return false;
}

bool CallOutput::append(CallBlockHead head, std::span<const std::byte> payload,
                        std::span<const std::byte> more) noexcept {
  const int file = file_.load(std::memory_order_relaxed);
  if (file < 0 || error_ != 0) return false;
  head.rank = rank_;
  head.bytes = static_cast<std::uint32_t>(payload.size() + more.size());
  head.checksum = trace_io::call_checksum(head, payload, more);
  iovec parts[] = {{&head, sizeof head},
                   {const_cast<std::byte*>(payload.data()), payload.size()},
                   {const_cast<std::byte*>(more.data()), more.size()}};
  const std::size_t whole = sizeof head + payload.size() + more.size();
  for (std::size_t done = 0; done < whole;) {
    const ssize_t wrote = pwritev(file, parts, 3, size_ + static_cast<std::int64_t>(done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      error_ = wrote < 0 ? errno : ENOSPC;
      if (ftruncate(file, size_) != 0) return false;  // the reader then finds a cut
      return false;
    }
    done += static_cast<std::size_t>(wrote);
    auto left = static_cast<std::size_t>(wrote);
    for (iovec& part : parts) {
      const std::size_t taken = std::min(left, part.iov_len);
      part.iov_base = static_cast<std::byte*>(part.iov_base) + taken;
      part.iov_len -= taken;
      left -= taken;
    }
  }
  size_ += static_cast<std::int64_t>(whole);
  return true;
}

std::uint32_t CallOutput::add_module(std::uintptr_t base, const char* name,
                                     const void* image) noexcept {
  char path[PATH_MAX];
  std::size_t length = std::min(std::strlen(name), sizeof path);
  // its length goes with it
  std::memcpy(path, name, length);  // NOLINT(bugprone-not-null-terminated-result)
  if (length == 0) {
    const ssize_t read = readlink("/proc/self/exe", path, sizeof path);
    length = read > 0 ? static_cast<std::size_t>(read) : 0;
  }
  char id[128];
  const std::size_t id_length = build_id_of(image, base, id);
  std::byte room[PATH_MAX + 256];
  Table table(room);
  table.text(path, length);
  table.text(id, id_length);
  CallBlockHead head;
  head.kind = CallBlockKind::modules;
  head.count = 1;
  if (!append(head, table.bytes())) return kNoModule;
  bases_[modules_] = base;
  return modules_++;
}

std::uint32_t CallOutput::module_of(std::uintptr_t address, std::uint64_t& offset) noexcept {
  offset = address;
#ifdef DLFO_STRUCT_HAS_EH_DBASE
  dl_find_object found;
  if (_dl_find_object(reinterpret_cast<void*>(address), &found) != 0 ||
      found.dlfo_link_map == nullptr)
    return kNoModule;
  const std::uintptr_t base = found.dlfo_link_map->l_addr;
  offset = address - base;
  for (std::uint32_t i = 0; i < modules_; ++i)
    if (bases_[i] == base) return i;
  if (modules_ == kModules) return kNoModule;
  return add_module(base, found.dlfo_link_map->l_name, found.dlfo_map_start);
#else
  return kNoModule;
#endif
}

// Those that were not written before.
bool CallOutput::write_functions(FunctionNumbers& numbers) noexcept {
  const std::uint32_t last = numbers.count();
  while (written_ < last) {
    Table table(table_);
    CallBlockHead head;
    head.kind = CallBlockKind::functions;
    while (written_ + head.count < last && table.has_room(256)) {
      const std::uintptr_t key = numbers.key_of(written_ + head.count + 1);
      const bool is_mpi = key < kMpiKeys;
      const char* name = is_mpi && key != 0 ? mpi_name_(key) : "";
      std::uint64_t offset = 0;
      const std::uint32_t module = is_mpi ? kNoModule : module_of(key, offset);
      if (error_ != 0) return false;
      table.number(module);
      table.number(offset);
      table.text(name, std::min(std::strlen(name), std::size_t{128}));
      ++head.count;
    }
    if (!append(head, table.bytes())) return false;
    written_ += head.count;
  }
  return true;
}

bool CallOutput::write(FunctionNumbers& numbers, CallBlockHead head,
                       std::span<const std::byte> payload,
                       std::span<const std::byte> more) noexcept {
  if (!is_open() || getpid() != process_) return false;
  SignalsHeld held;
  if (!lock()) return false;
  const int before = error_;
  const bool is_written = write_functions(numbers) && append(head, payload, more);
  if (before == 0) held.note(error_);
  is_locked_.store(false, std::memory_order_release);
  return is_written;
}

void CallOutput::write_loss(const char* what, std::uint64_t count) noexcept {
  if (count == 0 || !is_open() || getpid() != process_) return;
  SignalsHeld held;
  if (!lock()) return;
  CallBlockHead head;
  head.kind = CallBlockKind::loss;
  head.count = static_cast<std::uint32_t>(std::min<std::uint64_t>(count, ~std::uint32_t{0}));
  append(head, std::as_bytes(std::span(what, std::strlen(what))));
  held.note(error_);
  is_locked_.store(false, std::memory_order_release);
}

void CallOutput::close() noexcept {
  const int file = file_.exchange(-1, std::memory_order_acq_rel);
  if (file >= 0) ::close(file);
}

}  // namespace reprise::recorder
