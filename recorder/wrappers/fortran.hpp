// SPDX-License-Identifier: MIT
// What the Fortran wrappers share.
//
// Open MPI    all Fortran bindings call PMPI_* directly, so wrappers in C see nothing of a Fortran program.
// MPICH       the bindings of mpif.h and `use mpi`, and those of `use mpi_f08` that take a buffer (mpi_*_f08ts_), call MPI_* and
//             are recorded through the C wrappers. Those of `use mpi_f08` without a buffer (mpi_*_f08_) call PMPI_*: they are
//             wrapped. Wrappers under names that MPICH does not have are never called.
// Forwarding  to pmpi_*_ (MPICH: pmpir_*_f08_) of the program's own binding, with the program's own arguments: going through C would break
//             MPI_IN_PLACE and MPI_BOTTOM. Handles are converted for the description only. A binding that only the caller's own libraries
//             have (an extension module of Python's) is found there.
// Others      libraries have functions of such names that are not MPI's: stand-ins for MPI in programs of one process, calls of their own named mpi_send
//             (fortran_spellings.hpp). They get their calls, and nothing is recorded.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "recorder/capture/call_path.hpp"
#include "recorder/wrappers/arguments.hpp"

namespace reprise::recorder {

// What a program that calls `name` from `caller` would have got without the recorder.
struct FortranTarget {
  void* procedure =
      nullptr;  // of MPI: beside the wrapper of that name; null where the program has none
  bool is_mpi = true;
};
FortranTarget fortran_target(const char* name, std::uintptr_t caller) noexcept;

// As one function of C++, found at its first call.
template <class Real>
struct FortranProcedure {
  FortranProcedure(const char* name, Frame frame) noexcept {
    const FortranTarget target = fortran_target(name, return_address(frame));
    real = reinterpret_cast<Real>(target.procedure);
    is_mpi = target.is_mpi;
  }
  Real real;
  bool is_mpi;
};

inline constexpr std::size_t kStatusSize = sizeof(MPI_Status) / sizeof(MPI_Fint);
inline constexpr std::size_t kStatusSource = offsetof(MPI_Status, MPI_SOURCE) / sizeof(MPI_Fint);
inline constexpr std::size_t kStatusTag = offsetof(MPI_Status, MPI_TAG) / sizeof(MPI_Fint);

bool is_ignored_status(const void* status) noexcept;
inline MPI_Fint integer_at(const void* p) { return *static_cast<const MPI_Fint*>(p); }
#if defined(OPEN_MPI)
// A buffer argument as C code would have passed it.
const void* fortran_buffer(const void* buffer) noexcept;

struct FortranTypes {  // an array of datatypes
  const MPI_Fint* types;
  MPI_Datatype operator[](int i) const { return PMPI_Type_f2c(types[i]); }
};

// An argument that is of type C in the C binding, as describe_*() functions take it.
template <class C>
struct FromFortran {
  static_assert(sizeof(C) == 0,
                "a parameter type that no Fortran wrapper has met yet: say how to convert it");
};

#define REPRISE_FROM_FORTRAN(type, expression)                           \
  template <>                                                            \
  struct FromFortran<type> {                                             \
    static auto convert([[maybe_unused]] void* p) { return expression; } \
  };
REPRISE_FROM_FORTRAN(const void*, fortran_buffer(p))
REPRISE_FROM_FORTRAN(void*, fortran_buffer(p))
REPRISE_FROM_FORTRAN(int, static_cast<int>(integer_at(p)))
REPRISE_FROM_FORTRAN(int*, static_cast<const int*>(p))
REPRISE_FROM_FORTRAN(const int*, static_cast<const int*>(p))
REPRISE_FROM_FORTRAN(MPI_Datatype, PMPI_Type_f2c(integer_at(p)))
REPRISE_FROM_FORTRAN(const MPI_Datatype*, (FortranTypes{static_cast<const MPI_Fint*>(p)}))
REPRISE_FROM_FORTRAN(MPI_Comm, PMPI_Comm_f2c(integer_at(p)))
REPRISE_FROM_FORTRAN(MPI_Comm*, MadeComm(PMPI_Comm_f2c(integer_at(p)), nullptr))
REPRISE_FROM_FORTRAN(MPI_Op, PMPI_Op_f2c(integer_at(p)))
REPRISE_FROM_FORTRAN(MPI_Group, PMPI_Group_f2c(integer_at(p)))
REPRISE_FROM_FORTRAN(MPI_Info, nullptr)
REPRISE_FROM_FORTRAN(const MPI_Aint*, static_cast<const MPI_Aint*>(p))
REPRISE_FROM_FORTRAN(MPI_Aint, *static_cast<const MPI_Aint*>(p))
REPRISE_FROM_FORTRAN(MPI_Offset, *static_cast<const MPI_Offset*>(p))
REPRISE_FROM_FORTRAN(MPI_Win, PMPI_Win_f2c(integer_at(p)))
REPRISE_FROM_FORTRAN(MPI_Win*, MadeWindow(PMPI_Win_f2c(integer_at(p)), nullptr))
REPRISE_FROM_FORTRAN(MPI_File, PMPI_File_f2c(integer_at(p)))
REPRISE_FROM_FORTRAN(MPI_Request, PMPI_Request_f2c(integer_at(p)))
REPRISE_FROM_FORTRAN(MPI_Message, PMPI_Message_f2c(integer_at(p)))
REPRISE_FROM_FORTRAN(MPI_Request*, RequestRef(PMPI_Request_f2c(integer_at(p)), p))
REPRISE_FROM_FORTRAN(MPI_Message*, MadeMessage(PMPI_Message_f2c(integer_at(p)), p))
REPRISE_FROM_FORTRAN(MPI_Status*, StatusRef(p, sizeof(MPI_Status), kStatusSource * sizeof(MPI_Fint),
                                            kStatusTag * sizeof(MPI_Fint)))
#undef REPRISE_FROM_FORTRAN
#else
// Handles are integers and statuses are laid out as in C: the arguments of mpi_f08 are those of C by reference.
template <class C>
struct FromFortran {
  static C convert(void* p) {
    if constexpr (std::is_pointer_v<C>)
      return static_cast<C>(p);
    else
      return *static_cast<const C*>(p);
  }
};
template <>
struct FromFortran<MPI_File> {  // the only handle that is a pointer in C
  static MPI_File convert(void* p) { return PMPI_File_f2c(integer_at(p)); }
};
#endif

}  // namespace reprise::recorder

