"""What the differential tests share: running kinst and the C compiler, and telling
where two answers differ."""

import os
import random
import subprocess
import sys
import tempfile

SKIPPED = 77
INTEGER_TYPES = {
    "int8_t": (8, True), "uint8_t": (8, False), "int16_t": (16, True),
    "uint16_t": (16, False), "int32_t": (32, True), "uint32_t": (32, False),
    "int64_t": (64, True), "uint64_t": (64, False), "char": (8, True),
    "short": (16, True), "unsigned short": (16, False), "int": (32, True),
    "unsigned int": (32, False), "long": (64, True), "unsigned long": (64, False),
    "long long": (64, True), "unsigned long long": (64, False),
    "unsigned char": (8, False), "signed char": (8, True),
}


class Refused(Exception):
    """kinst did not run the program."""


def cut(value, bits, is_signed):
    """The value of a C conversion to a type of so many bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if is_signed and value >> (bits - 1) else value


def interesting_integer(rng, bits=64, is_signed=True):
    """Often small, or near a power of two, where sizes and signs show."""
    kind = rng.random()
    if kind < 0.35:
        value = rng.randint(-9, 9)
    elif kind < 0.7:
        value = (1 << rng.randrange(bits)) + rng.randint(-2, 2)
        value = -value if rng.random() < 0.4 else value
    else:
        value = rng.getrandbits(bits)
    return cut(value, bits, is_signed)


def c_string(text):
    """`text` as a literal of C and D."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def run_kinst(kinst, program, *options, seconds=300):
    """Standard output of a D program; Refused with what kinst says if it fails."""
    with tempfile.NamedTemporaryFile("w", suffix=".d", delete=False) as file:
        file.write(program)
    try:
        ran = subprocess.run([kinst, "-q", *options, "-s", file.name],
                             capture_output=True, stdin=subprocess.DEVNULL,
                             timeout=seconds, check=False)
    finally:
        os.unlink(file.name)
    errors = ran.stderr.decode(errors="replace")
    if "Operation not permitted" in errors and ran.returncode != 0:
        print(errors, end="")
        sys.exit(SKIPPED)
    if ran.returncode != 0 or errors:
        raise Refused(f"{errors}(exit status {ran.returncode})\n{program}")
    return ran.stdout.decode(errors="surrogateescape")


def run_c(source, *options):
    """Standard output of a C program. The compiler's sanitizer of undefined behaviour
    calls what the program itself defines (__ubsan_handle_…), so that the program knows
    which of its results C leaves undefined."""
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "program")
        with open(path + ".c", "w") as file:
            file.write(source)
        compiler = os.environ.get("CC", "cc")
        subprocess.run([compiler, "-std=gnu11", "-w", "-O0", *options, "-c",
                        path + ".c", "-o", path + ".o"], check=True)
        subprocess.run([compiler, path + ".o", "-o", path], check=True)
        return subprocess.run([path], capture_output=True, check=True).stdout.decode(
            errors="surrogateescape")


class Comparison:
    """Counts cases and prints those that differ."""

    MOST_PRINTED = 20

    def __init__(self, name):
        self.name = name
        self.cases = 0
        self.undefined = 0
        self.differences = 0

    def compare(self, what, expected, actual):
        self.cases += 1
        if expected != actual:
            self.differences += 1
            if self.differences <= self.MOST_PRINTED:
                print(f"{self.name}: {what}\n  the model: {expected!r}\n"
                      f"  kinst:     {actual!r}")

    def report(self):
        undefined = f", {self.undefined} undefined" if self.undefined else ""
        print(f"{self.name}: {self.cases} cases compared, {self.differences} differ"
              f"{undefined}", flush=True)


def batches(count, size):
    """`count` cut into pieces of at most `size`."""
    while count > 0:
        yield min(count, size)
        count -= size


def generator(seed, *names):
    """A generator of its own for each batch, so that one can be repeated alone."""
    return random.Random("/".join(map(str, (seed, *names))))
