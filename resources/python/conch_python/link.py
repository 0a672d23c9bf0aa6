"""The one connection of this process to the engine, as the objects that models use see it: what may be asked when, and
who waits for which answer."""

import threading

from .channel import Closed
from .errors import TritonModelException
from .frames import ASK, json_frame

# Phases of the life of an instance. Requests to other models are made while serving only.
STARTING, INITIALIZING, SERVING, FINALIZING = range(4)


class Link:
    def __init__(self):
        self.channel = None
        self.writer = None
        self.reader = None
        self.outputs = None
        self.phase = STARTING
        self.instance_name = ""
        self.is_decoupled = False
        self.version_dir = None
        # What initialize() of the model gets.
        self.arguments = {}
        self._next_serial = 0
        self._answers = {}
        # Calls to other models that are open: id -> their ResponseIterator's queue.
        self.calls = {}
        # Responses on their way: serial -> who waits.
        self.sending = {}

    def next_serial(self):
        self._next_serial = serial = (self._next_serial + 1) & 0xFFFFFFFF
        return serial

    def ask(self, op, **arguments):
        """The engine's answer to a question. Raises TritonModelException with its error text."""
        if self.channel is None or self.phase in (STARTING, FINALIZING):
            raise TritonModelException(f"'{op}' is not available here: only in 'initialize' and 'execute'.")
        serial = self.next_serial()
        answers = self._answers
        self.channel.send(json_frame(ASK, {"op": op, **arguments}, a=serial))
        try:
            self.channel.wait(lambda: serial in answers)
        except Closed as error:
            raise TritonModelException(str(error)) from None
        answer = answers.pop(serial)
        if "error" in answer:
            raise TritonModelException(
                f"Failed to process the request for model '{self.instance_name}', message: {answer['error']}"
            )
        return answer.get("value")

    def tell(self, op, **arguments):
        """Like `ask`, for what needs no answer; never fails."""
        if self.channel is not None and not self.channel.is_closed:
            self.channel.send(json_frame(ASK, {"op": op, **arguments}, a=0))

    def answered(self, serial, answer):
        self._answers[serial] = answer


link = Link()


class _LinkOfThread(Link, threading.local):
    """Every thread sees a Link of its own."""


def one_link_per_thread():
    """For a process that runs several instances, each in one thread. Called before anything else imports `link`."""
    global link
    link = _LinkOfThread()
