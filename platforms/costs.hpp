// SPDX-License-Identifier: MIT
// What a machine costs to buy and what power it takes: the objects "price" and "power" of a platform file. No number has a default.
//
// Machine   price = total, or nodes · node + cables · cable + 2 · cables · optics (two ends) + switches · switch
// Power     nodes · (idle + (busy − idle) · share of the cores that ranks are on) + cables · link + switches · switch. MPI libraries poll
//           while they wait, so a core with a rank on it is busy for the whole run.
// Cables    those of the topology, counted; switches only if the file says how many there are.
// Errors    InputError at "FILE at /price/node": no currency, two of them, a price of switches without their number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "platforms/json/document.hpp"
#include "platforms/platform.hpp"

namespace reprise::platforms {

// Of any currency, which is three capital letters.
struct Money {
  double amount = 0;
  std::string currency;
};
struct Watts {
  double value = 0;
};

Money parse_money(std::string_view text, const std::string& where);  // "9000 EUR"
Watts parse_watts(std::string_view text, const std::string& where);  // "180 W", "1.2 kW"
// A quantity per kilowatt hour: "0.30 EUR/kWh", "380 g/kWh" (the unit is what stands before the stroke).
Money parse_per_kilowatt_hour(std::string_view text, const std::string& where);

struct Power {
  Watts idle, busy;  // of a node
  Watts network;     // of all cables and switches together
};

struct Costs {
  std::optional<Money> price;  // of the whole machine
  std::optional<Power> power;
  std::uint32_t nodes = 1, cores = 1;  // of the machine; cores of a node
};
// The platform's file has been found sound by parse_platform.
Costs read_costs(const Document&);

// What parse_platform checks of the two objects; what they say about where their numbers come from is added.
void check_costs(const Document&, SourceNotes&);

}  // namespace reprise::platforms
