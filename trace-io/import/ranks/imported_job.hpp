// SPDX-License-Identifier: MIT
// What all ranks of an imported run share: who they are, where they ran, their communicators, the places that call paths name.
//
// Communicators  are numbered by the file that is read (`communicators`), and by each rank in the order of its first use of them
//                (imported_rank.hpp). Those of equal members are told apart by their copy, in the order of the file.
// Frames         places in the program, as the file names them: each is one frame of a call path.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "trace-io/import/ranks/import_settings.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct ImportedCommunicator {
  enum class Extent : std::uint8_t { world, self, group };
  Extent extent = Extent::group;
  std::vector<std::int32_t> members{};  // of a group: world ranks in its order
  std::vector<std::int32_t> remote{};   // of an intercommunicator: the other group
  std::uint32_t copy = 0;

  bool is_inter() const { return !remote.empty(); }
  std::int32_t size(std::int32_t ranks) const {
    return extent == Extent::world  ? ranks
           : extent == Extent::self ? 1
                                    : static_cast<std::int32_t>(members.size());
  }
  bool has(std::int32_t rank) const;
  // The place of a world rank in the group; −1 where it is not in it.
  std::int32_t place_of(std::int32_t rank) const;
  std::int32_t world_rank(std::int32_t place, std::int32_t self) const;
};

class ImportedJob {
 public:
  using FrameId = std::uint32_t;
  static constexpr std::uint32_t kNoCommunicator = ~std::uint32_t{0};

  std::string program;      // as the header of the trace says it
  std::string mpi_library;  // who wrote the file that is read
  std::int32_t ranks = 1;
  ImportSettings settings;
  std::vector<Host> hosts;

  // Adds a communicator and tells its number. A group of all ranks in their order is the world the first time, a copy of it later.
  std::uint32_t add_communicator(std::vector<std::int32_t> members,
                                 std::vector<std::int32_t> remote = {});
  std::uint32_t add_self();
  const ImportedCommunicator& communicator(std::uint32_t number) const {
    return communicators_[number];
  }
  std::size_t communicator_count() const { return communicators_.size(); }

  FrameId frame(std::string_view function, std::string_view file, std::uint32_t line);
  const FrameName& frame_name(FrameId id) const { return frames_[id]; }

 private:
  std::vector<ImportedCommunicator> communicators_;
  std::map<std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>, std::uint32_t> copies_;
  std::vector<FrameName> frames_;
  std::map<std::tuple<std::string, std::string, std::uint32_t>, FrameId, std::less<>> frame_ids_;
};

}  // namespace reprise::trace_io
