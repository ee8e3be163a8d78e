// SPDX-License-Identifier: MIT
#include "platforms/simgrid/router.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

namespace fs = std::filesystem;

// "c_link_12_UP" as "c_link_#_UP"
std::string pattern_of(const std::string& name) {
  std::string pattern;
  for (const char letter : name) {
    if (letter < '0' || letter > '9')
      pattern += letter;
    else if (pattern.empty() || pattern.back() != '#')
      pattern += '#';
  }
  return pattern;
}

// Where an element with that id begins; FILE alone where the text does not say it so.
std::string place_of_id(const std::string& file, const std::string& text, const std::string& id) {
  for (const char quote : {'"', '\''}) {
    const auto found = text.find("id=" + std::string(1, quote) + id + quote);
    if (found != std::string::npos)
      return file + ':' +
             std::to_string(1 + std::count(text.begin(),
                                           text.begin() + static_cast<std::ptrdiff_t>(found),
                                           '\n'));
  }
  return file;
}

// What SimGrid reads: the text with the DOCTYPE that it insists on, in place of another or before <platform>. Lines stay where they are.
std::string with_doctype(std::string text) {
  constexpr const char* kDoctype = "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";
  const auto begin = text.find("<!DOCTYPE");
  if (begin == std::string::npos) {
    const auto root = text.find("<platform");
    return root == std::string::npos ? text : text.insert(root, kDoctype);
  }
  const auto end = text.find_first_of(">[", begin);
  if (end == std::string::npos || text[end] == '[') return text;
  const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  return text.replace(begin, end + 1 - begin,
                      kDoctype + std::string(static_cast<std::size_t>(lines), '\n'));
}

[[noreturn]] void refuse(const std::string& file, const SimgridError& error) {
  throw InputError(file + (error.line > 0 ? ':' + std::to_string(error.line) : ""),
                   "SimGrid refuses it: " + error.text);
}

}  // namespace

SimgridRouter::SimgridRouter(std::string file, std::string text)
    : file_(std::move(file)), text_(std::move(text)) {
  process_ = start();
  SimgridError error;
  while (!take_machine_line(process_->answer(), machine_, error)) {
  }
  if (!error.text.empty()) refuse(file_, error);
  if (machine_.hosts.empty()) throw InputError(file_, "the platform has no hosts");
  refuse_policies();
  classify();
}

std::unique_ptr<RoutesProcess> SimgridRouter::start() const {
  std::error_code ignored;
  const fs::path folder = fs::absolute(file_, ignored).parent_path();
  return std::make_unique<RoutesProcess>(file_, with_doctype(text_), folder.string());
}

void SimgridRouter::refuse_policies() const {
  for (const SimgridLink& link : machine_.links) {
    if (link.policy == SimgridPolicy::wifi || link.policy == SimgridPolicy::nonlinear)
      throw InputError(place_of_id(file_, text_, link.name),
                       "the link \"" + link.name + "\" is " +
                           (link.policy == SimgridPolicy::wifi
                                ? "WIFI, whose bandwidth depends on who sends and how many do"
                                : "NONLINEAR, whose bandwidth is what a program says") +
                           "; no network here has that",
                       "use the sharing_policy SHARED with the bandwidth that its hosts share");
    if (link.bandwidth.value <= 0)
      throw InputError(place_of_id(file_, text_, link.name),
                       "the link \"" + link.name + "\" has no bandwidth");
  }
}

void SimgridRouter::classify() {
  const bool are_few = machine_.links.size() <= kFewLinks;
  using Figures = std::tuple<double, double, SimgridPolicy>;
  std::map<std::pair<std::string, Figures>, std::uint32_t> numbers;
  std::map<std::string, std::uint32_t> alike;  // classes of a name
  for (const SimgridLink& link : machine_.links) {
    const std::string name = are_few ? link.name : pattern_of(link.name);
    const Figures figures{link.bandwidth.value, link.latency.value, link.policy};
    const auto [at, is_new] = numbers.try_emplace({name, are_few ? Figures{} : figures},
                                                  static_cast<std::uint32_t>(classes_.size()));
    if (is_new) {
      const std::uint32_t before = alike[name]++;
      classes_.push_back({before == 0 ? name : name + ' ' + std::to_string(before + 1),
                          link.bandwidth, link.latency, link.policy, 0});
    }
    places_.push_back({at->second, classes_[at->second].count++});
  }
}

const SimgridRoute& SimgridRouter::route(std::uint32_t from, std::uint32_t to) const {
  const std::uint64_t pair = std::uint64_t{from} << 32 | to;
  if (const auto found = known_.find(pair); found != known_.end()) return found->second;
  if (!process_ || !process_->is_ours()) {
    process_ = start();
    SimgridMachine again;
    SimgridError error;
    while (!take_machine_line(process_->answer(), again, error)) {
    }
    if (!error.text.empty()) refuse(file_, error);
  }
  process_->ask(std::to_string(from) + ' ' + std::to_string(to));
  SimgridError error;
  SimgridRoute route = parse_route(process_->answer(), machine_.links.size(), error);
  const auto refuse_route = [&](const std::string& why) {
    throw InputError(file_,
                     "no route from \"" + machine_.hosts[from].name + "\" to \"" +
                         machine_.hosts[to].name + "\": " + why,
                     "add one, or place the ranks on other hosts (--placement)");
  };
  if (!error.text.empty()) refuse_route("SimGrid says: " + error.text);
  if (route.links.empty() && route.latency.value == 0) refuse_route("nothing connects them");
  if (remembered_ > kMostRemembered) {
    known_.clear();
    remembered_ = 0;
  }
  remembered_ += route.links.size() + 8;
  return known_[pair] = std::move(route);
}

namespace {

std::map<std::string, std::shared_ptr<const SimgridRouter>>& routers() {
  static std::map<std::string, std::shared_ptr<const SimgridRouter>> all;
  return all;
}

}  // namespace

std::shared_ptr<const SimgridRouter> simgrid_router(const std::string& path,
                                                    const std::string& text) {
  auto& router = routers()[path];
  if (!router || router->text() != text) router = std::make_shared<const SimgridRouter>(path, text);
  return router;
}

std::shared_ptr<const SimgridRouter> known_simgrid_router(const std::string& path) {
  const auto found = routers().find(path);
  return found == routers().end() ? nullptr : found->second;
}

}  // namespace reprise::platforms
