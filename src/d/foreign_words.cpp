#include "d/foreign_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace kinst::d {
namespace {

struct Word {
  std::string_view name;
  std::string_view in_d;
};

constexpr auto variables = std::to_array<Word>({
    {"comm", "execname"},
    {"curtask", "curthread"},
    {"elapsed", "timestamp"},
    {"kstack", "stack()"},
    {"nsecs", "timestamp"},
    {"retval", "arg1 at a return probe"},
    {"username", "uid"},
});

constexpr auto functions = std::to_array<Word>({
    {"atoi", "strtoll()"},
    {"bswap", "htons(), htonl() and htonll()"},
    {"buf", "tracemem()"},
    {"delete", "x = 0, which frees an element x[key] or self->x"},
    {"hist", "quantize()"},
    {"kstack", "stack()"},
    {"kstr", "stringof()"},
    {"ksym", "sym()"},
    {"lhist", "lquantize()"},
    {"memcpy", "bcopy()"},
    {"ntop", "inet_ntop()"},
    {"puts", "trace() and printf()"},
    {"reg", "regs[R_RAX], regs[R_RDI], ..."},
    {"signal", "raise()"},
    {"snprintf", "strjoin() and lltostr()"},
    {"sprintf", "strjoin() and lltostr()"},
    {"str", "copyinstr() for an address of the process, stringof() for the kernel's"},
    {"strcat", "strjoin()"},
    {"strcmp", "==, < and > between strings"},
    {"strcpy", "= between strings"},
    {"strftime", "walltimestamp, which printf()'s %Y prints"},
    {"strncmp", "==, < and > between strings, and substr()"},
    {"time", "walltimestamp, which printf()'s %Y prints"},
    {"zero", "clear()"},
});

std::string hint(std::span<const Word> words, std::string_view name) {
  const auto found = std::ranges::find(words, name, &Word::name);
  return found == words.end() ? std::string()
                              : fmt::format("in D this is {}", found->in_d);
}

}  // namespace

std::string hint_for_variable(std::string_view name) {
  return hint(variables, name);
}

std::string hint_for_function(std::string_view name) {
  return hint(functions, name);
}

}  // namespace kinst::d
