"""Bar charts as SVG, drawn by matplotlib and made part of a page.

matplotlib lays out and draws; afterwards its fixed colours become the page's variables (so
that they follow light and dark), its text takes the page's font, and all that differs from
run to run or speaks of its origin is removed.
"""

from __future__ import annotations

import io
import math
import textwrap
import warnings
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from oddsmith.reports.palette import LIGHT
from oddsmith.reports.words import Bar, bars_of, one_line, scale_of
from oddsmith.solver.answer import Bars

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 400.0
"""So narrow that the text stays legible when a phone shrinks the picture."""

_SIZE = 13.0
_LINE = 17.0
_CHARACTER = 8.0
"""A generous width of one character, so that text fits in any font."""

_BESIDE = 16
"""Labels up to so many characters stand beside their bars, longer ones above."""

_COLORS = {"bar": LIGHT["bar"], "ink": LIGHT["ink"], "muted": LIGHT["muted"]}
"""The page variables, and the colours that stand for them while matplotlib draws."""

_KEPT = frozenset({"svg", "g", "path", "text", "tspan"})
"""The elements of matplotlib's SVG that draw something; the others are about the file."""


def bars_svg(block: Bars) -> str:
    """A bar chart as an inline `<svg>` element.

    Args:
        block: the chart.

    Returns:
        The element; it uses the page's `--od-bar`, `--od-ink` and `--od-muted`.

    Raises:
        ValueError: labels, values and intervals differ in number.
    """
    bars = bars_of(block)
    title = one_line(block.title) or "Bar chart"
    return _adopted(_drawn(bars, block.most), title, _told(bars))


def _told(bars: list[Bar]) -> str:
    """The text alternative: every label with its number."""
    told = [
        f"{bar.label}: {bar.value_words}{f' ({bar.interval_words})' if bar.interval_words else ''}"
        for bar in bars
    ]
    return "; ".join(told) + "." if told else "No bars."


# ---- drawing -------------------------------------------------------------------------------


def _drawn(bars: list[Bar], most: float) -> bytes:
    """The SVG as matplotlib writes it; one user unit is one point."""
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    labels = [textwrap.wrap(bar.label, int(_WIDTH / _CHARACTER)) for bar in bars]
    above = any(len(bar.label) > _BESIDE for bar in bars)
    heights = [_LINE * len(lines) + 34 if above else 30.0 for lines in labels]
    height = sum(heights) + 8
    low, high = scale_of(bars, most)
    numbers = _CHARACTER * max((len(bar.value_words) for bar in bars), default=0) + 10
    left = 4 if above else _CHARACTER * max((len(bar.label) for bar in bars), default=0) + 12
    left += numbers if low < 0 else 0  # the numbers of negative bars stand at their left
    width = max(_WIDTH, left + numbers + 120)
    buffer = io.BytesIO()
    # A reader's own matplotlibrc must not change the bytes; rc_context undoes all this.
    with matplotlib.rc_context(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # the page's fonts draw the text
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {"svg.fonttype": "none", "svg.hashsalt": "oddsmith", "text.parse_math": False}
        )
        figure = Figure(figsize=(width / 72, height / 72), frameon=False)
        FigureCanvasSVG(figure)
        axes = figure.add_axes((left / width, 0, (width - left - numbers) / width, 1))
        axes.set_xlim(low, high if high > low else low + 1)
        axes.set_ylim(height, 0)  # y counts points from the top
        axes.axis("off")
        y = 4.0
        for bar, lines, room in zip(bars, labels, heights, strict=True):
            y += room
            _draw_bar(axes, bar, y - 15)
            axes.plot([0, 0], [y - 27, y - 3], color=_COLORS["muted"], linewidth=1, clip_on=False)
            first = y - 28 - _LINE * (len(lines) - 0.5) if above else y - 15
            for i, line in enumerate(lines):
                _write(axes, line, 0, first + _LINE * i, 2 - left, of_axes=True)
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return buffer.getvalue()


def _draw_bar(axes: Axes, bar: Bar, y: float) -> None:
    """The bar, its interval as a line with two ends, its number beyond both."""
    end = bar.value if math.isfinite(bar.value) else 0.0
    axes.barh(y, end, height=18, color=_COLORS["bar"], clip_on=False)
    reach = end
    if bar.ends is not None and all(map(math.isfinite, bar.ends)):
        low, high = bar.ends
        for left, right, rise in ((low, high, 0), (low, low, 4), (high, high, 4)):
            line = ([left, right], [y - rise, y + rise])
            axes.plot(*line, color=_COLORS["ink"], linewidth=1.6, clip_on=False)
        reach = min(end, low) if end < 0 else max(end, high)
    _write(axes, bar.value_words, reach, y, -6 if end < 0 else 6, bold=True)


def _write(
    axes: Axes,
    words: str,
    x: float,
    y: float,
    shift: float,
    *,
    bold: bool = False,
    of_axes: bool = False,
) -> None:
    """Text at (x, y), shifted by some points; x is a value or a share of the axes' width."""
    axes.annotate(
        words,
        (x, y),
        xycoords=("axes fraction" if of_axes else "data", "data"),
        xytext=(shift, 0),
        textcoords="offset points",
        ha="right" if shift < 0 and not of_axes else "left",
        va="center",
        size=_SIZE,
        weight="bold" if bold else "normal",
        color=_COLORS["ink"],
        annotation_clip=False,
    )


# ---- making it part of a page --------------------------------------------------------------


def _adopted(drawn: bytes, title: str, words: str) -> str:
    """The SVG without namespaces, ids, fixed size and font, and with words."""
    root = ElementTree.fromstring(drawn)
    box = root.attrib["viewBox"]
    for element in list(root.iter()):
        element.tag = element.tag.rpartition("}")[2]
        style = _page_style(element.attrib.pop("style", ""))
        element.attrib = {k: v for k, v in element.attrib.items() if k in ("d", "x", "y")}
        if style:
            element.set("style", style)
        if element.tag == "path":
            element.set("d", " ".join(element.attrib["d"].split()))
        for child in list(element):
            if child.tag.rpartition("}")[2] not in _KEPT:
                element.remove(child)
    root.attrib = {"class": "od-chart", "role": "img", "viewBox": box}
    root.set("aria-label", f"{title}. {words}")
    told = [ElementTree.Element("title"), ElementTree.Element("desc")]
    told[0].text, told[1].text = title, words
    root[:0] = told
    ElementTree.indent(root, "")
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)


def _page_style(style: str) -> str:
    """A style whose colours are the page's variables and whose font family is the page's."""
    kept = [part.strip() for part in style.split(";") if "font-family" not in part]
    style = "; ".join(filter(None, kept))
    for name, color in _COLORS.items():
        style = style.replace(color, f"var(--od-{name})")
    return style
