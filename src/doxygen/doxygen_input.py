"""What Doxygen reads of a file instead of what stands in it. Lines keep their numbers.

Headers and pages are written to be read as they are, in an editor or on a git host. So that Doxygen
reads the same:

- a header's first comment becomes the description of the file, and friends and the place in the
  source that a call has as its last argument are left out; algorithms are in namespace furca, as
  users write them; what a header declares is on one page;
- the docstring of a public name shows the example of that name, if it says no other; the block of a
  namespace that begins with a sentence for wrong calls is left out;
- in a docstring rows of a table and indented lines become preformatted text; a paragraph begins
  where a line begins with a word as in LABELLED, or where the line before ended early;
- a page's headings get names, and its links lead to pages and names that Doxygen has made. A link
  to a file that is no page becomes its text;
- words between two asterisks on each side stand between tags; --option does not become a dash;
- code with an apostrophe stands between two ticks on each side;
- a snippet of an example loses the indentation that it has there.
"""
import itertools
import re
from os.path import basename, dirname, normpath

import markdown

DOCSTRING = re.compile(r'\s*///(?!/|<)( ?)(.*)')
PREFORMATTED = re.compile(r'  +\S|.*\S {3,}\S')  # indented, or with a column further right
LABELLED = re.compile(
    r'(Thread-safety|Exceptions|Cost|Complexity|Memory|Order|Source|Checked by|ABA): '
    r'|(Throws) (?=\S+::)'
)
FRIEND = re.compile(r'^ *(?:template <.*>\n *)?friend [^;{]*;$', re.M)
CODE_OR_MARK = re.compile(r'(``.*?``|`.*?`)|(\*\*)|(?<!\S)--(?=\w)')
WHERE = re.compile(r',\s*const SourceLocation(?: where)? =\s*SourceLocation::current\(\)')
PUBLIC = r'(?!detail|furca::detail)[\w:]+'
SENTENCES = re.compile(
    r'^namespace furca::found_by_name {\n(?:FURCA_SAYS|#define FURCA_).*?'
    r'^}  // namespace furca::found_by_name$',
    re.M | re.S,
)
NOT_THE_NAME = re.compile(r'\[\[.*?\]\]|decltype\(auto\)|requires\s*\([^()]*\)', re.S)
NAME = re.compile(r'#define (\w+)|(\w+)\s*(?:[({=;]|:(?!:))')
ROOM = 110
SNIPPET = re.compile(r'\s*//! \[(.+)\]')


def begins_paragraph(before, text):
    """The line before ended with a sentence, though there was room for more."""
    return (
        before.endswith('.')
        and text
        and not text.startswith(('@', '-'))
        and len(before) + len(text.split()[0]) < ROOM
    )


def laid_out(text):
    """Docstrings with marks where their layout says something; the marks stand at the beginnings
    and ends of lines."""
    lines = FRIEND.sub(lambda friend: '\n' * friend[0].count('\n'), text).splitlines()
    docs = [DOCSTRING.fullmatch(line) for line in lines]
    by_hand = [bool(doc and PREFORMATTED.match(doc[2])) for doc in docs] + [False]
    for i, doc in enumerate(docs):
        if not doc:
            continue
        before = docs[i - 1][2] if i > 0 and docs[i - 1] else None
        label = LABELLED.match(doc[2])
        if by_hand[i] and not by_hand[i - 1]:
            block = by_hand.index(False, i)
            language = (
                '.cpp'
                if any(line[2].endswith((';', '{')) for line in docs[i:block])
                else '.unparsed'
            )
            if before is not None:
                lines[i - 1] += f' @code{{{language}}}'
            else:
                lines[i] = lines[i].replace('///', f'/// @code{{{language}}}', 1)
            lines[block - 1] += ' @endcode'
        elif by_hand[i] or before is None:
            continue
        elif label:
            lines[i] = lines[i].replace(label[0], f'<p><b>{label[0].rstrip()}</b> ', 1)
        elif begins_paragraph(before, doc[2]) and not by_hand[i - 1]:
            lines[i] = lines[i].replace('///', '/// <p>', 1)
    return lines


def declared(text):
    """The name that a declaration gives to something."""
    text, before = NOT_THE_NAME.sub('', text), None
    while text != before:
        text, before = re.sub(r'<[^<>]*>', '', text), text
    found = NAME.search(text)
    return found and (found[1] or found[2])


def snippets(examples):
    """{name: file} for names of snippets that one example alone has; `examples`: {path: text}."""
    files = {}
    for path, text in examples.items():
        for found in re.finditer(SNIPPET.pattern + '$', text, re.M):
            files.setdefault(found[1], set()).add(basename(path))
    return {name: file for name, (file, *more) in files.items() if not more}


