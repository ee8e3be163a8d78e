// SPDX-License-Identifier: MIT
// A trace of two ranks and a small machine in a folder of the test's own, with studies of them.
#pragma once

#include <string>

#include "sim/study/plan.hpp"
#include "sim/study/study_file.hpp"
#include "tests/cli/scratch.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

struct ExampleStudy {
  // KEYS: what the study says besides its trace and machine.
  explicit ExampleStudy(const std::string& keys, const std::string& events = kPingPong)
      : study(load(keys, events)), inputs(study), plan(plan_of(study, inputs)) {}

  static constexpr const char* kPingPong = R"(
    loop 20 {
      ranks 0: MPI_Send peer=1 tag=7 bytes=1000 | compute (limit=3 count=20 sum=400000 squares=0:13600000000 min=10000@0 max=50000@0 bins=[16/200000, 4/200000])
      ranks 1: MPI_Recv peer=0 tag=7 bytes=1000
    })";

  Scratch scratch;
  reprise::sim::Study study;
  reprise::sim::StudyInputs inputs;
  reprise::sim::Plan plan;

 private:
  reprise::sim::Study load(const std::string& keys, const std::string& events) const {
    reprise::trace_io::save(
        reprise::trace_io::assemble(
            "reprise-text 1\nranks 2\ntiming histogram\nbins 3\nthread 0 {\n" + events + "\n}\n",
            "test"),
        scratch.path("t.reprise"));
    scratch.file("pair.json",
                 R"({"format":1,"name":"pair","source":"test","nodes":{"count":2,"cores":1},
      "intra_node":{"bandwidth":"10 GB/s","latency":"0.5 us"},
      "network":{"topology":{"kind":"star"},"link":{"bandwidth":"1 GB/s","latency":"1 us"}},
      "mpi":{"eager_limit":"64 KiB","send_overhead":"1 us","recv_overhead":"1 us"}})");
    return reprise::sim::load_study(scratch.file(
        "s.json",
        R"({"format":1,"name":"s","question":"q","trace":"t.reprise","platform":"pair.json","efficiencies":false)" +
            (keys.empty() ? "" : "," + keys) + "}"));
  }
};
