# SPDX-License-Identifier: MIT
# Sources that are compiled together: those of a folder, of one target. Most of a source's compiling is reading the same headers again; together they
# take a third of the CPU time. For builds from nothing (bootstrap); where one file is edited at a time, separate ones are quicker.
#
#   reprise_unity_by_folder(DIRECTORY)   every C++ target of the project below DIRECTORY
#
# A folder of more than MOST sources is several groups; which a source is in follows from its name alone, so that a new file moves no other.
# Names in unnamed namespaces, and what a source defines for the preprocessor, are then a folder's: a source that clashes with a neighbour gets
# other names, or stands below.
set(REPRISE_COMPILED_APART
  platforms/calibration/probe_file.cpp
  platforms/path.cpp
  platforms/topologies/star.cpp
  platforms/xml/xml_document.cpp
  recorder/calls/call_streams.cpp
  recorder/probe/measurement.cpp
  recorder/probe/noise.cpp
  recorder/probe/other_patterns.cpp
  recorder/probe/recorder_curve.cpp
  recorder/wrappers/next_in_chain.cpp
  sim/collectives/between_groups.cpp
  sim/experiment/details/matrix.cpp
  sim/experiment/details/tolerances.cpp
  sim/export/timeline/call_words.cpp
  sim/export/timeline/otf2_writer.cpp
  sim/export/timeline/prv_writer.cpp
  sim/network/fluid_network.cpp
  sim/report/detail_sections.cpp
  sim/report/flame_graph.cpp
  sim/report/iteration_picture.cpp
  sim/report/latency_picture.cpp
  sim/report/offers_section.cpp
  sim/report/path_section.cpp
  sim/report/study_view.cpp
  sim/report/waterfall.cpp
  sim/scenario/parse_scenario.cpp
  sim/study/merge.cpp
  sim/study/offers.cpp
  sim/study/simulate.cpp
  sim/validation/trace_record.cpp
  trace-io/file/container.cpp
  trace-io/file/term_columns.cpp
  trace-io/model/rank_list.cpp
  trace-io/text/function_samples_text.cpp)

function(reprise_unity_by_folder directory)
  set(most 12)
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
      if(name IN_LIST REPRISE_COMPILED_APART OR name MATCHES "^sim/cli/")  # there, each verb has a syntax() and a run()
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
