"""Pages (*.md) as a git host reads them: their lines, headings and links."""
import re

LINK = re.compile(r'(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)')
HEADING = re.compile(r'(#{1,6}) +(.*?)(?: +#+)?\s*$')
TICKED = re.compile(r'(`+)(.+?)\1')


def pages(top):
    """The project's pages, as paths from the top: not what a build or a subproject put there."""
    inside = [
        path
        for part in ('include', 'src', 'tests', 'bench', 'examples')
        for path in (top / part).rglob('*.md')
    ]
    return {str(path.relative_to(top)) for path in [*top.glob('*.md'), *inside]}


def slug(heading):
    """What a git host calls a heading: in lower case, spaces as hyphens, without what is neither
    letter, digit, hyphen nor underscore."""
    text = re.sub(r'!?\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\([^()]*\)', r'\1', heading).replace('`', '')
    return re.sub(r'[^\w\- ]', '', text.strip().lower()).replace(' ', '-')


def lines(text):
    """Each line; whether it lies in a fenced block, or is its fence; and the anchor of a heading,
    else None. A heading that comes again gets a number."""
    fence, seen = None, {}
    for line in text.splitlines():
        mark = re.match(r' {0,3}(```+|~~~+)', line)
        if fence is not None:
            closes = mark and mark[1].startswith(fence) and line.strip() == mark[1]
            yield line, True, None
            if closes:
                fence = None
            continue
        if mark:
            fence = mark[1]
            yield line, True, None
            continue
        heading = HEADING.match(line)
        if not heading:
            yield line, False, None
            continue
        name = slug(heading[2])
        count = seen.get(name, 0)
        seen[name] = count + 1
        yield line, False, f'{name}-{count}' if count else name


def anchors(text):
    return {anchor for _, _, anchor in lines(text) if anchor is not None}


def links(text):
    """(line number, target) of every link and picture outside of code."""
    for number, (line, fenced, _) in enumerate(lines(text), 1):
        if not fenced:
            for _, _, target in LINK.findall(
                TICKED.sub(lambda code: code[0] if '](' not in code[2] else '', line)
            ):
                yield number, target


def blocks(text, language):
    """(line number of the fence, code) of every fenced block in that language."""
    inside, start = None, 0
    for number, (line, fenced, _) in enumerate(lines(text), 1):
        if inside is None:
            if fenced:
                inside, start, language_here = [], number, line.strip().strip('`~').strip()
        elif re.match(r'\s*(```+|~~~+)\s*$', line):
            if language_here == language:
                yield start, '\n'.join(inside)
            inside = None
        else:
            inside.append(line)
