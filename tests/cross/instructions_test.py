#!/usr/bin/env python3
"""instructions_test.py COMPILER [ARGUMENT...]: what the fast paths of deque and worker cost, as
this compiler writes them.

Compiles instructions.cpp at -O2 without assertions (a fork also with them), and follows each of its
functions from the entry to every return, without going through any instruction twice. On each such
path it counts
  full fences           which order everything before with everything after
  releases              stores or fences that publish (nothing of its own on x86-64 and s390x:
                        every store does)
  read-modify-writes    compare-and-swap and its like, a lock prefix or xchg with memory on x86-64
The fast paths are those without a call. What may be called is listed too, and is marked FURCA_COLD:
growing a ring, arming, waking. So nothing can hide in a function that was not inlined.

On x86-64 the order of two accesses is looked at, too: where a light fence stands, and orders the
compiler alone, the store before it comes before the load after it. Without these fences g++ 12 and
clang 14 and 19 keep that order, too (tried): none of them moves one atomic access across another,
and none promises it. So with these compilers a fence that is deleted is not seen here; a load that
has moved up is, whether a compiler has moved it or a person. Not looked at: the fence of
Team::tell_of_work, which has the store in another function.

Exit code 77, skipped: there is no such compiler here, or this page knows nothing of its machine.
"""

import collections
import pathlib
import re
import shutil
import subprocess
import sys

Cost = collections.namedtuple("Cost", "fences releases rmws")
Path = collections.namedtuple("Path", "cost calls way")

PUSH = {Cost(0, 1, 0)}
# An item was there. Whether there was none, or the last one, is take_last's to settle.
CLASSIC_POP = {Cost(1, 1, 0)}
QUIET_POP = {Cost(0, 1, 0)}
# Nothing there at the first look; nor at the second; the compare-and-swap.
CLASSIC_STEAL = {Cost(0, 0, 0), Cost(1, 0, 0), Cost(1, 1, 1)}
# The second look and the compare-and-swap in a visit, which begins with a read-modify-write and a
# fence and ends with a releasing read-modify-write.
ADAPTIVE_STEAL = CLASSIC_STEAL | {Cost(2, 1, 2), Cost(2, 2, 3)}
# Steals ask twice whether the policy is adaptive. The answer cannot change, but a compiler does not
# know: what it writes may have these paths as well, half a visit each.
HALF_A_VISIT = {Cost(1, 0, 1), Cost(2, 0, 1), Cost(1, 1, 2), Cost(1, 2, 2)}

# function: every fast path's cost; what the slow ones call; the cost where nothing is rare, which
# is the shortest path; costs of paths that may be there
Expected = collections.namedtuple("Expected", "costs calls usual may", defaults=[None, frozenset()])
FUNCTIONS = {
    "classic_push": Expected(PUSH, {"make_room"}),
    "classic_pop": Expected(CLASSIC_POP, {"take_last"}),
    "classic_take": Expected(CLASSIC_POP, {"take_last"}, usual=Cost(1, 1, 0)),
    "classic_steal": Expected(CLASSIC_STEAL, set()),
    "adaptive_push": Expected(PUSH, {"make_room"}),
    "adaptive_pop": Expected(QUIET_POP, {"look_while_armed", "take_last"}),
    "adaptive_take": Expected(QUIET_POP, {"look_while_armed", "take_last"}, usual=Cost(0, 1, 0)),
    "adaptive_steal": Expected(ADAPTIVE_STEAL, {"arm"}, may=HALF_A_VISIT),
    "worker_fork": Expected(PUSH, {"make_room", "announce"}),
    "worker_take": Expected(
        QUIET_POP, {"look_while_armed", "take_last", "take_later"}, usual=Cost(0, 1, 0)
    ),
}

# What is compiled into a user's program, which may be a release build with assertions (Meson's is):
# the same there.
WITH_ASSERTIONS = ("worker_fork", "worker_take")

# A word's place is that of the first access of the function named here.
Order = collections.namedtuple("Order", "function store load")
ORDERS = [
    # [deque.P1] [fence.P2], adaptive_fence.hpp
    Order("adaptive_pop", "where_bottom_is", "where_mode_is"),
    Order("adaptive_take", "where_bottom_is", "where_mode_is"),
    Order("worker_take", "where_workers_bottom_is", "where_workers_mode_is"),
    # [sleep.F1] [sleep.F3], detail/fork/forks.hpp
    Order("worker_fork", "where_workers_bottom_is", "where_bell_is"),
    # [bell.R1] [bell.R3], src/fork/run.hpp
    Order("worker_run", "where_ends_are", "where_bell_is"),
]

