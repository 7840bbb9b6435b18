#!/usr/bin/env python3
"""Checks furca-bench from outside: what it answers to wrong arguments, and the shape of the JSON
that it writes.

usage: check.py FURCA_BENCH [RESULT.json]     RESULT.json: of a run of all there is
"""

import json
import getpass
import math
import os
import re
import socket
import subprocess
import sys
import tempfile

FAMILIES = {"serial", "furca", "oneTBB", "OpenMP"}
ROW_FAMILIES = {
    "bare forks",
    "forks",
    "near-empty loops",
    "loops after a rest",
    "loops by cost",
    "loops",
    "reductions",
}
ROW_GROUPS = {"forks", "loops", "reductions"}
FIGURE_GROUPS = {"behaviour", "micro"}
COLUMNS = ["wall_ns", "cpu_ns", "peak_kib", "voluntary_switches", "involuntary_switches", "calls"]
WORKLOADS = """axpy axpy-rested bfs chain empty empty-rested fib fib-calls heat integrate
matmul mergesort nqueens pareto skynet sum unbalanced uts-t1 uts-t3 wordcount""".split()
ONLY_FULL = """cost-first cost-last cost-middle cost-pareto cost-ramp cost-uniform dot-simd
sum-simd""".split()

failures = []


def check(what, right):
    if not right:
        failures.append(what)


def run(program, *arguments):
    ended = subprocess.run(
        [program, *arguments], capture_output=True, text=True, timeout=1200, check=False
    )
    return ended.returncode, ended.stdout, ended.stderr


def check_command_line(program):
    for arguments, complaint in [
        (["--frobnicate"], "no such option: --frobnicate"),
        (["--rounds"], "--rounds wants a value"),
        (["--rounds", "0"], "--rounds wants a number from 1 to 10000, not \"0\""),
        (["--rounds", "3x"], "not \"3x\""),
        (["--threads", "1,,2"], "--threads wants a number"),
        (["--threads", "0"], "--threads wants a number"),
        (["--threads", "some"], "--threads wants a number"),
        (["--svg", "/nowhere/file.svg"], "cannot write /nowhere/file.svg"),
        (["--seed", "-1"], "--seed wants a number"),
        (["--filter", "no such row"], "nothing is called \"no such row\""),
        (["--text", "/nowhere"], "no such directory: /nowhere"),
        (["--json", "/nowhere/file.json"], "cannot write /nowhere/file.json"),
        (["--show", "/dev/null"], "/dev/null is not a result of this program"),
    ]:
        code, _, errors = run(program, *arguments)
        line = " ".join(arguments)
        check(f"{line}: exit code {code}, not 2", code == 2)
        check(f"{line}: says {errors!r}", complaint in errors and errors.count("\n") == 1)
    code, output, _ = run(program, "--help")
    check("--help", code == 0 and output.startswith("usage: furca-bench"))
    code, output, _ = run(program, "--list", "--filter", "axpy 1000")
    check("--list", code == 0 and "axpy 1000 " in output and "fib" not in output)
    code, output, _ = run(program, "--list", "--full")
    for workload in WORKLOADS + ONLY_FULL:
        check(
            f"--list has no {workload}",
            any(line.split()[1] == workload for line in output.splitlines()),
        )
    code, output, _ = run(program, "--list", "--full", "--targets")
    check(
        "--list --targets",
        code == 0 and "fib 35 " in output and "first use " in output and "heat" not in output,
    )


def check_targets(program):
    """A row of the full run, and what is said of it; nothing without the option."""
    row = ["--full", *"--rounds 1 --threads 1 --filter".split(), "cost-last 1000000"]
    code, output, errors = run(program, *row, "--targets")
    check(f"--targets: exit code {code}, {errors!r}", code == 0)
    check("--targets: no row", "\ncost-last 1000000 " in output)
    if "oneTBB was not there" not in output:
        check(
            "--targets: no target", "cost-last: furca/oneTBB, at 1000000 ns, threads: 1" in output
        )
    code, output, errors = run(program, *row)
    check(f"no --targets: exit code {code}, {errors!r}", code == 0)
    check("targets that nobody asked for", "target" not in output)


