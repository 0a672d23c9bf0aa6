"""One stream with given requests on either gRPC client: sends them all and gives every message there was."""

import queue

TIMEOUT_S = 60


def collect(t, requests, count, headers=None):
    """Sends `requests` (keyword arguments of the stream call), ends the stream and gives all `count` pairs (result, error)."""
    answers = t.wait(_collect_async(t, requests, headers), TIMEOUT_S) if t.is_async else _collect(t, requests, headers)
    if len(answers) != count:
        raise AssertionError(f"{len(answers)} messages on the stream, expected {count}: {answers}")
    return answers


def _collect(t, requests, headers):
    seen = queue.Queue()
    t.client.start_stream(lambda result, error: seen.put((result, error)), headers=headers)
    for request in requests:
        t.client.async_stream_infer(**request)
    t.client.stop_stream()  # waits for everything outstanding
    return [seen.get_nowait() for _ in range(seen.qsize())]


async def _collect_async(t, requests, headers):
    async def source():
        for request in requests:
            yield dict(request)

    return [answer async for answer in t.client.stream_infer(source(), headers=headers)]


def is_final(result):
    return result.get_response().parameters["triton_final_response"].bool_param
