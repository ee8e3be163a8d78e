// SPDX-License-Identifier: MIT
#include "platforms/xml/simgrid_settings.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

// Bytes: a TCP window from here on bounds nothing, and no message is as large.
constexpr double kMost = 1e18;
std::uint64_t whole_bytes(double value) {
  return static_cast<std::uint64_t>(std::min(value, kMost));
}

struct Number {
  double value;
  std::string_view unit;
};

Number split(const std::string& text, const std::string& where) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value < 0)
    throw InputError(where, "\"" + text + "\" is not a number of 0 or more");
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  return {value, unit};
}

[[noreturn]] void refuse_unit(std::string_view unit, const std::string& text,
                              const std::string& where, const char* examples) {
  throw InputError(where, "no unit \"" + std::string(unit) + "\" in \"" + text + "\"",
                   std::string("write a number such as ") + examples);
}

// The factor of a prefix: "", "k" … "Y" by 1000, "Ki" … "Yi" by 1024; 0 where it is none.
double prefix_factor(std::string_view prefix) {
  constexpr std::string_view kLetters = "kMGTPEZY";
  if (prefix.empty()) return 1;
  const bool binary = prefix.size() == 2 && prefix[1] == 'i';
  if (prefix.size() != 1 && !binary) return 0;
  const char letter = binary && prefix[0] == 'K' ? 'k' : prefix[0];
  const auto power = kLetters.find(letter);
  if (power == std::string_view::npos) return 0;
  return std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(power + 1));
}

}  // namespace

FlopPerSecond simgrid_speed(const std::string& text, const std::string& where) {
  const std::string first = text.substr(0, text.find(','));
  const Number number = split(first, where);
  if (number.unit.empty()) return {number.value};
  std::string_view prefix = number.unit;
  if (!prefix.ends_with('f')) refuse_unit(number.unit, text, where, "\"1Gf\"");
  prefix.remove_suffix(1);
  const double factor = prefix_factor(prefix);
  if (factor == 0) refuse_unit(number.unit, text, where, "\"1Gf\"");
  return {number.value * factor};
}

BytesPerSecond simgrid_bandwidth(const std::string& text, const std::string& where) {
  const Number number = split(text, where);
  if (number.unit.empty()) return {number.value};
  std::string_view prefix = number.unit;
  const bool bits = prefix.ends_with("bps");
  if (!bits && !prefix.ends_with("Bps"))
    refuse_unit(number.unit, text, where, "\"12.5GBps\" or \"100Gbps\"");
  prefix.remove_suffix(3);
  const double factor = prefix_factor(prefix);
  if (factor == 0) refuse_unit(number.unit, text, where, "\"12.5GBps\" or \"100Gbps\"");
  return {number.value * factor / (bits ? 8 : 1)};
}

Seconds simgrid_time(const std::string& text, const std::string& where) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {
      {"", 1}, {"s", 1}, {"ms", 1e3}, {"us", 1e6}, {"ns", 1e9}, {"ps", 1e12}};
  const Number number = split(text, where);
  for (const auto& [unit, per_second] : kUnits)
    if (unit == number.unit) return Seconds{number.value / per_second};
  refuse_unit(number.unit, text, where, "\"1us\"");
}

namespace {

using nlohmann::json;

double parse_number(const std::string& text, const std::string& where, const std::string& setting) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0)
    throw InputError(where, "\"" + text + "\" in " + setting + " is not a number of 0 or more");
  return value;
}

// "size:a:b;size:a;…": from above each size on, ascending.
struct Section {
  double above;
  std::vector<double> values;
};
std::vector<Section> sections(const std::string& text, const std::string& where,
                              const std::string& setting) {
  std::vector<Section> all;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ';');) {
    std::istringstream words(part);
    std::vector<double> numbers;
    for (std::string word; std::getline(words, word, ':');)
      numbers.push_back(parse_number(word, where, setting));
    if (numbers.size() < 2)
      throw InputError(where, "\"" + part + "\" in " + setting + " is not SIZE:VALUE");
    all.push_back({numbers[0], {numbers.begin() + 1, numbers.end()}});
  }
  if (all.empty()) throw InputError(where, setting + " is empty");
  std::sort(all.begin(), all.end(),
            [](const Section& a, const Section& b) { return a.above < b.above; });
  return all;
}

