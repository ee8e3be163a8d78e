// SPDX-License-Identifier: MIT
// libFuzzer: any bytes as a Paraver trace, with the labels that Extrae writes. They are refused with an InputError or become a trace that
// holds together.
#include <string_view>

#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/imported_trace.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/import/paraver/paraver_import.hpp"

namespace {

constexpr std::string_view kLabels =
    "EVENT_TYPE\n9 50000001 MPI\nVALUES\n1 MPI_Send\n2 MPI_Recv\n3 MPI_Isend\n4 MPI_Irecv\n5 "
    "MPI_Wait\n"
    "6 MPI_Waitall\n7 MPI_Bcast\n8 MPI_Barrier\n9 MPI_Reduce\n10 MPI_Allreduce\n11 MPI_Alltoallv\n"
    "12 MPI_Test\n13 MPI_Waitany\n14 MPI_Sendrecv\n15 MPI_Ibcast\n16 MPI_Comm_rank\n17 "
    "MPI_Comm_split\n"
    "18 MPI_Win_create\n19 MPI_Rput\n20 MPI_Init\n21 MPI_Finalize\n22 MPI_Start\n23 "
    "MPI_Send_init\n0 Outside\n"
    "EVENT_TYPE\n1 50100001 a\n1 50100002 b\n1 50100003 c\n1 50100004 d\n"
    "EVENT_TYPE\n0 98000000 f\n0 98000001 f\n0 98000002 f\n0 98000003 f\n0 60000019 u\n"
    "EVENT_TYPE\n0 70000001 g\n0 70000002 g\nVALUES\n1 main\n2 solve\n"
    "EVENT_TYPE\n0 80000001 h\nVALUES\n1 7 (a.c, b)\n";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  scratch_file("t.pcf", reinterpret_cast<const std::uint8_t*>(kLabels.data()), kLabels.size());
  const std::string path = scratch_file("t.prv", data, size);
  try {
    must_hold_together(reprise::trace_io::import_paraver(path, {}));
  } catch (const reprise::InputError&) {
  }
  return 0;
}
