"""The life of one model instance in this process: what the engine sends, and what the model is asked to do with it.

The main thread reads and executes. Everything that other threads of the model need arrives through the channel, which
lets whoever waits read."""

from collections import deque

from . import guard, model_loader
from .blocks import BlockReader, BlockWriter
from .channel import Closed
from .errors import error_text, failure_of
from .executor import Executor
from .frames import (
    CALL_RESPONSE,
    CANCEL,
    COMPLETED,
    EXECUTE,
    FAILED,
    FINALIZE,
    FINALIZED,
    FREE,
    FREED,
    HAS_BLOCK,
    IS_READY,
    READINESS,
    READY,
    REPLY,
    SENT,
    SETUP,
    json_frame,
    offsets_frame,
    plain_frame,
    read_json,
)
from .link import FINALIZING, INITIALIZING, SERVING, link
from .logger import LogLevel, log
from .memory import InputMemory, OutputMemory
from .readiness import Readiness


class Host:
    def __init__(self, channel, input_descriptor, output_descriptor, is_alone):
        """`is_alone`: no other instance is in this process."""
        self._channel = channel
        self._is_alone = is_alone
        self._inputs = InputMemory(input_descriptor, self._give_back)
        self._outputs = OutputMemory(output_descriptor)
        self._reader = BlockReader(self._inputs)
        self._writer = BlockWriter(self._outputs)
        self._work = deque()
        self._setup = None
        self._executor = None
        self._readiness = None
        self._is_finalizing = False
        link.channel = channel
        link.reader = self._reader
        link.writer = self._writer
        for kind, handler in (
            (SETUP, self._on_setup),
            (EXECUTE, self._on_execute),
            (CANCEL, self._on_cancel),
            (SENT, self._on_sent),
            (CALL_RESPONSE, self._on_call_response),
            (REPLY, self._on_reply),
            (FINALIZE, self._on_finalize),
            (IS_READY, self._on_is_ready),
            (FREE, self._on_free),
        ):
            channel.on(kind, handler)

    def run(self):
        """Until the engine asks to end, or is gone."""
        try:
            self._channel.wait(lambda: self._setup is not None or self._is_finalizing)
            if self._setup is None:
                return
            if self._setup["command"] == "complete":
                self._complete()
            elif self._start():
                self._serve()
        except Closed:
            return

    # --- starting ---

    def _complete(self):
        setup = self._setup
        try:
            completed = model_loader.complete(setup)
            self._channel.send(json_frame(COMPLETED, {"config": completed}))
        except BaseException as error:  # noqa: BLE001 - also SystemExit: the engine is told what happened
            self._channel.send(json_frame(FAILED, failure_of(error)))

    def _start(self):
        setup = self._setup
        link.instance_name = setup["args"]["model_instance_name"]
        link.is_decoupled = setup["isDecoupled"]
        try:
            model = model_loader.load_model(setup)
            link.phase = INITIALIZING
            if model_loader.has(model, "initialize"):
                model.initialize(setup["args"])
        except BaseException as error:  # noqa: BLE001 - also SystemExit, which tells more than a process that is gone
            self._channel.send(json_frame(FAILED, failure_of(error)))
            return False
        link.phase = SERVING
        self._executor = Executor(model, self._reader, setup["modelFile"], self._give_back_key)
        self._readiness = Readiness(model, self._channel) if model_loader.has(model, "is_ready") else None
        self._channel.send(json_frame(READY, {"hasIsReady": self._readiness is not None}))
        return True

    # --- serving ---

    def _serve(self):
        work, channel, executor = self._work, self._channel, self._executor
        has_news = lambda: work or self._is_finalizing  # noqa: E731
        while True:
            if not work:
                channel.flush()
                channel.wait(has_news)
            if work:
                batch = work.popleft()
                executor.execute(*batch, is_last=not work)
            elif self._is_finalizing:
                break
        self._finalize()

    def _finalize(self):
        executor = self._executor
        executor.stop()
        link.phase = FINALIZING
        model = executor.model
        if model_loader.has(model, "finalize"):
            try:
                model.finalize()
            except BaseException as error:  # noqa: BLE001 - an unload is never held up by it
                log(f"finalize of '{link.instance_name}' failed: {error_text(error)}", LogLevel.INFO)
        if self._is_alone:
            guard.end_resource_tracker()
        self._channel.send(plain_frame(FINALIZED))

    # --- what arrives ---

    def _on_setup(self, data, at, _flags, _a, _b):
        self._setup = read_json(data, at)

    def _on_execute(self, data, at, _flags, execution, count):
        self._work.append((execution, count, data, at))

    def _on_cancel(self, _data, _at, _flags, key, _b):
        if self._executor is not None:
            self._executor.cancel(key, bool(self._work))

    def _on_sent(self, data, at, _flags, serial, has_error):
        answer = link.sending.pop(serial, None)
        if answer is None:
            return
        answer.untaken -= 1
        if has_error:
            answer.failure = read_json(data, at)

    def _on_call_response(self, data, at, flags, call_id, _b):
        call = link.calls.get(call_id)
        block = self._reader.read(data, at) if flags & HAS_BLOCK else None
        if call is not None:
            call.receive(block, flags)

    def _on_reply(self, data, at, _flags, serial, _b):
        link.answered(serial, read_json(data, at))

    def _on_finalize(self, _data, _at, _flags, _a, _b):
        self._is_finalizing = True

    def _on_is_ready(self, _data, _at, _flags, serial, _b):
        if self._readiness is None:
            self._channel.post(json_frame(READINESS, {"value": True}, a=serial))
        else:
            self._readiness.ask(serial)

    def _on_free(self, data, at, _flags, count, _b):
        for offset in memoryview(data)[at : at + 8 * count].cast("Q"):
            self._outputs.release(offset)

    # --- what ends by itself ---

    def _give_back(self, offset):
        """Nobody sees a tensor of the shared file any more."""
        self._channel.send(offsets_frame(FREED, [offset]))

    def _give_back_key(self, key):
        """Nobody can answer a request any more."""
        link.tell("drop", key=key)
