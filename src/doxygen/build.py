#!/usr/bin/env python3
"""Makes the HTML documentation and checks it: build.py TOP OUTPUT DOXYGEN DOXYFILE.
Exit code 1 if anything is wrong.

Wrong is: any warning of Doxygen's; a public name without a description, or without an example that
uses it and is compiled and run, or that the module does not export; a link within the HTML that
leads nowhere; a mark for code or bold words that has come out as text.
"""
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import doxygen_input
import markdown


def prepare(top, source):
    """Copies what Doxygen reads, changed as it needs it."""
    pages = markdown.pages(top)
    headers = [str(path.relative_to(top)) for path in (top / 'include' / 'furca').glob('*.hpp')]
    examples = [
        str(path.relative_to(top)) for path in (top / 'examples' / 'reference').glob('*.cpp')
    ]
    snippets = doxygen_input.snippets({path: (top / path).read_text() for path in examples})
    shutil.rmtree(source, ignore_errors=True)
    for path in [*pages, *headers, *examples]:
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).write_text(
            doxygen_input.filtered(path, (top / path).read_text(), pages, snippets) + '\n'
        )


# --- examples of public names
# --------------------------------------------------------------------------------------------------


def words_of(code):
    """What stands in an example, comments left out: names and operators."""
    code = '\n'.join(line.split('//')[0] for line in code.splitlines())
    return set(re.findall(r'\w+|->|\+\+|--|==|[^\w\s]', code))


def shown_in(element):
    """The example files that a description shows."""
    return {
        listing.get('filename')
        for part in element.findall('detaileddescription') + element.findall('briefdescription')
        for listing in part.iter('programlisting')
        if re.fullmatch(r'\w+\.cpp', listing.get('filename') or '')
    }


def member_word(name, owner):
    """What a member looks like where it is used; None if it cannot be seen there."""
    if name.startswith('~') or name == 'operator=' or re.match(r'operator (?!co_await)', name):
        return None
    return (
        name.removeprefix('operator').strip()
        if name.startswith('operator')
        else owner
        if name == owner
        else name
    )


def uncovered(compounds, examples):
    """Public names without an example. `compounds`: the roots of Doxygen's XML files;
    `examples`: {file: text}."""
    wrong = []
    functions = {}
    classes = {name.text for root in compounds for name in root.iter('innerclass')}
    for root in compounds:
        for compound in root.findall('compounddef'):
            kind, name = compound.get('kind'), compound.findtext('compoundname')
            if kind == 'file':
                for member in compound.iter('memberdef'):
                    if member.get('kind') == 'define':
                        functions.setdefault(member.findtext('name'), set()).update(
                            shown_in(member)
                        )
                continue
            if (
                kind not in ('namespace', 'group', 'class', 'struct', 'concept')
                or compound.get('prot', 'public') != 'public'
                or '::detail' in name
            ):
                continue
            if kind in ('namespace', 'group'):
                for member in compound.iter('memberdef'):
                    name = member.findtext('qualifiedname')
                    if name.rpartition('::')[0] in classes:  # defined behind its class
                        continue
                    functions.setdefault(name, set()).update(shown_in(member))
                    words = set().union(
                        *(words_of(examples.get(file, '')) for file in shown_in(member))
                    )
                    for value in member.findall('enumvalue'):
                        if value.findtext('name') not in words:
                            wrong.append(
                                f'{name}::{value.findtext("name")}: is in no example that is '
                                'shown there'
                            )
                continue
            shown = shown_in(compound)
            if not shown:
                wrong.append(f'{name}: shows no example')
                continue
            words = set().union(*(words_of(examples.get(file, '')) for file in shown))
            owner = re.sub(r'<.*', '', name).rpartition('::')[2]
            for member in compound.iter('memberdef'):
                deleted = re.search(r'= *delete$', member.findtext('argsstring', ''))
                if member.get('prot') != 'public' or member.get('kind') == 'friend' or deleted:
                    continue
                word = member_word(member.findtext('name'), owner)
                if word is not None and not (
                    word in words
                    or all(part in words for part in re.findall(r'\w+|->|\+\+|==|[^\w\s]', word))
                ):
                    wrong.append(
                        f'{name}::{member.findtext("name")}: is not used in '
                        + ' or '.join(sorted(shown))
                    )
    for name, shown in functions.items():
        word = name.rpartition('::')[2].removeprefix('operator').strip()
        if not shown:
            wrong.append(f'{name}: shows no example')
        elif not any(word in words_of(examples.get(file, '')) for file in shown):
            wrong.append(f'{name}: is not used in {" or ".join(sorted(shown))}')
    return wrong


