"""The places under `At:` in the text of an error."""

import asyncio
import importlib
import sys
import threading

from conch_python.errors import error_text


def _places(error):
    return [line.strip() for line in error_text(error).split("\n\nAt:\n")[1].splitlines()]


def test_a_model_that_fails_on_import_begins_behind_the_host(tmp_path, monkeypatch):
    (tmp_path / "failing_model.py").write_text("def f():\n    raise ValueError('x')\nf()\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        importlib.import_module("failing_model")
    except ValueError as failure:
        error = failure
    # The frame of this test stands for one of the host.
    error.__traceback__ = error.__traceback__.tb_next
    places = _places(error)
    assert places[:2] == [f"{tmp_path}/failing_model.py(2): f", f"{tmp_path}/failing_model.py(3): <module>"]
    assert "_find_and_load" in places[-1]
    assert not any("import_module" in place or "_gcd_import" in place for place in places)


def test_a_coroutine_that_fails_begins_with_itself():
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def execute():
        raise ValueError("x")

    future = asyncio.run_coroutine_threadsafe(execute(), loop)
    try:
        future.result()
    except ValueError as failure:
        error = failure
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
    # The frame of this test stands for one of the host.
    error.__traceback__ = error.__traceback__.tb_next
    assert [place.split(": ")[-1] for place in _places(error)] == ["execute"]


def test_every_frame_of_a_recursion_is_told():
    limit = sys.getrecursionlimit()

    def fall(depth):
        return fall(depth + 1)

    try:
        fall(0)
    except RecursionError as failure:
        assert len(_places(failure)) > limit // 2


def test_a_syntax_error_without_a_file_is_an_error_like_any_other():
    def query():
        raise SyntaxError("bad query")

    try:
        query()
    except SyntaxError as failure:
        error = failure
    text = error_text(error)
    assert text.startswith("SyntaxError: bad query\n\nAt:\n")
    assert text.splitlines()[3].endswith(": query")
    assert error_text(SyntaxError("source code string cannot contain null bytes")) == (
        "SyntaxError: source code string cannot contain null bytes"
    )
