// SPDX-License-Identifier: MIT
// What comes from the program that has SimGrid in it is read without trust.
#include <catch2/catch.hpp>
#include <string>

#include "platforms/simgrid/answers.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

constexpr const char* kNotUnderstood =
    "\" is not understood\n  install it from the same build as reprise";

std::string refusal_of_machine(const std::string& line) {
  return corpus::message_of([&] {
    SimgridMachine machine;
    SimgridError error;
    take_machine_line(line, machine, error);
  });
}
std::string refusal_of_route(const std::string& line) {
  return corpus::message_of([&] {
    SimgridError error;
    parse_route(line, 3, error);
  });
}

}  // namespace

TEST_CASE("SimGrid's answers: hosts, links, routes and errors", "[platforms]") {
  SimgridMachine machine;
  SimgridError error;
  CHECK_FALSE(take_machine_line("coordinates", machine, error));
  CHECK(machine.has_coordinates);
  CHECK_FALSE(take_machine_line("link\t125000000\t5e-05\t2\tzone 1\ta link", machine, error));
  CHECK_FALSE(take_machine_line("host\t1e9\t4\t1\t1e10\t0\t0\th", machine, error));
  CHECK_FALSE(take_machine_line("host\t1e9\t4\tnone\t0\t0\t0\ti", machine, error));
  CHECK(take_machine_line("end", machine, error));
  CHECK(machine.links.at(0).name == "a link");
  CHECK(machine.links[0].zone == "zone 1");
  CHECK(machine.links[0].bandwidth.value == 125e6);
  CHECK(machine.links[0].policy == SimgridPolicy::split_duplex);
  CHECK(machine.hosts.at(0).loopback.is_there);
  CHECK_FALSE(machine.hosts.at(1).loopback.is_there);
  CHECK(take_machine_line("error\t7\tno such thing", machine, error));
  CHECK(error.line == 7);
  CHECK(error.text == "no such thing");
  error = {};
  CHECK(parse_route("route\t0.5\t2\t0\t2", 3, error).links == std::vector<std::uint32_t>{2, 0, 2});
  CHECK(parse_route("route\t0.5", 3, error).links.empty());
  CHECK(error.text.empty());
  parse_route("error\t0\t", 3, error);
  CHECK(error.text == "SimGrid gives up");
}

TEST_CASE("SimGrid's answers: nonsense is refused", "[platforms]") {
  for (const std::string line :
       {"", "hosts", "end\t", "link", "link\t1\t1\t1\tz", "link\t1\t1\t5\tz\tn",
        "link\t-1\t0\t1\tz\tn", "link\tnan\t0\t1\tz\tn", "link\t1e999\t0\t1\tz\tn",
        "link\t1 \t0\t1\tz\tn", "host\t1\t-4\t1\t1\t0\t0\th", "host\t1\t4294967296\t1\t1\t0\t0\th",
        "host\t1\t1\tnone\t1\t0\t0", "host\t1\t1\t1\t1\t0\t0\th\tmore", "error\tx\ty"}) {
    INFO(line);
    CHECK(refusal_of_machine(line) ==
          "reprise-simgrid-routes: its answer \"" + line + kNotUnderstood);
  }
  for (const std::string line : {"", "route", "route\t", "route\t1\t3", "route\t1\t-1",
                                 "route\t1\t0\t", "route\tinf", "end", "error"}) {
    INFO(line);
    CHECK(refusal_of_route(line) ==
          "reprise-simgrid-routes: its answer \"" + line + kNotUnderstood);
  }
  const std::string long_line(1000, 'x');
  CHECK(refusal_of_machine(long_line) ==
        "reprise-simgrid-routes: its answer \"" + long_line.substr(0, 100) + kNotUnderstood);
}
