"""Program of the process that runs one model instance: `python host.py <channel> <inputs> <outputs> <parent pid>`, the
first three being descriptors that were handed down. Nothing of the model is imported before the engine asks for it."""

import sys


def main():
    channel, inputs, outputs, parent = (int(text) for text in sys.argv[1:5])
    folder = sys.path.pop(0)
    sys.path.insert(0, folder)
    from conch_python import guard

    guard.die_with_parent(parent)
    try:
        import numpy  # noqa: F401
    except ImportError as error:
        sys.exit(f"CONCH-NEEDS-NUMPY {error}")
    from conch_python.channel import open_channel
    from conch_python.host import Host

    sys.path.remove(folder)
    Host(open_channel(channel), inputs, outputs).run()
    guard.leave()


if __name__ == "__main__":
    main()
