// Runs every sequence of the generated assembly with known registers, flags and memory,
// and prints what it left of them, a line for each. Two runs print the same unless
// something changed the program; see docs/reliability.md.
//
// usage: sequences [run]        prints
//        sequences probe [PART] the same, each in a process of its own with a uprobe on
//                               every instruction, placed without asking kinst
//        sequences count        how many instructions there are for this processor
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <unistd.h>

struct sequence {
  const char* name;
  void (*code)(void);
  const uint64_t* places;
  uint32_t count;
  uint8_t base, index, needs, padding;
};
extern const struct sequence sequences[], sequences_end[];

// Offsets of it are in the assembly below. Registers in the order of generate.cpp.
struct state {
  uint64_t registers[15];
  uint64_t stack_pointer;
  uint64_t flags;
  uint64_t has_avx, has_avx512;
  uint64_t masks[8];
  uint64_t padding[5];
  uint8_t fxsave[512];
  uint8_t vectors[32][64];
};
struct state state __attribute__((aligned(64)));
uint8_t data[4096] __attribute__((aligned(4096)));
uint8_t stack[4096] __attribute__((aligned(64)));
enum { stack_top = 2048 };
uint8_t other_stack[4096] __attribute__((aligned(64)));
void (*code)(void);
uint64_t saved_stack_pointer;
void run_sequence(void);
extern char recover[];

__asm__(
    ".text\n.globl run_sequence, recover\nrun_sequence:\n"
    "push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
    "mov %rsp, saved_stack_pointer(%rip)\n"
    "fxrstor64 state+256(%rip)\n"
    "cmpq $0, state+136(%rip); je 2f\n"
    ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
    "vmovdqu state+768+64*\\n(%rip), %ymm\\n\n.endr\n"
    "2: cmpq $0, state+144(%rip); je 3f\n"
    ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,"
    "28,29,30,31\n"
    "vmovdqu64 state+768+64*\\n(%rip), %zmm\\n\n.endr\n"
    ".irp n,0,1,2,3,4,5,6,7\nkmovq state+152+8*\\n(%rip), %k\\n\n.endr\n"
    "3: lea stack+2048(%rip), %rsp\n"
    "pushq state+128(%rip); popfq\n"
    "mov state(%rip), %rax; mov state+8(%rip), %rbx; mov state+16(%rip), %rcx\n"
    "mov state+24(%rip), %rdx; mov state+32(%rip), %rsi; mov state+40(%rip), %rdi\n"
    "mov state+48(%rip), %rbp; mov state+56(%rip), %r8; mov state+64(%rip), %r9\n"
    "mov state+72(%rip), %r10; mov state+80(%rip), %r11; mov state+88(%rip), %r12\n"
    "mov state+96(%rip), %r13; mov state+104(%rip), %r14; mov state+112(%rip), %r15\n"
    "call *code(%rip)\n"
    "recover:\n"
    "mov %rax, state(%rip); mov %rbx, state+8(%rip); mov %rcx, state+16(%rip)\n"
    "mov %rdx, state+24(%rip); mov %rsi, state+32(%rip); mov %rdi, state+40(%rip)\n"
    "mov %rbp, state+48(%rip); mov %r8, state+56(%rip); mov %r9, state+64(%rip)\n"
    "mov %r10, state+72(%rip); mov %r11, state+80(%rip); mov %r12, state+88(%rip)\n"
    "mov %r13, state+96(%rip); mov %r14, state+104(%rip); mov %r15, state+112(%rip)\n"
    "mov %rsp, state+120(%rip)\n"
    "lea other_stack+2048(%rip), %rsp\n"
    "pushfq; popq state+128(%rip); cld\n"
    "fxsave64 state+256(%rip)\n"
    "cmpq $0, state+136(%rip); je 4f\n"
    ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
    "vmovdqu %ymm\\n, state+768+64*\\n(%rip)\n.endr\n"
    "4: cmpq $0, state+144(%rip); je 5f\n"
    ".irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,"
    "28,29,30,31\n"
    "vmovdqu64 %zmm\\n, state+768+64*\\n(%rip)\n.endr\n"
    ".irp n,0,1,2,3,4,5,6,7\nkmovq %k\\n, state+152+8*\\n(%rip)\n.endr\n"
    "5: fninit\n"
    "mov saved_stack_pointer(%rip), %rsp\n"
    "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
    "ret\n");

