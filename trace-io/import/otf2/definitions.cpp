// SPDX-License-Identifier: MIT
#include "trace-io/import/otf2/definitions.hpp"

#include <algorithm>
#include <map>

#include "trace-io/base/error.hpp"
#include "trace-io/base/integers.hpp"
#include "trace-io/import/ranks/field_text.hpp"

namespace reprise::trace_io {
namespace {

// What is read, as it is read: references are followed when all are there.
struct Collected {
  explicit Collected(Otf2Errors& e) : errors(e) {}
  struct Region {
    OTF2_RegionRef self;
    OTF2_StringRef name, canonical, file;
    std::uint32_t line;
  };
  struct Place {
    OTF2_StringRef file;
    std::uint32_t line;
  };
  struct Context {
    OTF2_CallingContextRef self;
    OTF2_RegionRef region;
    OTF2_SourceCodeLocationRef place;
    OTF2_CallingContextRef caller;
  };
  struct Group {
    OTF2_GroupType type;
    OTF2_Paradigm paradigm;
    std::vector<std::uint64_t> members;
  };
  struct Comm {
    OTF2_CommRef self;
    OTF2_GroupRef group, remote;
  };
  struct TreeNode {
    OTF2_StringRef name, kind;
    OTF2_SystemTreeNodeRef parent;
  };
  struct Location {
    OTF2_LocationType type;
    OTF2_LocationGroupRef group;
    std::uint64_t events;
  };
  Otf2Errors& errors;
  std::uint64_t ticks_per_second = 0, begin = 0;
  std::unordered_map<OTF2_StringRef, std::string> strings;
  std::vector<Region> regions;
  std::unordered_map<OTF2_SourceCodeLocationRef, Place> places;
  std::vector<Context> contexts;
  std::map<OTF2_GroupRef, Group> groups;
  std::vector<Comm> comms;
  std::map<OTF2_SystemTreeNodeRef, TreeNode> tree;
  std::map<OTF2_LocationGroupRef, OTF2_SystemTreeNodeRef> processes;
  std::map<OTF2_LocationRef, Location> locations;
  std::vector<std::pair<OTF2_RmaWinRef, OTF2_CommRef>> windows;
  std::vector<std::pair<OTF2_AttributeRef, OTF2_StringRef>> attributes;
};

Collected& in(void* data) { return *static_cast<Collected*>(data); }

// The callbacks only note what is defined.
OTF2_CallbackCode on_clock(void* data, uint64_t ticks, uint64_t begin, uint64_t, uint64_t) {
  in(data).ticks_per_second = ticks;
  in(data).begin = begin;
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_string(void* data, OTF2_StringRef self, const char* text) {
  return in(data).errors.guarded([&] { in(data).strings[self] = text; });
}
OTF2_CallbackCode on_region(void* data, OTF2_RegionRef self, OTF2_StringRef name,
                            OTF2_StringRef canonical, OTF2_StringRef, OTF2_RegionRole,
                            OTF2_Paradigm, OTF2_RegionFlag, OTF2_StringRef file, uint32_t line,
                            uint32_t) {
  return in(data).errors.guarded([&] {
    in(data).regions.push_back({self, name, canonical, file, line});
  });
}
OTF2_CallbackCode on_place(void* data, OTF2_SourceCodeLocationRef self, OTF2_StringRef file,
                           uint32_t line) {
  return in(data).errors.guarded([&] { in(data).places[self] = {file, line}; });
}
OTF2_CallbackCode on_context(void* data, OTF2_CallingContextRef self, OTF2_RegionRef region,
                             OTF2_SourceCodeLocationRef place, OTF2_CallingContextRef caller) {
  return in(data).errors.guarded([&] {
    in(data).contexts.push_back({self, region, place, caller});
  });
}
OTF2_CallbackCode on_group(void* data, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type,
                           OTF2_Paradigm paradigm, OTF2_GroupFlag, uint32_t count,
                           const uint64_t* members) {
  return in(data).errors.guarded([&] {
    in(data).groups[self] = {type, paradigm, {members, members + count}};
  });
}
OTF2_CallbackCode on_comm(void* data, OTF2_CommRef self, OTF2_StringRef, OTF2_GroupRef group,
                          OTF2_CommRef, OTF2_CommFlag) {
  return in(data).errors.guarded([&] {
    in(data).comms.push_back({self, group, OTF2_UNDEFINED_GROUP});
  });
}
OTF2_CallbackCode on_inter_comm(void* data, OTF2_CommRef self, OTF2_StringRef, OTF2_GroupRef a,
                                OTF2_GroupRef b, OTF2_CommRef, OTF2_CommFlag) {
  return in(data).errors.guarded([&] { in(data).comms.push_back({self, a, b}); });
}
OTF2_CallbackCode on_tree_node(void* data, OTF2_SystemTreeNodeRef self, OTF2_StringRef name,
                               OTF2_StringRef kind, OTF2_SystemTreeNodeRef parent) {
  return in(data).errors.guarded([&] { in(data).tree[self] = {name, kind, parent}; });
}
OTF2_CallbackCode on_process(void* data, OTF2_LocationGroupRef self, OTF2_StringRef,
                             OTF2_LocationGroupType, OTF2_SystemTreeNodeRef parent,
                             OTF2_LocationGroupRef) {
  return in(data).errors.guarded([&] { in(data).processes[self] = parent; });
}
OTF2_CallbackCode on_location(void* data, OTF2_LocationRef self, OTF2_StringRef,
                              OTF2_LocationType type, uint64_t events,
                              OTF2_LocationGroupRef group) {
  return in(data).errors.guarded([&] { in(data).locations[self] = {type, group, events}; });
}
OTF2_CallbackCode on_window_definition(void* data, OTF2_RmaWinRef self, OTF2_StringRef,
                                       OTF2_CommRef comm, OTF2_RmaWinFlag) {
  return in(data).errors.guarded([&] { in(data).windows.emplace_back(self, comm); });
}
OTF2_CallbackCode on_attribute(void* data, OTF2_AttributeRef self, OTF2_StringRef name,
                               OTF2_StringRef, OTF2_Type) {
  return in(data).errors.guarded([&] { in(data).attributes.emplace_back(self, name); });
}

void read_all(OTF2_Reader* reader, Collected& to) {
  auto* callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, &on_clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, &on_string);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, &on_region);
  OTF2_GlobalDefReaderCallbacks_SetSourceCodeLocationCallback(callbacks, &on_place);
  OTF2_GlobalDefReaderCallbacks_SetCallingContextCallback(callbacks, &on_context);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, &on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, &on_comm);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, &on_inter_comm);
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(callbacks, &on_tree_node);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, &on_process);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, &on_location);
  OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, &on_window_definition);
  OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, &on_attribute);
  auto* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  auto code = OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &to);
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  uint64_t count = 0;
  if (code == OTF2_SUCCESS)
    code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count);
  to.errors.check(code, "read the definitions");
}

