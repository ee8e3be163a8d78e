// SPDX-License-Identifier: MIT
#include "trace-io/import/scalatrace/scala_communicators.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint32_t kJobWorld = 0, kJobSelf = 1;

bool makes_group(std::string_view procedure) {
  for (const std::string_view name :
       {"MPI_Comm_group", "MPI_Group_incl", "MPI_Group_excl", "MPI_Group_range_incl",
        "MPI_Group_range_excl", "MPI_Group_union", "MPI_Group_intersection",
        "MPI_Group_difference"})
    if (procedure == name) return true;
  return false;
}

bool is_in(const std::vector<std::int32_t>& members, std::int32_t rank) {
  return std::find(members.begin(), members.end(), rank) != members.end();
}

}  // namespace

bool makes_communicators(std::string_view procedure) {
  return procedure == "MPI_Comm_dup" || procedure == "MPI_Comm_split" ||
         procedure == "MPI_Comm_create" || makes_group(procedure);
}

ScalaCommunicators::ScalaCommunicators(const ScalaTrace& trace,
                                       const std::vector<ScalaProgram>& programs, ImportedJob& job)
    : trace_(trace), programs_(programs), job_(job), ranks_(programs.size()) {
  Members all(static_cast<std::size_t>(job.ranks));
  std::iota(all.begin(), all.end(), 0);
  job.add_communicator(all);
  job.add_self();
  bool goes_on = true;
  while (goes_on) {
    goes_on = false;
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      goes_on = proceed(static_cast<std::int32_t>(r)) || goes_on;
  }
  for (const auto& [where, meeting] : meetings_)
    for (const auto& [rank, arrival] : meeting)
      refuse(rank, *arrival.record,
             "makes a communicator, which not all members of the one that it is made on do");
}

void ScalaCommunicators::refuse(std::int32_t rank, const ScalaRecord& record,
                                const std::string& problem) const {
  throw InputError(trace_.place(record), "rank " + std::to_string(rank) + ": " + problem);
}

const std::vector<std::int32_t>& ScalaCommunicators::list(std::int32_t rank,
                                                          const ScalaRecord& record,
                                                          ScalaField field) const {
  const auto found = record.parameters.find(static_cast<std::int32_t>(field));
  const ScalaValues* values =
      found == record.parameters.end() ? nullptr : values_for(found->second, Rank{rank});
  if (values == nullptr || values->list.empty())
    refuse(rank, record,
           record.procedure + " without parameter " + std::to_string(static_cast<int>(field)));
  return values->list;
}

std::int32_t ScalaCommunicators::value(std::int32_t rank, std::uint32_t step,
                                       const ScalaRecord& record, ScalaField field) const {
  const auto& values = list(rank, record, field);
  return values[ranks_[static_cast<std::size_t>(rank)].executed.at(step) % values.size()];
}

std::optional<std::uint32_t> ScalaCommunicators::named(Rank rank, std::int32_t number) const {
  if (number == kWorld) return kJobWorld;
  if (number == kSelf) return kJobSelf;
  const auto own = static_cast<std::size_t>(number) - kFirstOwn;
  if (number < kFirstOwn || ranks_.empty()) return {};
  const auto& made = ranks_[static_cast<std::size_t>(rank.value)].made;
  return own < made.size() ? made[own] : std::nullopt;
}

const std::vector<std::optional<std::uint32_t>>& ScalaCommunicators::made_by(
    Rank rank, std::uint32_t step) const {
  static const std::vector<std::optional<std::uint32_t>> nothing;
  if (ranks_.empty()) return nothing;
  const auto& by_step = ranks_[static_cast<std::size_t>(rank.value)].by_step;
  const auto found = by_step.find(step);
  return found == by_step.end() ? nothing : found->second;
}

std::uint32_t ScalaCommunicators::parent(std::int32_t rank, std::uint32_t step,
                                         const ScalaRecord& record) const {
  const std::int32_t number = value(rank, step, record, ScalaField::comm);
  const auto known = named(Rank{rank}, number);
  if (!known) refuse(rank, record, "there is no communicator " + std::to_string(number));
  return *known;
}

