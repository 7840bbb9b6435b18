#!/usr/bin/env python3
"""Tests the Mandelbrot explorer in headless Chromium: browser.py [--out DIR] [--built].

Needs chromium and chromedriver (Debian: chromium, chromium-driver), and emscripten unless the page
is --built. Ends with "N passed, N failed".
"""
import argparse
import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TOP / 'examples/browser'))
import serve  # noqa: E402: it lies in another room

BROWSER = ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking')
SECONDS = 60


class WithoutHeaders(serve.Handler):
    headers_sent = {}


class Page:
    """A page in a browser, driven as https://www.w3.org/TR/webdriver2/ says."""

    def __init__(self, driver, address):
        self.session = f'{driver}/session'
        options = {'args': BROWSER, 'binary': shutil.which('chromium')}
        wanted = {'capabilities': {'alwaysMatch': {'goog:chromeOptions': options}}}
        self.session += '/' + self.ask('', wanted)['sessionId']
        self.ask('/url', {'url': address})

    def ask(self, path, body=None, method='POST'):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.session + path, data, method=method)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return json.load(answer)['value']

    def run(self, script):
        return self.ask('/execute/sync', {'script': script, 'args': []})

    def wait(self, condition):
        end = time.monotonic() + SECONDS
        while not self.run(f'return {condition}'):
            if time.monotonic() > end:
                raise TimeoutError(f'{condition}: {self.text()}')
            time.sleep(0.02)

    def text(self):
        return self.run("return document.getElementById('time').textContent")

    def drawn(self, script):
        """The picture after what the script wishes; all before it was drawn or given up."""
        self.run(script)
        self.wait('shown === wished')
        return self.run("return document.getElementById('picture').toDataURL()")


def threads(count):
    return f'threads.value = {count}; wish()'


def same_by_any_number(page):
    most = page.run('return threads.max')
    pictures = {page.drawn(threads(count)) for count in ('1', '2', most, '100000')}
    assert len(pictures) == 1, 'pictures differ'
    assert f'by {most} of {most} threads' in page.text(), page.text()


def inside_and_outside(page):
    page.drawn(threads(2))
    middle, corner = page.run(
        "const at = (x, y) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data];"
        'return [at(canvas.width / 2, canvas.height / 2), at(0, 0)]'
    )
    assert middle == [0, 0, 0, 255], middle
    assert corner[:3] != [0, 0, 0] and corner[3] == 255, corner


def newer_wish_stops(page):
    """A picture of half an hour is given up; a hundred wishes end with the last."""
    long = 'Module._wish(-0.2, 0.1, 1e-6, 100, 100000, 100000, 2)'
    alone = page.drawn(f'{long}; view.width = 0.01; view.x = -0.75; view.y = 0.1; wish()')
    page.drawn('for (let i = 1; i <= 100; ++i) { view.width = 3 + 0.001 * i; wish(); }')
    again = page.drawn(f'{long}; view.width = 0.01; wish()')
    assert again == alone, 'another picture than the last wish'


def wheel_and_button(page):
    whole = page.drawn("document.getElementById('whole').click()")
    wheel = "new WheelEvent('wheel', {deltaY: -100, clientX: 50, clientY: 50, cancelable: true})"
    closer = page.drawn(f'canvas.dispatchEvent({wheel})')
    assert closer != whole, 'the wheel changes nothing'
    again = page.drawn("document.getElementById('whole').click()")
    assert again == whole, 'the whole set looks different'


CASES = (same_by_any_number, inside_and_outside, newer_wish_stops, wheel_and_button)


@contextlib.contextmanager
def served(out, handler):
    serving = serve.server(out, 0, handler)
    threading.Thread(target=serving.serve_forever, daemon=True).start()
    yield f'http://127.0.0.1:{serving.server_port}/'
    serving.shutdown()


@contextlib.contextmanager
def driven():
    """Address of a chromedriver, which takes the browser along when it ends."""
    program = ['chromedriver', '--port=0']
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as driver:
        for line in driver.stdout:
            if 'on port ' in line and 'successfully' in line:
                break
        threading.Thread(target=driver.stdout.read, daemon=True).start()
        yield 'http://127.0.0.1:' + line.split('on port ')[1].rstrip('.\n')
        driver.terminate()


def results(driver, out):
    with served(out, serve.Handler) as address:
        page = Page(driver, address)
        page.wait('shown > 0')
        for case in CASES:
            try:
                case(page)
                yield case.__name__, None
            except (AssertionError, TimeoutError) as error:
                yield case.__name__, error
        print(page.text())
        page.ask('', method='DELETE')
    with served(out, WithoutHeaders) as address:
        page = Page(driver, address)
        said = page.text()
        yield 'without headers', None if 'serve.py' in said else said
        page.ask('', method='DELETE')


def main():
    arguments = argparse.ArgumentParser(usage=__doc__)
    arguments.add_argument('--out', type=Path)
    arguments.add_argument('--built', action='store_true')
    arguments = arguments.parse_args()
    missing = [name for name in ('chromium', 'chromedriver') if shutil.which(name) is None]
    if missing:
        sys.exit(f'please install: {" ".join(missing)}')
    failed = 0
    with tempfile.TemporaryDirectory() as folder, driven() as driver:
        out = arguments.out or Path(folder)
        if not arguments.built:
            serve.build(out)
        for number, (name, error) in enumerate(results(driver, out), 1):
            print(f'ok  {name}' if error is None else f'FAILED  {name}: {error}')
            failed += error is not None
    print(f'{number - failed} passed, {failed} failed')
    return int(failed > 0)


if __name__ == '__main__':
    sys.exit(main())
