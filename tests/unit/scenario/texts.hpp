// SPDX-License-Identifier: MIT
// Scenarios and machines from texts, for tests.
#pragma once

#include <exception>
#include <string>

#include "platforms/json/document.hpp"
#include "sim/scenario/scenario.hpp"

namespace reprise::test {

inline const std::string kStar = R"({"format": 1, "name": "m", "source": "a test",
  "nodes": {"count": 4, "cores": 2}, "intra_node": {"bandwidth": "10 GB/s", "latency": "0.2 us"},
  "network": {"topology": {"kind": "star"}, "link": {"bandwidth": "12.5 GB/s", "latency": "0.6 us"}},
  "mpi": {"eager_limit": "64 KiB", "send_overhead": "0.1 us", "recv_overhead": "0.1 us"}})";

inline const std::string kTree = R"({"format": 1, "name": "m", "source": "a test",
  "nodes": {"count": 4, "cores": 2}, "intra_node": {"bandwidth": "10 GB/s", "latency": "0.2 us"},
  "network": {"topology": {"kind": "fat_tree", "levels": [{"down": 2, "up": 1}, {"down": 2, "up": 1, "link": {"latency": "1 us"}}]},
              "link": {"bandwidth": "10 GB/s", "latency": "0.5 us"}},
  "mpi": {"eager_limit": "64 KiB", "send_overhead": "0.1 us", "recv_overhead": "0.1 us",
          "collectives": {"bcast": [{"up_to": "1 KiB", "algorithm": "binomial"}, {"up_to": "1 MiB", "algorithm": "chain", "fanout": 2}]}}})";

// CHANGES: the elements of the list.
inline sim::Scenario scenario(const std::string& changes) {
  return sim::parse_scenario(platforms::parse_document(
      R"({"format": 1, "name": "s", "changes": [)" + changes + "]}", "s.json"));
}

template <class Call>
std::string message_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace reprise::test
