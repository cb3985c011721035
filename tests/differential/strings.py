"""Functions of strings, against models of what DTrace's guide and kernel say."""

import ipaddress
import socket

from common import batches, c_string, cut, generator, interesting_integer, run_kinst

STRING_BYTES = 256  # the option strsize
CASES_OF_A_CLAUSE = 20
# What a string prints that compares equal to NULL: the empty one does, too.
NULL = "(null)"


# ---------------------------------------------------------------- the models

def substr(text, index, length=STRING_BYTES):
    """From `index`, a negative one counted from the end, so many characters, a negative
    number of them left out at the end. An index before the beginning takes away from
    the length; one beyond the end gives nothing. Without a length it is strsize."""
    if index < 0:
        index += len(text)
        if index < 0 < index + length:
            length += index
            index = 0
    if not 0 <= index < len(text):
        return ""
    if length < 0:
        length += len(text) - index
    return text[index:index + max(length, 0)]


def index_of(text, part, start=None):
    """As Perl's index(): a start before the beginning is the beginning; the empty
    string is found at the end behind the end."""
    if not text and not part:
        return 0
    start = max(start or 0, 0)
    if start >= len(text) and start != 0:
        return len(text) if not part else -1
    return text.find(part, start)


def rindex_of(text, part, start=None):
    if not text and not part:
        return 0
    if start is None:
        return text.rfind(part)
    if start < 0:
        return 0 if not part else -1
    return text.rfind(part, 0, min(start, len(text)) + len(part))


def strchr(text, character):
    at = text.find(character)
    return NULL if at < 0 else text[at:]


def strrchr(text, character):
    at = text.rfind(character)
    return NULL if at < 0 else text[at:]


def strstr(text, part):
    at = text.find(part)
    return NULL if at < 0 else text[at:]


def tokens(text, separators, count):
    """What `count` calls of strtok() give; behind the last token NULL."""
    found, current = [], ""
    for character in text:
        if character not in separators:
            current += character
        elif current:
            found.append(current)
            current = ""
    if current:
        found.append(current)
    return (found + [NULL] * count)[:count]


def basename(path):
    if not path:
        return "."
    return path.rstrip("/").rpartition("/")[2] or "/"


def dirname(path):
    stripped = path.rstrip("/")
    if not stripped:
        return "/" if path else "."
    if "/" not in stripped:
        return "."
    return stripped.rpartition("/")[0].rstrip("/") or "/"


def cleanpath(path):
    """Without `//`, `/./` and `/../`; a slash at the end stays, and behind a `..` at
    the end one comes to be. Of absolute paths that do not leave the root."""
    parts = path.split("/")
    kept = []
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        if part == "..":
            if kept:
                kept.pop()
            if is_last:
                kept.append("")
        elif part == "." and not is_last:
            continue
        elif part or is_last:
            kept.append(part)
    return "/" + "/".join(kept)


def lltostr(value, base=10):
    """Signed in base 10 only; 0 before octal digits, 0x before hexadecimal ones."""
    if base == 10:
        return str(value)
    value = cut(value, 64, False)
    digits = ""
    while value:
        value, digit = divmod(value, base)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    if base == 16:
        return "0x" + (digits or "0")
    if base == 8:
        return "0" + digits
    return digits or "0"


def strtoll(text, base=10):
    text = text.lstrip(" \t")
    sign = 1
    if text[:1] in ("-", "+"):
        sign = -1 if text[0] == "-" else 1
        text = text[1:]
    if base == 16 and text[:2].lower() == "0x" and text[2:3].lower() in list("0123456789abcdef"):
        text = text[2:]
    value = 0
    for character in text:
        if not (character.isascii() and character.isalnum()) or int(character, 36) >= base:
            break
        value = value * base + int(character, 36)
    return cut(sign * value, 64, True)


# ---------------------------------------------------------------- the cases