def exported_wrongly(compounds, module):
    """Public names that the module does not export, and what else it does."""
    public = set()
    for compound in (each for root in compounds for each in root.findall('compounddef')):
        if compound.get('kind') in ('namespace', 'group'):
            public |= {name.text for name in compound.iter('qualifiedname')}
            public |= {name.text for name in compound.iter('innerclass')}
        elif compound.get('kind') == 'concept':
            public.add(compound.findtext('compoundname'))
    public = {name for name in public if re.fullmatch(r'furca::(operator \w+|\w+)', name)}
    exported = set(re.findall(r'^using (.*);$', module, re.M))
    return [f'{name}: furca.cppm does not export it' for name in sorted(public - exported)] + [
        f'{name}: furca.cppm exports what is not public' for name in sorted(exported - public)
    ]


# --- links within the HTML
# --------------------------------------------------------------------------------------------------


class Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.targets = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key in ('id', 'name') and value:
                self.names.add(value)
            if (key in ('href', 'src') or (tag, key) == ('object', 'data')) and value:
                self.targets.add(value)


# it links to that heading where all nested classes are private, and leaves the heading out
DOXYGENS_OWN = {'nested-classes'}


def dead_links(directory):
    pages = {path.name: Page(path.read_text()) for path in directory.glob('*.html')}
    for name, page in sorted(pages.items()):
        for target in sorted(page.targets):
            if re.match(r'\w+:', target):
                continue
            file, _, anchor = unquote(target).partition('#')
            file = file.split('?')[0] or name
            if not (directory / file).exists():
                yield f'{name}: there is no {target}'
            elif anchor and file in pages and anchor not in pages[file].names | DOXYGENS_OWN:
                yield f'{name}: there is no {target}'


# --- marks that are left
# --------------------------------------------------------------------------------------------------

CODE = re.compile(
    r'<code>.*?</code>|<pre.*?</pre>|<script.*?</script>'
    r'|<div class="fragment">.*?</div><!-- fragment -->',
    re.S,
)


def marks_left(directory):
    """Where a page's `code` or **words** were not understood a mark is left over, and where an
    --option was not it begins with a dash."""
    for path in sorted(directory.glob('*.html')):
        for found in re.findall(
            r'[^<>\n]*(?:`|(?<!char )\*\*|&ndash;)[^<>\n]*', CODE.sub('', path.read_text())
        ):
            yield f'{path.name}: is shown as it is written: {found.strip()}'


def main():
    top, output, doxygen, doxyfile = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    source = output / 'source'
    prepare(top, source)
    for made in ('html', 'xml'):
        shutil.rmtree(output / made, ignore_errors=True)
    run = subprocess.run(
        [doxygen, doxyfile], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    wrong = [
        line.replace(str(source) + os.sep, '') for line in run.stdout.splitlines() if line.strip()
    ]
    if run.returncode != 0 and not wrong:
        wrong.append(f'{doxygen} has failed with exit code {run.returncode}')
    if run.returncode == 0:
        compounds = [
            ElementTree.parse(path).getroot()
            for path in sorted((output / 'xml').glob('*.xml'))
            if path.name not in ('index.xml', 'Doxyfile.xml')
        ]
        wrong += uncovered(
            compounds,
            {
                path.name: path.read_text()
                for path in (top / 'examples' / 'reference').glob('*.cpp')
            },
        )
        wrong += exported_wrongly(
            compounds, (top / 'include' / 'furca' / 'furca.cppm').read_text()
        )
        wrong += dead_links(output / 'html')
        wrong += marks_left(output / 'html')
    for complaint in dict.fromkeys(wrong):  # Doxygen says some things twice
        print(complaint)
    if not wrong:
        print(
            f'{output / "html" / "index.html"}: {len(list((output / "html").glob("*.html")))} files'
        )
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())