// Argument lists made from a list of names: (a, b) → void* a, void* b, … and a, b, …
#define REPRISE_AGAIN ()
#define REPRISE_EXPAND(...) REPRISE_EXPAND_3(REPRISE_EXPAND_3(REPRISE_EXPAND_3(__VA_ARGS__)))
#define REPRISE_EXPAND_3(...) REPRISE_EXPAND_2(REPRISE_EXPAND_2(REPRISE_EXPAND_2(__VA_ARGS__)))
#define REPRISE_EXPAND_2(...) REPRISE_EXPAND_1(REPRISE_EXPAND_1(REPRISE_EXPAND_1(__VA_ARGS__)))
#define REPRISE_EXPAND_1(...) __VA_ARGS__
#define REPRISE_PARAMETERS(...) __VA_OPT__(REPRISE_EXPAND(REPRISE_PARAMETERS_STEP(__VA_ARGS__)))
#define REPRISE_PARAMETERS_STEP(name, ...) \
  void *name, __VA_OPT__(REPRISE_PARAMETERS_NEXT REPRISE_AGAIN(__VA_ARGS__))
#define REPRISE_PARAMETERS_NEXT() REPRISE_PARAMETERS_STEP

#define REPRISE_CONCAT(a, b) REPRISE_CONCAT_2(a, b)
#define REPRISE_CONCAT_2(a, b) a##b
#define REPRISE_STRING(a) REPRISE_STRING_2(a)
#define REPRISE_STRING_2(a) #a
// mpi_send from Send, MPI_SEND likewise.
#define REPRISE_LOWER(procedure) REPRISE_CONCAT(mpi_, REPRISE_LOWER_##procedure)
#define REPRISE_UPPER(procedure) REPRISE_CONCAT(MPI_, REPRISE_UPPER_##procedure)