// In the order of `Needs` in templates.h.
static int has(unsigned needs) {
  switch (needs) {
    case 0:
      return 1;
    case 1:
      return __builtin_cpu_supports("sse4.2");
    case 2:
      return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("sse4.2");
    case 3:
      return __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
    case 4:
    case 5:
    case 7:
    case 14:
    case 15:
    case 17:
      break;
    case 6:
      return __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    case 8:
      return __builtin_cpu_supports("avx") && __builtin_cpu_supports("aes");
    case 9:
      return __builtin_cpu_supports("fma");
    case 10:
      break;
    case 11:
      return __builtin_cpu_supports("avx2");
    case 12:
      return __builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx2") &&
             __builtin_cpu_supports("vpclmulqdq") && __builtin_cpu_supports("vaes");
    case 13:
      return __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi");
    case 16:
    case 18:
      break;
    default:
      return 0;
  }
  static const char* const names[] = {
      [4] = "movbe",     [5] = "adx",   [7] = "sha_ni",     [10] = "f16c", [14] = "rtm",
      [15] = "fsgsbase", [16] = "cx16", [17] = "movdir64b", [18] = "xsave"};
  static char flags[8192];
  if (flags[0] == 0) {
    FILE* file = fopen("/proc/cpuinfo", "r");
    while (file != NULL && fgets(flags, sizeof flags, file) != NULL &&
           strncmp(flags, "flags", 5) != 0) {
    }
    if (file != NULL) {
      fclose(file);
    }
  }
  char word[32];
  snprintf(word, sizeof word, " %s ", names[needs]);
  const char* at = strstr(flags, word);
  return at != NULL;
}

static uint64_t random_state;
static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static void fill(void* memory, size_t bytes) {
  for (size_t at = 0; at < bytes; at += 8) {
    const uint64_t value = next_random();
    memcpy((char*)memory + at, &value, 8);
  }
}

static uint64_t hash(const void* memory, size_t bytes) {
  uint64_t value = 0xcbf29ce484222325;
  for (size_t at = 0; at < bytes; ++at) {
    value = (value ^ ((const uint8_t*)memory)[at]) * 0x100000001b3;
  }
  return value;
}

// What the last signal told.
static volatile struct {
  int number;
  int code;
  uint64_t address, place, flags;
} told;

static void on_signal(int number, siginfo_t* information, void* context) {
  ucontext_t* user = context;
  greg_t* registers = user->uc_mcontext.gregs;
  told.number = number;
  told.code = information->si_code;
  told.address = (uint64_t)information->si_addr;
  told.place = (uint64_t)registers[REG_RIP];
  told.flags = (uint64_t)registers[REG_EFL];
  registers[REG_RIP] = (greg_t)recover;
  registers[REG_EFL] &= ~(greg_t)0x100;
}

static void prepare(const struct sequence* sequence, unsigned round) {
  random_state = 88172645463325252ULL + (uint64_t)(sequence - sequences) * 977 + round;
  for (int warm = 0; warm < 16; ++warm) {
    next_random();
  }
  fill(&state, sizeof state);
  memset(state.fxsave, 0, sizeof state.fxsave);
  state.fxsave[0] = 0x7f;
  state.fxsave[1] = 0x03;  // x87's control word, and MXCSR: all exceptions masked
  state.fxsave[24] = 0x80;
  state.fxsave[25] = 0x1f;
  fill(state.fxsave + 160, 256);
  state.has_avx = (uint64_t)has(11);
  state.has_avx512 = (uint64_t)has(13);
  state.flags = 0x202 | (next_random() & 0x8d5);
  state.registers[sequence->base] = (uint64_t)(data + 2048);
  state.registers[sequence->index] = next_random() % 16;
  fill(data, sizeof data);
  fill(stack, sizeof stack);
  code = sequence->code;
  memset((void*)&told, 0, sizeof told);
}

