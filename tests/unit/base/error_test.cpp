// SPDX-License-Identifier: MIT
#include "trace-io/base/error.hpp"

#include <catch2/catch.hpp>
#include <string>

using reprise::InputError;
using reprise::RunError;

TEST_CASE("error: place, problem and hint make one text", "[base]") {
  const InputError error("dane.json at /network/link/bandwidth", "\"12.5\" has no unit",
                         "write \"12.5 GB/s\"");
  CHECK(std::string(error.what()) ==
        "dane.json at /network/link/bandwidth: \"12.5\" has no unit\n  write \"12.5 GB/s\"");
  CHECK(error.where() == "dane.json at /network/link/bandwidth");
  CHECK(error.problem() == "\"12.5\" has no unit");
  CHECK(error.hint() == "write \"12.5 GB/s\"");
}

TEST_CASE("error: an absent place and an absent hint leave nothing behind", "[base]") {
  CHECK(std::string(InputError("", "no platform").what()) == "no platform");
  CHECK(std::string(RunError("replay", "deadlocked at 0.731 s").what()) ==
        "replay: deadlocked at 0.731 s");
}
