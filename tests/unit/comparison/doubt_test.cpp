// SPDX-License-Identifier: MIT
// What a comparison says of its answers' doubts, by answers made for it.
#include "sim/comparison/doubt.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/comparison/comparison.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;
using Notes = std::vector<std::string>;

ordered_json predicted(double seconds) {
  return {{"trace", "t"}, {"platform", "p"}, {"predicted_time_s", seconds}};
}

ordered_json in_calls(double seconds, double then) {
  ordered_json answer = predicted(seconds);
  answer["progress_in_calls"] = {{"predicted_time_s", then}};
  return answer;
}

ordered_json shared(double seconds, const char* network, double then) {
  ordered_json answer = predicted(seconds);
  answer["other_sharing"] = {{"network", network}, {"predicted_time_s", then}};
  return answer;
}

}  // namespace

TEST_CASE("a comparison says what it is if MPI makes progress in calls only") {
  CHECK(compare(in_calls(0.1, 0.15), in_calls(0.08, 0.147)).notes ==
        Notes{"if MPI makes progress only inside its calls, before takes 0.150000 s and after "
              "0.147000 s: the change is -2.0% instead of -20.0%"});
  // 2 MiB and 2 ms overlapped: of the quicker machine, in_calls changes less than is noticed.
  ordered_json quicker = in_calls(0.203587, 0.210618);
  quicker["progress_in_calls"]["noticed"] = false;
  CHECK(compare(quicker, in_calls(0.203587, 0.220685)).notes ==
        Notes{"if MPI makes progress only inside its calls, before takes 0.210618 s and after "
              "0.220685 s: the change is +4.8% instead of +0.0%"});
  CHECK(compare(predicted(0.07), in_calls(0.056, 0.0686)).notes ==
        Notes{"if MPI makes progress only inside its calls, after takes 0.068600 s; what before "
              "takes then is not known, so what the change is then is not, either (replay before "
              "again, with --set /mpi/progress=in_calls)"});
  CHECK(compare(in_calls(0.056, 0.0686), predicted(0.07)).notes ==
        Notes{"if MPI makes progress only inside its calls, before takes 0.068600 s; what after "
              "takes then is not known, so what the change is then is not, either (replay after "
              "again, with --set /mpi/progress=in_calls)"});
  CHECK(compare(predicted(1), predicted(2)).notes.empty());
  CHECK(compare(quicker, quicker).notes.empty());
}

TEST_CASE("a comparison says what it is if messages share links by another rule") {
  CHECK(compare(shared(1, "queue", 0.5), shared(2, "queue", 0.4)).notes ==
        Notes{"if messages share links by network queue, before takes 0.500000 s and after "
              "0.400000 s: the change is -20.0% instead of +100.0%"});
  // Queue makes one machine's time 5 % longer, which is not noticed, and the other's 10.3 %.
  ordered_json first = shared(0.474002, "queue", 0.498167);
  first["other_sharing"]["noticed"] = false;
  const Notes turned{
      "if messages share links by network queue, before takes 0.498167 s and after 0.493449 s: the "
      "change is -0.9% instead of -5.6%"};
  CHECK(compare(first, shared(0.447511, "queue", 0.493449)).notes == turned);
  // Where it was not compared, the details may have it.
  first.erase("other_sharing");
  CHECK(compare(first, shared(0.447511, "queue", 0.493449)).notes ==
        Notes{"if messages share links by network queue, after takes 0.493449 s; what before takes "
              "then is not known, so what the change is then is not, either (replay before again, "
              "with --details models)"});
  first["models"] = {{{"network", "flow"}, {"predicted_time_s", 0.474002}, {"ratio", 1}},
                     {{"network", "queue"}, {"predicted_time_s", 0.498167}, {"ratio", 1.051}}};
  CHECK(compare(first, shared(0.447511, "queue", 0.493449)).notes == turned);
  // An answer by queue itself, and one by flow: each is the other's other rule.
  ordered_json by_flow = shared(1, "queue", 0.5), by_queue = shared(0.4, "flow", 0.9);
  by_flow["network"] = "flow";
  by_queue["network"] = "queue";
  CHECK(compare(by_flow, by_queue).notes ==
        Notes{"if messages share links by network flow, before takes 1.000000 s and after 0.900000 "
              "s: the change is -10.0% instead of -60.0%",
              "if messages share links by network queue, before takes 0.500000 s and after "
              "0.400000 s: the change is -20.0% instead of -60.0%"});
}

TEST_CASE("a comparison's doubts are notes in text and JSON") {
  const auto comparison = compare(in_calls(0.07, 0.07), in_calls(0.056, 0.0686));
  CHECK(text_of(comparison)
            .ends_with("\nnote: if MPI makes progress only inside its calls, before takes 0.070000 "
                       "s and after 0.068600 s: the change is -2.0% instead of -20.0%\n"));
  CHECK(to_json(comparison)["notes"] == ordered_json(comparison.notes));
}

}  // namespace reprise::sim
