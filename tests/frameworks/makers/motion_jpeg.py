"""A small film in one file: grey pictures, each a JPEG, in an AVI. For tests that need a film, where nothing that encodes
one is there."""

import struct

_SIDE = 16


def film(greys):
    """One frame of 16 x 16 pixels for each grey (0 to 255), ten in a second."""
    frames = [_jpeg(grey) for grey in greys]
    longest = max(len(frame) for frame in frames)
    main = struct.pack("<14I", 100_000, longest * 10, 0, 0x10, len(frames), 0, 1, longest, _SIDE, _SIDE, 0, 0, 0, 0)
    stream = b"vidsMJPG" + struct.pack("<IHHIIIIIIIIhhhh", 0, 0, 0, 0, 1, 10, 0, len(frames), longest, 0, 0, 0, 0, _SIDE, _SIDE)
    bitmap = struct.pack("<IiiHH4sIiiII", 40, _SIDE, _SIDE, 1, 24, b"MJPG", _SIDE * _SIDE * 3, 0, 0, 0, 0)
    movie, index = b"movi", b""
    for frame in frames:
        index += b"00dc" + struct.pack("<III", 0x10, len(movie), len(frame))
        movie += _chunk(b"00dc", frame)
    header = _list(b"hdrl" + _chunk(b"avih", main) + _list(b"strl" + _chunk(b"strh", stream) + _chunk(b"strf", bitmap)))
    return _chunk(b"RIFF", b"AVI " + header + _list(movie) + _chunk(b"idx1", index))


def _chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def _list(data):
    return _chunk(b"LIST", data)


def _jpeg(grey):
    """Blocks of one value: the first says how far it is from the middle, the others that nothing changed."""
    level = grey - 128
    size = abs(level).bit_length()
    bits = f"{size:04b}" + (f"{level if level >= 0 else level + (1 << size) - 1:0{size}b}" if size else "") + "0"
    bits += "00000" * ((_SIDE // 8) ** 2 - 1)
    bits += "1" * (-len(bits) % 8)
    coded = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
    quantisation = b"\0" + bytes([8] * 64)
    frame = struct.pack(">BHHBBBB", 8, _SIDE, _SIDE, 1, 1, 0x11, 0)
    first = b"\0" + bytes([0, 0, 0, 12] + [0] * 12) + bytes(range(12))
    others = b"\x10" + bytes([1] + [0] * 15) + b"\0"
    scan = bytes([1, 1, 0, 0, 63, 0])
    parts = ((0xDB, quantisation), (0xC0, frame), (0xC4, first), (0xC4, others), (0xDA, scan))
    return b"\xff\xd8" + b"".join(struct.pack(">BBH", 0xFF, kind, len(data) + 2) + data for kind, data in parts) + coded + b"\xff\xd9"
