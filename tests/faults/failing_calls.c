/* SPDX-License-Identifier: MIT
 * Preloaded, it lets one call of a kind fail: the n-th that a module makes in this process, or in one that it forked.
 *
 * FAULT_KIND    alloc, open, write, rename, fsync, fork, mkdir or unlink; FAULT_AT n, from 1 on: n = 0 counts only
 * FAULT_MODULE  part of a file name: calls count whose return address is in that module; without it all do
 * FAULT_PROGRAM the executable's file name: calls of others, which it may have started, do not count; without it all do
 * FAULT_FROM    main: calls count from there on, not those of initialisers before it
 * FAULT_RANK    of the processes of a job that one alone (Open MPI's and Hydra's numbers); without it all
 * FAULT_COUNT   a file to which each process that ends by exit() or _exit() adds a line with its number of calls
 *
 * How they fail  allocations with ENOMEM, writes with ENOSPC after half of the bytes, everything else with EIO, a fork with EAGAIN.
 * write means also what stdio writes to files other than the standard streams, and closing these. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static const char* kind;
static long at = -1; /* nothing counts here */
static uintptr_t module_begin = 0, module_end = UINTPTR_MAX;
static atomic_long calls;
static atomic_int is_ready;

static int find_module(struct dl_phdr_info* info, size_t size, void* name) {
  (void)size;
  if (!strstr(info->dlpi_name, name)) return 0;
  module_begin = UINTPTR_MAX;
  module_end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
    if (begin < module_begin) module_begin = begin;
    if (begin + info->dlpi_phdr[i].p_memsz > module_end)
      module_end = begin + info->dlpi_phdr[i].p_memsz;
  }
  return 1;
}

static void tell_count(void) {
  const char* path = getenv("FAULT_COUNT");
  char line[32];
  if (!path) return;
  is_ready = 0;
  const int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
  const int length = snprintf(line, sizeof line, "%ld\n", (long)calls);
  if (write(file, line, (size_t)length) == length) close(file);
}

__attribute__((constructor)) static void begin(void) {
  const char *number = getenv("FAULT_AT"), *module = getenv("FAULT_MODULE"),
             *only = getenv("FAULT_RANK"), *program = getenv("FAULT_PROGRAM");
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  if (!rank) rank = getenv("PMI_RANK");
  kind = getenv("FAULT_KIND");
  if (!kind || !number || (only && (!rank || strcmp(only, rank) != 0))) return;
  if (program && strcmp(program, program_invocation_short_name) != 0) return;
  at = atol(number);
  if (module && !dl_iterate_phdr(find_module, (void*)module)) return;
  atexit(tell_count);
  is_ready = getenv("FAULT_FROM") == NULL;
}

typedef int Main(int, char**, char**);
static Main* main_of_program;

static int counted_main(int count, char** words, char** variables) {
  if (kind && getenv("FAULT_FROM") && at >= 0) is_ready = 1;
  return main_of_program(count, words, variables);
}

int __libc_start_main(Main* main, int count, char** words, void (*begin_all)(void),
                      void (*end_all)(void), void (*end_loader)(void), void* stack) {
  int (*next)(Main*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  *(void**)&next = dlsym(RTLD_NEXT, "__libc_start_main");
  main_of_program = main;
  return next(counted_main, count, words, begin_all, end_all, end_loader, stack);
}

static int fails(const char* what, const void* caller) {
  if (!is_ready || strcmp(kind, what) != 0) return 0;
  const uintptr_t from = (uintptr_t)caller;
  if (from < module_begin || from >= module_end) return 0;
  return atomic_fetch_add(&calls, 1) + 1 == at;
}

#define CALLER __builtin_extract_return_addr(__builtin_return_address(0))
#define FAIL_WITH(what, reason, result) \
  if (fails(what, CALLER)) {            \
    errno = reason;                     \
    return result;                      \
  }
#define NEXT(type, name, ...)       \
  static type (*next)(__VA_ARGS__); \
  if (!next) *(void**)&next = dlsym(RTLD_NEXT, name)

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void*, size_t),
    *__libc_memalign(size_t, size_t);

