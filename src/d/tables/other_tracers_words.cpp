#include "d/tables/other_tracers_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

namespace kinst::d {
namespace {

struct OtherWord {
  std::string_view name;
  std::string_view in_d;
};

constexpr auto variables = std::to_array<OtherWord>({
    {"comm", "execname"},
    {"curtask", "curthread"},
    {"elapsed", "timestamp"},
    {"kstack", "stack()"},
    {"nsecs", "timestamp"},
    {"retval", "arg1 at a return probe"},
    {"username", "uid"},
});

constexpr auto functions = std::to_array<OtherWord>({
    {"atoi", "strtoll()"},
    {"bswap", "htons(), htonl() and htonll()"},
    {"buf", "tracemem()"},
    {"cat", "system(\"cat FILE\")"},
    {"delete", "x[key] = 0, which frees the element; trunc() empties an aggregation"},
    {"fprintf", "printf()"},
    {"hist", "quantize()"},
    {"join", "curpsinfo->pr_psargs, a process's arguments as one string"},
    {"kstack", "stack()"},
    {"kstr", "stringof()"},
    {"ksym", "sym()"},
    {"len", "strlen()"},
    {"lhist", "lquantize()"},
    {"macaddr", "link_ntop()"},
    {"memcpy", "bcopy()"},
    {"ntop", "inet_ntop()"},
    {"printk", "printf()"},
    {"puts", "trace() and printf()"},
    {"signal", "raise()"},
    {"snprintf", "strjoin() and lltostr()"},
    {"sprintf", "strjoin() and lltostr()"},
    {"stats", "count(), avg() and sum()"},
    {"str", "copyinstr() for an address of the process, stringof() for the kernel's"},
    {"strcat", "strjoin()"},
    {"strcmp", "==, < and > between strings"},
    {"strcpy", "= between strings"},
    {"strftime", "walltimestamp, which printf()'s %Y prints"},
    {"strncmp", "==, < and > between strings, and substr()"},
    {"time", "walltimestamp, which printf()'s %Y prints"},
    {"unroll", "written out: D has no loops, as a probe must end"},
    {"zero", "clear()"},
});

std::string hint(std::span<const OtherWord> words, std::string_view name) {
  const auto found = std::ranges::find(words, name, &OtherWord::name);
  return found == words.end() ? std::string()
                              : fmt::format("in D this is {}", found->in_d);
}

}  // namespace

bool is_comment_of_cpp(std::string_view text, std::size_t at) {
  return text.substr(std::min(at, text.size())).starts_with("//") ||
         (at > 0 && at <= text.size() && text.substr(at - 1).starts_with("//"));
}

std::string hint_for_variable(std::string_view name) {
  return hint(variables, name);
}

std::string hint_for_function(std::string_view name) {
  return hint(functions, name);
}

}  // namespace kinst::d
