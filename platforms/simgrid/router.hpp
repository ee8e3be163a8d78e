// SPDX-License-Identifier: MIT
// A SimGrid platform file as SimGrid knows it: hosts, links in classes, and routes, which are asked for when they are first needed.
//
// Classes  links that are named, scaled and reported together. Up to kFewLinks: each link by its own name. More: those of one pattern
//          (digits of the name as #) and alike in bandwidth, latency and policy; several of one pattern are numbered: "c_link_#_UP 2".
// Process  the SimGrid process belongs to the process that asks: a fork starts its own with its first question. Not for several threads.
// Cost     a question 10 µs once; what is remembered is bounded by kMostRemembered links.
// Errors   InputError{FILE or FILE:LINE, …}: what SimGrid refuses, in its words; links that no network here has (WIFI, NONLINEAR);
//          hosts between which there is no route.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "platforms/simgrid/answers.hpp"
#include "platforms/simgrid/routes_process.hpp"

namespace reprise::platforms {

struct SimgridLinkClass {
  std::string name;
  BytesPerSecond bandwidth;
  Seconds latency;
  SimgridPolicy policy = SimgridPolicy::shared;
  std::uint32_t count = 0;
};

class SimgridRouter {
 public:
  static constexpr std::size_t kFewLinks = 64;
  static constexpr std::size_t kMostRemembered = 20'000'000;  // 80 MB

  SimgridRouter(std::string file, std::string text);

  const std::string& text() const { return text_; }
  const SimgridMachine& machine() const { return machine_; }
  const std::vector<SimgridLinkClass>& classes() const { return classes_; }
  // Of link i: its class, and which of that class it is.
  struct Place {
    std::uint32_t link_class = 0, number = 0;
  };
  const Place& place(std::uint32_t link) const { return places_[link]; }

  // Links by their places in machine().links. Valid until the next call.
  const SimgridRoute& route(std::uint32_t from, std::uint32_t to) const;

 private:
  std::unique_ptr<RoutesProcess> start() const;
  void classify();
  void refuse_policies() const;

  std::string file_, text_;
  SimgridMachine machine_;
  std::vector<SimgridLinkClass> classes_;
  std::vector<Place> places_;
  mutable std::unique_ptr<RoutesProcess> process_;
  mutable std::unordered_map<std::uint64_t, SimgridRoute> known_;
  mutable std::size_t remembered_ = 0;
};

// One for each file in this process: that of PATH with this TEXT; and the last one of PATH, null where there is none. So a file is read
// once, as it may be a pipe.
std::shared_ptr<const SimgridRouter> simgrid_router(const std::string& path,
                                                    const std::string& text);
std::shared_ptr<const SimgridRouter> known_simgrid_router(const std::string& path);

}  // namespace reprise::platforms