double overhead(const std::string& text, const std::string& where, const std::string& setting) {
  const auto all = sections(text, where, setting);
  const double first = all.front().values[0];
  for (const Section& section : all)
    if (section.values[0] != first || std::any_of(section.values.begin() + 1, section.values.end(),
                                                  [](double v) { return v != 0; }))
      throw InputError(where, setting + " depends on the message size, which is not supported",
                       "give one time for all sizes: \"0:1e-6:0\"");
  return first;
}

json factors(const std::string& text, const std::string& where, const std::string& setting) {
  if (text.find(':') == std::string::npos)
    return json::array({{{"from", "0 B"}, {"factor", parse_number(text, where, setting)}}});
  json list = json::array();
  for (const Section& section : sections(text, where, setting)) {
    // SimGrid: for sizes above it, and the first section for those below as well
    const auto from = list.empty() ? 0 : whole_bytes(section.above) + 1;
    list.push_back({{"from", to_text(Bytes{from})}, {"factor", section.values[0]}});
  }
  return list;
}

}  // namespace

void SmpiSettings::take(const XmlElement& prop, const std::string& file) {
  const std::string where = file + ":" + std::to_string(prop.line);
  const auto *id = prop.attribute("id"), *value = prop.attribute("value");
  if (prop.name != "prop" || id == nullptr || value == nullptr)
    throw InputError(where, "<config> holds <prop id=\"…\" value=\"…\"/> only");
  const std::string& setting = *id;
  if (setting == "smpi/os" || setting == "smpi/ois")
    send_overhead_ = std::max(send_overhead_, overhead(*value, where, setting));
  else if (setting == "smpi/or")
    receive_overhead_ = overhead(*value, where, setting);
  else if (setting == "smpi/async-small-thresh")
    async_limit_ = whole_bytes(parse_number(*value, where, setting));
  else if (setting == "smpi/send-is-detached-thresh")
    detached_limit_ = whole_bytes(parse_number(*value, where, setting));
  else if (setting == "smpi/bw-factor" || setting == "network/bandwidth-factor")
    bandwidth_factors_ = factors(*value, where, setting);
  else if (setting == "smpi/lat-factor" || setting == "network/latency-factor")
    latency_factors_ = factors(*value, where, setting);
  else if (setting == "network/weight-S")
    weight_s_ = parse_number(*value, where, setting);
  else if (setting == "network/TCP-gamma")
    tcp_gamma_ = parse_number(*value, where, setting);
  else if (setting == "network/loopback-bw")
    loopback_bandwidth = *value;
  else if (setting == "network/loopback-lat")
    loopback_latency = *value;
}

void SmpiSettings::finish() {
  const std::uint64_t limit = std::max(async_limit_, detached_limit_);
  mpi = {{"eager_limit", to_text(Bytes{limit == 0 ? 0 : limit - 1})},
         {"send_overhead", to_text(Seconds{send_overhead_})},
         {"recv_overhead", to_text(Seconds{receive_overhead_})},
         {"rendezvous_handshake", false},
         {"rendezvous_head", "with_payload"}};
  const auto bytes = [](double value) {
    return Bytes{static_cast<std::uint64_t>(std::llround(value))};
  };
  sharing = {{"sharing", "latency_weighted"},
             {"weight_s", to_text(bytes(std::min(weight_s_, kMost)))}};
  if (tcp_gamma_ >= 0.5 && tcp_gamma_ < kMost) sharing["tcp_gamma"] = to_text(bytes(tcp_gamma_));
  if (!latency_factors_.is_null()) mpi["latency_factors"] = latency_factors_;
  if (!bandwidth_factors_.is_null()) mpi["bandwidth_factors"] = bandwidth_factors_;
}

}  // namespace reprise::platforms
