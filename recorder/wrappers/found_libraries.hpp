// SPDX-License-Identifier: MIT
// Where the linker finds what functions call: behind the recorder in the whole program (RTLD_NEXT), then in the caller's own libraries.
#pragma once

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <string>
#include <vector>

namespace reprise::recorder {

// The library that something is in; null where it is in none.
inline const void* library_at(const void* address) noexcept {
  Dl_info info{};
  return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

// What `visit` finds in a loaded library and what that is linked against, given as a scope for dlsym(). The library stays loaded from then on where
// something is found and `for_good`: an address that is kept would mean nothing after it.
template <class Visit>
void* found_by_file(const char* file, bool for_good, const Visit& visit) {
  void* const scope = file == nullptr ? nullptr : dlopen(file, RTLD_LAZY | RTLD_NOLOAD);
  if (scope == nullptr) return nullptr;
  void* const found = visit(scope);
  if (found == nullptr || !for_good) dlclose(scope);
  return found;
}

// In the library of a function, first of all, and in those that it is linked against.
template <class Visit>
void* found_by_caller(std::uintptr_t caller, bool for_good, const Visit& visit) {
  Dl_info info{};
  return dladdr(reinterpret_cast<const void*>(caller), &info) == 0
             ? nullptr
             : found_by_file(info.dli_fname, for_good, visit);
}

// In any that is loaded: a call may have been made through a pointer that a library has given away. May throw std::bad_alloc.
template <class Visit>
void* found_anywhere(const Visit& visit) {
  std::vector<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* all) {
        if (library->dlpi_name != nullptr && *library->dlpi_name != 0)
          static_cast<std::vector<std::string>*>(all)->emplace_back(library->dlpi_name);
        return 0;
      },
      &files);
  for (const std::string& file : files)
    if (void* const found = found_by_file(file.c_str(), true, visit)) return found;
  return nullptr;
}

}  // namespace reprise::recorder