# Patterns match from the beginning of an instruction, its words separated by one space.
# `acquire_load`: compilers that know no cheaper way put a full fence right after it, which is not
# counted.
Machine = collections.namedtuple(
    "Machine", "fence release rmw jump call returns may_return acquire_load"
)
NEVER = r"(?!)"
MACHINES = {
    "x86_64": Machine(
        fence=r"mfence|lock or[lq] \$0, ?-?\d*\(%rsp\)",
        release=NEVER,
        rmw=r"lock |xchg[bwlq]? .*\(",
        jump="jmpq?",
        call="callq?",
        returns="retq?$",
        may_return=NEVER,
        acquire_load=NEVER,
    ),
    "aarch64": Machine(
        fence=r"dmb (ish|sy)$|dsb ",
        release=r"stlu?r|stlxr|bl __aarch64_.*_(rel|acq_rel)$|(cas|swp|ld\w+)a?l ",
        rmw=r"lda?xr|bl __aarch64_|cas|swp|ld(add|set|clr|eor)",
        jump="b",
        call="bl",
        returns="ret",
        may_return=NEVER,
        acquire_load=NEVER,
    ),
    "riscv64": Machine(
        fence=r"fence( iorw, ?iorw| rw, ?rw)?$",
        release=r"fence (iorw, ?ow|rw, ?w)$|(sc|amo\w+)\.[wd]\.(aq)?rl ",
        rmw=r"lr\.|amo",
        jump="j|tail",
        call="call|jal",
        returns="ret|jr ra",
        may_return=NEVER,
        acquire_load=r"l[dw]u? ",
    ),
    "powerpc64le": Machine(
        fence=r"(hw)?sync$",
        release=r"lwsync",
        rmw=r"l[dw]arx ",
        jump="b",
        call="bl",
        returns="blr",
        may_return=r"b(eq|ne|lt|gt|le|ge)lr",
        acquire_load=NEVER,
    ),
    "s390x": Machine(
        fence=r"bcr 1[45],0",
        release=NEVER,
        rmw=r"csg? |csy |la[aonx]g? ",
        jump="jg?",
        call="brasl",
        returns=r"br %r14",
        may_return=r"b[a-z]+r %r14",
        acquire_load=NEVER,
    ),
}


class Program:
    """The instructions of an assembly file in order, and which of them the labels stand at."""

    def __init__(self, text, machine):
        self.machine = machine
        self.instructions = []
        self.labels = {}
        for line in text.replace('"', "").splitlines():
            line = re.sub(r"^\s*#.*|//.*|\s#\s.*", "", line)
            for statement in line.split(";"):
                self._add(" ".join(statement.split()))

    def _add(self, statement):
        while label := re.match(r"([.\w$]+): ?", statement):
            self.labels[label[1]] = len(self.instructions)
            statement = statement[label.end() :]
        if not statement or statement.startswith("."):
            return
        if self.instructions and self.instructions[-1] == "lock":  # a prefix on a line of its own
            self.instructions[-1] = "lock " + statement
        else:
            self.instructions.append(statement)

    def paths(self, function):
        return list(self._paths(self.labels[function], (), Cost(0, 0, 0), frozenset()))

    def place(self, function):
        """Of the word that the function comes to first: as in 8(%rdi)."""
        return next(
            place
            for at in range(self.labels[function], len(self.instructions))
            for _, place in accesses(self.instructions[at])
        )

    def _paths(self, at, way, cost, calls):
        machine = self.machine
        while at not in way:
            way += (at,)
            instruction = self.instructions[at]
            mnemonic, operands = (instruction + " ").split(" ", 1)
            target = re.split(r"[ ,]", operands.strip())[-1]
            here = target in self.labels and (target.startswith(".L") or target.endswith(".cold"))
            jumps = re.fullmatch(machine.jump, mnemonic) is not None
            cost = self._with(cost, at)
            if re.fullmatch(machine.call, mnemonic) or (jumps and not here):
                if not target.startswith("__aarch64_"):  # those are instructions of newer machines
                    calls |= {target.removesuffix("@PLT")}
            if re.match(machine.returns, instruction) or (jumps and not here):
                yield Path(cost, calls, way)
                return
            if (
                target.startswith("_Z")
                and not jumps
                and not re.fullmatch(machine.call, mnemonic)
                and re.match("[jb]", mnemonic)
            ):
                # a conditional branch that is a tail call
                yield Path(cost, calls | {target.removesuffix("@PLT")}, way)
            if re.match(machine.may_return, instruction):
                yield Path(cost, calls, way)
            if here and not jumps:
                yield from self._paths(self.labels[target], way, cost, calls)
            at = self.labels[target] if here and jumps else at + 1

    def _with(self, cost, at):
        machine, instruction = self.machine, self.instructions[at]
        fence = re.match(machine.fence, instruction) is not None
        acquires = fence and re.match(machine.acquire_load, self.instructions[at - 1]) is not None
        release = re.match(machine.release, instruction) is not None
        rmw = not fence and re.match(machine.rmw, instruction) is not None
        return Cost(
            cost.fences + (fence and not acquires), cost.releases + release, cost.rmws + rmw
        )


