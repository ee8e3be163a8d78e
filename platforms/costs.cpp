// SPDX-License-Identifier: MIT
#include "platforms/costs.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "platforms/json/object_reader.hpp"
#include "platforms/json/platform_keys.hpp"  // made of platform.schema.json
#include "platforms/load.hpp"
#include "platforms/topologies/reader.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

struct Amount {
  double number = 0;
  std::string unit;
};

Amount split(std::string_view text, const std::string& where, const std::string& hint) {
  const std::string quoted = '"' + std::string(text) + '"';
  if (text.starts_with('-')) throw InputError(where, quoted + " is negative", hint);
  Amount amount;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount.number);
  if (error != std::errc{} || !std::isfinite(amount.number))
    throw InputError(where, quoted + " does not start with a number", hint);
  amount.unit = std::string(end, text.data() + text.size());
  if (amount.unit.starts_with(' ')) amount.unit.erase(0, 1);
  if (amount.unit.empty()) throw InputError(where, quoted + " has no unit", hint);
  return amount;
}

bool is_currency(const std::string& unit) {
  return unit.size() == 3 &&
         std::all_of(unit.begin(), unit.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

constexpr const char* kMoneyHint =
    "write an amount and the three capital letters of its currency, such as \"9000 EUR\"";

double cables_of_machine(const Document& document) {
  Platform platform = parse_platform(document);
  double cables = 0;
  for (const Cable& cable : network_links(platform))
    if (!cable.name.empty() && cable.name != "interface" && cable.name != "backbone")
      cables += cable.count;
  return cables;
}

class CostsReader {
 public:
  CostsReader(const Document& document, SourceNotes& sources)
      : document_(document), sources_(sources) {}

  // MACHINE: nodes and cables; 0 where only the form is checked.
  std::optional<Money> price(std::uint32_t nodes, double cables) {
    if (!document_.value.contains("price")) return std::nullopt;
    ObjectReader reader(document_.value["price"], {document_.file, "/price"}, kPriceKeys);
    Money sum;
    const auto add = [&](const char* key, double count) {
      if (!reader.has(key)) return;
      const std::string where = reader.place().child(key).text();
      const Money money = parse_money(reader.text(key), where);
      if (!sum.currency.empty() && money.currency != sum.currency)
        throw InputError(where, money.currency + " beside " + sum.currency,
                         "give all prices in one currency");
      sum.currency = money.currency;
      sum.amount += money.amount * count;
    };
    add("total", 1);
    if (reader.has("total"))
      for (const char* key : {"node", "cable", "optics", "switch"})
        if (reader.has(key))
          reader.refuse(key, "cannot be combined with \"total\"", "give the total, or its parts");
    add("node", nodes);
    add("cable", cables);
    add("optics", 2 * cables);
    add("switch", switches(reader, "switch"));
    read_source(reader);
    reader.finish();
    if (sum.currency.empty())
      throw InputError(reader.place().text(), "nothing has a price",
                       "give \"total\", or \"node\", \"cable\", \"optics\" and \"switch\"");
    return sum;
  }

  std::optional<Power> power(double cables) {
    if (!document_.value.contains("power")) return std::nullopt;
    ObjectReader reader(document_.value["power"], {document_.file, "/power"}, kPowerKeys);
    const auto watts = [&](const char* key) {
      return reader.has(key) ? parse_watts(reader.text(key), reader.place().child(key).text())
                             : Watts{};
    };
    Power power{watts("idle"), watts("busy"), {}};
    for (const char* key : {"idle", "busy"})
      if (!reader.has(key)) reader.text(key);  // required
    if (power.busy.value < power.idle.value) reader.refuse("busy", "less than an idle node takes");
    power.network.value =
        watts("link").value * cables + watts("switch").value * switches(reader, "switch");
    read_source(reader);
    reader.finish();
    return power;
  }

 private:
  void read_source(ObjectReader& reader) { platforms::read_source(reader, sources_); }

  static double switches(ObjectReader& reader, const char* key) {
    const bool has_number = reader.has("switches");
    const auto count = has_number ? reader.count("switches", 0, 1'000'000) : 0;
    if (reader.has(key) && !has_number)
      reader.refuse(key, "their number is missing", "add \"switches\": their number");
    return static_cast<double>(count);
  }

  const Document& document_;
  SourceNotes& sources_;
};

}  // namespace

Money parse_money(std::string_view text, const std::string& where) {
  const Amount amount = split(text, where, kMoneyHint);
  if (!is_currency(amount.unit))
    throw InputError(where, '"' + amount.unit + "\" is not a currency", kMoneyHint);
  return {amount.number, amount.unit};
}

Watts parse_watts(std::string_view text, const std::string& where) {
  constexpr const char* kHint = "write a power such as \"180 W\" or \"1.2 kW\"";
  const Amount amount = split(text, where, kHint);
  if (amount.unit == "W") return {amount.number};
  if (amount.unit == "kW") return {amount.number * 1000};
  throw InputError(where, '"' + amount.unit + "\" is not a unit of power", kHint);
}

Money parse_per_kilowatt_hour(std::string_view text, const std::string& where) {
  constexpr const char* kHint = "write \"0.30 EUR/kWh\" or \"380 g/kWh\"";
  const Amount amount = split(text, where, kHint);
  constexpr std::string_view kPer = "/kWh";
  if (!amount.unit.ends_with(kPer))
    throw InputError(where, '"' + amount.unit + "\" is not per kWh", kHint);
  return {amount.number, amount.unit.substr(0, amount.unit.size() - kPer.size())};
}

Costs read_costs(const Document& document) {
  const Platform platform = parse_platform(document);
  Costs costs;
  costs.nodes = platform.nodes.count;
  costs.cores = platform.nodes.cores;
  const double cables = cables_of_machine(document);
  SourceNotes ignored;  // the platform has them
  CostsReader reader(document, ignored);
  costs.price = reader.price(costs.nodes, cables);
  costs.power = reader.power(cables);
  return costs;
}

void check_costs(const Document& document, SourceNotes& sources) {
  CostsReader reader(document, sources);
  reader.price(0, 0);
  reader.power(0);
}

}  // namespace reprise::platforms