class Strings:
    def __init__(self, rng):
        self.rng = rng

    def text(self, most=12, alphabet=None):
        rng = self.rng
        alphabet = alphabet or rng.choice(("ab", "abc/", "aB/.", " a,;-", "abcXYZ09_%\\\"", "/."))
        return "".join(rng.choice(alphabet) for _ in range(rng.randint(0, most)))

    def part(self, text):
        rng = self.rng
        if text and rng.random() < 0.6:
            at = rng.randrange(len(text))
            return text[at:at + rng.randint(0, 3)]
        return self.text(2)

    def number(self):
        rng = self.rng
        return rng.choice((0, 1, 2, 3, 5, 9, -1, -2, -4, -9, rng.randint(-20, 20),
                           -255, -256, -257, 255, 256, 300, -300))

    def path(self):
        rng = self.rng
        depth, parts = 0, []
        for _ in range(rng.randint(0, 6)):
            part = rng.choice(("a", "bc", "..x", ".d", "", ".", ".."))
            if part == ".." and depth == 0:
                part = "u"
            depth += {"": 0, ".": 0, "..": -1}.get(part, 1)
            parts.append(part)
        if not parts:
            return "/"
        return "/" + "/".join(parts)

    def case(self):
        """(D expression, whether it is a string, the model's value)"""
        rng = self.rng
        kind = rng.choice(("substr", "substr", "index", "rindex", "strchr", "strstr", "strtok",
                           "paths", "lltostr", "strtoll", "letters", "join", "strlen", "address",
                           "compare"))
        return getattr(self, kind)()

    def substr(self):
        text, index = self.text(), self.number()
        if self.rng.random() < 0.5:
            return f"substr({c_string(text)}, {index})", True, substr(text, index)
        length = self.number()
        return (f"substr({c_string(text)}, {index}, {length})", True,
                substr(text, index, length))

    def find(self, name, model):
        text = self.text()
        part = self.part(text)
        if self.rng.random() < 0.5:
            return f"{name}({c_string(text)}, {c_string(part)})", False, model(text, part)
        start = self.number()
        return (f"{name}({c_string(text)}, {c_string(part)}, {start})", False,
                model(text, part, start))

    def index(self):
        return self.find("index", index_of)

    def rindex(self):
        return self.find("rindex", rindex_of)

    def strchr(self):
        text = self.text()
        character = self.rng.choice(text or "a")
        if self.rng.random() < 0.2:
            character = "z"
        name, model = self.rng.choice((("strchr", strchr), ("strrchr", strrchr)))
        quoted = "'" + character.replace("\\", "\\\\").replace('"', '\\"') + "'"
        return f"{name}({c_string(text)}, {quoted})", True, model(text, character)

    def strstr(self):
        text = self.text()
        part = self.part(text)
        return f"strstr({c_string(text)}, {c_string(part)})", True, strstr(text, part)

    def strtok(self):
        text, separators = self.text(alphabet=" a,;-"), self.rng.choice((" ", ",;", "- ,", "a"))
        count = self.rng.randint(1, 4)
        found = tokens(text, separators, count)
        # A call behind the last one is a fault.
        if NULL in found:
            found = found[:found.index(NULL) + 1]
        return ([f"strtok({c_string(text)}, {c_string(separators)})"] +
                [f"strtok(NULL, {c_string(separators)})"] * (len(found) - 1), True, found)

    def paths(self):
        name, model = self.rng.choice((("basename", basename), ("dirname", dirname),
                                       ("cleanpath", cleanpath)))
        path = self.path() if name == "cleanpath" else self.text(8, self.rng.choice(("a/", "ab/.")))
        return f"{name}({c_string(path)})", True, model(path)

    def lltostr(self):
        value = interesting_integer(self.rng)
        text = f"{value}ll" if value != -(1 << 63) else "(-9223372036854775807ll - 1)"
        if self.rng.random() < 0.4:
            return f"lltostr({text})", True, lltostr(value)
        base = self.rng.choice((2, 8, 10, 16, 3, 36, self.rng.randint(2, 36)))
        return f"lltostr({text}, {base})", True, lltostr(value, base)

    def strtoll(self):
        rng = self.rng
        base = rng.choice((10, 16, 8, 2, 36))
        digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEF"
        text = "".join(rng.choice(digits[:base]) for _ in range(rng.randint(0, 12)))
        text = rng.choice(("", " ", "\t ", "  ")) + rng.choice(("", "-", "+", "-")) + \
            rng.choice(("", "", "0x", "0X", "0")) + text + rng.choice(("", "", " 1", "z", "."))
        quoted = c_string(text).replace("\t", "\\t")
        if base == 10 and rng.random() < 0.5:
            return f"strtoll({quoted})", False, strtoll(text)
        return f"strtoll({quoted}, {base})", False, strtoll(text, base)

    def letters(self):
        text = self.text(alphabet="abyzAZ@[`{19/ ")
        if self.rng.random() < 0.5:
            return f"toupper({c_string(text)})", True, text.upper()
        return f"tolower({c_string(text)})", True, text.lower()

    def join(self):
        left, right = self.text(), self.text()
        return f"strjoin({c_string(left)}, {c_string(right)})", True, left + right

    def strlen(self):
        text = self.text(200, "ab")
        return f"strlen({c_string(text)})", False, len(text)

    def address(self):
        rng = self.rng
        if rng.random() < 0.4:
            packed = bytes(rng.randrange(256) for _ in range(4))
            fill = " ".join(f"this->a[{i}] = {byte};" for i, byte in enumerate(packed))
            function = rng.choice(("inet_ntoa((ipaddr_t *)this->a)",
                                   "inet_ntop(2, (void *)this->a)"))
            return (f"{{ {fill} }} {function}", True, str(ipaddress.IPv4Address(packed)))
        words = [rng.choice((0, 0, rng.randrange(1 << 16))) for _ in range(8)]
        words[rng.randrange(3)] = rng.randrange(1, 1 << 16)  # none that embeds an IPv4 one
        packed = b"".join(word.to_bytes(2, "big") for word in words)
        fill = " ".join(f"this->a[{i}] = {byte};" for i, byte in enumerate(packed))
        function = rng.choice(("inet_ntoa6((in6_addr_t *)this->a)",
                               "inet_ntop(10, (void *)this->a)"))
        return f"{{ {fill} }} {function}", True, socket.inet_ntop(socket.AF_INET6, packed)

    def compare(self):
        operator = self.rng.choice(("==", "!=", "<", "<=", ">", ">="))
        left = self.text(4)
        right = self.rng.choice((left, self.part(left), self.text(4)))
        value = {"==": left == right, "!=": left != right, "<": left < right,
                 "<=": left <= right, ">": left > right, ">=": left >= right}[operator]
        return f"({c_string(left)} {operator} {c_string(right)})", False, int(value)


