// SPDX-License-Identifier: MIT
// Points of a study as answers: over seeds and recordings they have a distribution of run times, of which the median is compared.
#include <catch2/catch.hpp>
#include <string>

#include "sim/comparison/comparison.hpp"
#include "tests/cli/scratch.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {

TEST_CASE("load answer: a point of a study has the median of its run times", "[comparison]") {
  const Scratch scratch;
  const std::string file = scratch.file("results.json", R"({"points":[
    {"labels":{"machine":"a"},"status":"done","predicted_time_s":{"median":2.5,"low":2,"high":3}},
    {"labels":{"machine":"b"},"status":"done","predicted_time_s":1.5},
    {"labels":{"machine":"c"},"status":"failed","predicted_time_s":null}]})");
  CHECK(load_answer(file + ":0")["predicted_time_s"] == 2.5);
  CHECK(load_answer(file + ":1")["predicted_time_s"] == 1.5);
  std::string message;
  try {
    load_answer(file + ":2");
  } catch (const InputError& error) {
    message = error.what();
  }
  CHECK(message.find("point 2 has no result") != std::string::npos);
  const Comparison compared = compare(load_answer(file + ":0"), load_answer(file + ":1"));
  CHECK(compared.times[0] == 2.5);
  CHECK(compared.times[1] == 1.5);
}

}  // namespace reprise::sim
