"""The outline of a set of board spaces, as one rounded SVG path."""

from __future__ import annotations

from collections.abc import Collection

Space = tuple[int, int]
"""Row and column."""

Point = tuple[int, int]
"""Column and row of a grid corner."""


def components(spaces: Collection[Space]) -> list[set[Space]]:
    """Spaces split into parts that hang together by their sides.

    Args:
        spaces: any spaces.

    Returns:
        The parts, ordered by their first space in reading order.
    """
    left = set(spaces)
    parts = []
    for start in sorted(spaces):
        if start not in left:
            continue
        part, front = set(), [start]
        left.discard(start)
        while front:
            row, column = front.pop()
            part.add((row, column))
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                near = (row + down, column + right)
                if near in left:
                    left.discard(near)
                    front.append(near)
        parts.append(part)
    return parts


def outline_path(
    spaces: Collection[Space], *, pitch: float, inset: float, radius: float, origin: float
) -> str:
    """The border of some spaces, drawn a little inside it, with round corners.

    Args:
        spaces: the spaces; holes inside them get a border too.
        pitch: distance from space to space.
        inset: how far inside the border to draw.
        radius: of the corners.
        origin: x and y of the board's top left corner.

    Returns:
        The `d` of an SVG path.
    """
    parts = []
    for loop in _loops(set(spaces)):
        corners = _corners(loop)
        for i, (point, before, after) in enumerate(corners):
            # The inside is on the right hand: (dx, dy) turned right is (-dy, dx).
            x = origin + pitch * point[0] - inset * (before[1] + after[1])
            y = origin + pitch * point[1] + inset * (before[0] + after[0])
            start = f"{x - radius * before[0]:g} {y - radius * before[1]:g}"
            end = f"{x + radius * after[0]:g} {y + radius * after[1]:g}"
            parts.append(f"{'L' if i else 'M'}{start}Q{x:g} {y:g} {end}")
        parts.append("Z")
    return "".join(parts)


def _loops(spaces: set[Space]) -> list[list[Point]]:
    """The border as closed walks of unit steps that keep the spaces at the right hand."""
    steps: dict[Point, list[Point]] = {}
    for row, column in sorted(spaces):
        top_left, top_right = (column, row), (column + 1, row)
        low_left, low_right = (column, row + 1), (column + 1, row + 1)
        for near, start, end in (
            ((row - 1, column), top_left, top_right),
            ((row, column + 1), top_right, low_right),
            ((row + 1, column), low_right, low_left),
            ((row, column - 1), low_left, top_left),
        ):
            if near not in spaces:
                steps.setdefault(start, []).append(end)
    loops = []
    while steps:
        # Nothing borders the leftmost corner from the left, so that the walk passes it once.
        loop = [min(steps)]
        point = _step(steps, loop[0], loop[0])
        while point != loop[0]:
            loop.append(point)
            point = _step(steps, point, loop[-2])
        loops.append(loop)
    return loops


def _step(steps: dict[Point, list[Point]], point: Point, before: Point) -> Point:
    """Take the next step; where two spaces touch by a corner, turn right, around the same one."""
    ends = steps[point]
    chosen = ends[0]
    if len(ends) > 1:
        dx, dy = point[0] - before[0], point[1] - before[1]
        right = (point[0] - dy, point[1] + dx)
        chosen = right if right in ends else chosen
    ends.remove(chosen)
    if not ends:
        del steps[point]
    return chosen


def _corners(loop: list[Point]) -> list[tuple[Point, Point, Point]]:
    """The points where a walk turns, with the steps before and after."""
    corners = []
    for i, point in enumerate(loop):
        last, following = loop[i - 1], loop[(i + 1) % len(loop)]
        before = (point[0] - last[0], point[1] - last[1])
        after = (following[0] - point[0], following[1] - point[1])
        if before != after:
            corners.append((point, before, after))
    return corners
