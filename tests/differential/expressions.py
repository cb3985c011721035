"""Expressions of integers, against the C compiler.

D names results of `char` and `short` by these types and cuts them so where it prints
them, C by `int`; `+ 0` makes it int in both. The same text is a D program and a C program: `this` and `self` are pointers to
structures in C, and a macro prints what D's printf prints. Where C leaves the result
undefined (the compiler's sanitizer tells), nothing is compared."""

from common import INTEGER_TYPES, batches, generator, interesting_integer, run_c, run_kinst

CASES_OF_A_CLAUSE = 24

DECLARATIONS = """
enum colour { RED, GREEN = 5, BLUE = -2 };
struct inner { uint16_t w; int8_t b; uint32_t u; int64_t l; };
struct fields {
  int a : 3; unsigned int b : 5; int c : 17; unsigned int d : 32;
  unsigned char e : 4; short f : 9; unsigned long g : 20; int64_t h : 7;
};
"""

C_HEAD = r"""
#include <arpa/inet.h>
#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
int undefined;
#define HANDLER(name, ...) void __ubsan_handle_##name(__VA_ARGS__) { undefined = 1; }
HANDLER(add_overflow, void *d, long a, long b)
HANDLER(sub_overflow, void *d, long a, long b)
HANDLER(mul_overflow, void *d, long a, long b)
HANDLER(negate_overflow, void *d, long a)
HANDLER(divrem_overflow, void *d, long a, long b)
HANDLER(shift_out_of_bounds, void *d, long a, long b)
#define IS_SIGNED(e) _Generic(+(e), unsigned: 0, unsigned long: 0, \
                              unsigned long long: 0, default: 1)
static void line(const char *kind, int number, long long value, int is_signed) {
  if (undefined)
    printf("%s%d undefined\n", kind, number);
  else
    printf(is_signed ? "%s%d %lld\n" : "%s%d %llu\n", kind, number, value);
}
#define OUT(number, e) do { undefined = 0; __typeof__(+(e)) v_ = (e); \
  line("", number, v_, IS_SIGNED(e)); } while (0)
#define SUM(number, e) do { undefined = 0; __typeof__(+(e)) v_ = (e); \
  line("sum ", number, v_, 1); } while (0)
#define KEY(number, e) do { undefined = 0; __typeof__(+(e)) v_ = (e); \
  line("key ", number, v_, IS_SIGNED(e)); } while (0)
/* D divides and shifts by the sign of what stands left of = (docs/compatibility.md). */
#define OP_ASSIGN(x, op, y) (x = (__typeof__(x))(IS_SIGNED(x) && (__typeof__(x))-1 < 1 \
  ? (uint64_t)((int64_t)(x) op (int64_t)(y)) \
  : (uint64_t)(x) op (uint64_t)(int64_t)(y)))
#define lltostr(e) ((int64_t)(e))
#define htonll(e) htobe64(e)
#define ntohll(e) be64toh(e)
"""

SCALARS = ["char", "int8_t", "uint8_t", "int16_t", "uint16_t", "int", "uint32_t",
           "long", "uint64_t"]
INNER = [("w", "uint16_t"), ("b", "int8_t"), ("u", "uint32_t"), ("l", "int64_t")]
FIELDS = [("a", 3, True), ("b", 5, False), ("c", 17, True), ("d", 32, False),
          ("e", 4, False), ("f", 9, True), ("g", 20, False), ("h", 7, True)]
ARRAYS = [("ai", "int"), ("ab", "int8_t"), ("au", "uint32_t"), ("al", "long"),
          ("aw", "uint16_t")]


def lvalues():
    """(text, bits, is_signed) of all that can be read and written."""
    found = []
    for prefix in ("g", "this->t", "self->s"):
        for number, name in enumerate(SCALARS):
            found.append((f"{prefix}{number}", *INTEGER_TYPES[name]))
    for prefix in ("gs.", "this->p->"):
        found += [(prefix + name, *INTEGER_TYPES[kind]) for name, kind in INNER]
    found += [("gf." + name, bits, is_signed) for name, bits, is_signed in FIELDS]
    for name, kind in ARRAYS:
        found += [(f"{name}[{i}]", *INTEGER_TYPES[kind]) for i in range(4)]
    return found


