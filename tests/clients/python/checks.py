"""grpclib (HTTP/2 in Python), httpx, aiohttp and requests against a server, as tests/clients/README.md tells."""

import asyncio
import json
import os
import sys

import aiohttp
import httpx
import requests
from grpclib import GRPCError, Status
from grpclib.client import Channel, StreamStreamMethod, UnaryUnaryMethod
from grpclib.encoding.base import CodecBase

SERVICE = "/inference.GRPCInferenceService/"
LIMIT_S = 60
JSON_REQUEST = {"inputs": [{"name": "INPUT0", "datatype": "FP32", "shape": [2], "data": [1, 2]}]}


class RawCodec(CodecBase):
    """Hands the bytes of messages on as they are."""

    __content_subtype__ = "proto"

    def encode(self, message, message_type):
        return message

    def decode(self, data, message_type):
        return data


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number: int, value: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(value)) + value


def infer_request(model: str, raw: bytes) -> bytes:
    """A ModelInferRequest with one FP32 tensor of shape [len(raw) / 4]."""
    tensor = field(1, b"INPUT0") + field(2, b"FP32") + field(3, varint(len(raw) // 4))
    return field(1, model.encode()) + field(5, tensor) + field(7, raw)


class Checks:
    failed = False

    async def check(self, name, work):
        try:
            seen = await asyncio.wait_for(work, LIMIT_S)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is told
            seen = repr(error)
        print(f"ok {name}" if seen is None else f"FAILED {name}: {seen}", flush=True)
        self.failed = self.failed or seen is not None


class Grpc:
    def __init__(self, address: str):
        host, port = address.rsplit(":", 1)
        self.channel = Channel(host, int(port), codec=RawCodec())
        self.infer = UnaryUnaryMethod(self.channel, SERVICE + "ModelInfer", bytes, bytes)
        self.stream = StreamStreamMethod(self.channel, SERVICE + "ModelStreamInfer", bytes, bytes)

    async def echo(self, values: int):
        raw = os.urandom(4 * values)
        answer = await self.infer(infer_request("echo", raw))
        return None if answer.endswith(field(6, raw)) else f"{len(answer)} other bytes"

    async def at_once(self, count: int):
        seen = await asyncio.gather(*[self.echo(values) for values in range(count)])
        return next((fault for fault in seen if fault is not None), None)

    async def streamed(self, count: int):
        received = 0
        async with self.stream.open() as stream:
            for turn in range(count):
                await stream.send_message(infer_request("echo", bytes(4000)), end=turn == count - 1)
            async for _ in stream:
                received += 1
        return None if received == count else f"{received} answers to {count} requests"

    async def deadline(self):
        """Both ends know the deadline: either the client's own clock or the server's status ends the call first."""
        try:
            await self.infer(infer_request("slow", bytes(16)), timeout=0.1)
        except asyncio.TimeoutError:
            return await self.echo(3)
        except GRPCError as error:
            return await self.echo(3) if error.status is Status.DEADLINE_EXCEEDED else repr(error)
        return "an answer"

    async def unknown(self):
        try:
            await self.infer(infer_request("nobody", b""))
        except GRPCError as error:
            return None if error.status is Status.NOT_FOUND else repr(error)
        return "an answer"


def good(status: int, text: str):
    return None if status == 200 and json.loads(text)["outputs"][0]["data"] == [1.0, 2.0] else f"{status} {text}"


def pieces():
    text = json.dumps(JSON_REQUEST).encode()
    for start in range(0, len(text), 7):
        yield text[start : start + 7]


async def by_requests(url: str, **body):
    answer = await asyncio.to_thread(requests.post, url, timeout=LIMIT_S, **body)
    return good(answer.status_code, answer.text)


async def by_httpx(url: str, http2: bool, **body):
    async with httpx.AsyncClient(http2=http2, timeout=LIMIT_S) as client:
        answer = await client.post(url, **body)
    return good(answer.status_code, answer.text)


async def by_aiohttp(url: str, **how):
    async with aiohttp.ClientSession() as session:
        async with session.post(url, json=JSON_REQUEST, **how) as answer:
            return good(answer.status, await answer.text())


async def many_by_aiohttp(url: str):
    async with aiohttp.ClientSession() as session:
        answers = await asyncio.gather(*[session.post(url, json=JSON_REQUEST) for _ in range(300)])
        seen = sum(answer.status == 200 for answer in answers)
        for answer in answers:
            answer.release()
    return None if seen == 300 else f"{seen} of 300"


async def of_http(checks: Checks, address: str, where: str):
    url = f"http://{address}/v2/models/echo/infer"
    await checks.check(f"requests{where}: numbers", by_requests(url, json=JSON_REQUEST))
    await checks.check(f"requests{where}: in chunks", by_requests(url, data=pieces()))
    await checks.check(f"httpx{where}: numbers", by_httpx(url, False, json=JSON_REQUEST))
    await checks.check(f"httpx{where}: HTTP/2 allowed", by_httpx(url, True, json=JSON_REQUEST))
    await checks.check(f"aiohttp{where}: deflate", by_aiohttp(url, compress="deflate"))
    await checks.check(f"aiohttp{where}: gzip", by_aiohttp(url, compress="gzip"))
    await checks.check(f"aiohttp{where}: 100 Continue", by_aiohttp(url, expect100=True))
    await checks.check(f"aiohttp{where}: 300 at once", many_by_aiohttp(url))


async def main(grpc_address: str, http_address: str, threaded_address: str) -> int:
    checks = Checks()
    grpc = Grpc(grpc_address)
    for values in (0, 1, 4096, 16384, 1 << 20):
        await checks.check(f"grpclib: {values} values there and back", grpc.echo(values))
    await checks.check("grpclib: 500 at once", grpc.at_once(500))
    await checks.check("grpclib: 200 requests on a stream", grpc.streamed(200))
    await checks.check("grpclib: a deadline, and a call after it", grpc.deadline())
    await checks.check("grpclib: a model that is not there", grpc.unknown())
    grpc.channel.close()
    await of_http(checks, http_address, "")
    await of_http(checks, threaded_address, ", threads")
    return 1 if checks.failed else 0


sys.exit(asyncio.run(main(*sys.argv[1:4])))
