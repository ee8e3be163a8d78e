// SPDX-License-Identifier: MIT
// SimGrid's profiles as texts: their values, when they come again, and what is refused.
#include "platforms/xml/profile_values.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "platforms/load.hpp"
#include "platforms/xml/simgrid_platform.hpp"
#include "tests/unit/platforms/corpus.hpp"

using namespace reprise;
using namespace reprise::platforms;

namespace {

using Steps = std::vector<std::pair<double, double>>;

Steps steps(const ProfileValues& profile) {
  Steps list;
  for (const ProfileValues::Step& step : profile.steps)
    list.emplace_back(step.from.value, step.value);
  return list;
}

ProfileValues profile(const std::string& text, double periodicity = 0) {
  return parse_profile(text, "x.profile", 1, periodicity);
}

std::string refusal(const std::string& text, double periodicity = 0) {
  return corpus::message_of([&] { profile(text, periodicity); });
}

// What a platform with this inside its zone is refused with.
std::string refusal_of(const std::string& elements) {
  const std::string head =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
      "<platform version='4.1'>\n<zone id='z' routing='Full'>\n";
  return corpus::message_of(
      [&] { parse_simgrid_platform(head + elements + "\n</zone>\n</platform>\n", "p.xml"); });
}

}  // namespace

TEST_CASE("profile: a time and a value a line, comments, blanks and line ends of all kinds",
          "[platforms]") {
  const ProfileValues found =
      profile("# of a link\n% too\n\n  0.0\t1e6\r\n2 2e6 \nDET 3 DET 5\n+4 +.5");
  CHECK(steps(found) == Steps{{0, 1e6}, {2, 2e6}, {3, 5}, {4, 0.5}});
  CHECK(found.repeat_every.value == 0);
  CHECK_FALSE(found.is_stochastic);
  CHECK(steps(profile("")).empty());
}

TEST_CASE("profile: of two values at one time the later line holds", "[platforms]") {
  CHECK(steps(profile("1 1\n1 2\n3 4\n")) == Steps{{1, 2}, {3, 4}});
}

TEST_CASE("profile: it comes again after a period, or after its last line and a delay",
          "[platforms]") {
  CHECK(profile("2 1\n4 2\nLOOPAFTER 6\n").repeat_every.value == 10);
  CHECK(profile("PERIODICITY 21\n0 1\n20 0.9\n").repeat_every.value == 21);
  CHECK(profile("0 1\n20 0.9\n", 21).repeat_every.value == 21);
  CHECK(profile("0 1\n20 0.9\n", -1).repeat_every.value == 0);
}

TEST_CASE("profile: what is drawn at random is not read", "[platforms]") {
  for (const char* text : {"STOCHASTIC\nDET 0 UNIF 1 2\n", "STOCHASTIC LOOP\nEXP 0.5 DET 1\n",
                           "0 1\nNORM 1 2 DET 1\n"}) {
    CHECK(profile(text).is_stochastic);
    CHECK(profile(text).steps.empty());
  }
}

TEST_CASE("profile: a damaged one is refused with its line", "[platforms]") {
  const std::string lines = "\n  write TIME VALUE, PERIODICITY SECONDS or LOOPAFTER SECONDS";
  CHECK(refusal("0 1\n2\n") == "x.profile:2: a line of a profile has a time and a value" + lines);
  CHECK(refusal("0 1 2") == "x.profile:1: a line of a profile has a time and a value" + lines);
  CHECK(refusal("0 fast") == "x.profile:1: \"fast\" is not a number of 0 or more" + lines);
  CHECK(refusal("0 1\n\n-1 2") == "x.profile:3: \"-1\" is not a number of 0 or more" + lines);
  CHECK(refusal("0 inf") == "x.profile:1: \"inf\" is not a number of 0 or more" + lines);
  CHECK(refusal("0 1\nLOOPAFTER soon") ==
        "x.profile:2: \"soon\" is not a number of 0 or more" + lines);
  CHECK(refusal("2 1\n1 1") == "x.profile:2: 1 s comes after 2 s\n  sort the lines by time");
  CHECK(refusal("PERIODICITY 1\n2 1") ==
        "x.profile:2: it repeats every 1 s, and its last line is at 2 s\n  give a longer "
        "periodicity, or none");
  CHECK(refusal("0 1\nLOOPAFTER 0") ==
        "x.profile:2: it repeats every 0 s, and its last line is at 0 s\n  give a longer "
        "periodicity, or none");
  CHECK(refusal("PERIODICITY 4\n0 1\nLOOPAFTER 1") ==
        "x.profile:3: both a periodicity and LOOPAFTER\n  keep one of them");
}

TEST_CASE("profile: files that are not there and traces that nobody defines are refused",
          "[platforms]") {
  CHECK(
      refusal_of("<host id='a' speed='1Gf' speed_file='no.profile'/>") ==
      "p.xml:5: its speed_file \"no.profile\" cannot be opened\n  the file's place is relative to "
      "the folder of the platform file");
  CHECK(refusal_of("<host id='a' speed='1Gf'/>\n<trace_connect kind='SPEED' trace='t' "
                   "element='a'/>") ==
        "p.xml:6: there is no <trace> \"t\" before it\n  define it, or correct the name");
  CHECK(refusal_of("<host id='a' speed='1Gf'/>\n<trace id='t' periodicity='often'>0 1</trace>") ==
        "p.xml:6: the periodicity \"often\" of <trace> \"t\" is not a number of seconds\n  write 0 "
        "for a profile that does not repeat");
  CHECK(refusal_of(
            "<host id='a' speed='1Gf'/>\n<trace id='t' periodicity='3'>\n0 1\n1 x\n</trace>") ==
        "p.xml:8: \"x\" is not a number of 0 or more\n  write TIME VALUE, PERIODICITY SECONDS or "
        "LOOPAFTER SECONDS");
}
