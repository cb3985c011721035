"""Finds the D programs of a checkout, and the command line that each is meant for: files
called *.d, files that dtrace is the interpreter of, and programs that shell and Perl
scripts hand to dtrace."""

import collections
import re

# path is relative to the checkout, with "#N" behind it for a script's Nth embedded
# program. options are dtrace's own, without -s. arguments are what $1, $2, ... are
# given: a process's number is PROCESS. target is whether $target is wanted.
Script = collections.namedtuple(
    "Script", "repository path file embedded text options arguments target")

PROCESS = "process"
INTERPRETER = re.compile(r"#!\s*\S*/(?:env\s+)?dtrace\b(.*)")
SHELLS = re.compile(r"#!.*\b(?:sh|ksh|bash|zsh|perl)\b")
INVOCATION = re.compile(r"(?:^|[\s`(|;&])(?:\S*/dtrace|dtrace|\$dtrace)(?=[ \t]+-)", re.MULTILINE)
# A shell's variable gets the value of its first plain assignment, which is its default.
ASSIGNMENT = re.compile(r"(?:^|;|\bmy \$)[ \t]*(\w+)[ \t]*=[ \t]*(?=\S)", re.MULTILINE)
VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})")
# What stands outside of quotations: one character behind a backslash, or a run of others.
PLAIN = re.compile(r"\\(.)|[^ \t\n|;&<>()`'\"\\]+|\\")
UNKNOWN_VALUE = "1"
# Options of dtrace that a word belongs to.
WITH_WORD = "bcDfiILlmnopPsUxX"


def of_checkout(root):
    """Every script of a checkout, in the order of their paths. A link is not another script."""
    found = []
    for file in sorted(root.rglob("*")):
        if file.is_symlink() or not file.is_file() or ".git" in file.parts:
            continue
        text = file.read_bytes().decode("latin-1")
        path = str(file.relative_to(root))
        first = text.split("\n", 1)[0]
        if file.suffix == ".d" or INTERPRETER.match(first):
            found.append(script(root.name, path, file, False, text, options_of(first)))
        elif SHELLS.match(first):
            for number, (options, program) in enumerate(embedded(text), 1):
                found.append(script(root.name, f"{path}#{number}", file, True, program, options))
    return found


def script(repository, path, file, is_embedded, text, options):
    """A script with what it wants of its command line."""
    bare = without_comments(text, keep_strings=True)
    wanted = max([int(number) for number in re.findall(r"\$\$?([0-9]+)", bare)], default=0)
    arguments = [argument(number, bare) for number in range(1, wanted + 1)]
    if "defaultargs" in bare and PROCESS not in arguments:
        arguments = []
    return Script(repository, path, file, is_embedded, text, options, arguments,
                  "$target" in bare)


def argument(number, bare):
    """What a script is given for $1, $2, ...: what makes sense where it stands."""
    if re.search(rf"[a-z]\${number}\b", bare):
        return PROCESS
    if re.search(rf"\bsyscall:\w*:\$\$?{number}\b", bare):
        return "read"
    if re.search(rf"\bfbt:\w*:\$\$?{number}\b", bare):
        return "vfs_read"
    return "1"


def options_of(first_line):
    """dtrace's options in a script's first line: "-Cs" is -C."""
    match = INTERPRETER.match(first_line)
    words = match.group(1).split() if match else []
    return [option for word in words if (option := word.replace("s", "")) != "-"]


def without_comments(text, keep_strings=False):
    """D without comments and without lines of the preprocessor."""
    string = r'"(?:\\.|[^"\\\n])*"'
    text = re.sub(rf"/\*.*?\*/|{string}",
                  lambda match: " " if match[0][0] == "/" else match[0] if keep_strings else '""',
                  text, flags=re.DOTALL)
    return re.sub(r"^[ \t]*#(?![ \t]*pragma)(?:.*\\\n)*.*$", "", text, flags=re.MULTILINE)


