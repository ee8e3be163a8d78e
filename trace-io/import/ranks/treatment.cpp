// SPDX-License-Identifier: MIT
#include "trace-io/import/ranks/treatment.hpp"

#include <algorithm>

#include "trace-io/model/procedure.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::string_view kLocal[] = {
#define X(name) std::string_view("MPI_" #name),
#include "trace-io/import/ranks/local_procedures.def"
#undef X
};

}  // namespace

Treatment treatment_of(std::string_view procedure) {
  if (procedure_named(procedure).kind != Kind::unmodelled) return Treatment::event;
  if (std::find(std::begin(kLocal), std::end(kLocal), procedure) != std::end(kLocal))
    return Treatment::compute;
  return procedure.starts_with("MPI_") ? Treatment::unmodelled : Treatment::no_mpi;
}

std::string procedure_name(std::string_view in_file) {
  if (in_file.ends_with("()")) in_file.remove_suffix(2);
  if (in_file.starts_with("PMPI_")) in_file.remove_prefix(1);
  // The twins for large counts are recorded under the names of the others.
  if (in_file.ends_with("_c") &&
      procedure_named(in_file.substr(0, in_file.size() - 2)).kind != Kind::unmodelled)
    in_file.remove_suffix(2);
  return std::string(in_file);
}

}  // namespace reprise::trace_io
