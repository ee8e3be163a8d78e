// SPDX-License-Identifier: MIT
// What the probe takes a machine's usual state to be.
#include <catch2/catch.hpp>

#include "recorder/probe/measurement.hpp"

using reprise::probe::Reference;
using reprise::probe::usual_state;

TEST_CASE("a steady machine is in its usual state all the time") {
  const Reference found = usual_state({50e-6, 51e-6, 49e-6, 52e-6, 50e-6});
  CHECK(found.time_s == 50e-6);
  CHECK(found.share == 1);
  CHECK(found.low_s == 49e-6);
  CHECK(found.high_s == 52e-6);
}

TEST_CASE("of a machine that changes, the state that it is in most often") {
  const Reference found =
      usual_state({150e-6, 50e-6, 24e-6, 155e-6, 50e-6, 160e-6, 24e-6, 140e-6, 51e-6, 150e-6});
  CHECK(found.time_s == 150e-6);
  CHECK(found.share == 0.5);
  CHECK(found.low_s == 24e-6);
  CHECK(found.high_s == 160e-6);
}

TEST_CASE("states are as wide as a factor of one and a half, and no wider") {
  CHECK(usual_state({10e-6, 15e-6}).share == 1);
  CHECK(usual_state({10e-6, 15.1e-6}).share == 0.5);
}
