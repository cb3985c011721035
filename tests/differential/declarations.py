"""sizeof and offsetof of random declarations, against the C compiler's."""

from common import batches, generator, run_c, run_kinst

SCALARS = ["char", "signed char", "unsigned char", "short", "unsigned short", "int",
           "unsigned", "long", "unsigned long", "long long", "int8_t", "uint16_t",
           "uint32_t", "int64_t", "size_t", "enum colour", "unsigned long long int",
           "short int", "long unsigned"]
FIELD_TYPES = [("int", 32), ("unsigned", 32), ("char", 8), ("unsigned char", 8),
               ("short", 16), ("unsigned short", 16), ("long", 64), ("unsigned long", 64),
               ("uint8_t", 8), ("int64_t", 64)]
TYPES_OF_A_PROGRAM = 60


class Declarations:
    """Structs, unions and typedefs, each of which may use those before it."""

    def __init__(self, rng):
        self.rng = rng
        self.text = "enum colour { RED, GREEN = 5, BLUE = -2 };\n"
        self.types = []      # names of complete types
        self.questions = []  # constant expressions

    def base(self):
        rng = self.rng
        return rng.choice(self.types) if self.types and rng.random() < 0.35 else \
            rng.choice(SCALARS)

    def declare_one(self, name):
        base = self.base()
        # A typedef may be an array, which no function returns.
        text = self.declarator(name, can_be_returned=not base.startswith("t"))
        return f"{base} {text}"

    def declarator(self, name, can_be_returned):
        rng = self.rng
        kind = rng.random()
        if kind < 0.55:
            return name
        if kind < 0.7:
            return f"*{name}"
        if kind < 0.85:
            return f"{name}[{rng.randint(1, 5)}]"
        if kind < 0.9:
            return f"{name}[{rng.randint(1, 3)}][{rng.randint(1, 4)}]"
        return rng.choice((f"*{name}[{rng.randint(1, 4)}]", f"(*{name})[{rng.randint(1, 4)}]",
                           f"(*{name})(int, char *)" if can_be_returned else f"*(*{name})(int)",
                           f"**{name}"))

    def members(self, depth=0):
        """The members' text and the paths that offsetof can take."""
        rng = self.rng
        text, paths = "", []
        for number in range(rng.randint(1, 6)):
            name = f"m{depth}{number}"
            kind = rng.random()
            if kind < 0.25:
                field_type, bits = rng.choice(FIELD_TYPES)
                width = rng.randint(0, bits)
                text += f"{field_type} {name if width else ''} : {width}; "
            elif kind < 0.35 and depth == 0:
                inner, inner_paths = self.members(depth + number + 1)
                keyword = rng.choice(("struct", "union"))
                if rng.random() < 0.5:
                    text += f"{keyword} {{ {inner} }} {name}; "
                    paths.append(name)
                else:
                    text += f"{keyword} {{ {inner} }}; "
                    paths += inner_paths
            else:
                text += f"{self.declare_one(name)}; "
                paths.append(name)
        if not paths:
            text += "char last; "
            paths.append("last")
        return text, paths

    def declare(self, number):
        rng = self.rng
        if rng.random() < 0.2:
            name = f"t{number}"
            self.text += f"typedef {self.declare_one(name)};\n"
            self.questions.append(f"sizeof ({name})")
            self.types.append(name)
            return
        keyword = rng.choice(("struct", "struct", "struct", "union"))
        name = f"{keyword} s{number}"
        text, paths = self.members()
        self.text += f"{name} {{ {text}}};\n"
        self.types.append(name)
        self.questions.append(f"sizeof ({name})")
        self.questions += [f"offsetof({name}, {path})" for path in paths]
        self.questions.append(f"sizeof ({name} [{rng.randint(1, 9)}])")
        self.questions.append(f"sizeof ({name} *)")


def compare(kinst, seed, count, comparison):
    for batch, size in enumerate(batches(count, 200)):
        declarations = Declarations(generator(seed, "declarations", batch))
        number = 0
        while len(declarations.questions) < size:
            declarations.declare(number)
            number += 1
        questions = declarations.questions[:size]
        statements = [f'printf("%d\\n", {one});' for one in questions]
        clauses = ["BEGIN {\n" + "\n".join(statements[first:first + 40]) + "\n}\n"
                   for first in range(0, len(statements), 40)]
        d_program = declarations.text + "".join(clauses) + "BEGIN { exit(0); }\n"
        c_program = ("#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n" +
                     declarations.text + "int main(void) {\n" +
                     "\n".join(statements).replace("%d", "%zu") + "\nreturn 0; }\n")
        expected = run_c(c_program).splitlines()
        actual = run_kinst(kinst, d_program).splitlines()
        for number, question in enumerate(questions):
            comparison.compare(f"batch {batch}, {question}\n{declarations.text}",
                               expected[number],
                               actual[number] if number < len(actual) else None)
