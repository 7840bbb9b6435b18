"""names_test.py ONETBB FURCA COMPILER...: each header declares what oneTBB's does.

Names that the look-alike has nowhere are listed. ONETBB and FURCA are include folders. Programs
rely on what a header brings by including others. A header that is left to oneTBB may be included
behind the look-alike's, and declares nothing; the guide names it.
"""

import pathlib
import re
import subprocess
import sys

TOKEN = re.compile(
    r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\''
    r"|inline\s+namespace\s+\w+\s*(?P<inline>\{)|namespace\s+(?P<name>[\w:]+)\s*\{"
    r'|extern\s+"C"\s*(?P<c>\{)'
    r"|using\s+(?!namespace)(?:typename\s+)?(?P<used>[\w:]+)\s*;|[{}]"
)


def exported(text: str) -> set[str]:
    """What `using` brings into tbb and the namespaces in it that are for users."""
    names, around = set(), []
    for token in TOKEN.finditer(text):
        if token["inline"] or token["c"]:
            around.append("")
        elif token["name"]:
            around.append(token["name"])
        elif token["used"]:
            where = "::".join(part for part in around if part)
            if where.startswith("tbb") and not {"{", "detail"} & set(around):
                names.add(f"{where}::{token['used'].split('::')[-1]}")
        elif token[0] == "{":
            around.append("{")
        elif token[0] == "}" and around:
            around.pop()
    return names


def main() -> int:
    onetbb, furca, *compiler = sys.argv[1:]
    lookalike = [f"-I{furca}", f"-I{furca}/furca/compat"]

    def run(source: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*compiler, "-std=c++20", "-x", "c++", "-", *arguments]
        return subprocess.run(command, input=source, capture_output=True, text=True)

    def lacking(header: str, names: list[str]) -> set[str]:
        lines = "".join(f"namespace n{i} {{ using {name}; }}\n" for i, name in enumerate(names))
        source = f"#include <oneapi/tbb/{header}>\n#line 1 \"names\"\n{lines}"
        errors = run(source, "-fsyntax-only", *lookalike).stderr
        numbers = re.findall(r"^names:(\d+):\d+: error", errors, re.M)
        return {names[int(number) - 1] for number in numbers}

    theirs = {}
    for path in sorted(pathlib.Path(furca, "furca/compat/oneapi/tbb").glob("*.h")):
        if pathlib.Path(onetbb, "oneapi/tbb", path.name).exists():
            source = f"#include <oneapi/tbb/{path.name}>\n"
            theirs[path.name] = exported(run(source, "-E", "-P", f"-I{onetbb}").stdout)
    every = sorted(set().union(*theirs.values()))
    if "tbb::parallel_for" not in every:
        print(f"FAILED: no names of oneTBB's found in {onetbb}")
        return 1
    left_out = lacking("tbb.h", every)
    print("not in the look-alike:", *sorted(left_out))
    failed = 0
    for header, names in theirs.items():
        for name in sorted(lacking(header, sorted(names - left_out)) if names else ()):
            print(f"FAILED: <oneapi/tbb/{header}> does not declare {name}, as oneTBB's does")
            failed += 1
    guide = pathlib.Path(furca).parent / "examples/guide/from_onetbb.md"
    all_headers = {path.name for path in pathlib.Path(onetbb, "oneapi/tbb").glob("*.h")}
    left_headers = sorted(all_headers - set(theirs))
    for header in left_headers:
        source = f"#include <oneapi/tbb/tbb.h>\n#include <oneapi/tbb/{header}>\n"
        if run(source, "-fsyntax-only", *lookalike, f"-I{onetbb}").returncode != 0:
            print(f"FAILED: <oneapi/tbb/{header}> does not compile behind the look-alike's")
            failed += 1
        if f"`{header}`" not in guide.read_text():
            print(f"FAILED: {guide} does not name {header}")
            failed += 1
    print("left to oneTBB:", *left_headers)
    print(f"{sum(map(len, theirs.values()))} names in {len(theirs)} headers")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
