# SPDX-License-Identifier: MIT
# Builds under sanitizers (presets `address` and `thread`, tests/sanitizers/run).
#
# REPRISE_SANITIZE        address: address and undefined-behaviour sanitizers over everything
#                         thread: the thread sanitizer over what runs in the program's threads: trace-io and the recorder; the simulator
#                         has one thread and is only linked with it
# REPRISE_SANITIZE_FLAGS  for the programs that tests record: compiled like the recorder, for the sanitizer's library has to be loaded
#                         with the program, before malloc is called
set(REPRISE_SANITIZE "" CACHE STRING "sanitizers of the build: address, thread or none")
set_property(CACHE REPRISE_SANITIZE PROPERTY STRINGS "" address thread)
set(REPRISE_SANITIZE_FLAGS "")
if(REPRISE_SANITIZE STREQUAL "address")
  set(REPRISE_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_compile_options(-O1 -g1 -D_GLIBCXX_ASSERTIONS ${REPRISE_SANITIZE_FLAGS})
elseif(REPRISE_SANITIZE STREQUAL "thread")
  set(REPRISE_SANITIZE_FLAGS -fsanitize=thread -fno-omit-frame-pointer)
elseif(REPRISE_SANITIZE)
  message(FATAL_ERROR "REPRISE_SANITIZE is \"${REPRISE_SANITIZE}\": address, thread or nothing")
endif()
if(REPRISE_SANITIZE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)  # g++ sees more of them than there are
  add_link_options(${REPRISE_SANITIZE_FLAGS})
endif()

# In the folders whose code runs in several threads.
macro(reprise_sanitize_threads)
  if(REPRISE_SANITIZE STREQUAL "thread")
    add_compile_options(-O1 -g1 ${REPRISE_SANITIZE_FLAGS} $<$<COMPILE_LANGUAGE:CXX>:-Wno-tsan>)
  endif()
endmacro()