ScalaCommunicators::Members ScalaCommunicators::members_of(std::uint32_t communicator,
                                                           std::int32_t self) const {
  if (communicator == kJobSelf) return {self};
  if (communicator != kJobWorld) return job_.communicator(communicator).members;
  Members all(static_cast<std::size_t>(job_.ranks));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

bool ScalaCommunicators::proceed(std::int32_t number) {
  OneRank& rank = ranks_[static_cast<std::size_t>(number)];
  const auto& makings = programs_[static_cast<std::size_t>(number)].makings();
  bool goes_on = false;
  while (rank.next < makings.size()) {
    const std::uint32_t step = makings[rank.next];
    const ScalaRecord& record =
        trace_.records[programs_[static_cast<std::size_t>(number)].steps()[step].record];
    rank.executed.try_emplace(step, 0);
    if (makes_group(record.procedure)) {
      make_group(number, step, record);
      ++rank.executed[step];
      ++rank.next;
      goes_on = true;
      continue;
    }
    const std::uint32_t on = parent(number, step, record);
    // Each rank's own communicator is one of many that share a number.
    const auto where =
        std::pair{on, on == kJobSelf ? rank.made.size() + (static_cast<std::size_t>(number) << 32)
                                     : rank.makings_on[on]};
    Meeting& meeting = meetings_[where];
    if (meeting.contains(number)) return goes_on;
    Arrival arrival{0, 0, {}, &record, step};
    if (record.procedure == "MPI_Comm_split") {
      arrival.color = value(number, step, record, ScalaField::color);
      arrival.key =
          (value(number, step, record, ScalaField::key) % job_.ranks + number) % job_.ranks;
    } else if (record.procedure == "MPI_Comm_create") {
      arrival.group = group(number, step, record, ScalaField::group);
    }
    meeting[number] = std::move(arrival);
    if (!meet(on, meeting)) return goes_on;
    meetings_.erase(where);
    goes_on = true;
  }
  return goes_on;
}

bool ScalaCommunicators::meet(std::uint32_t on, const Meeting& meeting) {
  const Members members = members_of(on, meeting.begin()->first);
  if (meeting.size() < members.size()) return false;
  // The new communicators' members, by color. A negative color, and a group without the rank, give none.
  std::map<std::int32_t, std::vector<std::tuple<std::int32_t, std::size_t, std::int32_t>>> made;
  const std::string& procedure = meeting.begin()->second.record->procedure;
  for (std::size_t place = 0; place < members.size(); ++place) {
    const auto found = meeting.find(members[place]);
    if (found == meeting.end()) return false;
    const Arrival& arrival = found->second;
    if (arrival.record->procedure != procedure)
      refuse(found->first, *arrival.record,
             arrival.record->procedure + " where another member calls " + procedure);
    if (procedure == "MPI_Comm_dup") {
      made[0].emplace_back(0, place, members[place]);
    } else if (procedure == "MPI_Comm_split") {
      if (arrival.color >= 0) made[arrival.color].emplace_back(arrival.key, place, members[place]);
    } else if (is_in(arrival.group, members[place])) {
      const auto in_group = std::find(arrival.group.begin(), arrival.group.end(), members[place]);
      const auto lowest = *std::min_element(arrival.group.begin(), arrival.group.end());
      made[lowest].emplace_back(static_cast<std::int32_t>(in_group - arrival.group.begin()), place,
                                members[place]);
    }
  }
  std::map<std::int32_t, std::uint32_t> number_of;
  for (auto& [color, order] : made) {
    std::sort(order.begin(), order.end());
    Members joined;
    for (const auto& one : order) joined.push_back(std::get<2>(one));
    const std::uint32_t number = job_.add_communicator(joined);
    for (const std::int32_t member : joined) number_of[member] = number;
  }
  for (const std::int32_t member : members) {
    OneRank& rank = ranks_[static_cast<std::size_t>(member)];
    const auto found = number_of.find(member);
    const auto mine = found == number_of.end() ? std::nullopt : std::optional(found->second);
    const Arrival& arrival = meeting.at(member);
    if (rank.made.size() == static_cast<std::size_t>(kFirstOwn))
      refuse(member, *arrival.record,
             "makes more than 1000 communicators, whose numbers the file then uses again");
    rank.made.push_back(mine);
    rank.by_step[arrival.step].push_back(mine);
    ++rank.executed[arrival.step];
    ++rank.makings_on[on];
    ++rank.next;
  }
  return true;
}

const ScalaCommunicators::Members& ScalaCommunicators::group(std::int32_t rank, std::uint32_t step,
                                                             const ScalaRecord& record,
                                                             ScalaField field) const {
  const std::int32_t number = value(rank, step, record, field);
  const auto& groups = ranks_[static_cast<std::size_t>(rank)].groups;
  const auto own = static_cast<std::size_t>(number) - kFirstOwn;
  if (number < kFirstOwn || own >= groups.size())
    refuse(rank, record, "there is no group " + std::to_string(number));
  return groups[own];
}

// The members that a list, or ranges, of places name.
ScalaCommunicators::Members ScalaCommunicators::included(std::int32_t rank, std::uint32_t step,
                                                         const ScalaRecord& record,
                                                         const Members& from) {
  const bool by_ranges = record.procedure.starts_with("MPI_Group_range_");
  const std::int32_t count = value(rank, step, record, ScalaField::count);
  if (count < 0 || static_cast<std::size_t>(count) > from.size())
    refuse(rank, record,
           "names " + std::to_string(count) + " of " + std::to_string(from.size()) + " members");
  Members taken;
  if (count == 0) return taken;
  const auto& places =
      list(rank, record, by_ranges ? ScalaField::ranges : ScalaField::array_of_ranks);
  std::size_t& at = ranks_[static_cast<std::size_t>(rank)].at[step];
  const auto next = [&] {
    const std::int32_t read = places[at];
    at = (at + 1) % places.size();
    return std::int64_t{read};
  };
  const auto take = [&](std::int64_t place) {
    if (place < 0 || place >= static_cast<std::int64_t>(from.size()))
      refuse(rank, record, "there is no member " + std::to_string(place) + " in the group");
    const std::int32_t member = from[static_cast<std::size_t>(place)];
    if (is_in(taken, member))
      refuse(rank, record, "names member " + std::to_string(place) + " twice");
    taken.push_back(member);
  };
  for (std::int32_t i = 0; i < count; ++i) {
    const std::int64_t first = next();
    if (!by_ranges) {
      take(first);
      continue;
    }
    const std::int64_t last = next(), stride = next();
    if (stride == 0) refuse(rank, record, "a range with a stride of 0");
    for (std::int64_t place = first; stride > 0 ? place <= last : place >= last; place += stride)
      take(place);
  }
  return taken;
}

void ScalaCommunicators::make_group(std::int32_t number, std::uint32_t step,
                                    const ScalaRecord& record) {
  auto& groups = ranks_[static_cast<std::size_t>(number)].groups;
  const std::string& name = record.procedure;
  if (groups.size() == static_cast<std::size_t>(kFirstOwn))
    refuse(number, record, "makes more than 1000 groups, whose numbers the file then uses again");
  Members made;
  if (name == "MPI_Comm_group") {
    made = members_of(parent(number, step, record), number);
  } else if (name == "MPI_Group_incl" || name == "MPI_Group_range_incl") {
    made = included(number, step, record, group(number, step, record, ScalaField::group));
  } else if (name == "MPI_Group_excl" || name == "MPI_Group_range_excl") {
    const Members& from = group(number, step, record, ScalaField::group);
    const Members without = included(number, step, record, from);
    std::copy_if(from.begin(), from.end(), std::back_inserter(made),
                 [&](std::int32_t member) { return !is_in(without, member); });
  } else {
    const Members &one = group(number, step, record, ScalaField::group1),
                  &other = group(number, step, record, ScalaField::group2);
    if (name == "MPI_Group_union") {
      made = one;
      std::copy_if(other.begin(), other.end(), std::back_inserter(made),
                   [&](std::int32_t member) { return !is_in(one, member); });
    } else {
      const bool keeps_common = name == "MPI_Group_intersection";
      std::copy_if(one.begin(), one.end(), std::back_inserter(made),
                   [&](std::int32_t member) { return is_in(other, member) == keeps_common; });
    }
  }
  groups.push_back(std::move(made));
}

}  // namespace reprise::trace_io
