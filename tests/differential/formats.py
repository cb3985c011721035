"""printf's formats, against the C library's: flags, widths and precisions.

D's conversions go by the argument's type, so the model gives C a long long: the value
of a signed type, or the bits of an unsigned one. %d is C's %u for unsigned types, %i is
always signed, and a precision of 0 is none (dt_printf.c)."""

from common import INTEGER_TYPES, batches, c_string, cut, generator, interesting_integer, \
    run_c, run_kinst

CASES_OF_A_CLAUSE = 20
NAMES = ["int8_t", "uint8_t", "int16_t", "uint16_t", "int", "uint32_t", "int64_t", "uint64_t"]


def width_and_precision(rng):
    """The text of a width and precision, and the arguments that their `*` take."""
    text, arguments = "", []
    if rng.random() < 0.6:
        width = rng.choice((0, 1, 3, 5, 8, 12, 25, -7))
        if rng.random() < 0.25:
            text += "*"
            arguments.append(width)
        elif width > 0:
            text += str(width)
    if rng.random() < 0.4:
        precision = rng.choice((0, 1, 2, 4, 10, 20))
        if rng.random() < 0.25:
            text += ".*"
            arguments.append(precision)
        else:
            text += rng.choice((f".{precision}", f".{precision}", "." if precision == 0 else ".3"))
    return text, arguments


def without_zero_precision(text, arguments):
    """The same for C, where .0 is a precision."""
    if text.endswith(".*") and arguments[-1] == 0:
        return text[:-2], arguments[:-1]
    width, point, precision = text.partition(".")
    return (width, arguments) if point and precision in ("", "0") else (text, arguments)


def flags(rng, allowed):
    return "".join(flag for flag in rng.sample(allowed, len(allowed)) if rng.random() < 0.35)


def integer_case(rng):
    """(D's format, D's arguments, C's format, C's arguments)"""
    conversion = rng.choice("ddiuxXo")
    size, arguments = width_and_precision(rng)
    flag = flags(rng, list("-+ 0") if conversion in "di" else
                 list("-0#") if conversion in "xXo" else list("-0"))
    name = rng.choice(NAMES)
    bits, is_signed = INTEGER_TYPES[name]
    value = interesting_integer(rng, bits, is_signed)
    as_signed = conversion == "i" or (conversion == "d" and is_signed)
    shown = cut(value, bits, as_signed)
    letter = conversion if conversion in "xXo" else "d" if as_signed else "u"
    extra = "".join(f"{one}, " for one in arguments)
    literal = f"{value}ull" if value >= 1 << 63 else f"{value}ll"
    if value == -(1 << 63):
        literal = "-9223372036854775807ll - 1"
    c_size, c_arguments = without_zero_precision(size, arguments)
    c_extra = "".join(f"{one}, " for one in c_arguments)
    shown_literal = (f"{cut(shown, 64, False)}ull")
    return (f"%{flag}{size}{conversion}", f"{extra}({name})({literal})",
            f"%{flag}{c_size}ll{letter}", f"{c_extra}{shown_literal}")


def string_case(rng):
    size, arguments = width_and_precision(rng)
    extra = "".join(f"{one}, " for one in arguments)
    text = "".join(rng.choice("abc %\\/") for _ in range(rng.randint(0, 9)))
    flag = flags(rng, ["-"])
    c_size, c_arguments = without_zero_precision(size, arguments)
    c_extra = "".join(f"{one}, " for one in c_arguments)
    return (f"%{flag}{size}s", extra + c_string(text), f"%{flag}{c_size}s",
            c_extra + c_string(text))


def character_case(rng):
    width = rng.choice(("", "3", "7"))
    form = f"%{flags(rng, ['-'])}{width}c"
    argument = f"'{rng.choice('aZ5 %')}'"
    return form, argument, form, argument


def literal_case(rng):
    text = "".join(rng.choice(("a", "%%", " ", "\\t", "\\\\", "\\x41", "\\101", ":"))
                   for _ in range(rng.randint(1, 6)))
    return text + "%d", "1", text + "%d", "1"


def case(rng):
    return rng.choices((integer_case, string_case, character_case, literal_case),
                       (70, 15, 7, 8))[0](rng)


def programs(cases):
    d_parts, c_parts = [], ["#include <stdio.h>\nint main(void) {\n"]
    for first in range(0, len(cases), CASES_OF_A_CLAUSE):
        d_parts.append("BEGIN {\n")
        for number, (d_form, d_arguments, c_form, c_arguments) in list(
                enumerate(cases))[first:first + CASES_OF_A_CLAUSE]:
            d_parts.append(f'  printf("{number} [{d_form}]\\n", {d_arguments});\n')
            c_parts.append(f'  printf("{number} [{c_form}]\\n", {c_arguments});\n')
        d_parts.append("}\n")
    d_parts.append("BEGIN { exit(0); }\n")
    c_parts.append("return 0; }\n")
    return "".join(d_parts), "".join(c_parts)


def lines(text):
    return dict(line.split(" ", 1) for line in text.splitlines() if line)


def compare(kinst, seed, count, comparison, batch_size=600):
    for batch, size in enumerate(batches(count, batch_size)):
        rng = generator(seed, "formats", batch)
        cases = [case(rng) for _ in range(size)]
        d_program, c_program = programs(cases)
        expected, actual = lines(run_c(c_program)), lines(run_kinst(kinst, d_program))
        for number, one in enumerate(cases):
            comparison.compare(f'batch {batch}, printf("[{one[0]}]", {one[1]})',
                               expected[str(number)], actual.get(str(number)))