def strings_of(value):
    """All texts in a JSON value."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for member in value.values() for text in strings_of(member)]
    return (
        [text for member in value for text in strings_of(member)] if isinstance(value, list) else []
    )


def check_nothing_personal(result):
    """Whoever sends a result says what his machine is, and not who he is: no host, no user, no
    folder."""
    for text in strings_of(result):
        check(
            f"a path: {text!r}",
            not re.search(r"(^|[\s=:I\"'])~?/\w", text) and os.path.expanduser("~") not in text,
        )
    # Of the setting alone: "root" is also what trees have.
    for text in strings_of(result["setting"]):
        for name in {socket.gethostname(), getpass.getuser()}:
            check(
                f"a name of a host or a user: {text!r}",
                len(name) < 3 or not re.search(rf"\b{re.escape(name)}\b", text),
            )


def check_numbers_of_threads(program):
    """More threads than there are processors, on any machine; and what runs of one thread and of
    two do not have."""
    processors = len(os.sched_getaffinity(0))
    numbers = sorted({1, 2, processors, 2 * processors})
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        run_of = ["--quick", "--rounds", "1", "--filter", "nqueens", "--json", path]
        many = ",".join(map(str, numbers + [4 * processors]))
        code, output, errors = run(program, *run_of, "--threads", many)
        check(f"--threads of many: exit code {code}, {errors!r}", code == 0)
        check(
            "no speed-ups", "speed-up over the serial code by number of threads" in output
        )
        check(
            "no borders",
            f"  at {processors:3}: " in output and "threads take turns" in output,
        )
        check(
            "no bounds",
            "where the time of furca's threads goes" in output and "most lost" in output,
        )
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        check_nothing_personal(result)
        topology = result["setting"]["topology"]
        check(f"topology: {topology}", topology["processors"] == processors and topology["borders"])
        row = result["rows"][0]
        check(f"span: {row['span_ns']}", 0 < row["span_ns"] < 1e10)
        for series in row["series"]:
            told = "busy_threads" in series and "heavy_fences" in series
            check(
                f"{series['contender']}: what furca tells of its threads",
                told == (series["family"] == "furca"),
            )
            for busy in series.get("busy_threads", []):
                check(f"{series['threads']} threads, {busy} busy", busy >= 0)
        code, output, _ = run(program, "--show", path)
        check("--show: no bounds", code == 0 and "where the time of furca's threads goes" in output)
        code, _, errors = run(program, *run_of, "--threads", "all")
        with open(path, encoding="utf-8") as file:
            all_of_them = json.load(file)["setting"]["threads"]
        check(
            f"--threads all: {code}, {errors!r}, {all_of_them}",
            code == 0 and all_of_them[0] == 1 and all_of_them[-1] <= processors,
        )


def check_failing_runs(program):
    """Without text wordcount's processes fail, all of them: each is said, nothing is lost, and the
    report can still be made."""
    with tempfile.TemporaryDirectory() as folder:
        empty, path, page = (
            os.path.join(folder, name) for name in ["empty", "result.json", "page.html"]
        )
        os.mkdir(empty)
        words = "--quick --rounds 1 --filter wordcount".split()
        code, output, errors = run(program, *words, "--text", empty, "--json", path)
        check(f"failing runs: exit code {code}, not 1", code == 1)
        check(
            "failing runs: not said on stderr",
            f"no text in {empty}" in errors
            and "wordcount 1, serial, threads: 1: exit code 1" in errors,
        )
        check("failing runs: not said below the table", "FAILED: " in output)
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        times = [time for series in result["rows"][0]["series"] for time in series["wall_ns"]]
        check(
            "failing runs: a time from nowhere",
            result["failures"] >= len(times) > 0 and all(time is None for time in times),
        )
        code, _, _ = run(program, "--show", path, "--html", page)
        check("failing runs: cannot be shown", code == 1 and os.path.getsize(page) > 0)


def check_series(where, series, rounds):
    check(f"{where}: family {series['family']}", series["family"] in FAMILIES)
    check(f"{where}: threads", series["threads"] >= 1)
    check(f"{where}: control", isinstance(series["control"], bool))
    for column in COLUMNS:
        values = series[column]
        check(f"{where}: {column}: {len(values)} values in {rounds} rounds", len(values) == rounds)
        check(
            f"{where}: {column}: not a number",
            all(isinstance(value, (int, float)) and math.isfinite(value) for value in values),
        )
    check(f"{where}: a time that is none", all(value > 0 for value in series["wall_ns"]))


def check_summary(result):
    """What the run comes to: means by family, and verdicts only of a quiet machine."""
    setting, summary = result["setting"], result["summary"]
    quiet = setting["others_percent"] + setting["stolen_percent"] <= 5
    check(f"summary: quiet is {summary['quiet']}", summary["quiet"] == quiet)
    check(f"summary: {summary['notice']!r}", (summary["notice"] == "") == quiet)
    check(
        f"summary: bounds {summary['bounds']!r}",
        "interval" in summary["bounds"] or "range of" in summary["bounds"],
    )
    for family in summary["families"]:
        where = f"summary, {family['rows']}, {family['rival']}, {family['threads']}"
        check(
            where,
            family["rows"] in ROW_FAMILIES
            and family["rival"] in FAMILIES
            and family["threads"] in setting["threads"],
        )
        check(f"{where}: mean", family["low"] <= family["mean"] <= family["high"])
        verdicts = family["verdicts"]
        check(
            f"{where}: verdicts",
            sum(verdicts.values()) > 0 and (verdicts["withheld"] == 0) == quiet,
        )
    rivals = {series["family"] for row in result["rows"] for series in row["series"]} - {
        "serial",
        "furca",
    }
    check("summary: rivals", {family["rival"] for family in summary["families"]} == rivals)


def check_result(program, path):
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    check("format", result["format"] == "furca-bench 1")
    check(f"{result['failures']} failures", result["failures"] == 0)
    setting = result["setting"]
    for name in [
        "date",
        "processor",
        "quota",
        "kernel",
        "load_before",
        "load_after",
        "compiler",
        "flags",
        "effort",
    ]:
        check(f"setting: {name}", isinstance(setting[name], str) and setting[name] != "")
    check_nothing_personal(result)
    check("setting: versions", setting["versions"][0].startswith("furca "))
    check("setting: no 3 rounds", setting["rounds"] >= 3)
    for row in result["rows"]:
        where = f"{row['workload']} {row['size']}"
        check(f"{where}: group", row["group"] in ROW_GROUPS)
        families = [series["family"] for series in row["series"]]
        check(f"{where}: serial", families.count("serial") == 1)
        check(
            f"{where}: furca for each number of threads, and A/A",
            families.count("furca") == len(setting["threads"]) + 1,
        )
        check(f"{where}: A/A", [series["control"] for series in row["series"]].count(True) == 1)
        # What takes long is left out after the first three rounds, the whole row at a time.
        rounds = len(row["series"][0]["wall_ns"])
        check(f"{where}: {rounds} rounds", 3 <= rounds <= setting["rounds"])
        for series in row["series"]:
            check_series(f"{where}, {series['contender']}", series, rounds)
    found = {row["workload"] for row in result["rows"]}
    check(f"no rows of {sorted(set(WORKLOADS) - found)}", found >= set(WORKLOADS))
    for figure in result["figures"]:
        check(f"{figure['name']}: group", figure["group"] in FIGURE_GROUPS)
        check(
            f"{figure['name']}, {figure['family']}: {figure['values']}",
            figure["values"] and None not in figure["values"],
        )
    groups = {figure["group"] for figure in result["figures"]}
    check("no figures of behaviour or micro", groups >= {"behaviour", "micro"})

    check_summary(result)

    # What was written can be read again, and shown in every form.
    with tempfile.TemporaryDirectory() as folder:
        copy, page, chart = (
            os.path.join(folder, name) for name in ["copy.json", "page.html", "chart.svg"]
        )
        written = ["--json", copy, "--html", page, "--svg", chart]
        code, output, _ = run(program, "--show", path, *written)
        check(f"--show: exit code {code}", code == 0)
        check(
            "--show: no table",
            "furca beside oneTBB at" in output or "oneTBB was not there" in output,
        )
        check(
            "--show: verdicts of a busy machine",
            ("withheld" in output) == (not result["summary"]["quiet"]),
        )
        check("--show: rows are not explained", "\n  fib: fib(n) without cut-off" in output)
        check("--show: targets that nobody asked for", "target" not in output)
        with open(copy, encoding="utf-8") as file:
            check("--show: another JSON than the one shown", json.load(file) == result)
        for name, start, end in [(page, "<!DOCTYPE html>", "</html>"), (chart, "<", "</svg>")]:
            with open(name, encoding="utf-8") as file:
                text = file.read().strip()
            check(
                f"{os.path.basename(name)}: not whole",
                text.startswith(start) and text.endswith(end),
            )
            check(
                f"{os.path.basename(name)}: fetches something",
                "http" not in text.replace("http://www.w3.org/2000/svg", ""),
            )


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    check_command_line(sys.argv[1])
    if len(sys.argv) == 3:
        check_failing_runs(sys.argv[1])
        check_targets(sys.argv[1])
        check_numbers_of_threads(sys.argv[1])
        check_result(sys.argv[1], sys.argv[2])
    for failure in failures:
        print("FAILED:", failure)
    sys.exit(1 if failures else 0)


main()
