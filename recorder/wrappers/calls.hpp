// SPDX-License-Identifier: MIT
// The wrapped MPI procedures by number, and the names under which a trace knows them.
//
// Large-count variants (MPI_Send_c) mean what their plain counterparts mean and are recorded under those names.
// Source  mpi_calls.def, the only list.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace reprise::recorder {

enum class CallId : std::uint16_t {
#define RECORDED(procedure, ...) procedure,
#define HANDWRITTEN(procedure, ...) procedure,
#define LIFECYCLE(procedure) procedure,
#define UNMODELLED(procedure, ...) procedure,
#define LOCAL(symbol)
#include "recorder/mpi_calls.def"
#undef RECORDED
#undef HANDWRITTEN
#undef LIFECYCLE
#undef UNMODELLED
#undef LOCAL
  count,
};

inline constexpr std::size_t kCalls = static_cast<std::size_t>(CallId::count);

constexpr std::string_view without_large_count(std::string_view name) {
  return name.ends_with("_c") ? name.substr(0, name.size() - 2) : name;
}

inline constexpr std::array<std::string_view, kCalls> kCallNames = {
#define RECORDED(procedure, ...) without_large_count("MPI_" #procedure),
#define HANDWRITTEN(procedure, ...) without_large_count("MPI_" #procedure),
#define LIFECYCLE(procedure) without_large_count("MPI_" #procedure),
#define UNMODELLED(procedure, ...) without_large_count("MPI_" #procedure),
#define LOCAL(symbol)
#include "recorder/mpi_calls.def"
#undef RECORDED
#undef HANDWRITTEN
#undef LIFECYCLE
#undef UNMODELLED
#undef LOCAL
};

constexpr std::string_view name_of(CallId id) { return kCallNames[static_cast<std::size_t>(id)]; }

// Whether the call makes a communicator.
constexpr bool makes_communicator(CallId id) {
  const std::string_view name = name_of(id);
  return name.starts_with("MPI_Comm_") || name.starts_with("MPI_Intercomm_") ||
         name.starts_with("MPI_Cart_") || name.starts_with("MPI_Graph_") ||
         name.starts_with("MPI_Dist_graph_");
}

// Whether the call opens or closes something on a window or a file that later calls build on: an epoch, a split collective.
constexpr bool opens_or_closes(CallId id) {
  const std::string_view name = name_of(id);
  return name.starts_with("MPI_Win_") ||
         (name.starts_with("MPI_File_") && (name.ends_with("_begin") || name.ends_with("_end")));
}

// Whether the call looks requests up before it reads the clock.
inline constexpr std::array<bool, kCalls> kCompletesRequests = [] {
  std::array<bool, kCalls> completes{};
  for (std::size_t id = 0; id < kCalls; ++id)
    completes[id] = kCallNames[id].starts_with("MPI_Wait") ||
                    kCallNames[id].starts_with("MPI_Test") ||
                    kCallNames[id].starts_with("MPI_Start");
  return completes;
}();
constexpr bool completes_requests(CallId id) {
  return kCompletesRequests[static_cast<std::size_t>(id)];
}

}  // namespace reprise::recorder
