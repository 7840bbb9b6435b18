"""The report as a page: one file that fetches no script, no font and no image."""
from .chart import chart_element
from .svg import SHEET, escape
from .terminal import heading, tables, verdicts

PAGE_SHEET = '''\
:root{color-scheme:light dark}
body{max-width:960px;margin:0 auto;padding:16px;font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem;margin:0}
pre{font:13px/1.45 ui-monospace,monospace;overflow-x:auto}
.chart{overflow-x:auto}
svg{display:block;max-width:100%;height:auto}
@media screen{
svg{min-width:760px}
}
@media screen and (prefers-color-scheme:dark){
body{background:#14181d;color:#e6e9ec}
}
@media print{
pre{font-size:7pt;overflow:visible}
}
'''


def page(results):
    """The chart, and around it what the terminal shows, in the same words."""
    above = '\n'.join([*heading(results['setting']), *verdicts(results)])
    below = '\n'.join(tables(results))
    return f'''<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>furca: benchmark</title>
<style>
{PAGE_SHEET}{SHEET}</style>
</head>
<body>
<h1>furca: benchmark</h1>
<pre>
{escape(above)}
</pre>
<div class="chart">
{chart_element(results)}</div>
<pre>{escape(below)}
</pre>
</body>
</html>
'''
