"""The end of this process: with its engine, whatever happened to that, and without waiting for threads of the model."""

import ctypes
import os
import signal
import sys
import threading
import time

_PR_SET_PDEATHSIG = 1
_LOOK_SECONDS = 0.3


def die_with_parent(parent):
    """The system ends this process, and processes that the model forks, with the process that started it."""
    if os.name == "posix":
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
        _end_group_after_this_process(prctl)
        os.register_at_fork(after_in_child=lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    elif os.name == "posix":
        threading.Thread(target=_watch, args=(parent,), name="guard", daemon=True).start()


def _end_group_after_this_process(prctl):
    """Programs that the model starts know nothing of its engine: a child of this process ends their group when this
    process is gone. It costs a fork of a bare interpreter, and holds no descriptor of ours."""
    me = os.getpid()
    if os.getpgid(0) != me:
        return
    gone = {signal.SIGUSR1}
    signal.pthread_sigmask(signal.SIG_BLOCK, gone)
    if os.fork() != 0:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, gone)
        return
    try:
        os.closerange(0, 1024)
        prctl(_PR_SET_PDEATHSIG, signal.SIGUSR1, 0, 0, 0)
        if os.getppid() == me:
            signal.sigwait(gone)
        os.killpg(0, signal.SIGKILL)
    finally:
        os._exit(0)


def _watch(parent):
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(1)


def leave():
    """Without joining threads of the model, which may never end."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    os._exit(0)
