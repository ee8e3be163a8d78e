// SPDX-License-Identifier: MIT
// reprise-simgrid-routes: SimGrid reads a platform file of any shape and says which links a message crosses. Started by
// simgrid_process.cpp, never by people.
//
// In      file descriptor 3: the file's text. First argument: the folder in which files that it names are looked for.
// Out     stdout, lines of tab-separated fields (answers.hpp): what there is, then an answer for each question of stdin, "FROM TO\n".
//         stderr is a file that this program reads as well: there SimGrid says why it gives up.
// Ends    with stdin, with its parent, and after an error in the file. What SimGrid aborts on while it looks for a route is that
//         route's answer, and the next question is answered as ever.
// Why so  one SimGrid engine per process; and what SimGrid aborts, exits or hangs on must not take a replay with it.
#include <dlfcn.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <simgrid/Exception.hpp>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Link.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <string>
#include <string_view>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace {

namespace s4u = simgrid::s4u;
using simgrid::kernel::routing::NetZoneImpl;

constexpr char kText[] = "/proc/self/fd/3";
int answers = -1;  // file descriptor

sigjmp_buf before_abort;
volatile std::sig_atomic_t may_jump = 0;

extern "C" void on_abort(int) {
  if (may_jump != 0) siglongjmp(before_abort, 1);
}

void send(const std::string& text) {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(answers, text.data() + sent, text.size() - sent);
    if (count <= 0) _exit(0);  // nobody listens any more
    sent += static_cast<std::size_t>(count);
  }
}

// A field: what would end it or its line becomes a blank.
std::string field(std::string text) {
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
  return text;
}

std::string number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value);
  return text.data();
}

// The first line that SimGrid has written to stderr since the last call.
std::string words_of_simgrid() {
  static off_t read_so_far = 0;
  std::string words;
  std::array<char, 4096> piece{};
  for (ssize_t count = 0; (count = pread(2, piece.data(), piece.size(), read_so_far)) > 0;) {
    words.append(piece.data(), static_cast<std::size_t>(count));
    read_so_far += count;
  }
  const auto first = words.find_first_not_of("\n ");
  return first == std::string::npos ? "" : words.substr(first, words.find('\n', first) - first);
}

// Where its parser is, which it says of some errors only; 0: not known.
int line_now() {
  const auto* line = static_cast<const int*>(dlsym(RTLD_DEFAULT, "surf_parse_lineno"));
  return line == nullptr ? 0 : *line;
}

// What WORK ends with: nothing, or the words of what was thrown or aborted on.
template <class Work>
std::string error_of(Work work) {
  std::string words;
  if (sigsetjmp(before_abort, 1) != 0) {
    may_jump = 0;
    words = words_of_simgrid();
    return words.empty() ? "SimGrid gives up" : words;
  }
  may_jump = 1;
  try {
    work();
  } catch (const std::exception& error) {
    words = error.what();
    const std::string place = std::string("Parse error at ") + kText;  // the caller knows the file
    if (words.starts_with(place)) words.erase(0, words.find(": ") + 2);
    if (words.starts_with("Invalid XML (")) words.erase(0, words.find("): ") + 3);
    if (words.empty()) words = "SimGrid gives up";
  }
  may_jump = 0;
  return words;
}

struct Machine {
  std::vector<s4u::Host*> hosts;  // in the file's order
  std::vector<s4u::Link*> links;
  std::unordered_map<const s4u::Link*, std::string> zone_of;
  std::unordered_map<const s4u::Link*, std::size_t> number_of;
  bool has_coordinates = false;
};

// The innermost zone that a link belongs to: the last to name it on the way down.
void name_zones(const NetZoneImpl& zone, Machine& machine) {
  for (const s4u::Link* link : zone.get_all_links()) machine.zone_of[link] = zone.get_name();
  // SimGrid's library does not give away the class itself.
  if (std::string_view(typeid(zone).name()).find("VivaldiZone") != std::string_view::npos)
    machine.has_coordinates = true;
  for (const NetZoneImpl* child : zone.get_children()) name_zones(*child, machine);
}

