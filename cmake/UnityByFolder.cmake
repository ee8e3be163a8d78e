# SPDX-License-Identifier: MIT
# Sources that are compiled together: those of a folder, of one target. Most of a source's compiling is reading the same headers again; together they
# take a third of the CPU time. For builds from nothing (bootstrap); where one file is edited at a time, separate ones are quicker.
#
#   reprise_unity_by_folder(DIRECTORY)   every C++ target of the project below DIRECTORY
#
# A folder of more than MOST sources is several groups; which a source is in follows from its name alone, so that a new file moves no other.
# Names in unnamed namespaces, and what a source defines for the preprocessor, are then a folder's: tests/form/unity.py finds those that clash.
set(REPRISE_COMPILED_APART
  sim/cli/calibrate_action.cpp)  # platforms::Path is what a calibration measured in one header, and a route's in the other that platform_show.cpp has

function(reprise_unity_by_folder directory)
  set(most 20)
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
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
      if(name IN_LIST REPRISE_COMPILED_APART)
        continue()
      endif()
      cmake_path(GET path PARENT_PATH folder)
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
