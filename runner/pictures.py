"""Laying a DOT source out as SVG: by the package pygraphviz, or whatever Graphviz the host has."""

import re
import sys

from runner.errors import EnvironmentBroken
from runner.supervision.programs import answer

SECONDS = 60.0

# In a process of its own, since the library below warns on the standard error of its process about the host's fonts.
_PYGRAPHVIZ = """
import sys
try:
    import pygraphviz
except ImportError:
    sys.exit("is not installed")
source = sys.stdin.buffer.read().decode()
sys.stdout.buffer.write(pygraphviz.AGraph(string=source).draw(format="svg", prog="dot"))
"""
_PROGRAMS = (
    [sys.executable, "-c", _PYGRAPHVIZ],
    ["graphviz-pure", "-Kdot", "-Tsvg"],
    ["dot", "-Tsvg"],
)
_COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)


def svg(source: str) -> str:
    """The drawing as one SVG document without comments, so that it tells no date and no release of Graphviz.

    Raises EnvironmentBroken, naming the extra, when nothing here can draw.
    """
    for argv in _PROGRAMS:
        drawn, failure = answer(argv, source.encode(), SECONDS)
        if not failure and drawn:
            return _COMMENT.sub("", drawn.decode())
    raise EnvironmentBroken(
        "drawing svg needs the extra execctl[svg] (pygraphviz), or graphviz-pure or dot on PATH",
        "pip install 'execctl[svg]', or take --format mermaid, which needs nothing",
        code="extra_missing",
    )
