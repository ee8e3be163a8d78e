// SPDX-License-Identifier: MIT
// Changes to a JSON document before it is parsed: `--set /network/link/latency="0.3 us"`, and factors on what is there.
//
// A setting that the document leaves out is added where all its parts are keys of the schema; any other pointer that leads nowhere is refused
// with the nearest one that does exist.
// Whether the new value makes sense is for the parser to say; it names the same pointer.
#pragma once

#include <string>
#include <string_view>

#include "platforms/json/document.hpp"

namespace reprise::platforms {

// All throw InputError{WHERE, …}; WHERE names the flag or the scenario's place.

// A text for a text ("0.3 us", quotes not needed), else a value of JSON.
void set_value(Document& document, const std::string& pointer, std::string_view value,
               const std::string& where);

// ARGUMENT is "POINTER=VALUE".
void apply_set(Document& document, std::string_view argument, const std::string& where);

// A number, or the number in front of a unit: "0.6 us" × 0.5 is "0.3 us". REQUIRES: factor is finite and not negative.
void multiply_value(Document& document, const std::string& pointer, double factor,
                    const std::string& where);

// The relative questions (`--latency 0.5x`, `--bandwidth 2x`): KEY is "latency" or "bandwidth", multiplied in every link of
// the network, or in the node's own path where the machine has no network. The document must parse as a platform.
void multiply_links(Document& document, std::string_view key, double factor,
                    const std::string& where);

// `--overhead 0.5x`: what sending and receiving a message takes of the CPU, over the network and inside the node. The document must parse as
// a platform.
void multiply_overheads(Document& document, double factor, const std::string& where);

}  // namespace reprise::platforms