class Resolver {
 public:
  Resolver(Collected& from, Otf2Definitions& to) : from_(from), to_(to) {}

  void resolve() {
    if (from_.ticks_per_second == 0)
      refuse("has no clock properties", "the archive was not closed by its writer");
    to_.ticks_per_second = from_.ticks_per_second;
    to_.begin = from_.begin;
    ranks();
    hosts();
    for (const auto& region : from_.regions) add_region(region);
    for (const auto& [self, group] : from_.groups)
      if (group.paradigm == OTF2_PARADIGM_MPI && group.type == OTF2_GROUP_TYPE_COMM_GROUP)
        to_.groups[self] = world_ranks(group);
    for (const auto& comm : from_.comms) add_communicator(comm);
    for (const auto& [self, comm] : from_.windows) to_.windows[self] = comm;
    for (const auto& [self, name] : from_.attributes)
      if (text(name) == kFieldAttribute)
        to_.fields_attribute = self;
      else if (text(name) == kCallPathAttribute)
        to_.call_path_attribute = self;
    if (to_.call_path_attribute) add_call_paths();
    if (to_.fields_attribute) to_.strings = std::move(from_.strings);
  }

 private:
  [[noreturn]] void refuse(const std::string& problem, const std::string& hint = "") const {
    throw InputError(from_.errors.archive(), problem, hint);
  }
  std::string text(OTF2_StringRef ref) const {
    const auto found = from_.strings.find(ref);
    return found == from_.strings.end() ? "" : found->second;
  }

