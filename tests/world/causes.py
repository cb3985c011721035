"""What keeps a script from compiling, read from kinst's messages: a set of blockers, and
one cause for the table."""

import collections
import fnmatch
import re

# family: what kind of thing is missing. name: what a row of the table or of the ranking
# calls it. part: what exactly is missing of it.
Blocker = collections.namedtuple("Blocker", "family name part")

PROVIDER = "provider"            # one that DTrace documents and kinst does not have
LIBRARY = "library"              # a name of DTrace's own libraries or builtin variables
USER = "user"                    # static probes of a program or interpreter
PROGRAM = "program"              # a function of a particular program, by pid
KERNEL_PROBE = "kernel probe"    # of another kernel: functions, system calls, sdt
KERNEL_TYPE = "kernel type"      # of another kernel: types, members, variables, constants
HEADER = "header"                # a file that is not there
MACHINE = "machine"              # fbt, where the kernel cannot
FRAGMENT = "fragment"            # not a D script
LANGUAGE = "language"            # all else
TIME = "time"

MESSAGE = re.compile(r"^kinst: failed to compile .*?: (?:\[(\w+)\] )?(?:line \d+: )?(.*)$",
                     re.MULTILINE)
UNMATCHED = re.compile(r"probe description (\S+) does not match any probes")

# What the libraries of illumos' and FreeBSD's dtrace define, for the probes that they come with.
LIBRARIES = {
    "io.d": r"B_[A-Z]+|devinfo_t|bufinfo_t|fileinfo_t",
    "tcp.d": r"TH_\w+|TCP_STATE_\w+|tcp_state_string|tcpinfo_t|tcpsinfo_t",
    "ip.d": r"pktinfo_t|csinfo_t|ipinfo_t|ifinfo_t|ipv[46]info_t",
    "procfs.d": r"SOBJ_\w+|pr_\w+|psinfo_t|lwpsinfo_t",
    "sched.d": r"cpu_\w+|cpuinfo_t",
}
BUILTINS = re.compile(r"cwd|root|zonename|epid|ipl|fds|regs|uregs|curcpu|errno|caller|ucaller")
# Probes of user-space programs are of providers called NAME<pid>; kernels' are not.
USER_NAMES = {"postgres": "postgresql", "httpd": "http"}
# Follow from the message that told what is unknown.
CONSEQUENCES = {"D_OP_PTR", "D_OP_INCOMPAT", "D_PRINTF_ARG_TYPE", "D_PROTO_ARG", "D_VAR_UNDEF",
                "D_SYNTAX", "D_ARR_LOCAL", "D_OP_DOT", "D_OP_INT", "D_OP_ARITH"}


def messages(text):
    """Pairs of tag and sentence."""
    return [(match[1] or "", match[2]) for match in MESSAGE.finditer(text)]


def unmatched(text):
    """The descriptions that match no probe, each with the number of a process replaced."""
    found = []
    for description in UNMATCHED.findall(text):
        description = re.sub(r"^([a-z_]+?)\d{2,}(?=:)", r"\1*", description)
        if description not in found:
            found.append(description)
    return found


def of_description(description, kernel_functions):
    """The blocker that a description is which matches no probe."""
    provider, _, function, _ = (description.split(":") + [""] * 4)[:4]
    if provider == "pid*":
        return Blocker(PROGRAM, "a program's function (pid)", description)
    if provider == "fbt":
        module = description.split(":")[1]
        named = function.strip("*?") or module not in ("", "genunix", "unix", "kernel", "vmlinux")
        if not named or fnmatch.filter(kernel_functions, function or "."):
            return Blocker(MACHINE, "fbt here", description)
        return Blocker(KERNEL_PROBE, "fbt", description)
    if provider in ("syscall", "sdt", ""):
        return Blocker(KERNEL_PROBE, provider or "sdt", description)
    name = re.sub(r"[*$]+.*", "", provider)
    if name == provider or name in ("iscsi", "plockstat"):
        return Blocker(PROVIDER, name, description)
    return Blocker(USER, USER_NAMES.get(name, name), description)


