// SPDX-License-Identifier: MIT
// Preloaded in front of the recorder: lets it see the program's calls for a while, then leads them past it, and so on; and notes the CPU time of each stretch.
//
// Why     what the recorder adds to a program with a few thousand calls a second is less than two runs of that program differ by. Stretches of one run meet the same
//         machine, and those of two runs, of which one records where the other does not, the same work (run.py).
// How     each procedure's symbol jumps to where its slot says: the next library's, which is the recorder's, or MPI's PMPI_ one. The recorder always sees what makes or
//         ends communicators, windows and files, which its tables need; a request that it has not seen begin is a loss in its trace.
// Turns   SWITCHING_AT, a procedure's name, is counted; after SWITCHING_EACH calls of it the other stretch begins. SWITCHING_FIRST is 1 where the
//         first one is recorded. SWITCHING_LOG is the file that is written when the process ends, the rank's number behind it: a line for each turn, of whether
//         the stretch before it was recorded and of CPU and wall-clock seconds.
// Limits  one thread calls MPI; Fortran's symbols as gfortran spells them; x86-64.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "recorder/fortran_names.hpp"

#define REPRISE_CONCAT_2(a, b) a##b
#define REPRISE_CONCAT(a, b) REPRISE_CONCAT_2(a, b)
#define REPRISE_STRING_2(a) #a
#define REPRISE_STRING(a) REPRISE_STRING_2(a)

// A slot: where the symbol leads now, the symbol's name.
#define SWITCHED(symbol)                                                                        \
  __asm__(".pushsection .text\n\t.globl " symbol "\n\t.type " symbol ", @function\n" symbol     \
          ":\n\tjmp *1f(%rip)\n\t.size " symbol ", . - " symbol                                 \
          "\n\t.popsection\n\t.pushsection switched, \"aw\"\n\t.p2align 3\n1:\t.quad 0, 2f\n\t" \
          ".popsection\n\t.pushsection .rodata\n2:\t.string \"" symbol "\"\n\t.popsection\n");
#define BOTH(procedure)       \
  SWITCHED("MPI_" #procedure) \
  SWITCHED("mpi_" REPRISE_STRING(REPRISE_CONCAT(REPRISE_LOWER_, procedure)) "_")
#define RECORDED(procedure, ...) BOTH(procedure)
#define HANDWRITTEN(procedure, ...) BOTH(procedure)
#define LIFECYCLE(procedure)
#define UNMODELLED(procedure, ...) BOTH(procedure)
#define LOCAL(symbol)
#include "recorder/mpi_calls.def"

namespace {

struct Slot {
  void* target;
  const char* name;
};

}  // namespace

extern "C" {
// NOLINTNEXTLINE(readability-identifier-naming): the linker's names of a section's ends
extern Slot __start_switched, __stop_switched;
// Where the counted procedure leads, from C and from Fortran; its slots lead to what counts.
void* reprise_counted_c;
void* reprise_counted_fortran;
void reprise_count_c();
void reprise_count_fortran();
void reprise_count();
}
// Arguments of MPI procedures are in integer registers and on the stack.
#define COUNTING(name, target)                                                                    \
  __asm__(".pushsection .text\n\t.globl " name "\n" name                                          \
          ":\n\tpush %rdi\n\tpush %rsi\n\tpush %rdx\n\tpush %rcx\n\tpush %r8\n\tpush %r9\n\t"     \
          "push %rax\n\tcall reprise_count@PLT\n\tpop %rax\n\tpop %r9\n\tpop %r8\n\tpop %rcx\n\t" \
          "pop %rdx\n\tpop %rsi\n\tpop %rdi\n\tmov " target                                       \
          "@GOTPCREL(%rip), %r11\n\tjmp *(%r11)\n\t.popsection\n");
COUNTING("reprise_count_c", "reprise_counted_c")
COUNTING("reprise_count_fortran", "reprise_counted_fortran")

namespace {

struct Turn {
  bool was_recorded;
  double cpu, wall;  // seconds
};

std::string counted;
std::uint64_t each = 0, calls = 0;
bool is_recorded = true;
std::vector<Turn> turns;

double seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string lower_case(std::string_view name) {
  std::string lower(name);
  for (char& letter : lower)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return lower;
}

bool is_always_recorded(const std::string& name) {
  for (const char* begin : {"mpi_comm_", "mpi_intercomm_", "mpi_cart_", "mpi_graph_",
                            "mpi_dist_graph_", "mpi_win_", "mpi_file_"})
    if (name.starts_with(begin)) return true;
  return false;
}

void lead(bool recorded) {
  for (Slot* slot = &__start_switched; slot != &__stop_switched; ++slot) {
    const std::string lower = lower_case(slot->name);
    const bool is_c = slot->name[0] == 'M';
    void* target =
        recorded || is_always_recorded(lower)
            ? dlsym(RTLD_NEXT, slot->name)
            : dlsym(RTLD_DEFAULT, ((is_c ? "P" : "p") + std::string(slot->name)).c_str());
    if (lower == counted + (is_c ? "" : "_")) {
      (is_c ? reprise_counted_c : reprise_counted_fortran) = target;
      target = reinterpret_cast<void*>(is_c ? reprise_count_c : reprise_count_fortran);
    }
    slot->target = target;
  }
}

// When the library is loaded, after what it needs has been made; and when the process ends, before that is taken down.
struct Switching {
  Switching() {
    if (const char* name = std::getenv("SWITCHING_AT")) counted = lower_case(name);
    if (const char* number = std::getenv("SWITCHING_EACH"))
      each = std::strtoull(number, nullptr, 10);
    const char* first = std::getenv("SWITCHING_FIRST");
    is_recorded = first == nullptr || *first == '1';
    lead(is_recorded);
  }
  ~Switching() {
    const char* name = std::getenv("SWITCHING_LOG");
    const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
    if (rank == nullptr) rank = std::getenv("PMI_RANK");
    if (name == nullptr || rank == nullptr || turns.empty()) return;
    std::FILE* file = std::fopen((std::string(name) + "." + rank).c_str(), "w");
    if (file == nullptr) return;
    for (const Turn& turn : turns)
      std::fprintf(file, "%d %.9f %.9f\n", turn.was_recorded ? 1 : 0, turn.cpu, turn.wall);
    std::fclose(file);
  }
} switching;

}  // namespace

void reprise_count() {
  if (each == 0 || ++calls % each != 0) return;
  turns.push_back({is_recorded, seconds(CLOCK_PROCESS_CPUTIME_ID), seconds(CLOCK_MONOTONIC)});
  is_recorded = !is_recorded;
  lead(is_recorded);
}
