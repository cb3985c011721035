"""Aggregations, against models of what DTrace's guide says of them: count, sum, avg,
min, max and stddev, the three distributions and how they are drawn, normalize(),
denormalize(), trunc() and clear()."""

import math

from common import batches, cut, generator, interesting_integer, run_kinst

MOST_AGGREGATIONS = 24  # of one program
WIDTH = 40


# ---------------------------------------------------------------- the models

def divide(value, divisor):
    """C's division, towards 0."""
    quotient = abs(value) // abs(divisor)
    return quotient if (value < 0) == (divisor < 0) else -quotient


def average(values, normal):
    return divide(divide(cut(sum(values), 64, True), normal), len(values))


def deviation(values, normal):
    """The root of the average of the squares less the square of the average, each
    value divided by the normal."""
    squares = sum(value * value for value in values) // normal // normal // len(values)
    return math.isqrt(squares - average(values, normal) ** 2)


def power_bucket(value):
    """The power of two at or below, with the sign."""
    if value == 0:
        return 0
    size = 1 << (abs(value).bit_length() - 1)
    return size if value > 0 else -size


def all_power_buckets():
    powers = [1 << bit for bit in range(63)]
    return [-(1 << 63)] + [-power for power in reversed(powers)] + [0] + powers


def quantize_rows(weighted):
    names = all_power_buckets()
    counts = dict.fromkeys(names, 0)
    for value, weight in weighted:
        counts[power_bucket(value)] += weight
    return [(str(name), counts[name]) for name in names]


