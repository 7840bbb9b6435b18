#!/usr/bin/env python3
"""kernels_test.py COMPILER [ARGUMENT...]: whether furca's inner loops are as good as the plain
ones, as this compiler writes them with these arguments.

Compiles the loops of bench/kernels/bodies.hpp: each is there as a plain loop and, by furca, alone
in its function, in a function with all the others, and inside another parallel loop. In the code of
each it finds the loop that needs the fewest instructions for an element, and compares
  the width    the bytes of the widest load or store of elements: whether the loop is in vectors
  the length   the instructions for each element
  the accesses the instructions for each element that read or write memory: whether what does not
               change stays in registers
with those of the plain loop. Narrower vectors, more instructions or more accesses are a failure.

What a reduction is compared with adds from left to right into a local variable. Without -ffast-math
no compiler turns a sum of floating-point numbers into vectors, since their order decides the
rounding.

Exit code 77, skipped: there is no such compiler here, or it is not for x86-64.
"""

import collections
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

Instruction = collections.namedtuple("Instruction", "address mnemonic operands")
Kernel = collections.namedtuple("Kernel", "size loads part does", defaults=[False, "ForPart", ""])
Loop = collections.namedtuple("Loop", "width elements instructions")

# The bytes that a loop stores for each element, or loads; the classes and functions that may have
# furca's loop; an instruction that tells it from others there.
KERNELS = {
    "Axpy": Kernel(4),
    "Dot": Kernel(16, loads=True, part="add_blocks Fold", does="v?mul|vfmadd"),
    "Sum": Kernel(4, loads=True, part="SchedulePart"),
    "Min": Kernel(4, loads=True, part="SchedulePart"),
    "CountIf": Kernel(4, loads=True, part="SchedulePart"),
    "Stencil": Kernel(8),
    "Gather": Kernel(4),
    "Sqrt": Kernel(8),
    "IntegerHistogram": Kernel(4, part="SchedulePart"),
    "Bytes": Kernel(1),
    "ByPointer": Kernel(4),
    "ByVector": Kernel(4),
    "BySpan": Kernel(4),
    "CallOperator": Kernel(8),
    "MemberFunction": Kernel(4),
    "Elements": Kernel(4),
    "Zipped": Kernel(4),
    "Numbered": Kernel(4),
    "Transformed": Kernel(8),
}
SURROUNDINGS = ["alone", "in a function with other loops", "in another parallel loop"]

REGISTER_BYTES = [
    (r"%zmm", 64),
    (r"%ymm", 32),
    (r"%xmm", 16),
    (r"%(r[a-ds][ix]|r[bs]p|r\d+)$", 8),
    (r"%(e..|r\d+d)$", 4),
    (r"%(.[lh]|..l|r\d+b)$", 1),
]
SUFFIX_BYTES = {"b": 1, "w": 2, "l": 4, "q": 8}


def operands_of(text):
    return re.findall(r"(?:[^,(]|\([^)]*\))+", text)


def in_memory(operand):
    """Of what the program computes with: no constant, and no register put aside on the stack."""
    return "(" in operand and "(%rsp)" not in operand and "%rip" not in operand


def access_bytes(instruction):
    """How much the memory operand of an instruction is."""
    mnemonic = instruction.mnemonic
    if extended := re.fullmatch(r"mov[sz]([bwl])[wlq]|movs(l)q", mnemonic):
        return SUFFIX_BYTES[extended[1] or extended[2]]
    vector = any(re.search(r"%[xyz]mm", operand) for operand in instruction.operands)
    if vector:
        if mnemonic.endswith("ss") or mnemonic in ("movd", "vmovd") or "insrd" in mnemonic:
            return 4
        if (
            mnemonic.endswith("sd")
            or mnemonic in ("movq", "vmovq")
            or re.fullmatch(r"v?mov[hl]p[sd]", mnemonic)
        ):
            return 8
    for pattern, size in REGISTER_BYTES:
        if any(
            re.search(pattern, operand) for operand in instruction.operands if "(" not in operand
        ):
            return size
    return SUFFIX_BYTES.get(mnemonic[-1], 0)


def stored(instruction):
    """The bytes that it writes to memory, if any."""
    if not instruction.operands or not in_memory(instruction.operands[-1]):
        return 0
    one = len(instruction.operands) == 1
    if one and not re.match(r"inc|dec|neg|not", instruction.mnemonic):
        return 0
    if re.match(r"nop|lea|cmp|test|v?ucomi|v?comi|bt", instruction.mnemonic):
        return 0
    return access_bytes(instruction)


def loaded(instruction):
    """The bytes that it reads from memory, if any."""
    if re.match(r"nop|lea|j|call", instruction.mnemonic):
        return 0
    sources = (
        instruction.operands
        if re.match(r"cmp|test", instruction.mnemonic)
        else instruction.operands[:-1]
    )
    return access_bytes(instruction) if any(in_memory(operand) for operand in sources) else 0


