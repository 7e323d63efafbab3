"""Reading files and standard input, and the messages that point into a text.

Whatever is wrong with a file is one InputError, at once: nothing here reads without a bound.
Lines and columns are 1-based and count characters.
"""

from __future__ import annotations

import os
import re
import sys
from typing import Final

from oddsmith.solver.errors import InputError, nearest, printable

MAX_BYTES: Final = 1 << 20
"""A larger document is refused; the largest sensible one is some 20 KB."""

_MAX_SHOWN: Final = 120  # characters of a source line in a message


def read_text(source: str) -> tuple[str, str]:
    """The name and the text of a document.

    Args:
        source: path of a file (of at most MAX_BYTES), or "-" for standard input.

    Raises:
        InputError: it can't be read, is too large, is no UTF-8 text, or holds nothing.
    """
    name = "<stdin>" if source == "-" else printable(source)
    try:
        data = sys.stdin.buffer.read(MAX_BYTES + 1) if source == "-" else _read_file(source)
    except FileNotFoundError:
        raise _missing_file(source, name) from None
    except PermissionError:
        raise InputError("you may not read this file", source=name) from None
    except AttributeError:  # sys.stdin is None
        raise InputError("standard input is closed", source=name) from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        why = getattr(error, "strerror", None) or str(error)
        raise InputError("this file can't be read", why=why, source=name) from None
    if len(data) > MAX_BYTES:
        limit = f"the limit is {MAX_BYTES:,} bytes"
        raise InputError("this file is too large", why=limit, source=name)
    text = _decode(data, name)
    if all(not line.strip() or line.lstrip().startswith("#") for line in text.split("\n")):
        raise InputError("this file is empty", why="it holds no key = value", source=name)
    return name, text


def _read_file(path: str) -> bytes:
    """At most MAX_BYTES + 1 bytes of a file, or as many if its size says that it has more."""
    if os.path.isdir(path):
        raise OSError(0, "it is a folder")
    # Non-blocking, or opening a named pipe that nobody writes to would wait for ever.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if os.fstat(handle).st_size > MAX_BYTES:
            return bytes(MAX_BYTES + 1)
        data = bytearray()
        while len(data) <= MAX_BYTES:
            try:
                part = os.read(handle, MAX_BYTES + 1 - len(data))
            except BlockingIOError:  # a pipe whose writer has nothing to say yet
                import select

                select.select([handle], [], [])
                continue
            if not part:
                break
            data += part
        return bytes(data)
    finally:
        os.close(handle)


def _missing_file(path: str, name: str) -> InputError:
    folder, wanted = os.path.split(path)
    try:
        with os.scandir(folder or ".") as entries:
            names = [entry.name for entry, _ in zip(entries, range(2000), strict=False)]
    except OSError:
        why = f"there is no folder {printable(folder)}"
        return InputError("no such file", why=why, source=name)
    close = nearest(wanted, names, cutoff=0.7)
    hint = printable(os.path.join(folder, close)) if close else ""
    return InputError("no such file", hint=hint, source=name)


def _decode(data: bytes, name: str) -> str:
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        at = error.start
        before = data[:at].decode()
        rest = data[at : at + _MAX_SHOWN].decode(errors="replace").partition("\n")[0]
        what = f"byte 0x{data[at]:02X} at offset {at} is not UTF-8 text"
        utf_16 = " (it is UTF-16)" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        hint = f"save the file as UTF-8{utf_16}"
        raise fault_at(before + rest, len(before), name, what, hint=hint) from None
    # TOML allows no control characters either, but in a binary file they are all there is to say.
    if junk := re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)", text):
        at = junk.start()
        offset = len(text[:at].encode())
        what = f"control character U+{ord(junk[0]):04X} at byte offset {offset}"
        why = "a document is plain text; is this another kind of file?"
        raise fault_at(text, at, name, what, why)
    return text.removeprefix("\ufeff")  # the byte order mark of Windows editors


def show(value: object) -> str:
    """A value as a message names it, short and on one line.

    >>> show("four"), show(True), show(7), show([1, 2]), show({}), show(10**5000)
    ('"four"', 'true', '7', 'an array of 2', 'a table', 'a number of more than 20 digits')
    """
    if isinstance(value, str):
        text = printable(value[:40])
        return f'"{text}…"' if len(value) > 40 else f'"{text}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) and abs(value) >= 10**20:
        return "a number of more than 20 digits"
    if isinstance(value, (list, tuple)):
        return f"an array of {len(value)}"
    return "a table" if isinstance(value, dict) else str(value)


def fault_at(
    text: str, at: int, name: str, what: str, why: str = "", hint: str = ""
) -> InputError:
    """An error at a 0-based character position of a document called `name`."""
    start = text.rfind("\n", 0, at) + 1
    column = at - start + 1
    shown = ""
    if column <= _MAX_SHOWN:  # the mark under a line can't point behind the end of what is shown
        line = text[start : start + _MAX_SHOWN].partition("\n")[0]
        shown = printable(line.rstrip()) + "…" * (len(line) == _MAX_SHOWN)
    row = text.count("\n", 0, at) + 1
    return InputError(what, why=why, hint=hint, source=name, line=row, column=column, text=shown)


def inline_fault(
    label: str, text: str, column: int, what: str, *, why: str = "", hint: str = ""
) -> InputError:
    """An error in text given on the command line.

    Args:
        label: which argument it is (an option or a metavariable), or "".
        text: the argument.
        column: 1-based place in `text`.
        what, why, hint: as for InputError.

    >>> print(inline_fault("--set", "stack_limit:5", 12, "expected ="))
    <command line>:1:12: --set: expected =
        stack_limit:5
                   ^
    """
    what = f"{label}: {what}" if label else what
    return fault_at(text, column - 1, "<command line>", what, why, hint)
