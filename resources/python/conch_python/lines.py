"""Lines of the log on their way: those that come one by one leave at once, those of a flood are gathered, so that
neither side wakes for each of them. They keep their place among all other frames.

Invariant: what is gathered leaves within a few milliseconds, or before the next frame that is sent."""

import threading
import time

# In so many seconds so many lines leave at once.
_WINDOW_S = 0.01
_AT_ONCE = 16
_PAUSE_S = 0.002
# Gathered lines after which whoever logs waits until they have left: the engine may be slower than the model.
_MOST_GATHERED = 512
_LONGEST_WAIT_S = 1.0


class Lines:
    def __init__(self, channel):
        self._channel = channel
        self._window_start = 0.0
        self._in_window = 0
        self._gathered = 0
        self._wake = threading.Event()
        self._flusher = None

    def add(self, frame):
        now = time.monotonic()
        if now - self._window_start >= _WINDOW_S:
            self._window_start = now
            self._in_window = 0
        self._in_window += 1
        if self._in_window <= _AT_ONCE:
            self._channel.send(frame)
            return
        self._channel.post(frame)
        self._gathered += 1
        if self._gathered >= _MOST_GATHERED:
            self._gathered = 0
            self._channel.flush()
            self._channel.wait_until_written(_LONGEST_WAIT_S)
        elif not self._wake.is_set():
            self._wake_flusher()

    def _wake_flusher(self):
        if self._flusher is None:
            self._flusher = threading.Thread(target=self._flush_forever, name="lines", daemon=True)
            self._flusher.start()
        self._wake.set()

    def _flush_forever(self):
        while not self._channel.is_closed:
            self._wake.wait()
            time.sleep(_PAUSE_S)
            # Cleared before the write: a line that is added during it wakes this thread again.
            self._wake.clear()
            self._channel.flush()
