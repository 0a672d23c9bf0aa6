"""Queue limits, priorities and their timeouts, client timeouts, cancellation."""

import asyncio
import queue
import time
import urllib.request

import numpy as np

from clients import GRPC
from expectations import equal, holds, raises
from registry import check

WAIT_S = 30


def _data(t):
    return [t.input("INPUT0", np.ones((1, 1), np.int32), "INT32")]


def _many(t, model, options):
    """Sends one request per entry of `options` without waiting in between; gives results or errors in order."""
    if t.is_async:

        async def run():
            tasks = []
            for option in options:
                tasks.append(asyncio.ensure_future(t.client.infer(model, _data(t), **option)))
                await asyncio.sleep(0.05)
            return await asyncio.gather(*tasks, return_exceptions=True)

        return t.wait(run())
    if t.is_grpc:
        done = queue.Queue()
        for number, option in enumerate(options):
            t.client.async_infer(
                model, _data(t), lambda result, error, n=number: done.put((n, error or result)), **option
            )
            time.sleep(0.05)
        return [answer for _, answer in sorted((done.get(timeout=WAIT_S) for _ in options), key=lambda a: a[0])]
    pending = []
    for option in options:
        pending.append(t.client.async_infer(model, _data(t), **option))
        time.sleep(0.05)
    answers = []
    for one in pending:
        try:
            answers.append(one.get_result(timeout=WAIT_S))
        except Exception as error:
            answers.append(error)
    return answers


@check("a full queue refuses with Exceeds maximum queue size")
def queue_full(t):
    answers = _many(t, "queue", [{} for _ in range(5)])
    errors = [answer for answer in answers if isinstance(answer, Exception)]
    assert 1 <= len(errors) <= 3, f"{len(errors)} of 5 refused: {errors}"
    for error in errors:
        holds(error.message(), "Exceeds maximum queue size")


@check("a queue timeout of the request expires in the queue")
def queue_timeout(t):
    for _ in range(5):
        answers = _many(t, "patient", [{}, {"timeout": 1000}])
        assert not isinstance(answers[0], Exception), f"first request failed: {answers[0]}"
        # On a busy machine the second one may come when the first is done, and then never waits.
        if isinstance(answers[1], Exception):
            break
    holds(answers[1].message(), "Request timeout expired")


@check("the highest priority goes first")
def priorities(t):
    order = []
    if t.is_async:

        async def one(priority, delay):
            await asyncio.sleep(delay)
            await t.client.infer("patient", _data(t), priority=priority)
            order.append(priority)

        async def run():
            await asyncio.gather(one(2, 0), one(2, 0.05), one(1, 0.1))

        t.wait(run())
        equal(order, [2, 1, 2])
        return
    answers = _many(t, "patient", [{"priority": 2}, {"priority": 2}, {"priority": 1}])
    equal([answer for answer in answers if isinstance(answer, Exception)], [])


@check("a client timeout ends the call and not the server")
def client_timeout(t):
    if t.is_grpc:
        raises("eadline ", t.infer, "patient", _data(t), client_timeout=0.05)
    elif not t.is_async:
        impatient = t.module.InferenceServerClient(t.address, network_timeout=0.05)
        try:
            impatient.infer("patient", _data(t))
            raise AssertionError("no timeout")
        except Exception as error:
            holds(str(error), "timed out")
        finally:
            impatient.close()
    else:

        async def run():
            try:
                await asyncio.wait_for(t.client.infer("patient", _data(t)), 0.05)
            except asyncio.TimeoutError:
                return "timed out"
            return "answered"

        equal(t.wait(run()), "timed out")
    equal(t.call("is_server_live"), True)
    t.infer("patient", _data(t))


def _canceled(t, model):
    with urllib.request.urlopen(f"http://{t.world['main']['metrics']}/metrics", timeout=10) as reply:
        text = reply.read().decode()
    for line in text.splitlines():
        if (
            line.startswith("nv_inference_request_failure")
            and f'model="{model}"' in line
            and 'reason="CANCELED"' in line
        ):
            return float(line.rsplit(" ", 1)[1])
    raise AssertionError("no series for cancelled requests")


@check("cancelled calls are counted as CANCELED", on=GRPC)
def cancel(t):
    before = _canceled(t, "patient")
    if t.is_async:

        async def run():
            running = asyncio.ensure_future(t.client.infer("patient", _data(t)))
            await asyncio.sleep(0.1)
            queued = asyncio.ensure_future(t.client.infer("patient", _data(t)))
            await asyncio.sleep(0.1)
            queued.cancel()
            await running
            try:
                await queued
            except asyncio.CancelledError:
                return True
            return False

        equal(t.wait(run()), True)
    else:
        done = queue.Queue()
        running = t.client.async_infer("patient", _data(t), lambda result, error: done.put(("first", error)))
        time.sleep(0.1)
        queued = t.client.async_infer("patient", _data(t), lambda result, error: done.put(("second", error)))
        time.sleep(0.1)
        queued.cancel()
        answers = dict(done.get(timeout=WAIT_S) for _ in range(2))
        equal(answers["first"], None)
        holds(str(answers["second"]), "CANCELLED")
        equal(running is not None, True)
    deadline = time.monotonic() + WAIT_S
    while _canceled(t, "patient") == before and time.monotonic() < deadline:
        time.sleep(0.05)
    equal(_canceled(t, "patient") - before, 1.0, "cancelled requests")