def of_message(tag, sentence, kernel_functions):
    """The blocker that another message tells of, or nothing."""
    if match := re.search(r"there is no probe (\S+) yet", sentence):
        return of_description(re.sub(r"^([a-z_]+?)\d{2,}(?=:)", r"\1*", match[1]),
                              kernel_functions)
    name = None
    if match := re.search(r"unknown type '(?:struct |union )?(\w+)'|failed to resolve (`?[\w`]+)"
                          r"|^(\w+) has not yet been declared"
                          r"|translator to \w+ does not define member (\w+)"
                          r"|^((?:struct|union) \w+) is incomplete", sentence):
        name = next(group for group in match.groups() if group)
    elif match := re.match(r"(\w+) is not a member of (?:struct |union )?(\w+)", sentence):
        name = f"{match[2]}.{match[1]}"
    if name:
        for library, names in LIBRARIES.items():
            if re.fullmatch(names, name):
                return Blocker(LIBRARY, library, name)
        if BUILTINS.fullmatch(name):
            return Blocker(LIBRARY, "builtin variable", name)
    if tag == "D_VAR_UNDEF":
        return Blocker(LANGUAGE, tag, sentence)
    if name or tag in ("D_OP_INCOMPLETE", "D_TYPE_MEMBER", "D_TYPE_ERR"):
        return Blocker(KERNEL_TYPE, "types", name or sentence)
    return Blocker(LANGUAGE, tag or "no tag", sentence)


def of_script(text, strict, lenient, own_z, kernel_functions):
    """The blockers of a script that does not compile. strict is what kinst says when every
    description must match, lenient what it says with -Z, own_z whether the script asks
    for -Z itself."""
    if match := re.search(r"fatal error: (\S+): No such file", lenient):
        return [Blocker(HEADER, "header", match[1])]
    found = []
    if not own_z:
        found += [of_description(description, kernel_functions)
                  for description in unmatched(strict)]
    told = messages(lenient)
    if any(tag == "D_SYNTAX" for tag, _ in told) and not text.startswith("#!") and (
            text.startswith("dtrace ") or "{" not in text):
        return [Blocker(FRAGMENT, "no script", "a command line or a fragment")]
    others = [of_message(tag, sentence, kernel_functions) for tag, sentence in told
              if not UNMATCHED.search(sentence) and "too many errors" not in sentence]
    certain = [blocker for blocker in others
               if not (blocker.family == LANGUAGE and blocker.name in CONSEQUENCES)]
    return list(dict.fromkeys(found + (certain or others)))


def of_blockers(blockers):
    """The row of the table that a script with these blockers belongs to."""
    families = {blocker.family for blocker in blockers}

    def names(family):
        return ", ".join(sorted({blocker.name for blocker in blockers
                                 if blocker.family == family}))

    rest = families - {LIBRARY}
    if rest > {MACHINE}:
        rest -= {MACHINE}
    if LANGUAGE in families:
        return f"language: {names(LANGUAGE)}" if len(families) == 1 else "language and another"
    if TIME in families:
        return "takes longer than the time"
    if FRAGMENT in families:
        return "no D script: a command line or a fragment"
    if HEADER in families:
        return "another kernel's headers"
    if not rest:
        return f"names of DTrace's libraries: {names(LIBRARY)}"
    if rest == {PROVIDER}:
        return f"provider missing: {names(PROVIDER)}"
    if PROVIDER in rest:
        return "provider missing, and something else"
    if rest == {USER}:
        return f"user-space static probes: {names(USER)}"
    if rest == {PROGRAM}:
        return "a particular program's functions"
    if rest == {MACHINE}:
        return "fbt, which this machine's kernel cannot"
    if rest == {KERNEL_TYPE}:
        return "another kernel's types, variables and constants"
    if rest == {KERNEL_PROBE}:
        return "another kernel's functions and probes"
    if rest == {KERNEL_PROBE, KERNEL_TYPE}:
        return "another kernel's functions and its types"
    return "several: " + ", ".join(sorted(rest))