def descriptions(text):
    """The probe descriptions before each clause."""
    heads = []
    depth = 0
    head = ""
    for token in re.findall(r'[{}]|[^{}]+', re.sub(r"#.*", "", without_comments(text))):
        if token == "{":
            if depth == 0:
                heads.append(head.rsplit(";", 1)[-1].split("/", 1)[0].strip())
            depth += 1
        elif token == "}":
            depth -= 1
            head = ""
        elif depth == 0:
            head = token
    return [head for head in heads
            if re.fullmatch(r"[\w:*?$.\[\]~`+<>,\s@!-]+", head) and
            not re.match(r"(struct|union|enum|typedef|inline|translator|provider)\b", head)]


def embedded(text):
    """Pairs of dtrace's options and the D program, for each invocation in a shell's or Perl's
    script. What the shell would put into the program is known as far as the script
    assigns it plainly."""
    if text.split("\n", 1)[0].endswith(("perl", "perl -w")):
        # A Perl script's text in "<<END" loses backslashes, and variables, which are empty.
        text = re.sub(r"\\([\\@$%])|\$\w+", lambda match: match[1] or "", text)
    # Lines of comments are blank, which keeps their apostrophes from opening a quotation.
    text = re.sub(r"^[ \t]*#(?!\s*pragma|\s*include|\s*define|\s*if|\s*endif|\s*else).*$", "",
                  text, flags=re.MULTILINE)
    values = {}
    for match in ASSIGNMENT.finditer(text):
        values.setdefault(match.group(1), read_word(text, match.end(), values)[0])
    programs = []
    for match in INVOCATION.finditer(text):
        options, program = invocation(text, match.end(), values)
        if program and "{" in program and (options, program) not in programs:
            programs.append((options, program))
    return [(options, program) for index, (options, program) in enumerate(programs)
            if program not in [other for _, other in programs[:index]]]


def invocation(text, place, values):
    """The options and the program of one invocation of dtrace."""
    options = []
    program = ""
    while True:
        word, place = read_word(text, place, values)
        if not word.startswith("-") or len(word) < 2:
            return options, program
        letters = word[1:]
        for index, letter in enumerate(letters):
            if letter not in WITH_WORD:
                if letter in "CZqwF":
                    options.append("-" + letter)
                continue
            operand = letters[index + 1:]
            if not operand:
                operand, place = read_word(text, place, values)
            if letter in "ns" and "{" in operand:
                program += operand + "\n"
            elif letter == "x":
                options += ["-x", operand]
            break


def read_word(text, place, values):
    """A word of the shell from a place on, and where it ends: "" where a command ends."""
    word = ""
    while text.startswith((" ", "\t", "\\\n"), place):
        place += 1
        if text.startswith("\n", place):
            place += 1
    if text.startswith("<(", place):
        return read_substitution(text, place + 2, values)
    while place < len(text) and text[place] not in " \t\n|;&<>()`":
        if text[place] in "'\"":
            end = closing_quote(text, place)
            part = text[place + 1:end]
            word += part if text[place] == "'" else expand(part, values)
            place = end + 1
        else:
            match = PLAIN.match(text, place)
            word += match[1] or expand(match[0], values)
            place = match.end()
    return word, place


def read_substitution(text, place, values):
    """What `<( print -r 'text' )` stands for: the file with that text."""
    for _ in range(4):
        word, place = read_word(text, place, values)
        if "{" in word:
            return word, place
    return "", place


def closing_quote(text, place):
    """Where the quotation that begins at a place ends."""
    quote = text[place]
    end = place + 1
    while end < len(text) and text[end] != quote:
        end += 2 if quote == '"' and text[end] == "\\" else 1
    return min(end, len(text))


def expand(text, values):
    """The shell's variables in text replaced by their values."""
    return VARIABLE.sub(lambda match: values.get(match[1] or match[2], UNKNOWN_VALUE), text)
