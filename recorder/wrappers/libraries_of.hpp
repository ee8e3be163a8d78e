// SPDX-License-Identifier: MIT
// Libraries by addresses in them, and where the linker looks for what their functions call.
#pragma once

#include <dlfcn.h>

#include <cstdint>

namespace reprise::recorder {

// The library that something is in; null where it is in none.
inline const void* library_at(const void* address) noexcept {
  Dl_info info{};
  return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

// Where what a library calls is looked for behind the whole program's libraries. Of the file that an address is in: itself and what it is linked against. Empty where it is in none.
class LibrariesOf {
 public:
  explicit LibrariesOf(std::uintptr_t address) noexcept {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(address), &info) != 0 && info.dli_fname != nullptr)
      scope_ = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    // The program's own file has the scope of the whole program, to which its path is no key.
    if (scope_ == nullptr) scope_ = dlopen(nullptr, RTLD_LAZY | RTLD_NOLOAD);
  }
  ~LibrariesOf() {
    if (scope_ != nullptr) dlclose(scope_);
  }
  LibrariesOf(const LibrariesOf&) = delete;
  LibrariesOf& operator=(const LibrariesOf&) = delete;
  void* scope() const { return scope_; }  // for dlsym()

 private:
  void* scope_ = nullptr;
};

}  // namespace reprise::recorder
