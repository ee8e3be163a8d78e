# SPDX-License-Identifier: MIT
# reprise_warnings: linked PRIVATE by every target of ours, never exported. -Werror comes from the presets.
add_library(reprise_warnings INTERFACE)
target_compile_options(reprise_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion>)
