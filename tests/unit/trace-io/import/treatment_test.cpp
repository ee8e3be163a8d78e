// SPDX-License-Identifier: MIT
// What is done with a call of each MPI procedure, in an imported trace as in a recorded one.
#include "trace-io/import/ranks/treatment.hpp"

#include <catch2/catch.hpp>

using namespace reprise::trace_io;

TEST_CASE("treatment: an import does with a procedure what the recorder does", "[trace-io]") {
#define RECORDED(procedure, ...) \
  CHECK(treatment_of(procedure_name("MPI_" #procedure)) == Treatment::event);
#define HANDWRITTEN(procedure, ...) RECORDED(procedure)
#define LIFECYCLE(procedure)
#define UNMODELLED(procedure, ...) CHECK(treatment_of("MPI_" #procedure) == Treatment::unmodelled);
#define LOCAL(symbol) CHECK(treatment_of("MPI_" #symbol) == Treatment::compute);
#include "recorder/mpi_calls.def"
#undef RECORDED
#undef HANDWRITTEN
#undef LIFECYCLE
#undef UNMODELLED
#undef LOCAL
}

TEST_CASE("treatment: names are those of procedures, however a file spells them", "[trace-io]") {
  CHECK(procedure_name("MPI_Send()") == "MPI_Send");
  CHECK(procedure_name("PMPI_Bcast") == "MPI_Bcast");
  CHECK(procedure_name("solve()") == "solve");
  CHECK(treatment_of("main") == Treatment::no_mpi);
  CHECK(treatment_of("MPI_Not_yet_there") == Treatment::unmodelled);
}
