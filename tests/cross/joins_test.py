#!/usr/bin/env python3
"""joins_test.py COMPILER: what a join costs as this compiler writes it, on x86-64.

include/furca/detail/fork/passed_arm.hpp and join_frame.hpp coax compilers. This is what they reach,
and fails where a compiler has changed its mind. Compiles joins.cpp at -O2, and follows the shortest
way through the frame of each of its joins, on which no arm is stolen, and nothing is called but
arms and frames:
  the frame is a function of its own, or the end of a recursion, half of all calls, would save as
  many registers as a fork
  no two words are loaded or stored at once: if they have just been stored one by one, the load
  waits until both are in the cache, for longer than all of a fork takes
  there are not many more instructions than were counted

Exit code 77, skipped: there is no such compiler here, or it does not write for x86-64.
"""

import collections
import re
import shutil
import sys

from instructions_test import MACHINES, compiled, target_of

# function: instructions in the shortest way through its frame, with g++ 12 and with clang 14 and 19
FRAMES = {
    "fib": (52, 48),
    "fib_of_two_words": (56, 57),
    "fib_of_four": (127, 125),
    "fib_by_reference": (62, 57),
}
MORE = 1.1  # other versions of these compilers

# 16 bytes between memory and a vector register, or a register that is filled with two.
TWO_WORDS = re.compile(r"v?(movdq|movap|movup|punpck|unpck|pinsr|movhp|padd).*%xmm")

# What is called on the way: the functions of joins.cpp, and frames.
CALLED = re.compile(r"fib\w*(\.[\w.]+)?$|.*(frame_at|join_frame)")


def frame_of(program, function):
    """The label of the frame of a function's join, which g++ may have split off, and where it is
    called; or None."""
    for at in range(program.labels[function], len(program.instructions)):
        called = re.match(
            rf"(?:callq?|j\w+) ([\w.$]*(?:frame_at|join_frame|{function}\.part)[\w.$]*)",
            program.instructions[at],
        )
        if called:
            return called[1], at
    return None, None


def steps(program, at):
    """Where a thread may go on after an instruction. None: it returns, or has left the fast way."""
    instruction = program.instructions[at]
    mnemonic, operands = (instruction + " ").split(" ", 1)
    target = re.split(r"[ ,]", operands.strip())[-1].removesuffix("@PLT")
    if re.match("call", mnemonic):
        return [at + 1] if CALLED.match(target) else []
    if re.match("ret|ud2", mnemonic):
        return []
    if not mnemonic.startswith("j"):
        return [at + 1]
    there = [program.labels[target]] if target in program.labels else []
    return there if mnemonic.startswith("jmp") else [*there, at + 1]


def shortest_way(program, start):
    """The instructions from here to the nearest return."""
    before = {start: None}
    queue = collections.deque([start])
    while queue:
        at = queue.popleft()
        if program.instructions[at].startswith("ret"):
            way = []
            while at is not None:
                way.append(program.instructions[at])
                at = before[at]
            return way[::-1]
        for following in steps(program, at):
            if following not in before:
                before[following] = at
                queue.append(following)
    return []


def main(compiler):
    if shutil.which(compiler) is None or not target_of(compiler).startswith("x86_64"):
        print(f"skipped: no {compiler} for x86-64 here")
        return 77
    program = compiled("joins.cpp", MACHINES["x86_64"], compiler, "-DNDEBUG")
    wrong, counts = [], []
    for function, known in FRAMES.items():
        frame, call = frame_of(program, function)
        if frame is None:
            wrong.append(f"{function}: its join has no frame of its own")
            continue
        way = shortest_way(program, program.labels[frame])
        counts.append(f"{function}: {len(way)}")
        most = MORE * known[compiler.startswith("clang")]
        if not 0 < len(way) <= most:
            wrong.append(f"{function}: {len(way)} instructions, should be at most {most:.0f}")
        if program.instructions[call].startswith("call"):
            way += shortest_way(program, call + 1)  # what the caller does with the results
        wrong += [f"{function}: two words at once: {one}" for one in way if TWO_WORDS.match(one)]
    print("\n".join(wrong or counts))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
