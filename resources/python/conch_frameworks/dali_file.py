"""The serialised form of a DALI pipeline, read without the package: batch size, inputs, outputs, device. One protobuf
message; fields as seen with DALI 2.4."""

from .faults import unknown

_THREADS, _BATCH_SIZE, _OPERATORS, _OUTPUTS, _DEVICE = 1, 2, 5, 7, 8
_ARGUMENTS = 4
# What a pipeline without a GPU has stored as its device.
CPU_DEVICE = -99999 % (1 << 64)

_TYPES = (
    "TYPE_UINT8",
    "TYPE_UINT16",
    "TYPE_UINT32",
    "TYPE_UINT64",
    "TYPE_INT8",
    "TYPE_INT16",
    "TYPE_INT32",
    "TYPE_INT64",
    "TYPE_FP16",
    "TYPE_FP32",
    "TYPE_FP64",
    "TYPE_BOOL",
)


class PipelineTensor:
    """`data_type`: "" when undeclared; `rank`: None when undeclared."""

    def __init__(self, name, data_type, rank):
        self.name = name
        self.data_type = data_type
        self.rank = rank


class PipelineFile:
    """`streams`: inputs that give several outputs for one input, one in each run."""

    def __init__(self, data):
        """Raises UNKNOWN for what is no serialised pipeline."""
        self.data = data
        self.batch_size = 0
        self.inputs = []
        self.outputs = []
        self.streams = []
        try:
            for field, _, value in _fields(data):
                if field == _BATCH_SIZE:
                    self.batch_size = value
                elif field == _OPERATORS:
                    self._operator(value)
                elif field == _OUTPUTS:
                    self.outputs.append(_output(value))
        except (IndexError, ValueError, UnicodeDecodeError) as error:
            raise unknown(f"DALI Backend error: this is no serialised pipeline ({error})") from None
        if not self.outputs:
            raise unknown("DALI Backend error: this is no serialised pipeline (it has no outputs)")

    def _operator(self, data):
        kind = ""
        outputs = []
        arguments = {}
        for field, _, value in _fields(data):
            if field == 1:
                kind = bytes(value).decode()
            elif field == 3:
                outputs.append(_first_text(value))
            elif field == _ARGUMENTS:
                name, number = _argument(value)
                arguments[name] = number
        if kind.split("__")[-2:] == ["inputs", "Video"]:
            # It takes the bytes of a file, and declares nothing.
            self.inputs.append(PipelineTensor(outputs[0], "TYPE_UINT8", 1))
            self.streams.append(outputs[0])
        elif kind == "ExternalSource":
            data_type = _type_of(arguments.get("dtype"))
            self.inputs.append(PipelineTensor(outputs[0], data_type, _known(arguments.get("ndim"))))

    def for_cpu(self):
        """The bytes with the device of a pipeline without a GPU."""
        parts = []
        for field, wire, value in _fields(self.data):
            if field != _DEVICE:
                parts.append(_encoded(field, wire, value))
        parts.append(_encoded(_DEVICE, 0, CPU_DEVICE))
        return b"".join(parts)


def _output(data):
    name = ""
    data_type = rank = None
    for field, _, value in _fields(data):
        if field == 1:
            name = bytes(value).decode()
        elif field == 5:
            data_type = value
        elif field == 6:
            rank = value
    return PipelineTensor(name, _type_of(data_type), _known(rank))


def _first_text(data):
    return next(bytes(value).decode() for field, _, value in _fields(data) if field == 1)


def _argument(data):
    name, number = "", None
    for field, _, value in _fields(data):
        if field == 1:
            name = bytes(value).decode()
        elif field == 4:
            number = value
    return name, number


def _known(number):
    """None for absent numbers and for -1, which stands for them."""
    return None if number is None or number >= 1 << 63 else number


def _type_of(code):
    code = _known(code)
    return _TYPES[code] if code is not None and code < len(_TYPES) else ""


def _fields(data):
    at = 0
    end = len(data)
    while at < end:
        key, at = _varint(data, at)
        wire = key & 7
        if wire == 0:
            value, at = _varint(data, at)
        else:
            if wire == 2:
                size, at = _varint(data, at)
            elif wire in (1, 5):
                size = 8 if wire == 1 else 4
            else:
                raise ValueError(f"wire type {wire}")
            if at + size > end:
                raise ValueError("it ends early")
            value = data[at : at + size]
            at += size
        yield key >> 3, wire, value


def _varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7
        if shift > 63:
            raise ValueError("a number is too long")


def _encoded(field, wire, value):
    head = _number(field << 3 | wire)
    if wire == 0:
        return head + _number(value)
    return head + (_number(len(value)) if wire == 2 else b"") + bytes(value)


def _number(value):
    parts = bytearray()
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    parts.append(value)
    return bytes(parts)
