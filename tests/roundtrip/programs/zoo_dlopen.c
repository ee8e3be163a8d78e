/* SPDX-License-Identifier: MIT
 * A library that calls MPI, loaded and unloaded again and again, so that other code comes to stand where its return addresses were: the program
 * makes the library itself, with the compiler's name in CC, or calls without one where there is none. */
#include <dlfcn.h>
#include <unistd.h>

#include "ring.h"

typedef int (*Pass)(MPI_Comm, int);

/* Two copies of one file are two modules. */
static void* load(const char* source, const char* copy) {
  char command[4096];
  snprintf(command, sizeof command, "cp '%s' '%s'", source, copy);
  return system(command) == 0 ? dlopen(copy, RTLD_NOW | RTLD_LOCAL) : NULL;
}

int main(int argc, char** argv) {
  char source[2048], copy[2100];
  int called = 0;
  MPI_Init(&argc, &argv);
  find_ring();
  const ssize_t length = readlink("/proc/self/exe", source, sizeof source - 32);
  source[length < 0 ? 0 : length] = 0;
  strcat(source, ".module.so");
  for (int round = 0; round < 20; ++round) {
    snprintf(copy, sizeof copy, "./module-%d-%d.so", rank, round % 3);
    void* module = load(source, copy);
    EXPECT(module != NULL);
    Pass pass = module ? (Pass)dlsym(module, round % 2 ? "pass_round" : "meet_all") : NULL;
    EXPECT(pass != NULL);
    for (int i = 0; pass && i < 5; ++i) called += pass(MPI_COMM_WORLD, i);
    MPI_Barrier(MPI_COMM_WORLD);
    if (module) EXPECT(dlclose(module) == 0);
    unlink(copy);
  }
  EXPECT(called == 100);
  finish("zoo_dlopen");
  return 0;
}
