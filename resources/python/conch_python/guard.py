"""The end of this process: with its engine, whatever happened to that, and without waiting for threads of the model."""

import ctypes
import os
import signal
import sys
import threading
import time

_PR_SET_PDEATHSIG = 1
_LOOK_SECONDS = 0.3
_TRACKER_SECONDS = 1
_TRACKER_LOOK_SECONDS = 0.01


def die_with_parent(parent):
    """The system ends this process, and processes that the model forks, with the process that started it."""
    if os.name == "posix":
        _ignore_requests_to_end()
    if sys.platform == "linux":
        prctl = ctypes.CDLL(None).prctl
        prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)
        _end_group_after_this_process(prctl)
        os.register_at_fork(after_in_child=lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
    elif os.name == "posix":
        threading.Thread(target=_watch, args=(parent,), name="guard", daemon=True).start()


def _ignore_requests_to_end():
    """This process goes with its engine only. What the model forks or starts can be asked to end, as pools of processes
    do it: a signal that is ignored would be ignored there too, one with a handler is not."""
    asked = (signal.SIGINT, signal.SIGTERM)
    usual = [signal.getsignal(each) for each in asked]

    here = threading.local()

    def hold():
        # One that comes before the child has its handlers back waits.
        here.mask = signal.pthread_sigmask(signal.SIG_BLOCK, asked)

    def release():
        signal.pthread_sigmask(signal.SIG_SETMASK, here.mask)

    def restore():
        for each, handler in zip(asked, usual):
            if signal.getsignal(each) is _nothing:
                signal.signal(each, handler)
        release()

    for each in asked:
        signal.signal(each, _nothing)
    os.register_at_fork(before=hold, after_in_parent=release, after_in_child=restore)


def _nothing(_number, _frame):
    pass


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
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, signal.SIG_IGN)
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


def end_resource_tracker():
    """What a model made with `multiprocessing` and left, as shared memory, has a name in the system that outlives every
    process. A child of this process takes it away once nobody can use it any more: it is waited for, since it would be
    ended with the others."""
    tracker = getattr(sys.modules.get("multiprocessing.resource_tracker"), "_resource_tracker", None)
    descriptor, pid = getattr(tracker, "_fd", None), getattr(tracker, "_pid", None)
    if not isinstance(descriptor, int) or not isinstance(pid, int):
        return
    try:
        # They hold its pipe too, and end with this process in any case.
        for child in sys.modules["multiprocessing.process"].active_children():
            child.kill()
        os.close(descriptor)
        tracker._fd = None
        until = time.monotonic() + _TRACKER_SECONDS
        while os.waitpid(pid, os.WNOHANG)[0] == 0 and time.monotonic() < until:
            time.sleep(_TRACKER_LOOK_SECONDS)
    except Exception:  # noqa: BLE001 - it is the model's, which may have changed anything of it
        pass


def leave():
    """Without joining threads of the model, which may never end."""
    end_resource_tracker()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    os._exit(0)
