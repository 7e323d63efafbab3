"""Messages as they are shown."""

from __future__ import annotations

from oddsmith.solver.errors import InputError, TooLarge, nearest


def test_a_whole_message():
    fault = InputError("x is wrong", why="it must be y", hint="write y", source="f.toml", line=3,
                       column=5, text="a = x")
    assert str(fault) == ("f.toml:3:5: x is wrong\n    a = x\n        ^\n"
                          "  why: it must be y\n  try: write y")
    assert str(InputError("only this")) == "only this"


def test_a_long_line_is_cut_around_the_fault():
    fault = InputError("x", text="a" * 5000 + "X" + "b" * 5000, column=5001, line=1, source="f")
    _, line, caret = str(fault).split("\n")
    assert len(line) == 104
    assert line[caret.index("^")] == "X"


def test_nothing_steers_the_terminal():
    assert "\x1b" not in str(InputError("\x1b[2J", text="\x1b]0;x\x07", why="\x9b", hint="\x00"))


def test_too_large():
    assert str(TooLarge("all games", estimate="10^80", hint="fewer")) == (
        "all games\n  estimate: 10^80\n  try: fewer")


def test_nearest():
    assert nearest("overlaping", ["overlap", "end"]) == "overlap"
    assert nearest("", ["overlap"]) == ""
