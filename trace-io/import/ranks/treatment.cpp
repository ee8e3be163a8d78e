// SPDX-License-Identifier: MIT
#include "trace-io/import/ranks/treatment.hpp"

#include <map>

#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io {
namespace {

using Table = std::map<std::string_view, Treatment>;

Table make_table() {
  Table table;
#define RECORDED(procedure, ...) table["MPI_" #procedure] = Treatment::event;
#define HANDWRITTEN(procedure, ...) table["MPI_" #procedure] = Treatment::event;
#define LIFECYCLE(procedure) table["MPI_" #procedure] = Treatment::event;
#define UNMODELLED(procedure, ...) table["MPI_" #procedure] = Treatment::unmodelled;
#define LOCAL(symbol) table["MPI_" #symbol] = Treatment::compute;
#include "recorder/mpi_calls.def"
#undef RECORDED
#undef HANDWRITTEN
#undef LIFECYCLE
#undef UNMODELLED
#undef LOCAL
  // The recorder handles these without an event of their own.
  table["MPI_Pcontrol"] = table["MPI_Abort"] = Treatment::compute;
  return table;
}

}  // namespace

Treatment treatment_of(std::string_view procedure) {
  static const Table table = make_table();
  if (const auto found = table.find(procedure); found != table.end()) return found->second;
  if (procedure_named(procedure).kind != Kind::unmodelled) return Treatment::event;
  return procedure.starts_with("MPI_") ? Treatment::unmodelled : Treatment::no_mpi;
}

std::string procedure_name(std::string_view in_file) {
  if (in_file.ends_with("()")) in_file.remove_suffix(2);
  if (in_file.starts_with("PMPI_")) in_file.remove_prefix(1);
  return std::string(in_file);
}

}  // namespace reprise::trace_io
