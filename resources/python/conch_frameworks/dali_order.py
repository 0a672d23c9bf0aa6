"""The order in which Triton's DALI backend lists the outputs of an answer: that of a hash map of the C++ standard library
(libstdc++) that got the names in the order of the configuration. Clients that count outputs see it."""

_MASK = (1 << 64) - 1
_MULTIPLIER = 0xC6A4A7935BD1E995
_SEED = 0xC70F6907
# How many buckets the map takes one after another.
_BUCKETS = (13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753)


def answer_order(names):
    """The names, each once, as the map lists them."""
    listed = []
    count = 0
    for name in dict.fromkeys(names):
        if len(listed) + 1 > count:
            count = next((each for each in _BUCKETS if each > len(listed)), _BUCKETS[-1])
            listed = _into_buckets(listed, count)
        _insert(listed, name, count)
    return listed


def _into_buckets(names, count):
    listed = []
    for name in names:
        _insert(listed, name, count)
    return listed


def _insert(listed, name, count):
    """In front of those of its bucket, which lie together; in front of all where its bucket is empty."""
    bucket = _hash(name) % count
    at = next((index for index, each in enumerate(listed) if _hash(each) % count == bucket), 0)
    listed.insert(at, name)


def _hash(name):
    """MurmurHash2 of 64 bits, as the library uses it for text."""
    data = name.encode()
    value = _SEED ^ (len(data) * _MULTIPLIER & _MASK)
    whole = len(data) & ~7
    for at in range(0, whole, 8):
        word = _shifted(int.from_bytes(data[at : at + 8], "little") * _MULTIPLIER & _MASK) * _MULTIPLIER & _MASK
        value = (value ^ word) * _MULTIPLIER & _MASK
    if len(data) > whole:
        value = (value ^ int.from_bytes(data[whole:], "little")) * _MULTIPLIER & _MASK
    return _shifted(_shifted(value) * _MULTIPLIER & _MASK)


def _shifted(value):
    return value ^ (value >> 47)
