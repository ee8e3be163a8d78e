# SPDX-License-Identifier: MIT
# Sources that are compiled together: those of a folder, of one target. Most of a source's compiling is reading the same headers again; together they
# take a third of the CPU time. For builds from nothing (bootstrap); where one file is edited at a time, separate ones are quicker.
#
#   reprise_unity_by_folder(DIRECTORY)   every C++ target of the project below DIRECTORY
#
# Small folders of one target are compiled as if they were one: REPRISE_FOLDERS_TOGETHER. A folder, or several, of more than MOST sources are
# several groups; which a source is in follows from its name alone, so that a new file moves no other.
# Names in unnamed namespaces, and what a source defines for the preprocessor, are then a folder's: tests/form/unity.py finds those that clash.

# One line for each: so many that a group takes some 10 to 30 s to compile, and two cores are busy to the end.
set(REPRISE_FOLDERS_TOGETHER
  "trace-io/calls trace-io/compress trace-io/timing_tree trace-io/walk"
  "trace-io/gather trace-io/iterations trace-io/order"
  "trace-io/import trace-io/import/liballprof trace-io/import/paraver trace-io/import/scalatrace"
  "trace-io/import/dumpi trace-io/import/otf2 trace-io/import/ranks trace-io/import/ti"
  "recorder/calls recorder/counters"
  "recorder/finish recorder/sampling"
  "platforms platforms/export platforms/json platforms/simgrid platforms/topologies"
  "platforms/calibration platforms/picture platforms/xml"
  "sim sim/export sim/functions sim/network sim/network/simgrid"
  "sim/collectives sim/collectives/tables"
  "sim/engine sim/engine/collectives sim/engine/compute sim/engine/deltas sim/engine/files sim/engine/loop sim/engine/one_sided"
  "sim/engine/critical_path sim/engine/observe sim/engine/point_to_point sim/engine/steady sim/engine/tape sim/engine/wait_states"
  "sim/experiment sim/experiment/details")

function(reprise_unity_by_folder directory)
  set(most 40)
  get_property(children DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  foreach(child ${children})
    reprise_unity_by_folder(${child})
  endforeach()
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(STATIC|SHARED|MODULE|OBJECT)_LIBRARY$|^EXECUTABLE$")
      continue()
    endif()
    get_target_property(sources ${target} SOURCES)
    get_target_property(base ${target} SOURCE_DIR)
    set(folders "")
    foreach(source ${sources})
      if(NOT source MATCHES "\\.cpp$" OR source MATCHES "\\$<")
        continue()
      endif()
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${base} NORMALIZE OUTPUT_VARIABLE path)
      set(root ${PROJECT_SOURCE_DIR})
      cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${path} is_generated)
      if(is_generated)  # as if it stood where it is made from
        set(root ${PROJECT_BINARY_DIR})
      endif()
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${root} OUTPUT_VARIABLE name)
      cmake_path(GET name PARENT_PATH folder)
      foreach(together ${REPRISE_FOLDERS_TOGETHER})
        string(REPLACE " " ";" members "${together}")
        if(folder IN_LIST members)
          list(GET members 0 folder)
          break()
        endif()
      endforeach()
      string(MAKE_C_IDENTIFIER "${folder}" key)
      list(APPEND folders ${key})
      list(APPEND files_${key} ${path})
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(key ${folders})
      list(LENGTH files_${key} count)
      math(EXPR groups "(${count} + ${most} - 1) / ${most}")
      foreach(source ${files_${key}})
        cmake_path(GET source FILENAME name)
        string(MD5 hash "${name}")
        string(SUBSTRING ${hash} 0 4 hash)
        math(EXPR group "0x${hash} % ${groups}")
        set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${key}_${group})
      endforeach()
      unset(files_${key})
    endforeach()
    if(folders)
      set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    endif()
  endforeach()
endfunction()
