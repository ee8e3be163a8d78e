# SPDX-License-Identifier: MIT
# reprise_optimise_less(): -O1 for the targets that read what a user writes and write what a user reads. The recorder, traces, routes, the
# engine, its networks and its collectives keep the optimisation of the build type: what they compute takes as long as in any other build.
set(REPRISE_COMPILED_QUICKLY
  reprise_cli reprise_comparison reprise_experiment reprise_formats reprise_import reprise_markup reprise_mpip reprise_report reprise_study
  reprise_symbols reprise_text reprise_timeline reprise_validation)

function(reprise_optimise_less)
  foreach(target ${REPRISE_COMPILED_QUICKLY})
    if(NOT TARGET ${target})
      message(FATAL_ERROR "REPRISE_QUICK: there is no target ${target}\n  correct cmake/Quick.cmake")
    endif()
    target_compile_options(${target} PRIVATE -O1)
  endforeach()
endfunction()
