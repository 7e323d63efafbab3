"""Reading files and standard input: whatever can go wrong is told in one clear message."""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.solver.errors import InputError
from oddsmith.solver.position import Document
from oddsmith.solver.reading import MAX_BYTES, read_text
from tests.frame.faults import fault_of

settings.register_profile("no deadline", deadline=None)  # a busy machine is no fault
settings.load_profile("no deadline")

def test_read_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(b'\xef\xbb\xbfname = "\xc3\xa9"\r\n')
    assert read_text(str(path)) == (str(path), 'name = "é"\r\n')
    assert Document.load(str(path)).root.text("name") == "é"


def test_read_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a = 1\n")))
    assert read_text("-") == ("<stdin>", "a = 1\n")


def test_standard_input_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    with open("/dev/zero", encoding="utf-8") as endless:
        monkeypatch.setattr(sys, "stdin", endless)
        fault = fault_of(read_text, "-")
    assert (fault.source, fault.what) == ("<stdin>", "this file is too large")


def test_standard_input_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert fault_of(read_text, "-").what == "standard input is closed"


def test_missing_file_suggests_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "opening.toml").write_text("a = 1")
    (tmp_path / "zzz.toml").write_text("a = 1")
    fault = fault_of(read_text, str(tmp_path / "openning.toml"))
    assert fault.what == "no such file"
    assert fault.source == str(tmp_path / "openning.toml")
    assert fault.hint == str(tmp_path / "opening.toml")


def test_missing_file_with_nothing_like_it(tmp_path: Path) -> None:
    assert fault_of(read_text, str(tmp_path / "game.toml")).hint == ""


def test_missing_file_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "opening.toml").write_text("a = 1")
    monkeypatch.chdir(tmp_path)
    assert fault_of(read_text, "opening.tml").hint == "opening.toml"


def test_missing_folder(tmp_path: Path) -> None:
    fault = fault_of(read_text, str(tmp_path / "nowhere" / "game.toml"))
    assert fault.why == f"there is no folder {tmp_path / 'nowhere'}"


def test_folder(tmp_path: Path) -> None:
    fault = fault_of(read_text, str(tmp_path))
    assert (fault.source, fault.why) == (str(tmp_path), "it is a folder")


@pytest.mark.parametrize("name", ["", "a\0b", "x" * 5000, "\udcff.toml", "a\nb\x1b[2J"])
def test_impossible_names(name: str, tmp_path: Path) -> None:
    fault = fault_of(read_text, str(tmp_path / "folder" / name) if name else name)
    str(fault).encode()
    assert "\n" not in fault.source
    assert "\x1b" not in str(fault)


def test_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "secret.toml"
    path.write_text("a = 1")
    path.chmod(0)
    if os.access(path, os.R_OK):  # root may read everything

        def refuse(*_: object) -> int:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(os, "open", refuse)
    fault = fault_of(read_text, str(path))
    assert (fault.source, fault.what) == (str(path), "you may not read this file")


def test_an_error_while_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.toml"
    path.write_text("a = 1")

    def fail(*_: object) -> bytes:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "read", fail)
    assert fault_of(read_text, str(path)).why == "Input/output error"


def test_size_limit(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(b"#" * (MAX_BYTES - 6) + b"\na = 1")
    assert len(read_text(str(path))[1]) == MAX_BYTES
    path.write_bytes(b"#" * (MAX_BYTES - 5) + b"\na = 1")
    fault = fault_of(read_text, str(path))
    assert (fault.what, fault.why) == ("this file is too large", "the limit is 1,048,576 bytes")


def test_a_large_file_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "huge.toml"
    with open(path, "wb") as file:
        file.truncate(100_000_000)
    start = time.perf_counter()
    assert fault_of(read_text, str(path)).what == "this file is too large"
    assert time.perf_counter() - start < 0.5


def test_an_endless_device_is_refused_at_once() -> None:
    start = time.perf_counter()
    assert fault_of(read_text, "/dev/zero").what == "this file is too large"
    assert time.perf_counter() - start < 0.5


def test_a_pipe_nobody_writes_to_is_empty(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    start = time.perf_counter()
    assert fault_of(read_text, str(tmp_path / "pipe")).what == "this file is empty"
    assert time.perf_counter() - start < 0.5


def test_a_pipe_with_a_slow_writer_is_read_to_its_end() -> None:
    reading, writing = os.pipe()

    def write() -> None:
        for part in (b"a = 1\n", b"b = 2\n"):
            time.sleep(0.05)
            os.write(writing, part)
        os.close(writing)

    writer = threading.Thread(target=write)
    writer.start()
    _, text = read_text(f"/dev/fd/{reading}")
    writer.join()
    os.close(reading)
    assert text == "a = 1\nb = 2\n"


@pytest.mark.parametrize(
    ("data", "what", "line", "column", "text"),
    [
        (
            b'a = 1\nb = "\xe9t\xe9"\n',
            "byte 0xE9 at offset 11 is not UTF-8 text",
            2,
            6,
            'b = "�t�"',
        ),
        (b"\xff\xfea\0", "byte 0xFF at offset 0 is not UTF-8 text", 1, 1, "��a�"),
        ("é = 1\nx\0y".encode(), "control character U+0000 at byte offset 8", 2, 2, "x�y"),
        (b"a = 1\n\x1b[2J", "control character U+001B at byte offset 6", 2, 1, "�[2J"),
        ("a = 1 # \x9b".encode(), "control character U+009B at byte offset 8", 1, 9, "a = 1 # �"),
        (b"a = 1\rb = 2\r", "control character U+000D at byte offset 5", 1, 6, "a = 1�b = 2"),
    ],
)
def test_binary_junk(
    data: bytes, what: str, line: int, column: int, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.toml"
    path.write_bytes(data)
    fault = fault_of(read_text, str(path))
    assert fault.what == what
    assert (fault.source, fault.line, fault.column) == (str(path), line, column)
    assert fault.text == text


def test_utf_16_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text("a = 1", encoding="utf-16")
    assert "UTF-16" in fault_of(read_text, str(path)).hint


@pytest.mark.parametrize("text", ["", " \n\t\r\n", "# only\n  # comments\n", "\ufeff"])
def test_empty(text: str, tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text(text, encoding="utf-8", newline="")
    fault = fault_of(read_text, str(path))
    assert (fault.source, fault.what) == (str(path), "this file is empty")


@given(st.binary(max_size=200))
def test_any_bytes_give_text_or_an_input_error(data: bytes) -> None:
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    try:
        text = read_text(f"/dev/fd/{reading}")[1]
    except InputError:
        return
    finally:
        os.close(reading)
    assert text.encode() in (data, data.removeprefix(b"\xef\xbb\xbf"))
