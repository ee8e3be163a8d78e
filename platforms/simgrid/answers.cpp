// SPDX-License-Identifier: MIT
#include "platforms/simgrid/answers.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

constexpr std::uint32_t kMaxHosts = 1'000'000, kMaxLinks = 10'000'000;
constexpr std::size_t kShown = 100;  // letters of a line that is not understood

[[noreturn]] void refuse(std::string_view line) {
  throw RunError("reprise-simgrid-routes",
                 "its answer \"" + std::string(line.substr(0, kShown)) + "\" is not understood",
                 "install it from the same build as reprise");
}

class Fields {
 public:
  explicit Fields(std::string_view line) : line_(line), rest_(line) {}

  bool at_end() const { return is_over_; }
  std::string_view next() {
    if (is_over_) refuse(line_);
    const auto tab = rest_.find('\t');
    const std::string_view field = rest_.substr(0, tab);
    if (tab == std::string_view::npos)
      is_over_ = true;
    else
      rest_.remove_prefix(tab + 1);
    return field;
  }
  // Whether the next field is that word, which is then passed over.
  bool skip(std::string_view word) {
    if (is_over_ || rest_.substr(0, rest_.find('\t')) != word) return false;
    next();
    return true;
  }
  std::string text() { return std::string(next()); }
  // Finite and at least 0.
  double number() {
    const std::string_view field = next();
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size() || !std::isfinite(value) ||
        value < 0)
      refuse(line_);
    return value;
  }
  std::uint32_t whole(std::uint32_t most) {
    const std::string_view field = next();
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc{} || end != field.data() + field.size() || value > most) refuse(line_);
    return value;
  }
  SimgridPolicy policy() { return static_cast<SimgridPolicy>(whole(4)); }
  void finish() const {
    if (!is_over_) refuse(line_);
  }

 private:
  std::string_view line_, rest_;
  bool is_over_ = false;
};

SimgridError read_error(Fields& fields) {
  SimgridError error;
  error.line = fields.whole(std::numeric_limits<std::uint32_t>::max());
  error.text = fields.text();
  fields.finish();
  if (error.text.empty()) error.text = "SimGrid gives up";
  return error;
}

}  // namespace

bool take_machine_line(std::string_view line, SimgridMachine& machine, SimgridError& error) {
  Fields fields(line);
  const std::string_view kind = fields.next();
  if (kind == "link") {
    if (machine.links.size() == kMaxLinks) refuse(line);
    SimgridLink& link = machine.links.emplace_back();
    link.bandwidth = {fields.number()};
    link.latency = Seconds{fields.number()};
    link.policy = fields.policy();
    link.zone = fields.text();
    link.name = fields.text();
  } else if (kind == "host") {
    if (machine.hosts.size() == kMaxHosts) refuse(line);
    SimgridHost& host = machine.hosts.emplace_back();
    host.speed = {fields.number()};
    host.cores = fields.whole(std::numeric_limits<std::uint32_t>::max());
    host.loopback.is_there = !fields.skip("none");
    if (host.loopback.is_there) host.loopback.links = fields.whole(kMaxLinks);
    host.loopback.bandwidth = {fields.number()};
    host.loopback.latency = Seconds{fields.number()};
    host.loopback.policy = fields.policy();
    host.name = fields.text();
  } else if (kind == "error") {
    error = read_error(fields);
    return true;
  } else if (kind == "coordinates") {
    machine.has_coordinates = true;
  } else if (kind == "end") {
    fields.finish();
    return true;
  } else {
    refuse(line);
  }
  fields.finish();
  return false;
}

SimgridRoute parse_route(std::string_view line, std::size_t links, SimgridError& error) {
  Fields fields(line);
  const std::string_view kind = fields.next();
  SimgridRoute route;
  if (kind == "error") {
    error = read_error(fields);
    return route;
  }
  if (kind != "route") refuse(line);
  route.latency = Seconds{fields.number()};
  while (!fields.at_end()) {
    const std::uint32_t link = fields.whole(kMaxLinks);
    if (link >= links) refuse(line);
    route.links.push_back(link);
  }
  return route;
}

}  // namespace reprise::platforms