def functions_of(objdump):
    """From names to instructions."""
    functions = {}
    for line in objdump.splitlines():
        if head := re.fullmatch(r"[0-9a-f]+ <(.*)>:", line):
            functions[head[1]] = []
        elif code := re.match(
            r"\s*([0-9a-f]+):\t(?:(?:lock|rep|repz|bnd|notrack|cs|ds|data16) )*(\S+)\s*(.*)", line
        ):
            text = re.sub(r"\s*(<.*|#.*)", "", code[3])
            functions[next(reversed(functions))].append(
                Instruction(int(code[1], 16), code[2], operands_of(text))
            )
    return functions


def loops_of(instructions):
    """The innermost loops, each from where a jump goes back to, up to that jump."""
    places = {instruction.address: place for place, instruction in enumerate(instructions)}
    spans = set()
    for place, instruction in enumerate(instructions):
        if (
            instruction.mnemonic.startswith("j")
            and instruction.operands
            and re.fullmatch(r"[0-9a-f]+", instruction.operands[0])
        ):
            target = places.get(int(instruction.operands[0], 16), place + 1)
            if target <= place:
                spans.add((target, place + 1))
    return [
        instructions[first:last]
        for first, last in spans
        if not any((a, b) != (first, last) and first <= a and b <= last for a, b in spans)
    ]


def hottest(functions, kernel):
    """The loop over elements that needs the fewest instructions for one; of two, the shorter."""
    measure = loaded if kernel.loads else stored
    found = []
    for instructions in functions:
        for body in loops_of(instructions):
            sizes = [measure(instruction) for instruction in body]
            elements = sum(sizes) / kernel.size
            if elements > 0 and any(
                re.match(kernel.does, instruction.mnemonic) for instruction in body
            ):
                length = sum(not instruction.mnemonic.startswith("nop") for instruction in body)
                found.append((length / elements, length, Loop(max(sizes), elements, body)))
    return min(found, key=lambda one: one[:2])[2] if found else None


def length(loop):
    return sum(not instruction.mnemonic.startswith("nop") for instruction in loop.instructions)


def accesses(loop):
    return sum(
        loaded(instruction) > 0 or stored(instruction) > 0 for instruction in loop.instructions
    )


def as_good_as(ours, plain):
    return (
        ours.width >= plain.width
        and length(ours) / ours.elements <= length(plain) / plain.elements
        and accesses(ours) / ours.elements <= accesses(plain) / plain.elements
    )


def shown(loop):
    lines = [
        f"    {instruction.mnemonic:<12}{','.join(instruction.operands)}"
        for instruction in loop.instructions
    ]
    return "\n".join(
        [
            f"  {loop.elements:g} elements in {length(loop)} instructions, "
            f"{accesses(loop)} of them with memory, {loop.width} bytes at a time",
            *lines,
        ]
    )


def mangled(name):
    return f"{len(name)}{name}"


def faults(functions, how):
    """What is wrong, a paragraph each. Names are mangled: objdump cannot read all that clang 19
    writes."""
    for name, kernel in KERNELS.items():
        plain = hottest(
            [
                code
                for function, code in functions.items()
                if function.startswith(f"_ZN7kernels5plainINS_{mangled(name)}E")
            ],
            kernel,
        )
        if plain is None:
            yield f"{name}, {how}: no plain loop found"
            continue
        for number, surroundings in enumerate(SURROUNDINGS):
            where = f"{name}, {surroundings}, {how}"
            parts = "|".join(mangled(part) for part in kernel.part.split())
            inside = re.compile(
                rf"_ZNK?5furca6detail(11FunctionsOfINS0_)?({parts})I"
                rf".*{mangled(name)}.*SurroundingsE{number}E"
            )
            ours = hottest(
                [code for function, code in functions.items() if inside.match(function)], kernel
            )
            if ours is None:
                yield f"{where}: furca's inner loop has no function of its own"
            elif not as_good_as(ours, plain):
                yield f"{where}\nplain:\n{shown(plain)}\nfurca:\n{shown(ours)}"


def main(compiler):
    if shutil.which(compiler[0]) is None or shutil.which("objdump") is None:
        print(f"skipped: no {compiler[0]}, or no objdump, here")
        return 77
    target = subprocess.run(
        [compiler[0], "-dumpmachine"], check=True, capture_output=True, text=True
    ).stdout.strip()
    if not target.startswith("x86_64"):
        print(f"skipped: this reads the code of x86-64, not of {target}")
        return 77
    here = pathlib.Path(__file__).resolve().parent
    with tempfile.TemporaryDirectory() as scratch:
        program = pathlib.Path(scratch) / "kernels.o"
        subprocess.run(
            [
                *compiler,
                "-std=c++20",
                "-DNDEBUG",
                f"-I{here.parent.parent / 'include'}",
                "-c",
                here / "kernels.cpp",
                "-o",
                program,
            ],
            check=True,
        )
        text = subprocess.run(
            ["objdump", "-d", "--no-show-raw-insn", program],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
    wrong = list(faults(functions_of(text), " ".join(compiler)))
    print(
        "\n\n".join(wrong)
        or f"{len(KERNELS)} loops in {len(SURROUNDINGS)} surroundings are as good as plain"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
