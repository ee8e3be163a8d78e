// SPDX-License-Identifier: MIT
// What liballprof's lines mean as events of ours.
#include "trace-io/import/liballprof/liballprof_import.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/trace-io/import/imported_calls.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using Lines = std::vector<std::string>;

TEST_CASE("liballprof_import: the files of all ranks are found by their numbers", "[trace-io]") {
  const ScratchFolder folder;
  folder.write(
      "t-0.txt",
      "# collprof\nMPI_Init:-:1:2:1.0\nMPI_Comm_rank:2.0:5,0,2:99:2.5\n"
      "MPI_Isend:3.0:77:10:1,8,8:1:4:5,0,2:8000:3.5\nMPI_Irecv:4.0:77:10:1,8,8:1:5:5,0,2:8008:4.5\n"
      "MPI_Waitall:5.0:2:8000:1:6.25\nMPI_Allreduce:7.0:1:2:3:1,8,8:3:5,0,2:8.0\nMPI_Finalize:9.0:-"
      "\n");
  folder.write("t-1.txt",
               "MPI_Init:-:1:2:1.0\nMPI_Recv:3.0:77:10:1,8,8:0:4:5,1,2:0:3.5\n"
               "MPI_Send:4.0:77:10:1,8,8:0:5:5,1,2:4.5\nMPI_Allreduce:7.0:1:2:3:1,8,8:3:5,1,2:8."
               "0\nMPI_Finalize:9.0:-\n");
  const Trace trace = import_liballprof({folder.path("t-1.txt")}, {});
  CHECK(calls_of(trace, 0) == Lines{"MPI_Init", "MPI_Isend 0 9 4 80 0", "MPI_Irecv 0 9 5 80 1",
                                    "MPI_Waitall | 0 1 | 3 3 | -1 -1", "MPI_Allreduce 0 24 0 8 1",
                                    "MPI_Finalize"});
  CHECK(calls_of(trace, 1) == Lines{"MPI_Init", "MPI_Recv 0 8 4 80 3 -1", "MPI_Send 0 8 5 80",
                                    "MPI_Allreduce 0 24 0 8 1", "MPI_Finalize"});
  CHECK(times_of(trace, 0, 3) == std::pair<std::int64_t, std::int64_t>{500, 1250});
  CHECK(trace.losses.empty());
  CHECK(check(trace).empty());
}

TEST_CASE("liballprof_import: what lines do not say is named", "[trace-io]") {
  const ScratchFolder folder;
  const auto only = folder.write("t.txt",
                                 "MPI_Init:-:1:2:1.0\nMPI_Recv:3.0:77:1:1,8,8:-1:4:5,0,1:0:3.5\n"
                                 "MPI_Bcast:4.0:7:1:1,8,8:0:6,0,7:4.5\nMPI_Test:5.0:8:9:10:5.5\n");
  const Trace trace = import_liballprof({only}, {});
  CHECK(losses_of(trace) ==
        Lines{"MPI_Bcast (time only): 1", "MPI_Recv (time only): 1", "MPI_Test (time only): 1"});
}

TEST_CASE("liballprof_import: errors name file and line", "[trace-io]") {
  const ScratchFolder folder;
  const auto problem = [&](const std::string& line) {
    const auto path = folder.write("t.txt", "MPI_Init:-:1:2:1.0\n" + line + "\n");
    try {
      import_liballprof({path}, {});
    } catch (const InputError& error) {
      const std::string text = error.what();
      return text.substr(text.find("t.txt"));
    }
    return std::string("nothing");
  };
  CHECK(problem("hello") ==
        "t.txt:2: \"hello\" is not a call\n  a line is PROCEDURE:BEGIN:ARGUMENTS:END");
  CHECK(problem("MPI_Send:1.0:5:2.0") == "t.txt:2: argument 5 of MPI_Send is missing");
  CHECK(problem("MPI_Send:soon:5:1:1,8,8:0:1:5,0,1:2.0") ==
        "t.txt:2: a time is \"soon\", not a number of microseconds");
  CHECK(problem("MPI_Send:1.0:5:x:1,8,8:0:1:5,0,1:2.0") ==
        "t.txt:2: a count is \"x\", not a whole number");
  CHECK(problem("MPI_Send:1.0:5:1:1:0:1:5,0,1:2.0") ==
        "t.txt:2: the size of a datatype is missing in \"1\"");
  CHECK(problem("MPI_Send:1.0:5:1:1,8,8:0:1:5,0,1:6666666666666.0") == "nothing");
  CHECK(problem("MPI_Send:1.0:5:1:1,8,8:0:1:5,0,1:666666666666666.0") ==
        "t.txt:2: a time is more than three years from the first one");
  CHECK(problem("MPI_Send:1.0:5:1:1,8,8:3:1:5,0,1:2.0") ==
        "t.txt:2: rank 3 does not exist\n  there are files of ranks 0 to 0");
}
