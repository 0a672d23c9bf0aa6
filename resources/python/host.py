"""Program of a process that runs instances of a model: `python host.py <lanes> <parent pid>`. A lane is the place of one
instance: three descriptors that were handed down, its socket and its files with inputs and with outputs. Nothing of the
model is imported before the engine asks for it."""

import os
import sys
import threading
import traceback

_FIRST_DESCRIPTOR, _DESCRIPTORS_OF_LANE = 3, 3


def main():
    lanes, parent = (int(text) for text in sys.argv[1:3])
    # Models and what they import may read the arguments of a program: there are none for them.
    sys.argv = [""]
    folder = sys.path.pop(0)
    sys.path.insert(0, folder)
    from conch_python import guard

    guard.die_with_parent(parent)
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        sys.exit(f"CONCH-NEEDS-NUMPY {error}")
    if lanes > 1:
        from conch_python.link import one_link_per_thread

        one_link_per_thread()
    # What is imported now is what the lanes share.
    import conch_python.host  # noqa: F401

    sys.path.remove(folder)
    if lanes == 1:
        _run(0, is_alone=True)
    else:
        threads = [threading.Thread(target=_run_beside_others, args=(lane,)) for lane in range(lanes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    guard.leave()


def _run(lane, is_alone):
    from conch_python.channel import open_channel
    from conch_python.host import Host

    first = _FIRST_DESCRIPTOR + lane * _DESCRIPTORS_OF_LANE
    Host(open_channel(first), first + 1, first + 2, is_alone).run()


def _run_beside_others(lane):
    """What would end the process of one instance ends this one: the engine waits for either an answer or the end."""
    try:
        _run(lane, is_alone=False)
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        os._exit(1)


if __name__ == "__main__":
    main()
