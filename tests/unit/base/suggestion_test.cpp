// SPDX-License-Identifier: MIT
#include "trace-io/base/suggestion.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using reprise::nearest_name;
using reprise::nearest_word;

namespace {
const std::vector<std::string> kKeys{"bandwidth", "latency", "sharing", "source"};
}

TEST_CASE("suggestion: each kind of slip finds its word", "[base]") {
  CHECK(nearest_word("bandwith", kKeys) == "bandwidth");   // a letter left out
  CHECK(nearest_word("latencyy", kKeys) == "latency");     // one too many
  CHECK(nearest_word("shering", kKeys) == "sharing");      // a wrong one
  CHECK(nearest_word("soucre", kKeys) == "source");        // two swapped
  CHECK(nearest_word("bandwidth", kKeys) == "bandwidth");  // none
}

TEST_CASE("suggestion: two edits are forgiven in a short word, a third of a long one", "[base]") {
  CHECK(nearest_word("lxtxncy", kKeys) == "latency");
  CHECK(nearest_word("lxtxnxy", kKeys) == std::nullopt);
  CHECK(nearest_word("bxndxidxh", kKeys) == "bandwidth");
  CHECK(nearest_word("bxnxxidxh", kKeys) == std::nullopt);
}

TEST_CASE("suggestion: a neighbouring swap costs one edit and not two", "[base]") {
  CHECK(nearest_word("ab", {"xa", "ba"}) == "ba");
}

TEST_CASE("suggestion: a word that shares less than half with a short candidate is not suggested",
          "[base]") {
  CHECK(nearest_word("ab", {"xy"}) == std::nullopt);
  CHECK(nearest_word("svg", {"set"}) == std::nullopt);
  CHECK(nearest_word("sot", {"set"}) == "set");
  CHECK(nearest_word("hlpe", {"help"}) == "help");
  CHECK(nearest_word("", {"up"}) == std::nullopt);
}

TEST_CASE("suggestion: of equally near words the first is taken", "[base]") {
  CHECK(nearest_word("lavel", {"label", "level"}) == "label");
  CHECK(nearest_word("lavel", {"level", "label"}) == "level");
}

TEST_CASE("suggestion: no candidates give no suggestion", "[base]") {
  CHECK(nearest_word("latency", {}) == std::nullopt);
}

TEST_CASE("suggestion: a shortened name is found in a longer one", "[base]") {
  CHECK(nearest_name("sparsemv", {"waxpby", "HPC_sparsemv", "HPC_sparsemv_overlapped"}) ==
        "HPC_sparsemv");
  CHECK(nearest_name("*SPARSEMV?", {"HPC_sparsemv"}) == "HPC_sparsemv");
  CHECK(nearest_name("conj_grad", {"my_conj_grad_of_all", "conj_grad_"}) == "conj_grad_");
  CHECK(nearest_name("mv", {"HPC_sparsemv"}) == std::nullopt);
  CHECK(nearest_name("fft", {"HPC_sparsemv"}) == std::nullopt);
  CHECK(nearest_name("*", {"HPC_sparsemv"}) == std::nullopt);
}
