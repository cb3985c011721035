"""Distributions of many buckets, which kinst keeps otherwise than those of few: about
the border between the two, up to what DTrace's encoding of parameters can hold, with
keys and without, beyond both ends, with increments of either sign, and what trunc(),
clear(), normalize() and denormalize() leave of them. The models are those of
aggregations.py."""

from aggregations import drawing, llquantize_bounds, lquantize_rows
from common import batches, generator, run_kinst

MOST_CASES = 6  # of one program: each may have half a megabyte for a key
# The most levels that a value of each CPU's own has room for are 4,093.
LEVELS = (4092, 4093, 4094, 4095, 4096, 9999, 10000, 32768, 65534, 65535)
# factor, low, high, steps: 3,972 and 4,100 words on either side of the border; DTrace's
# own test; the most steps that one power of ten can have; both ends of 64 bits.
LOG_LINEAR = ((2, 6, 36, 128), (2, 6, 37, 128), (10, 0, 10, 1000), (10, 4, 8, 50000),
              (10, 0, 18, 1000), (2, 0, 62, 4096), (1000, 0, 5, 1000))


def both_sides(weighted, factor, low, high, steps):
    """Rows of llquantize(): magnitudes on either side of those below the first bound.
    Where no negative value came, the first row is what is less than that bound."""
    bounds = llquantize_bounds(factor, low, high, steps)
    counts = [0] * (2 * len(bounds) + 1)
    middle = len(bounds)
    for value, weight in weighted:
        magnitude = sum(1 for bound in bounds if abs(value) >= bound)
        counts[middle + magnitude if value > 0 else middle - magnitude] += weight
    positive = [str(bound) for bound in bounds[:-1]] + [f">= {bounds[-1]}"]
    if not any(counts[:middle]):
        return list(zip([f"< {bounds[0]}"] + positive, counts[middle:]))
    negative = [f"<= -{bounds[-1]}"] + [f"-{bound}" for bound in reversed(bounds[:-1])]
    around = "0" if bounds[0] == 1 else f"abs() < {bounds[0]}"
    return list(zip(negative + [around] + positive, counts))