  void ranks() {
    const Collected::Group* all = nullptr;
    for (const auto& [self, group] : from_.groups)
      if (group.paradigm == OTF2_PARADIGM_MPI && group.type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
        all = &group;
    if (all == nullptr || all->members.empty())
      refuse("has no MPI processes", "only archives of MPI programs can be imported");
    if (all->members.size() > static_cast<std::size_t>(kMaxRanks))
      refuse("has " + std::to_string(all->members.size()) + " MPI processes, more than a trace");
    to_.ranks = all->members;
    to_.job.ranks = static_cast<std::int32_t>(to_.ranks.size());
    std::unordered_map<OTF2_LocationRef, bool> is_rank;
    for (const auto location : to_.ranks) {
      const auto found = from_.locations.find(location);
      if (found == from_.locations.end())
        refuse("names location " + std::to_string(location) + ", which is not defined");
      if (!is_rank.emplace(location, true).second)
        refuse("names location " + std::to_string(location) + " for two ranks");
      to_.events += found->second.events;
    }
    for (const auto& [self, location] : from_.locations)
      if (location.type == OTF2_LOCATION_TYPE_CPU_THREAD && !is_rank.contains(self))
        to_.threads.push_back(self);
  }

  // The node's name that a process runs on.
  std::string host_of(OTF2_LocationRef location) const {
    const auto process = from_.processes.find(from_.locations.at(location).group);
    if (process == from_.processes.end()) return "";
    auto node = from_.tree.find(process->second);
    const auto direct = node;
    for (std::size_t steps = 0; node != from_.tree.end() && steps <= from_.tree.size(); ++steps) {
      if (text(node->second.kind) == "node") return text(node->second.name);
      node = from_.tree.find(node->second.parent);
    }
    return direct == from_.tree.end() ? "" : text(direct->second.name);
  }

  void hosts() {
    std::map<std::string, std::vector<Rank>> members;
    for (std::size_t r = 0; r < to_.ranks.size(); ++r)
      members[host_of(to_.ranks[r])].push_back(Rank{static_cast<std::int32_t>(r)});
    for (const auto& [name, ranks] : members)
      if (!name.empty()) to_.job.hosts.push_back({name, 0, RankList::from_ranks(ranks)});
  }

  void add_region(const Collected::Region& region) {
    Otf2Region added;
    const std::string name = text(region.name), procedure = procedure_name(name);
    added.treatment = treatment_of(procedure);
    if (added.treatment == Treatment::event || added.treatment == Treatment::unmodelled)
      added.procedure = procedure;
    if (text(region.canonical) == kRunRegion) added.treatment = Treatment::compute;
    added.frame = to_.job.frame(name, text(region.file), region.line);
    to_.sparse_regions[region.self] = static_cast<std::uint32_t>(to_.regions.size());
    to_.regions.push_back(std::move(added));
  }

  void add_call_paths() {
    std::unordered_map<OTF2_RegionRef, const Collected::Region*> regions;
    for (const auto& region : from_.regions) regions[region.self] = &region;
    for (const auto& context : from_.contexts) {
      const auto region = regions.find(context.region);
      if (region == regions.end()) continue;
      const auto place = from_.places.find(context.place);
      const auto frame = place == from_.places.end()
                             ? to_.job.frame(text(region->second->name), text(region->second->file),
                                             region->second->line)
                             : to_.job.frame(text(region->second->name), text(place->second.file),
                                             place->second.line);
      to_.call_paths[context.self] = {frame, context.caller};
    }
  }

  std::vector<std::int32_t> world_ranks(const Collected::Group& group) const {
    std::vector<std::int32_t> members;
    std::vector<bool> seen(to_.ranks.size());
    for (const auto member : group.members) {
      if (member >= to_.ranks.size())
        refuse("has a group with member " + std::to_string(member) + " of " +
               std::to_string(to_.ranks.size()) + " ranks");
      if (seen[member]) refuse("has a group with rank " + std::to_string(member) + " twice");
      seen[member] = true;
      members.push_back(static_cast<std::int32_t>(member));
    }
    return members;
  }

  void add_communicator(const Collected::Comm& comm) {
    const auto group = from_.groups.find(comm.group);
    if (group == from_.groups.end() || group->second.paradigm != OTF2_PARADIGM_MPI) return;
    if (group->second.type == OTF2_GROUP_TYPE_COMM_SELF) {
      to_.communicators[comm.self] = to_.job.add_self();
      return;
    }
    if (group->second.type != OTF2_GROUP_TYPE_COMM_GROUP || group->second.members.empty()) return;
    std::vector<std::int32_t> remote;
    if (comm.remote != OTF2_UNDEFINED_GROUP) {
      const auto other = from_.groups.find(comm.remote);
      if (other == from_.groups.end() || other->second.members.empty()) return;
      remote = world_ranks(other->second);
    }
    to_.communicators[comm.self] =
        to_.job.add_communicator(world_ranks(group->second), std::move(remote));
  }

  Collected& from_;
  Otf2Definitions& to_;
};

}  // namespace

std::int64_t Otf2Definitions::nanoseconds(OTF2_TimeStamp time) const {
  const bool before = time < begin;
  const Wide ticks = before ? begin - time : time - begin;
  const Wide ns = (ticks * 1'000'000'000 + ticks_per_second / 2) / ticks_per_second;
  constexpr std::int64_t kMost = std::int64_t{1} << 62;
  if (ns > static_cast<Wide>(kMost))
    throw InputError(job.program, "an event is more than 146 years from the beginning of its clock",
                     "its clock properties, or its events, are damaged");
  return static_cast<std::int64_t>(ns) * (before ? -1 : 1);
}

Otf2Definitions read_definitions(OTF2_Reader* reader, Otf2Errors& errors,
                                 const ImportSettings& settings) {
  Collected collected(errors);
  read_all(reader, collected);
  Otf2Definitions result;
  result.job.program = errors.archive();
  result.job.settings = settings;
  Resolver(collected, result).resolve();
  // The rows hold views of the names: made when the regions have their places.
  for (auto& region : result.regions) region.row = procedure_named(region.procedure);
  return result;
}

}  // namespace reprise::trace_io
