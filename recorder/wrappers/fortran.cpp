// SPDX-License-Identifier: MIT
#include "recorder/wrappers/fortran.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <string>
#include <utility>

#include "recorder/wrappers/found_libraries.hpp"
#include "recorder/wrappers/next_in_chain.hpp"

namespace reprise::recorder {
namespace {

#if defined(OPEN_MPI)
constexpr char kProfiled[] = "pmpi";

// A common block of the Fortran binding, whichever way its compiler spells it; unlike anything where there is none.
const void* common_block(const std::array<const char*, 4>& spellings) noexcept {
  for (const char* name : spellings)
    if (const void* address = dlsym(RTLD_DEFAULT, name)) return address;
  static const char nowhere = 0;
  return &nowhere;
}
#else
constexpr char kProfiled[] = "pmpir";
#endif

}  // namespace

FortranTarget fortran_target(const char* name, std::uintptr_t caller) noexcept try {
  if (void* const of_tool = tool_procedure(name)) return {of_tool};
  const std::string profiled = std::string(kProfiled) + (name + 3);
  static const char here = 0;
  const auto look_for = [](const char* one) {
    return [one](void* scope) -> void* {
      void* const found = dlsym(scope, one);
      return library_at(found) == library_at(&here) ? nullptr : found;
    };
  };
  const auto of_mpi = look_for(profiled.c_str()), of_others = look_for(name);
  for (const auto& [look, is_mpi] : {std::pair(of_mpi, true), std::pair(of_others, false)}) {
    if (void* const behind = look(RTLD_NEXT)) return {behind, is_mpi};
    if (void* const of_caller = found_by_caller(caller, true, look)) return {of_caller, is_mpi};
  }
  for (const auto& [look, is_mpi] : {std::pair(of_mpi, true), std::pair(of_others, false)})
    if (void* const found = found_anywhere(look)) return {found, is_mpi};
  return {};
} catch (...) {
  return {};
}

#if defined(OPEN_MPI)

bool is_ignored_status(const void* status) noexcept {
  static const void* const one =
      common_block({"mpi_fortran_status_ignore_", "mpi_fortran_status_ignore",
                    "mpi_fortran_status_ignore__", "MPI_FORTRAN_STATUS_IGNORE"});
  static const void* const many =
      common_block({"mpi_fortran_statuses_ignore_", "mpi_fortran_statuses_ignore",
                    "mpi_fortran_statuses_ignore__", "MPI_FORTRAN_STATUSES_IGNORE"});
  return status == one || status == many || status == MPI_F_STATUS_IGNORE ||
         status == MPI_F_STATUSES_IGNORE;
}

const void* fortran_buffer(const void* buffer) noexcept {
  static const void* const in_place =
      common_block({"mpi_fortran_in_place_", "mpi_fortran_in_place", "mpi_fortran_in_place__",
                    "MPI_FORTRAN_IN_PLACE"});
  return buffer == in_place ? MPI_IN_PLACE : buffer;
}

#else
bool is_ignored_status(const void* status) noexcept {
  return status == MPI_F08_STATUS_IGNORE || status == MPI_F08_STATUSES_IGNORE;
}
#endif

}  // namespace reprise::recorder
