// SPDX-License-Identifier: MIT
// A SimGrid platform file of any shape as a document whose nodes and links are SimGrid's (topologies/routed_by_simgrid.hpp).
//
// Nodes    the hosts in the order in which the file declares them, with their names, cores and speeds (which describe; they rescale
//          nothing). Neighbours of equal speed and cores are a group.
// Inside   a host's loopback link where SimGrid has one; of several different ones that of most hosts. Else its route to itself, through
//          the network (topologies/routed_by_simgrid.hpp); where there is none, SMPI's loopback (simgrid_settings.hpp).
// Profiles of bandwidth, latency and speed, in files beside it or in <trace>, become factors on what it says (profile_values.hpp).
// Left out is listed in the document, with the file's lines: profiles of state, stochastic ones, those that reach 0; disks, loopbacks that
//          are not those of most hosts.
// Errors   InputError at "FILE:LINE", as simgrid_platform.hpp says; what SimGrid refuses in its words (simgrid/router.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/json/document.hpp"
#include "platforms/topologies/profile.hpp"
#include "platforms/xml/profile_values.hpp"
#include "platforms/xml/simgrid_settings.hpp"
#include "platforms/xml/xml_document.hpp"

namespace reprise::platforms {

// A profile, and of what it is.
struct ProfileOf {
  SimgridProfile::Of of = SimgridProfile::Of::bandwidth;
  std::string name, where;  // of the link or host; "FILE:LINE"
  std::string what;         // "bandwidth_file of <link> \"l\""
  ProfileValues values;
};

// What SimGrid is not asked for.
struct BesideSimgrid {
  SmpiSettings settings;
  std::vector<ProfileOf> profiles;
  std::vector<std::string> left_out;  // "FILE:LINE: what"
};
BesideSimgrid read_beside_simgrid(const XmlElement& root, const std::string& file);

// TEXT is the file's, and ROOT the element that it was parsed to.
Document read_by_simgrid(const XmlElement& root, std::string_view text, const std::string& file);

}  // namespace reprise::platforms
