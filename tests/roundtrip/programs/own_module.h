/* SPDX-License-Identifier: MIT
 * The library that is compiled beside a program (NAME_module.c or .f90), opened for that program alone. */
#ifndef REPRISE_TESTS_ROUNDTRIP_OWN_MODULE_H
#define REPRISE_TESTS_ROUNDTRIP_OWN_MODULE_H
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

static void* open_own_module(void) {
  char file[2100];
  const ssize_t length = readlink("/proc/self/exe", file, sizeof file - 32);
  file[length < 0 ? 0 : length] = 0;
  strcat(file, ".module.so");
  return dlopen(file, RTLD_NOW | RTLD_LOCAL);
}
#endif