static void print_state(const char* name, unsigned round) {
  // x87 remembers where its last instruction was, which is the kernel's copy; the words
  // that processors leave to software are nobody's.
  memset(state.fxsave + 8, 0, 16);
  memset(state.fxsave + 416, 0, 96);
  printf("%s %u", name, round);
  for (int i = 0; i < 16; ++i) {
    printf(" %lx", state.registers[i]);
  }
  printf(" flags %lx data %016lx stack %016lx vectors %016lx", state.flags,
         hash(data, sizeof data), hash(stack, sizeof stack),
         hash(state.masks, sizeof state - offsetof(struct state, masks)));
  if (told.number != 0) {
    printf(" signal %d code %d at %lx address %lx flags %lx", told.number, told.code,
           told.place, told.address, told.flags);
  }
  printf("\n");
}

enum { rounds = 3 };  // at the second hit a probe may be another than at the first

static void run(const struct sequence* sequence) {
  for (unsigned round = 0; round < rounds; ++round) {
    prepare(sequence, round);
    run_sequence();
    print_state(sequence->name, round);
  }
  fflush(stdout);
}

static unsigned place_probes(const struct sequence* sequence) {
  FILE* file = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
  unsigned type = 0;
  if (file == NULL || fscanf(file, "%u", &type) != 1) {
    fprintf(stderr, "this kernel has no uprobes\n");
    exit(77);
  }
  fclose(file);
  static const char path[] = "/proc/self/exe";
  unsigned placed = 0;
  for (uint32_t i = 0; i < sequence->count; ++i) {
    struct perf_event_attr attributes = {.size = sizeof attributes, .type = type};
    attributes.uprobe_path = (uint64_t)(uintptr_t)path;
    // The program is linked so that addresses are offsets in the file plus this.
    extern const char __executable_start[];
    attributes.probe_offset =
        sequence->places[i] - (uint64_t)(uintptr_t)__executable_start;
    if (syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0) >= 0) {
      ++placed;
    }
  }
  return placed;
}

static void run_probed(const struct sequence* sequence) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const unsigned placed = place_probes(sequence);
    run(sequence);
    fprintf(stderr, "%s: %u of %u\n", sequence->name, placed, sequence->count);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) {
    printf("%s ended by signal %d\n", sequence->name, WTERMSIG(status));
  } else if (WEXITSTATUS(status) != 0) {
    exit(WEXITSTATUS(status));
  }
}

// What sgdt and its kind store is each processor's own, where they are not forbidden.
static void stay_on_one_processor(void) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    return;
  }
  int first = 0;
  while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &allowed)) {
    ++first;
  }
  CPU_ZERO(&allowed);
  CPU_SET(first, &allowed);
  sched_setaffinity(0, sizeof allowed, &allowed);
}

int main(int count, char** arguments) {
  stay_on_one_processor();
  static char signal_stack[65536];
  const stack_t where = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
  sigaltstack(&where, NULL);
  struct sigaction action = {.sa_sigaction = on_signal,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  static const int signals[] = {SIGILL, SIGFPE, SIGSEGV, SIGBUS, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; ++i) {
    sigaction(signals[i], &action, NULL);
  }
  const int probed = count > 1 && strcmp(arguments[1], "probe") == 0;
  if (count > 1 && strcmp(arguments[1], "count") == 0) {
    unsigned instructions = 0;
    for (const struct sequence* one = sequences; one != sequences_end; ++one) {
      instructions += has(one->needs) ? one->count : 0;
    }
    printf("%u\n", instructions);
    return 0;
  }
  const char* only = count > 2 ? arguments[2] : "";
  for (const struct sequence* one = sequences; one != sequences_end; ++one) {
    if (strstr(one->name, only) == NULL) {
      continue;
    }
    if (!has(one->needs)) {
      printf("%s needs what this processor lacks\n", one->name);
    } else if (probed) {
      run_probed(one);
    } else {
      run(one);
    }
  }
  return 0;
}