LVALUES = lvalues()
FRESH = [place for place in LVALUES if place[0].startswith("this->p->")]
PLAIN = [place for place in LVALUES if not place[0].startswith("gf.")]


def literal(rng):
    kind = rng.random()
    if kind < 0.08:
        return rng.choice(["'a'", "'\\0'", "'\\n'", "RED", "GREEN", "BLUE"])
    value = abs(interesting_integer(rng, rng.choice((8, 16, 32, 64)), True))
    value &= (1 << 63) - 1
    form = rng.choice(("{}", "{}", "{:#x}", "0{:o}"))
    text = form.format(value)
    return text + rng.choice(("", "", "", "u", "l", "ul", "ll", "ULL"))


def both(text):
    return text, text


class Expressions:
    """Random expressions as pairs: D's text and C's."""

    def __init__(self, rng):
        self.rng = rng

    def leaf(self):
        rng = self.rng
        kind = rng.random()
        if kind < 0.25:
            return both(literal(rng))
        if kind < 0.85:
            return both(rng.choice(LVALUES)[0])
        if kind < 0.9:
            index = rng.choice(("this->t5", "g5", "gs.w", "g2"))
            return both(f"{rng.choice(ARRAYS)[0]}[{index} & 3]")
        if kind < 0.95:
            name = rng.choice(ARRAYS)[0]
            return both(f"*({name} + {rng.randrange(4)})")
        return both(f"sizeof ({rng.choice(list(INTEGER_TYPES))})")

    def expression(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.12:
            return self.leaf()
        make = rng.choices(
            (self.binary, self.comparison, self.unary, self.cast, self.conditional,
             self.logical, self.division, self.shift, self.comma, self.pointers),
            (34, 14, 12, 12, 8, 7, 10, 10, 2, 3))[0]
        return make(depth - 1)

    def combine(self, depth, operator):
        (d_left, c_left), (d_right, c_right) = (self.expression(depth),
                                                self.expression(depth))
        return f"({d_left} {operator} {d_right})", f"({c_left} {operator} {c_right})"

    def binary(self, depth):
        return self.combine(depth, self.rng.choice(("+", "-", "*", "+", "-", "&", "|", "^")))

    def comparison(self, depth):
        return self.combine(depth, self.rng.choice(("<", "<=", ">", ">=", "==", "!=")))

    def unary(self, depth):
        operator = self.rng.choice(("-", "~", "!", "+"))
        d_text, c_text = self.expression(depth)
        return f"({operator} {d_text})", f"({operator} {c_text})"

    def cast(self, depth):
        name = self.rng.choice(list(INTEGER_TYPES))
        d_text, c_text = self.expression(depth)
        return f"(({name})({d_text}))", f"(({name})({c_text}))"

    def conditional(self, depth):
        """Where the condition is a constant, D's result has the type of the operand that
        is chosen (docs/compatibility.md); so it is none."""
        parts = [self.expression(depth) for _ in range(3)]
        return tuple("((g5 & 0 || {}) ? {} : {})".format(*(part[i] for part in parts))
                     for i in (0, 1))

    def logical(self, depth):
        operator = self.rng.choice(("&&", "||", "^^"))
        if operator != "^^":
            return self.combine(depth, operator)
        (d_left, c_left), (d_right, c_right) = (self.expression(depth),
                                                self.expression(depth))
        return f"({d_left} ^^ {d_right})", f"(!({c_left}) != !({c_right}))"

    def divisor(self, depth):
        """Never 0, and never -1, by which the least integer cannot be divided."""
        rng = self.rng
        if rng.random() < 0.3:
            return both(rng.choice(("3", "7u", "(-3)", "((int8_t)-5)", "10ul", "(-9l)",
                                    "((uint16_t)1000)", "2")))
        d_text, c_text = self.expression(depth)
        form = rng.choice(("(({}) & 63 | 1)", "(-(({}) & 63 | 2))", "(({}) | 2 & 2)"))
        if form.endswith("& 2)"):
            form = "(({}) & 0xffff | 2)"
        return form.format(d_text), form.format(c_text)

    def division(self, depth):
        operator = self.rng.choice(("/", "%"))
        d_left, c_left = self.expression(depth)
        d_right, c_right = self.divisor(depth)
        return f"({d_left} {operator} {d_right})", f"({c_left} {operator} {c_right})"

    def shift(self, depth):
        rng = self.rng
        operator = rng.choice(("<<", ">>"))
        d_left, c_left = self.expression(depth)
        if rng.random() < 0.6:
            count = both(str(rng.randrange(32)))
        else:
            d_count, c_count = self.expression(depth - 1)
            count = f"(({d_count}) & 31)", f"(({c_count}) & 31)"
        return f"({d_left} {operator} {count[0]})", f"({c_left} {operator} {count[1]})"

    def comma(self, depth):
        (d_left, c_left), (d_right, c_right) = (self.expression(0),
                                                self.expression(depth))
        return f"({d_left}, {d_right} + 0)", f"({c_left}, {c_right} + 0)"

    def pointers(self, depth):
        name = self.rng.choice(ARRAYS)[0]
        i, j = self.rng.randrange(4), self.rng.randrange(4)
        return both(self.rng.choice((
            f"(({name} + {i}) - ({name} + {j}))", f"(({name} + {i}) < ({name} + {j}))",
            f"(({name} + {i}) == ({name} + {j}))", f"*(({name} + {i}) + ({j} & 1) * 0)",
            f"(&this->p->u - (uint32_t *)&this->p->w)",
            f"(*(uint8_t *)&this->p->u)", f"(*(int16_t *)&this->p->l)",
            f"(((char *)&this->p->l)[{i}])", f"((uint64_t)({name} + {i}) - (uint64_t)({name} + {j}))")))


class Case:
    """One statement of the D program and of the C program. The values are on lines
    that begin with the case's kind and number."""

    def __init__(self, number, d_text, c_text, d_end=""):
        self.number = number
        self.d_text = d_text
        self.c_text = c_text
        self.d_end = d_end  # what END prints of it


def show(number, d_text, c_text):
    return (f'printf("{number} %d\\n", {d_text});', f"OUT({number}, {c_text});")


def assignment(rng, number, expressions):
    """A variable is changed, printed, and put back to what both programs know."""
    depth = rng.randrange(3)
    place, bits, is_signed = rng.choice(LVALUES)
    d_text, c_text = expressions.expression(depth)
    kind = rng.random()
    if kind < 0.4:
        d_change, c_change = f"{place} = {d_text}", f"{place} = {c_text}"
    elif kind < 0.7:
        operator = rng.choice(("+=", "-=", "*=", "&=", "|=", "^="))
        d_change, c_change = (f"{place} {operator} {d_text}",
                              f"{place} {operator} {c_text}")
    elif kind < 0.8:
        place, bits, is_signed = rng.choice(PLAIN)
        operator = rng.choice(("/", "%"))
        d_right, c_right = expressions.divisor(depth)
        d_change = f"{place} {operator}= {d_right}"
        c_change = f"OP_ASSIGN({place}, {operator}, {c_right})"
    elif kind < 0.87:
        operator, count = rng.choice(("<<=", ">>=")), rng.randrange(max(bits // 2, 1))
        d_change = c_change = f"{place} {operator} {count}"
    else:
        d_change = c_change = rng.choice(("++{}", "--{}", "{}++", "{}--")).format(place)
    value = interesting_integer(rng, bits, is_signed)
    is_value_shown = rng.random() < 0.5
    restore = f" {place} = {literal_of(value)};"
    if is_value_shown:
        d_show, c_show = show(number, f"({d_change})", f"({c_change})")
        return d_show + restore, c_show + restore
    d_show, c_show = show(number, place, place)
    c_show = c_show.replace("undefined = 0;", "")
    return (f"{d_change}; {d_show}{restore}",
            f"undefined = 0; {c_change}; line(\"\", {number}, {place}, "
            f"IS_SIGNED({place}));{restore}")


def case(rng, number):
    expressions = Expressions(rng)
    kind = rng.random()
    if kind < 0.3:
        return Case(number, *assignment(rng, number, expressions))
    d_text, c_text = expressions.expression(rng.randint(1, 4))
    if kind < 0.65:
        return Case(number, *show(number, f"({d_text}) + 0", f"({c_text}) + 0"))
    if kind < 0.75:
        name = rng.choice(list(INTEGER_TYPES))
        return Case(number, *show(number, f"({name})({d_text})", f"({name})({c_text})"))
    if kind < 0.83:
        return Case(number, f"@sum[{number}] = sum({d_text});", f"SUM({number}, {c_text});")
    if kind < 0.9:
        return Case(number, f"@key{number}[({d_text}) + 0] = count();",
                    f"KEY({number}, {c_text});",
                    f'printa("key {number} %d\\n", @key{number});')
    if kind < 0.95:
        return Case(number, f'if ({d_text}) {{ printf("{number} 1\\n"); }} else '
                    f'{{ printf("{number} 0\\n"); }}', f"OUT({number}, !!({c_text}));")
    function = rng.choice(("htons", "htonl", "htonll", "ntohs", "ntohl", "ntohll"))
    return Case(number, *show(number, f"{function}({d_text})", f"{function}({c_text})"))


def values(rng, places):
    """Statements that give variables values, in both languages."""
    return "".join(f"{place} = {literal_of(interesting_integer(rng, bits, is_signed))}; "
                   for place, bits, is_signed in places)


def literal_of(value):
    if value == -(1 << 63):
        return "-9223372036854775807ll - 1"
    return f"{value}ull" if value >= 1 << 63 else f"{value}ll"


def declare(prefix):
    return "".join(f"{prefix}{name} {letter}{number};\n"
                   for number, name in enumerate(SCALARS)
                   for letter in ({"": "g", "this ": "t", "self ": "s"}[prefix],))


def programs(rng, count):
    """A D program and a C program of `count` cases, and the cases."""
    arrays = "".join(f"{kind} {name}[4];\n" for name, kind in ARRAYS)
    objects = "struct inner gs;\nstruct fields gf;\n" + arrays
    d_parts = [DECLARATIONS, objects, declare(""), declare("this "), declare("self "),
               "this struct inner *p;\n"]
    members = declare("").replace(" g", " t") + "struct inner *p;\n"
    c_parts = [C_HEAD, DECLARATIONS, objects, declare(""),
               f"struct {{ {members} }} this_object, *this = &this_object;\n",
               f"struct {{ {declare('').replace(' g', ' s')} }} self_object, "
               "*self = &self_object;\nstruct inner pointed;\nint main(void) {\n"
               "this->p = &pointed;\n"]
    cases = [case(rng, number) for number in range(count)]
    for first in range(0, count, CASES_OF_A_CLAUSE):
        some = cases[first:first + CASES_OF_A_CLAUSE]
        setting = values(rng, LVALUES if first == 0 else FRESH + rng.sample(LVALUES, 12))
        d_parts.append("BEGIN {\n  this->p = (struct inner *)alloca(sizeof (struct inner));\n"
                       f"  {setting}\n")
        c_parts.append("{ " + setting + "\n")
        for one in some:
            d_parts.append(f"  {one.d_text}\n")
            c_parts.append(f"  {one.c_text}\n")
        d_parts.append("}\n")
        c_parts.append("}\n")
    d_parts.append("BEGIN { exit(0); }\n"
                   'ERROR { printf("fault %d %d\\n", arg1, arg4); exit(1); }\n'
                   "END {\n")
    if any(one.d_text.startswith("@sum") for one in cases):
        d_parts.append('  printa("sum %d %@d\\n", @sum);\n')
    d_parts += [f"  {one.d_end}\n" for one in cases if one.d_end]
    d_parts.append("}\n")
    c_parts.append("return 0; }\n")
    return "".join(d_parts), "".join(c_parts), cases


def by_case(text):
    """What each case printed: its number to the rest of its line."""
    found = {}
    for line in text.splitlines():
        words = line.split()
        if words and not words[0].isdigit():
            words = words[1:]
        if len(words) == 2:
            found[int(words[0])] = words[1]
    return found


SANITIZERS = ("-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero",)


def compare(kinst, seed, count, comparison, batch_size=240):
    for batch, size in enumerate(batches(count, batch_size)):
        rng = generator(seed, "expressions", batch)
        d_program, c_program, cases = programs(rng, size)
        expected = by_case(run_c(c_program, *SANITIZERS))
        actual = by_case(run_kinst(kinst, d_program, "-x", "scratchsize=4k"))
        for one in cases:
            if expected[one.number] == "undefined":
                comparison.undefined += 1
            else:
                comparison.compare(f"batch {batch}, {one.d_text}", expected[one.number],
                                   actual.get(one.number))