class Distribution:
    """One aggregation, with keys 0… or without."""

    def __init__(self, rng, number):
        self.rng = rng
        self.name = f"@d{number}"
        self.is_linear = rng.random() < 0.6
        self.parameters = self.linear() if self.is_linear else rng.choice(LOG_LINEAR)
        self.keys = rng.choice((None, None, 1, 2, 5))
        self.normal = rng.choice((1, 1, 2, 1000))
        self.denormalized = rng.random() < 0.2
        self.cleared = rng.random() < 0.2
        self.kept = rng.choice((None, 0, 1, -1)) if self.keys else rng.choice((None, 1, 0))
        self.before = self.updates()
        self.after = self.updates() if rng.random() < 0.5 else []

    def linear(self):
        rng = self.rng
        levels = rng.choice(LEVELS)
        step = rng.choice((1, 1, 2, 100, 32767 if levels < 65536 else 1))
        rest = rng.randrange(step)  # of a range that is no multiple of the step
        span = levels * step + rest
        low = rng.choice((0, -span // 2, -(1 << 31), rng.randint(-1000, 1000)))
        return low, min(low + span, (1 << 31) - 1), step

    def ends(self):
        if self.is_linear:
            low, high, step = self.parameters
            top = low + (high - low) // step * step
            return [low - 1, low, low + step - 1, low + step, top - 1, top, top + 1,
                    (low + top) // 2]
        factor, low, high, steps = self.parameters
        ends = [factor ** low, factor ** (high + 1), factor ** ((low + high) // 2),
                factor ** high + factor ** (high + 1) // steps]
        ends = [end + off for end in ends for off in (-1, 0, 1)]
        return ends + [-end for end in ends] + [0]

    def updates(self):
        rng = self.rng
        chosen = []
        # Not all of a range is printed each time.
        around = rng.choice(self.ends())
        for _ in range(rng.randint(1, 8)):
            kind = rng.random()
            value = (rng.choice(self.ends()) if kind < 0.4 else
                     around + rng.randint(-50, 50) if kind < 0.9 else
                     rng.choice((-(1 << 63) + 1, (1 << 63) - 1, -(1 << 40), 1 << 33)))
            if abs(value) >= 1 << 63:
                value = (1 << 63) - 1 if value > 0 else -(1 << 63) + 1
            weight = rng.choice((1, 1, 1, 2, 1000, 1 << 40, -1, -7))
            chosen.append((rng.randrange(self.keys) if self.keys else None, value, weight))
        return chosen

    def statements(self, updates):
        function = "lquantize" if self.is_linear else "llquantize"
        for key, value, weight in updates:
            name = self.name if key is None else f"{self.name}[{key}]"
            arguments = [f"{value}ll", *map(str, self.parameters)]
            if weight != 1:
                arguments.append(f"{weight}ll")
            yield f"{name} = {function}({', '.join(arguments)});"

    def rows(self, weighted):
        return (lquantize_rows if self.is_linear else both_sides)(weighted, *self.parameters)

    def order(self, weighted):
        """By what the buckets hold, the outermost of lquantize() standing for what is
        just outside."""
        total = 0
        rows = self.rows(weighted)
        for place, (name, count) in enumerate(rows):
            bound = 0 if name.startswith("abs") else int(name.split()[-1])
            if name.startswith("<") and not name.startswith("<= "):
                bound = bound - 1 if self.is_linear else 0
            elif self.is_linear and place == len(rows) - 1:
                bound += 1
            total += bound * count
        return total

    def instances(self, updates):
        held = {}
        for key, value, weight in updates:
            held.setdefault(key, []).append((value, weight))
        return held

    def middle(self):
        """Between the two rounds of updates."""
        text = ""
        if self.cleared:
            text += f"clear({self.name}); "
        if self.kept is not None:
            text += f"trunc({self.name}{'' if self.kept == 0 else f', {self.kept}'}); "
        return text

    def ending(self):
        text = f"normalize({self.name}, {self.normal}); "
        if self.denormalized:
            text += f"denormalize({self.name}); "
        form = "key %d%@d\\n" if self.keys else "%@d\\n"
        return f'printf("case {self.name}\\n"); {text}printa("{form}", {self.name});'

    def is_certain(self):
        """Whether only one key can be the first, and nothing exceeds 64 bits."""
        sums = [self.order(weighted) for weighted in self.instances(self.before).values()]
        sums = [0] * len(sums) if self.cleared else sums
        return not self.keys or not self.kept or len(set(sums)) == len(sums)

    def printed(self):
        held = self.instances(self.before)
        if self.cleared:
            held = {key: [] for key in held}
        if self.kept is not None:
            ordered = sorted(held, key=lambda key: self.order(held[key]), reverse=self.kept > 0)
            held = {key: held[key] for key in ordered[:abs(self.kept)]}
        for key, value, weight in self.after:
            held.setdefault(key, []).append((value, weight))
        normal = 1 if self.denormalized else self.normal
        around = (0, 2) if self.is_linear else (0, 1)
        lines = []
        for key in sorted(held, key=lambda key: key or 0):
            lines += [] if key is None else [f"key {key}"]
            lines += drawing(self.rows(held[key]), normal, around)
        return lines


def program(cases):
    parts = ["#pragma D option aggsortkey\n#pragma D option aggsize=24m\n"
             "#pragma D option destructive\n#pragma D option switchrate=10ms\n"]
    for case in cases:
        parts.append("BEGIN {\n  " + "\n  ".join(case.statements(case.before)) + "\n}\n")
        if case.middle():
            parts.append(f"BEGIN {{ {case.middle()} }}\n")
    # clear() and trunc() are done when their records are read. So is system(), behind
    # them: the command's execve() is when they are done.
    parts.append('BEGIN { system(":"); }\n')
    later = "syscall::execve:entry /ppid == $pid/"
    for case in cases:
        if case.after:
            parts.append(f"{later} {{\n  " + "\n  ".join(case.statements(case.after)) + "\n}\n")
    parts.append(f"{later} {{ exit(0); }}\n")
    for case in cases:
        parts.append("END { " + case.ending() + " }\n")
    return "".join(parts)


def compare(kinst, seed, count, comparison):
    for batch, size in enumerate(batches(count, MOST_CASES)):
        rng = generator(seed, "distributions", batch)
        cases = []
        while len(cases) < size:
            case = Distribution(rng, len(cases))
            if case.is_certain():
                cases.append(case)
        printed, name = {}, None
        for line in run_kinst(kinst, program(cases)).split("\n"):
            if line.startswith("case "):
                name = line[5:]
                printed[name] = []
            elif name is not None and line.strip():
                printed[name].append(line.rstrip())
        for case in cases:
            expected = [line.rstrip() for line in case.printed() if line.strip()]
            what = (f"batch {batch}, {' '.join(case.statements(case.before))} {case.middle()}"
                    f"{' '.join(case.statements(case.after))} {case.ending()}")
            comparison.compare(what, expected, printed.get(case.name, []))