def lquantize_rows(weighted, low, high, step):
    levels = (high - low) // step
    counts = [0] * (levels + 2)
    for value, weight in weighted:
        if value < low:
            counts[0] += weight
        elif value >= low + levels * step:
            counts[-1] += weight
        else:
            counts[1 + (value - low) // step] += weight
    names = [f"< {low}"] + [str(low + level * step) for level in range(levels)] + \
        [f">= {low + levels * step}"]
    return list(zip(names, counts))


def llquantize_bounds(factor, low, high, steps):
    """Where buckets begin: in each magnitude, `steps` of the next power's range, of
    which those below the magnitude belong to the one before."""
    bounds = [factor ** low]
    value, following = factor ** low, factor ** (low + 1)
    order = low
    step = following // steps if following > steps else 1
    while order <= high:
        value += step
        bounds.append(value)
        if value == following:
            following *= factor
            step = following // steps if following > steps else 1
            order += 1
    return bounds


def llquantize_rows(weighted, factor, low, high, steps):
    bounds = llquantize_bounds(factor, low, high, steps)
    counts = [0] * (len(bounds) + 1)
    for value, weight in weighted:
        counts[sum(1 for bound in bounds if value >= bound)] += weight
    names = [f"< {bounds[0]}"] + [str(bound) for bound in bounds[:-1]] + [f">= {bounds[-1]}"]
    return list(zip(names, counts))


def bar(count, total, width):
    length = int(abs(count) * width / total + 0.5) if total else 0
    return "@" * length


def drawing(rows, normal, around):
    """The rows with counts, one empty row before and behind, as a distribution is
    printed; `around` are those of one without counts."""
    used = [place for place, (_, count) in enumerate(rows) if count != 0]
    if used:
        shown = rows[max(used[0] - 1, 0):used[-1] + 2]
    else:
        shown = rows[around[0]:around[1] + 1]
    total = sum(abs(count) for _, count in shown)
    any_negative = any(count < 0 for _, count in shown)
    any_positive = any(count > 0 for _, count in shown)
    lines = ["", f"{'value':>16} {'------------- Distribution -------------':>41} {'count':<9}"]
    for name, count in shown:
        if not any_negative:
            drawn = "|" + bar(count, total, WIDTH).ljust(WIDTH)
        elif not any_positive:
            drawn = bar(count, total, WIDTH).rjust(WIDTH) + "|"
        elif count <= 0:
            drawn = bar(count, total, WIDTH // 2).rjust(WIDTH // 2) + "|" + " " * (WIDTH // 2)
        else:
            drawn = " " * (WIDTH // 2) + "|" + bar(count, total, WIDTH // 2).ljust(WIDTH // 2)
        lines.append(f"{name:>16} {drawn} {divide(count, normal):<9}")
    return lines


# ---------------------------------------------------------------- the cases

def values_for(rng, largest):
    kind = rng.random()
    count = rng.randint(1, 9)
    if kind < 0.3:
        return [rng.randint(-20, 20) for _ in range(count)]
    if kind < 0.7:
        return [rng.randint(0, largest) for _ in range(count)]
    return [interesting_integer(rng, 50) for _ in range(count)]


class Aggregation:
    """One aggregation: what is aggregated, and what its printed value must be."""

    def __init__(self, rng, number):
        self.rng = rng
        self.name = f"@a{number}"
        self.function = rng.choice(("count", "sum", "avg", "min", "max", "stddev",
                                    "quantize", "quantize", "lquantize", "lquantize",
                                    "llquantize"))
        self.normal = rng.choice((1, 1, 2, 3, 10, 1000))
        self.denormalized = rng.random() < 0.2
        self.cleared = rng.random() < 0.1
        self.parameters = getattr(self, f"parameters_of_{self.function}", tuple)()
        self.values = values_for(rng, rng.choice((10, 100, 5000)))
        if self.function == "llquantize":
            # Negative values are another matter between DTraces.
            self.values = [abs(value) for value in self.values]
        self.weighted = [(value, self.weight()) for value in self.values]

    def weight(self):
        if "quantize" in self.function and self.rng.random() < 0.3:
            return self.rng.choice((1, 2, 3, 10, 100, -1, -5))
        return 1

    def parameters_of_lquantize(self):
        low, step = self.rng.randint(-20, 20), self.rng.randint(1, 9)
        return low, low + step * self.rng.randint(1, 12), step

    def parameters_of_llquantize(self):
        factor, steps = self.rng.choice(((2, 2), (2, 4), (10, 10), (10, 20), (10, 100), (5, 5),
                                         (3, 9), (4, 8)))
        low = self.rng.randint(0, 3)
        # Powers below the number of steps must divide by it.
        while factor ** (low + 1) < steps:
            low += 1
        return factor, low, low + self.rng.randint(1, 3), steps

    def statements(self):
        for value, weight in self.weighted:
            arguments = [] if self.function == "count" else [f"{value}ll", *map(str, self.parameters)]
            if "quantize" in self.function and (weight != 1 or self.rng.random() < 0.1):
                arguments.append(str(weight))
            yield f"{self.name} = {self.function}({', '.join(arguments)});"

    def ending(self):
        text = f'printf("case {self.name}\\n"); '
        if self.cleared:
            text += f"clear({self.name}); "
        text += f"normalize({self.name}, {self.normal}); "
        if self.denormalized:
            text += f"denormalize({self.name}); "
        return text + f"printa({self.name});"

    def printed(self):
        """The lines of printa()."""
        normal = 1 if self.denormalized else self.normal
        weighted = [] if self.cleared else self.weighted
        values = [value for value, _ in weighted]
        if self.function == "quantize":
            return drawing(quantize_rows(weighted), normal, (63, 65))
        if self.function == "lquantize":
            return drawing(lquantize_rows(weighted, *self.parameters), normal, (0, 2))
        if self.function == "llquantize":
            return drawing(llquantize_rows(weighted, *self.parameters), normal, (0, 1))
        if not values:
            return None
        value = {"count": lambda: len(values) // normal,
                 "sum": lambda: divide(sum(values), normal),
                 "avg": lambda: average(values, normal),
                 "min": lambda: divide(min(values), normal),
                 "max": lambda: divide(max(values), normal),
                 "stddev": lambda: deviation(values, normal)}[self.function]()
        return [f" {value:>16}"]


class Keyed:
    """A sum by keys: order, trunc() and printa()'s format."""

    def __init__(self, rng, number):
        self.name = f"@a{number}"
        self.key_type = rng.choice(("int8_t", "uint8_t", "int16_t", "uint16_t", "int",
                                    "uint32_t", "int64_t", "string"))
        if self.key_type == "string":
            keys = rng.sample(["", "a", "b", "ab", "x y", "zz", "%d"], rng.randint(1, 6))
        else:
            bits, is_signed = {"int": (32, True)}.get(
                self.key_type, (int(self.key_type.strip("uint_")) if self.key_type != "int" else 32,
                                not self.key_type.startswith("u")))
            keys = list({interesting_integer(rng, bits, is_signed) for _ in range(rng.randint(1, 7))})
        # Different sums, so that the order is certain.
        sums = rng.sample(range(-1000, 1000), len(keys))
        self.sums = dict(zip(keys, sums))
        self.truncation = rng.choice((None, None, 0, 1, 2, 3, -1, -2))

    def key(self, key):
        return f'"{key}"' if self.key_type == "string" else \
            f"({self.key_type})({key if key != -(1 << 63) else '-9223372036854775807ll - 1'})"

    def statements(self):
        for key, value in self.sums.items():
            part = value // 3
            yield f"{self.name}[{self.key(key)}] = sum({part});"
            yield f"{self.name}[{self.key(key)}] = sum({value - part});"

    def ending(self):
        conversion = "%s" if self.key_type == "string" else "%d"
        text = f'printf("case {self.name}\\n"); '
        if self.truncation is not None:
            text += f"trunc({self.name}, {self.truncation}); "
        return text + f'printa("[{conversion}] %@d\\n", {self.name});'

    def printed(self):
        """By value, the smallest first; trunc() keeps the largest, or the smallest."""
        rows = sorted(self.sums.items(), key=lambda row: row[1])
        if self.truncation is not None:
            count = self.truncation
            rows = rows[len(rows) - min(count, len(rows)):] if count >= 0 else rows[:-count]
        return [f"[{key}] {value}" for key, value in rows]


def program(aggregations):
    parts = []
    for aggregation in aggregations:
        parts.append("BEGIN {\n  " + "\n  ".join(aggregation.statements()) + "\n}\n")
    parts.append("BEGIN { exit(0); }\n")
    for aggregation in aggregations:
        parts.append("END { " + aggregation.ending() + " }\n")
    return "".join(parts)


def compare(kinst, seed, count, comparison):
    for batch, size in enumerate(batches(count, MOST_AGGREGATIONS)):
        rng = generator(seed, "aggregations", batch)
        aggregations = [rng.choice((Aggregation, Aggregation, Aggregation, Keyed))(rng, number)
                        for number in range(size)]
        printed, name = {}, None
        for line in run_kinst(kinst, program(aggregations)).split("\n"):
            if line.startswith("case "):
                name = line[5:]
                printed[name] = []
            elif name is not None:
                printed[name].append(line)
        for aggregation in aggregations:
            expected = aggregation.printed()
            if expected is None:
                continue
            actual = printed.get(aggregation.name, [])
            comparison.compare(f"batch {batch}, {' '.join(aggregation.statements())}"
                               f"{aggregation.ending()}",
                               [line for line in expected if line.strip()],
                               [line for line in actual if line.strip()])
