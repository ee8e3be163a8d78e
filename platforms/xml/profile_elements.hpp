// SPDX-License-Identifier: MIT
// Which links and hosts of a SimGrid platform file have profiles: attributes that name a file, and <trace> with <trace_connect>.
//
// Files   are looked for in the folder of the platform file, regular files of at most kMaxProfileBytes. Each is read once.
// Errors  InputError{FILE:LINE, …}: a file that is not there, a <trace_connect> to no <trace>; of the profile itself profile_values.hpp's.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "platforms/simgrid/answers.hpp"
#include "platforms/xml/read_by_simgrid.hpp"
#include "platforms/xml/xml_document.hpp"

namespace reprise::platforms {

constexpr std::size_t kMaxProfileBytes = std::size_t{4} << 20;

// "FILE:LINE"; "<link> "l"".
std::string place(const std::string& file, const XmlElement&);
std::string named(const XmlElement&);

class ProfileElements {
 public:
  explicit ProfileElements(std::string file) : file_(std::move(file)) {}
  // Elements in their order. Appends to what is found; what no replay does is left out, and why.
  void take(const XmlElement&, BesideSimgrid& found);

 private:
  void take_attributes(const XmlElement&, BesideSimgrid& found);
  void define(const XmlElement& trace);
  void connect(const XmlElement&, BesideSimgrid& found) const;
  const ProfileValues& in_file(const XmlElement&, const std::string& attribute,
                               const std::string& name);

  std::string file_;
  std::map<std::string, ProfileValues> files_, traces_;  // by path; by id
};

// What says that a profile cannot be, to go on with behind its name; empty: nothing.
std::string why_left_out(const ProfileOf&, const SimgridMachine&);
// Its factors, as an element of the topology's "profiles". REQUIRES: nothing says that it cannot be.
nlohmann::json profile_json(const ProfileOf&, const SimgridMachine&);

}  // namespace reprise::platforms