void tell_of(Machine& machine) {
  const s4u::NetZone* root = s4u::Engine::get_instance()->get_netzone_root();
  if (root == nullptr) return send("end\n");
  name_zones(*root->get_impl(), machine);
  std::erase_if(machine.links,
                [&](const s4u::Link* link) { return !machine.zone_of.contains(link); });
  for (std::size_t i = 0; i < machine.links.size(); ++i) machine.number_of[machine.links[i]] = i;
  std::string text = machine.has_coordinates ? "coordinates\n" : "";
  for (const s4u::Link* link : machine.links)
    text += "link\t" + number(link->get_bandwidth()) + '\t' + number(link->get_latency()) + '\t' +
            std::to_string(static_cast<int>(link->get_sharing_policy())) + '\t' +
            field(machine.zone_of[link]) + '\t' + field(link->get_name()) + '\n';
  for (const s4u::Host* host : machine.hosts) {
    std::vector<s4u::Link*> inside;
    double latency = 0;
    const bool is_there = error_of([&] { host->route_to(host, inside, &latency); }).empty();
    if (!is_there) inside.clear();
    const auto narrowest = std::min_element(inside.begin(), inside.end(), [](auto* a, auto* b) {
      return a->get_bandwidth() < b->get_bandwidth();
    });
    text +=
        "host\t" + number(host->get_speed()) + '\t' + std::to_string(host->get_core_count()) +
        '\t' + (is_there ? std::to_string(inside.size()) : "none") + '\t' +
        number(inside.empty() ? 0 : (*narrowest)->get_bandwidth()) + '\t' + number(latency) + '\t' +
        std::to_string(inside.empty() ? 0 : static_cast<int>((*narrowest)->get_sharing_policy())) +
        '\t' + field(host->get_name()) + '\n';
  }
  send(text + "end\n");
}

void answer(const Machine& machine, std::size_t from, std::size_t to) {
  if (from >= machine.hosts.size() || to >= machine.hosts.size())
    return send("error\t0\tno such host\n");
  std::vector<s4u::Link*> links;
  double latency = 0;
  const std::string words =
      error_of([&] { machine.hosts[from]->route_to(machine.hosts[to], links, &latency); });
  if (!words.empty()) return send("error\t0\t" + field(words) + '\n');
  std::string text = "route\t" + number(latency);
  for (const s4u::Link* link : links) {
    const auto found = machine.number_of.find(link);
    if (found == machine.number_of.end())
      return send("error\t0\tits route crosses " + field(link->get_name()) +
                  ", which is in no zone\n");
    text += '\t' + std::to_string(found->second);
  }
  send(text + '\n');
}

// Questions until there are no more, or nobody is left to ask them.
void answer_all(const Machine& machine, pid_t parent) {
  std::string asked;
  for (;;) {
    pollfd input{0, POLLIN, 0};
    const int ready = poll(&input, 1, 2000);
    if (ready == 0 && getppid() != parent) return;
    if (ready <= 0) continue;
    std::array<char, 4096> piece{};
    const ssize_t count = read(0, piece.data(), piece.size());
    if (count <= 0) return;
    asked.append(piece.data(), static_cast<std::size_t>(count));
    for (std::size_t end = 0; (end = asked.find('\n')) != std::string::npos;
         asked.erase(0, end + 1)) {
      unsigned long from = 0, to = 0;
      if (std::sscanf(asked.c_str(), "%lu %lu", &from, &to) != 2) return;
      answer(machine, from, to);
    }
  }
}

// Before the file's <config>, which then changes nothing of it: it must not start other models, nor write files of its own.
void configure(s4u::Engine&) {
  for (const char* setting : {"network/model:CM02", "cpu/model:Cas01", "host/model:default",
                              "tracing:no", "network/crosstraffic:no"})
    s4u::Engine::set_config(setting);
}

}  // namespace

int main(int argument_count, char** arguments) {
  const pid_t parent = getppid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_IGN);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  answers = dup(1);
  dup2(2, 1);  // whatever else writes to stdout
  std::string folder = std::string("--cfg=path:") + (argument_count > 1 ? arguments[1] : ".");
  char name[] = "reprise-simgrid-routes", format[] = "--log=root.fmt:%m%n",
       threshold[] = "--log=root.thresh:error";
  std::array<char*, 5> own{name, format, threshold, folder.data(), nullptr};
  int own_count = 4;
  s4u::Engine engine(&own_count, own.data());
  Machine machine;
  std::unordered_set<const void*> seen;  // SimGrid tells of each twice
  s4u::Host::on_creation_cb([&](s4u::Host& host) {
    if (seen.insert(&host).second) machine.hosts.push_back(&host);
  });
  s4u::Link::on_creation_cb([&](s4u::Link& link) {
    if (seen.insert(&link).second) machine.links.push_back(&link);
  });
  std::signal(SIGABRT, &on_abort);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  const std::string words = error_of([&] {
    configure(engine);
    engine.load_platform(kText);
    if (engine.get_netzone_root() != nullptr) engine.seal_platform();
  });
  if (!words.empty()) {
    send("error\t" + std::to_string(line_now()) + '\t' + field(words) + '\n');
    _exit(0);
  }
  tell_of(machine);
  answer_all(machine, parent);
  _exit(0);  // without SimGrid's own way out, which takes its time
}
