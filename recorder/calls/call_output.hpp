// SPDX-License-Identifier: MIT
// The file in which a rank's call streams are while it runs: blocks of all threads, and the functions that they refer to before them.
//
// Writing  one thread at a time; a block is whole or not there: what a full disk cut is taken back, and nothing more is written.
// Safe     from hooks and signal handlers: no allocation, no lock of others (modules are found by _dl_find_object); a thread waits for
//          another one's write only, and for that no longer than kPatience.
// Fork     a child of the process writes nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "recorder/calls/function_numbers.hpp"
#include "trace-io/calls/call_block.hpp"

namespace reprise::recorder {

using MpiName = const char* (*)(std::uintptr_t key);

class CallOutput {
 public:
  // False where it cannot be made. REQUIRES: not open.
  bool open(const char* path, int rank, MpiName) noexcept;
  bool is_open() const noexcept { return file_.load(std::memory_order_acquire) >= 0; }
  // False where it was not written. REQUIRES: rank and checksum of the head are not set yet.
  bool write(FunctionNumbers&, trace_io::CallBlockHead, std::span<const std::byte> payload,
             std::span<const std::byte> more) noexcept;
  void write_loss(const char* what, std::uint64_t count) noexcept;
  int error() const noexcept { return error_; }  // errno of what failed; 0
  void close() noexcept;

 private:
  static constexpr std::size_t kModules = 512, kTableBytes = std::size_t{1} << 15U;

  bool lock() noexcept;
  bool append(trace_io::CallBlockHead, std::span<const std::byte>,
              std::span<const std::byte> more = {}) noexcept;
  bool write_functions(FunctionNumbers&) noexcept;
  std::uint32_t module_of(std::uintptr_t address, std::uint64_t& offset) noexcept;
  std::uint32_t add_module(std::uintptr_t base, const char* name, const void* image) noexcept;

  std::atomic<int> file_{-1};
  std::atomic<bool> is_locked_{false};
  int process_ = 0, rank_ = 0, error_ = 0;
  std::int64_t size_ = 0;
  MpiName mpi_name_ = nullptr;
  std::uint32_t written_ = 0;  // functions
  std::uint32_t modules_ = 0;
  std::uintptr_t bases_[kModules] = {};
  std::byte table_[kTableBytes] = {};
};

}  // namespace reprise::recorder