def accesses(instruction):
    """What an instruction of x86-64 does in an object that a register points to: "load" or "store",
    and where."""
    mnemonic = instruction.removeprefix("lock ").split(" ")[0]
    memory = re.search(r"(?<![\w*])(-?\d*)\((?!%rsp|%rip)%\w+\)(,|$)", instruction)
    if memory is None or re.match("lea|call|j", mnemonic):
        return []
    place = int(memory[1] or 0)
    if memory[2] == "," or re.match("cmp[bwlq]?$|test", mnemonic):
        return [("load", place)]
    return [("store", place)] if mnemonic.startswith("mov") else [("load", place), ("store", place)]


def disorder(order, program):
    """What is wrong with the order of a store and a load, a line each."""
    store, load = ("store", program.place(order.store)), ("load", program.place(order.load))
    ordered = False
    for path in program.paths(order.function):
        both = [
            access
            for at in path.way
            for access in accesses(program.instructions[at])
            if access in (store, load)
        ]
        if load in both and store in both[both.index(load) :]:
            yield (
                f"{order.function}: the load that comes after the light fence ({order.load}) is "
                f"before the store ({order.store})"
            )
            return
        ordered = ordered or both[:1] == [store] and load in both
    if not ordered:
        yield (
            f"{order.function}: no path with the store ({order.store}) and then the load "
            f"({order.load})"
        )


def faults(function, expected, paths, machine):
    """What is wrong with a function, a line each."""

    def seen_here(cost):
        return cost._replace(releases=0) if machine.release == NEVER else cost

    def named(callee):
        return next((name for name in expected.calls if f"{len(name)}{name}E" in callee), callee)

    fast = [path for path in paths if not path.calls]
    costs = {path.cost for path in fast}
    wanted = {seen_here(cost) for cost in expected.costs}
    allowed = wanted | {seen_here(cost) for cost in expected.may}
    # Where the store-conditional releases, a compare-and-swap that fails does not come to it.
    failing = {cost._replace(releases=cost.releases - 1) for cost in allowed if cost.rmws > 0}
    for cost in sorted(costs - allowed - failing):
        yield f"{function}: a path with {cost}"
    for cost in sorted(wanted - costs):
        yield f"{function}: no path with {cost}"
    calls = {named(callee) for path in paths for callee in path.calls}
    if calls != expected.calls:
        yield f"{function}: calls {sorted(calls)}, should call {sorted(expected.calls)}"
    if fast and expected.usual:
        usual = min(fast, key=lambda path: len(path.way)).cost
        if usual != seen_here(expected.usual):
            should = seen_here(expected.usual)
            yield f"{function}: the shortest path has {usual}, should have {should}"


def compiled(source, machine, *compiler):
    here = pathlib.Path(__file__).resolve().parent
    return Program(
        subprocess.run(
            [
                *compiler,
                "-std=c++20",
                "-O2",
                "-fno-stack-protector",
                f"-I{here.parent.parent / 'include'}",
                "-S",
                here / source,
                "-o",
                "-",
            ],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout,
        machine,
    )


def target_of(*compiler):
    return subprocess.run(
        [*compiler, "-dumpmachine"], check=True, capture_output=True, text=True
    ).stdout.strip()


def main(compiler):
    if shutil.which(compiler[0]) is None:
        print(f"skipped: no {compiler[0]} here")
        return 77
    target = target_of(*compiler)
    machine = MACHINES.get(target.split("-")[0])
    if machine is None:
        print(f"skipped: nothing is known of {target}")
        return 77
    program = compiled("instructions.cpp", machine, *compiler, "-DNDEBUG")
    wrong = [
        fault
        for function, expected in FUNCTIONS.items()
        for fault in faults(function, expected, program.paths(function), machine)
    ]
    asserting = compiled("instructions.cpp", machine, *compiler)
    wrong += [
        f"with assertions: {fault}"
        for function in WITH_ASSERTIONS
        for fault in faults(function, FUNCTIONS[function], asserting.paths(function), machine)
    ]
    orders = ORDERS if target.startswith("x86_64") else []
    wrong += [fault for order in orders for fault in disorder(order, program)]
    print(
        "\n".join(wrong)
        or f"{len(FUNCTIONS)} functions as promised, {len(orders)} light fences in their places"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
