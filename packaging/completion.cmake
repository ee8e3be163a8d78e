# SPDX-License-Identifier: MIT
# Writes a completion: the template with the command's table of options in the place of @TABLE@.
#
#   cmake -DREPRISE=<command> -DTEMPLATE=<file> -DOUTPUT=<file> -P completion.cmake
execute_process(COMMAND ${REPRISE} --print-options OUTPUT_VARIABLE TABLE COMMAND_ERROR_IS_FATAL ANY)
string(STRIP "${TABLE}" TABLE)
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
