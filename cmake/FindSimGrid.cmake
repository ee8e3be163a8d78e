# SPDX-License-Identifier: MIT
# SimGrid::SimGrid, the simulation library. Debian ships no CMake package for it.
#
# Sets SimGrid_FOUND, SimGrid_VERSION, SimGrid_INCLUDE_DIR, SimGrid_LIBRARY. Hints: SimGrid_ROOT, SIMGRID_PATH (environment).
# The headers are SYSTEM: their warnings are not ours. Boost's headers are needed by SimGrid's own (intrusive_ptr).
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(PC_SimGrid QUIET simgrid)
endif()

find_path(SimGrid_INCLUDE_DIR simgrid/s4u.hpp
  HINTS ENV SIMGRID_PATH ${PC_SimGrid_INCLUDE_DIRS}
  PATH_SUFFIXES include)
find_library(SimGrid_LIBRARY simgrid
  HINTS ENV SIMGRID_PATH ${PC_SimGrid_LIBRARY_DIRS}
  PATH_SUFFIXES lib)

# The headers are the truth: pkg-config may describe another installation.
if(SimGrid_INCLUDE_DIR AND EXISTS ${SimGrid_INCLUDE_DIR}/simgrid/version.h)
  set(SimGrid_VERSION "")
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS ${SimGrid_INCLUDE_DIR}/simgrid/version.h line
      REGEX "^#define SIMGRID_VERSION_${part} +[0-9]+")
    string(REGEX REPLACE ".*SIMGRID_VERSION_${part} +([0-9]+).*" "\\1" number "${line}")
    list(APPEND SimGrid_VERSION ${number})
  endforeach()
  list(JOIN SimGrid_VERSION "." SimGrid_VERSION)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SimGrid
  REQUIRED_VARS SimGrid_LIBRARY SimGrid_INCLUDE_DIR
  VERSION_VAR SimGrid_VERSION)

if(SimGrid_FOUND AND NOT TARGET SimGrid::SimGrid)
  add_library(SimGrid::SimGrid UNKNOWN IMPORTED)
  set_target_properties(SimGrid::SimGrid PROPERTIES
    IMPORTED_LOCATION ${SimGrid_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${SimGrid_INCLUDE_DIR}
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${SimGrid_INCLUDE_DIR})
endif()
mark_as_advanced(SimGrid_INCLUDE_DIR SimGrid_LIBRARY)
