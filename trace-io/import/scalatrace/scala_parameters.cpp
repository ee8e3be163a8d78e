// SPDX-License-Identifier: MIT
#include "trace-io/import/scalatrace/scala_parameters.hpp"

#include <cmath>
#include <cstdio>

#include "trace-io/base/error.hpp"
#include "trace-io/import/scalatrace/scala_communicators.hpp"

namespace reprise::trace_io {
namespace {

// Bytes of MPI's types by their numbers, from MPI_CHAR = 1 on (PtrHandler.C, init_types); 0 where it has none.
constexpr std::int64_t kTypeBytes[] = {0,  1, 2,  4, 8, 1,  2, 4, 8,  4,  8,  16, 1,
                                       1,  4, 4,  8, 8, 16, 4, 1, 8,  12, 12, 8,  6,
                                       20, 8, 16, 8, 8, 8,  0, 0, 16, 32, 4,  8,  1};
// The parameters that a call of the kind cannot do without.
std::vector<ScalaField> needed(const Procedure& row) {
  using F = ScalaField;
  switch (row.kind) {
    case Kind::send:
    case Kind::start_send:
      return {F::comm, F::dest, F::tag, F::count, F::datatype};
    case Kind::receive:
    case Kind::start_receive:
      return {F::comm, F::source, F::tag, F::count, F::datatype};
    case Kind::sendrecv:
      return {F::comm,   F::dest,    F::tag,       F::count,   F::datatype,
              F::source, F::recvtag, F::recvcount, F::recvtype};
    case Kind::comm_create:
    case Kind::comm_free:
      return {F::comm};
    case Kind::collective:
      if (is_rooted(row.collective)) return {F::comm, F::root};
      return {F::comm};
    default:
      return {};
  }
}

// Whether records of the procedure tell more than its time.
bool is_described(const Procedure& row) {
  switch (row.kind) {
    case Kind::init:
    case Kind::finalize:
    case Kind::send:
    case Kind::start_send:
    case Kind::receive:
    case Kind::start_receive:
    case Kind::comm_free:
      return true;
    case Kind::sendrecv:
      return row.name == "MPI_Sendrecv";
    case Kind::wait:
    case Kind::wait_all:
      return !row.is_test;
    case Kind::comm_create:
      return makes_communicators(row.name);
    case Kind::collective:
      return row.collective <= Collective::allreduce || row.collective == Collective::gather ||
             row.collective == Collective::gatherv || row.collective == Collective::scatter ||
             row.collective == Collective::scatterv || row.collective == Collective::allgather ||
             row.collective == Collective::allgatherv || row.collective == Collective::alltoall ||
             row.collective == Collective::alltoallv ||
             row.collective == Collective::reduce_scatter;
    default:
      return false;
  }
}

}  // namespace

bool is_rooted(Collective operation) {
  switch (operation) {
    case Collective::bcast:
    case Collective::reduce:
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
    case Collective::scatterv:
      return true;
    default:
      return false;
  }
}

std::int64_t scala_type_bytes(std::int64_t number) {
  return number > 0 && number < static_cast<std::int64_t>(std::size(kTypeBytes))
             ? kTypeBytes[number]
             : 0;
}

std::string imported_procedure(const ScalaRecord& record) {
  const Procedure row = procedure_named(record.procedure);
  if (row.kind == Kind::unmodelled) return record.procedure;
  if (!is_described(row)) return time_only(record.procedure);
  // A histogram in place of what has to be exact.
  for (const ScalaField field : needed(row)) {
    if (field == ScalaField::count || field == ScalaField::recvcount) continue;
    const auto found = record.parameters.find(static_cast<std::int32_t>(field));
    if (found == record.parameters.end()) continue;
    for (const auto& values : found->second)
      if (values.list.empty()) return time_only(record.procedure);
  }
  return record.procedure;
}

std::int64_t ScalaParameters::next(ScalaField field) {
  const auto& values = of(field);
  if (values.list.empty()) {
    uses_mean_ = true;
    return std::llround(std::min(values.mean, 2e9));
  }
  std::size_t& at = at_[field];
  const std::int64_t value = values.list[at];
  at = (at + 1) % values.list.size();
  return value;
}

const ScalaValues& ScalaParameters::of(ScalaField field) const {
  const auto found = record_.parameters.find(static_cast<std::int32_t>(field));
  const ScalaValues* values =
      found == record_.parameters.end() ? nullptr : values_for(found->second, rank_);
  if (values == nullptr) {
    char number[8];
    std::snprintf(number, sizeof number, "%x", static_cast<unsigned>(field));
    refuse(record_.procedure + " has no parameter " + number);
  }
  return *values;
}

void ScalaParameters::refuse(const std::string& problem, const std::string& hint) const {
  throw InputError(trace_.place(record_), "rank " + std::to_string(rank_.value) + ": " + problem,
                   hint);
}

}  // namespace reprise::trace_io