def statements(number, expression, is_string):
    """Prints what `expression` gives on a line `number [value]`."""
    if isinstance(expression, list):
        return "\n  ".join(statements(f"{number}.{i}", one, is_string)
                           for i, one in enumerate(expression))
    fill = ""
    if expression.startswith("{ "):
        fill, _, expression = expression[2:].partition(" } ")
    if not is_string:
        return f'printf("{number} [%d]\\n", {expression});'
    return (f"{fill} this->r = {expression}; "
            f'printf("{number} [%s]\\n", this->r != NULL ? this->r : "{NULL}");')


def program(cases):
    parts = ["this string r;\nthis uint8_t *a;\n"]
    for first in range(0, len(cases), CASES_OF_A_CLAUSE):
        parts.append("BEGIN {\n  this->a = (uint8_t *)alloca(16);\n")
        for number, (expression, is_string, _) in list(enumerate(cases))[first:first + CASES_OF_A_CLAUSE]:
            parts.append(f"  {statements(number, expression, is_string)}\n")
        parts.append("}\n")
    parts.append("BEGIN { exit(0); }\n"
                 'ERROR { printf("fault %d %d\\n", arg1, arg4); exit(1); }\n')
    return "".join(parts)


def compare(kinst, seed, count, comparison, batch_size=400):
    for batch, size in enumerate(batches(count, batch_size)):
        strings = Strings(generator(seed, "strings", batch))
        cases = [strings.case() for _ in range(size)]
        printed = {}
        for line in run_kinst(kinst, program(cases), "-x", "scratchsize=64k").splitlines():
            name, _, value = line.partition(" [")
            printed[name] = value[:-1]
        for number, (expression, _, expected) in enumerate(cases):
            several = expected if isinstance(expected, list) else [expected]
            for i, one in enumerate(several):
                name = f"{number}.{i}" if isinstance(expected, list) else str(number)
                comparison.compare(f"batch {batch}, {expression}", str(one) or NULL,
                                   printed.get(name))
