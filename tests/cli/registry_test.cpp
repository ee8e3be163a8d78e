// SPDX-License-Identifier: MIT
// The registries of figures and formats: what the docs say of them, and what a new one would have to meet.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "sim/experiment/details/detail.hpp"
#include "sim/formats/format.hpp"
#include "tests/physics/machines.hpp"
#include "trace-io/base/text_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;

namespace {

sim::Answer everything() {
  static const auto trace = trace_io::assemble(
      "reprise-text 1\nranks 2\nprocedure 0 \"MPI_Sendrecv\"\nmodule 0 \"/opt/app/solve\"\n"
      "path 0 0+0x10\nframe 0+0x10 \"main\" \"main.c\" 40\nsite 0 procedure 0 path 0\n"
      "functions rate 200 own 0 left_out 0\nsampled 0-1 compute [@0 after @0: 0/30] communicate "
      "[]\n"
      "thread 0 {\nloop 10 {\n@0 MPI_Sendrecv peer=+1 receive_peer=-1 "
      "bytes=800 receive_bytes=800 | compute 50us\n}\n}\n",
      "test");
  return sim::replayed(trace, test::star(2), {}, {.details = sim::parse_details("all")});
}

}  // namespace

TEST_CASE("registry: each figure has a name, a shape in docs/JSON.md and a place on the man page",
          "[cli]") {
  const auto docs = read_text_file(REPRISE_DOCS "/JSON.md");
  auto man = read_text_file(REPRISE_DOCS "/reprise.1");
  std::set<std::string_view> names, keys;
  for (const auto* detail : sim::all_details()) {
    CAPTURE(detail->name);
    CHECK(names.insert(detail->name).second);
    CHECK(keys.insert(detail->key).second);
    CHECK(docs.find("\n    \"" + std::string(detail->key) + "\":") != std::string::npos);
    std::string on_page = "\n.B ";
    for (const char c : detail->name) on_page += c == '-' ? std::string("\\-") : std::string(1, c);
    CHECK(man.find(on_page + "\n") != std::string::npos);
    CHECK(sim::details_help().find(detail->name) != std::string::npos);
  }
  CHECK(sim::parse_details("all").size() == names.size());
}

TEST_CASE("registry: each figure is in every format", "[cli]") {
  const auto answer = everything();
  REQUIRE(answer.details.size() == sim::all_details().size());
  const auto json = sim::format_named("json").write(answer, {});
  const auto page = sim::format_named("html").write(answer, {});
  const auto text = sim::format_named("text").write(answer, {});
  for (const auto& [detail, figure] : answer.details) {
    CAPTURE(detail->name);
    const auto key = '"' + std::string(detail->key) + '"';
    CHECK(json.find(key) != std::string::npos);
    CHECK(page.find(key) != std::string::npos);
    const auto part = figure->text();
    CHECK(text.find(part) != std::string::npos);
    CHECK(std::count(part.begin(), part.end(), '\n') >= 2);
    const auto csv = sim::format_named("csv").write(answer, {.order = {detail}});
    CHECK(std::count(csv.begin(), csv.end(), '\n') >= 2);
  }
}

TEST_CASE("registry: the formats are those of the man page, and the first is the default",
          "[cli]") {
  CHECK(sim::format_names() == "text|json|csv|html");
  CHECK(read_text_file(REPRISE_DOCS "/reprise.1").find(sim::format_names()) != std::string::npos);
}
