#include "base/system/inherited_state.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace kinst {
namespace {

// exec() gives every signal that has a handler its default again, but leaves ignored
// what is ignored.
constexpr std::array ignored_meanwhile = {SIGPIPE, SIGXFSZ, SIGINT};
constexpr std::array limits_meanwhile = {RLIMIT_NOFILE, RLIMIT_MEMLOCK};

// The signals that glibc keeps for itself (nptl/internal: SIGCANCEL and SIGSETXID). It
// takes them when the first thread is created, and its sigaction() refuses them.
constexpr std::array signals_of_glibc = {32, 33};

// The kernel's struct sigaction (include/uapi/asm-generic/signal.h and x86's
// asm/signal.h), for signals that glibc's sigaction() refuses.
struct KernelAction {
  void (*handler)(int) = SIG_DFL;
  unsigned long flags = 0;
  void (*restorer)() = nullptr;
  unsigned long mask = 0;
};

void ask_kernel_for_action(int signal, const KernelAction* wanted,
                           KernelAction* found) {
  ::syscall(SYS_rt_sigaction, signal, wanted, found, sizeof KernelAction::mask);
}

struct State {
  State() {
    sigemptyset(&mask);
    sigprocmask(SIG_SETMASK, nullptr, &mask);
    for (std::size_t i = 0; i < ignored_meanwhile.size(); ++i) {
      sigaction(ignored_meanwhile.at(i), nullptr, &actions.at(i));
    }
    for (std::size_t i = 0; i < signals_of_glibc.size(); ++i) {
      ask_kernel_for_action(signals_of_glibc.at(i), nullptr, &glibc_actions.at(i));
    }
    knows_cpus = sched_getaffinity(0, sizeof cpus, &cpus) == 0;
    for (std::size_t i = 0; i < limits_meanwhile.size(); ++i) {
      getrlimit(limits_meanwhile.at(i), &limits.at(i));
    }
  }

  sigset_t mask{};
  std::array<struct sigaction, ignored_meanwhile.size()> actions{};
  std::array<KernelAction, signals_of_glibc.size()> glibc_actions{};
  bool knows_cpus = false;
  cpu_set_t cpus{};
  std::array<rlimit, limits_meanwhile.size()> limits{};
};

const State& state() {
  static const State noted;
  return noted;
}

}  // namespace

void note_inherited_state() {
  static_cast<void>(state());
}

void restore_inherited_state() {
  const State& noted = state();
  for (std::size_t i = 0; i < ignored_meanwhile.size(); ++i) {
    sigaction(ignored_meanwhile.at(i), &noted.actions.at(i), nullptr);
  }
  for (std::size_t i = 0; i < signals_of_glibc.size(); ++i) {
    ask_kernel_for_action(signals_of_glibc.at(i), &noted.glibc_actions.at(i), nullptr);
  }
  for (std::size_t i = 0; i < limits_meanwhile.size(); ++i) {
    setrlimit(limits_meanwhile.at(i), &noted.limits.at(i));
  }
  if (noted.knows_cpus) {
    sched_setaffinity(0, sizeof noted.cpus, &noted.cpus);
  }
  sigprocmask(SIG_SETMASK, &noted.mask, nullptr);
}

}  // namespace kinst
