// SPDX-License-Identifier: MIT
// The tolerance of every closed form: 1e-6 of the stated value (sizes enter SimGrid in 1/1024 byte, times as doubles).
#pragma once

#include <catch2/catch.hpp>

namespace reprise::test {

inline Approx near(double value) { return Approx(value).epsilon(1e-6).margin(1e-15); }

}  // namespace reprise::test