def show_examples(lines, snippets):
    """A name that is declared several times shows its example where it is first."""
    shown, begin = set(), 0
    for i, line in enumerate(lines):
        if not line.startswith('///'):
            begin = i + 1
        elif not lines[i + 1].startswith('///'):
            name = declared('\n'.join(lines[i + 1 : i + 16]))
            if '@snippet' not in ''.join(lines[begin : i + 1]) and name in snippets.keys() - shown:
                lines[i - (line == '/// @{')] += f' @snippet {snippets[name]} {name}'
            shown.add(name)


def header(name, text, snippets={}):
    text = SENTENCES.sub(lambda block: '\n' * block[0].count('\n'), text)
    text = text.replace('furca::found_by_name', 'furca')
    text = text.replace('detail::Borrowed<', 'std::ranges::borrowed_iterator_t<')
    text = WHERE.sub(lambda where: '\n' * where[0].count('\n'), text)
    lines = laid_out(text)
    show_examples(lines, snippets)
    once = next((i for i, line in enumerate(lines) if not line.startswith('//')), 0)
    about = ' '.join(line[2:].strip() for line in lines[:once])
    if lines[once] == '#pragma once':  # which gives its line to the mark
        lines[: once + 1] = ['/// @file', *('///' + line[2:] for line in lines[:once])]
    # a page for each header: its functions are a group
    group = f'/** @addtogroup {name.replace(".", "_")} furca/{name}\n@{{ */'
    text = re.sub(rf'^(namespace {PUBLIC} {{)\n', rf'\1 {group}', '\n'.join(lines), flags=re.M)
    text = text.replace('\n@{ */', f'\n{about} @{{ */', 1)
    return re.sub(rf'^}}  // namespace {PUBLIC}$', r'/** @} */ \g<0>', text, flags=re.M)


def example(text):
    """Without what is in front of each line of a snippet."""
    lines, start = text.splitlines(), None
    for i, line in enumerate(lines):
        if not SNIPPET.match(line):
            continue
        if start is None:
            start = i
            continue
        inside = range(start + 1, i)
        indent = min(
            (len(lines[k]) - len(lines[k].lstrip()) for k in inside if lines[k].strip()), default=0
        )
        for k in inside:
            lines[k] = lines[k][indent:]
        start = None
    return '\n'.join(lines)


def page_name(path):
    """Doxygen's name of a page, and of its HTML file: examples/guide/when_not.md is when_not,
    tests/model/README.md tests_model."""
    if path == 'examples/guide/README.md':
        return 'index'
    path = re.sub(r'^examples/guide/|\.md$', '', path)
    path = re.sub(r'/?README$', '', path) or 'readme'
    return re.sub(r'\W', '_', path).lower()


def ticked(code):
    """Of `f('x')` Doxygen takes the apostrophe for the end of a quotation; in ``f('x')``
    it does not."""
    return f'``{code[2]}``' if code[1] == '`' and "'" in code[2] else code[0]


def page(path, text, pages):
    name = page_name(path)
    bold = itertools.cycle(('<b>', '</b>'))  # Doxygen does not understand `x`**

    def link(found):
        bang, shown, target = found.groups()
        file, _, anchor = target.partition('#')
        there = normpath(f'{dirname(path)}/{file}'.lstrip('/')) if file else path
        if re.match(r'\w+:', target):
            return found[0]
        if bang:
            return f'![{shown}]({basename(file)})'
        if there not in pages:
            return shown
        html = (
            page_name(there) + '.html' + ('#' + page_name(there) + '-' + anchor if anchor else '')
        )
        return f'<a href="{html}">{shown}</a>'

    lines = []
    for line, fenced, slug in markdown.lines(text):
        if fenced:
            # which Doxygen does not know as a language
            lines.append(re.sub(r'^( *```)c\+\+$', r'\1cpp', line))
            continue
        line = markdown.LINK.sub(link, markdown.TICKED.sub(ticked, line))
        line = CODE_OR_MARK.sub(
            lambda found: found[1] or (next(bold) if found[2] else r'\--'), line
        )
        if slug is not None:
            first = line.startswith('# ')
            label = ('mainpage' if name == 'index' else name) if first else f'{name}-{slug}'
            line = f'{line} {{#{label}}}'
        lines.append(line)
    return '\n'.join(lines)


def filtered(path, text, pages, snippets):
    """`pages`: the paths of all pages that there will be."""
    if path.endswith('.md'):
        return page(path, text, pages)
    return header(basename(path), text, snippets) if path.endswith('.hpp') else example(text)