void* malloc(size_t size) {
  FAIL_WITH("alloc", ENOMEM, NULL)
  return __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
  FAIL_WITH("alloc", ENOMEM, NULL)
  return __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  FAIL_WITH("alloc", ENOMEM, NULL)
  return __libc_realloc(old, size);
}
void* aligned_alloc(size_t boundary, size_t size) {
  FAIL_WITH("alloc", ENOMEM, NULL)
  return __libc_memalign(boundary, size);
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  FAIL_WITH("open", EIO, -1)
  NEXT(int, "open", const char*, int, ...);
  return next(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  FAIL_WITH("open", EIO, -1)
  NEXT(int, "open64", const char*, int, ...);
  return next(path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
  va_end(more);
  FAIL_WITH("open", EIO, -1)
  NEXT(int, "openat", int, const char*, int, ...);
  return next(folder, path, flags, mode);
}
DIR* opendir(const char* path) {
  FAIL_WITH("open", EIO, NULL)
  NEXT(DIR*, "opendir", const char*);
  return next(path);
}
FILE* fopen64(const char* path, const char* mode) {
  FAIL_WITH("open", EIO, NULL)
  NEXT(FILE*, "fopen64", const char*, const char*);
  return next(path, mode);
}
FILE* fopen(const char* path, const char* mode) {
  FAIL_WITH("open", EIO, NULL)
  NEXT(FILE*, "fopen", const char*, const char*);
  return next(path, mode);
}
int mkostemp(char* path, int flags) {
  FAIL_WITH("open", EIO, -1)
  NEXT(int, "mkostemp", char*, int);
  return next(path, flags);
}
ssize_t write(int file, const void* data, size_t size) {
  NEXT(ssize_t, "write", int, const void*, size_t);
  if (fails("write", CALLER)) {
    if (size > 1 && next(file, data, size / 2) < 0) return -1;
    errno = ENOSPC;
    return -1;
  }
  return next(file, data, size);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  NEXT(ssize_t, "writev", int, const struct iovec*, int);
  FAIL_WITH("write", ENOSPC, -1)
  return next(file, parts, count);
}
/* What stdio writes to a file does not come through write(). */
size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  NEXT(size_t, "fwrite", const void*, size_t, size_t, FILE*);
  if (file != stdout && file != stderr && fails("write", CALLER)) {
    errno = ENOSPC;
    return 0;
  }
  return next(data, size, count, file);
}
int fclose(FILE* file) {
  NEXT(int, "fclose", FILE*);
  if (file != stdout && file != stderr && __fwriting(file) && fails("write", CALLER)) {
    next(file);
    errno = ENOSPC;
    return EOF;
  }
  return next(file);
}
int rename(const char* from, const char* to) {
  FAIL_WITH("rename", EIO, -1)
  NEXT(int, "rename", const char*, const char*);
  return next(from, to);
}
int fsync(int file) {
  FAIL_WITH("fsync", EIO, -1)
  NEXT(int, "fsync", int);
  return next(file);
}
int fdatasync(int file) {
  FAIL_WITH("fsync", EIO, -1)
  NEXT(int, "fdatasync", int);
  return next(file);
}
int mkdir(const char* path, mode_t mode) {
  FAIL_WITH("mkdir", EIO, -1)
  NEXT(int, "mkdir", const char*, mode_t);
  return next(path, mode);
}
int unlink(const char* path) {
  FAIL_WITH("unlink", EIO, -1)
  NEXT(int, "unlink", const char*);
  return next(path);
}
void _exit(int status) {
  if (is_ready) tell_count();
  NEXT(void, "_exit", int);
  next(status);
  abort();
}
pid_t fork(void) {
  FAIL_WITH("fork", EAGAIN, -1)
  NEXT(pid_t, "fork", void);
  return next();
}
pid_t _Fork(void) {
  FAIL_WITH("fork", EAGAIN, -1)
  NEXT(pid_t, "_Fork", void);
  return next();
}
