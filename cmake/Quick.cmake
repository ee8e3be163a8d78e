# SPDX-License-Identifier: MIT
# reprise_optimise_less(): -O1 for the targets that read what a user writes and write what a user reads, platforms among them, whose routes are
# asked for once. The recorder, binary traces, the engine, its networks and its collectives are compiled with -O2.
set(REPRISE_COMPILED_QUICKLY
  reprise_calls reprise_cli reprise_comparison reprise_confidence reprise_experiment reprise_formats reprise_import reprise_markup reprise_mpip
  reprise_platforms reprise_processes reprise_report reprise_simgrid_routes reprise_study reprise_symbols reprise_text reprise_timeline
  reprise_trace_text reprise_validation schema_keys)

# Before the first target.
macro(reprise_optimise_no_further)
  string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
endmacro()

function(reprise_optimise_less)
  foreach(target ${REPRISE_COMPILED_QUICKLY})
    if(NOT TARGET ${target})
      message(FATAL_ERROR "REPRISE_QUICK: there is no target ${target}\n  correct cmake/Quick.cmake")
    endif()
    target_compile_options(${target} PRIVATE -O1)
  endforeach()
endfunction()
