# SPDX-License-Identifier: MIT
# reprise_warnings: linked PRIVATE by every target of ours, never exported. -Werror comes from the presets.
add_library(reprise_warnings INTERFACE)
target_compile_options(reprise_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion>)
# g++ 12 sees overlapping copies and copies out of bounds in its own std::string and std::vector (GCC bugs 105651 and 105762).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(reprise_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow>)
endif()
# Where sources are compiled together, one's local names may shadow a neighbour's, and g++ inlines more and sees more uses of what is not set than
# there are.
if(REPRISE_UNITY)
  target_compile_options(reprise_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-shadow -Wno-maybe-uninitialized>)
endif()
# Looking for what to warn about is an eighth of compiling sim/cli, and g++ collecting its garbage below 1 GB, which a group takes anyway, another.
if(REPRISE_QUICK)
  target_compile_options(reprise_warnings INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-w>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1000000>)
  endif()
endif()
