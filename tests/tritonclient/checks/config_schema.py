"""The facts that the schema of the configuration language is held against are those of the official client."""

from pathlib import Path

from google.protobuf.descriptor import FieldDescriptor
from registry import check
from tritonclient.grpc import model_config_pb2

FACTS = Path(__file__).resolve().parents[2] / "golden" / "model-config-facts.txt"

_SCALARS = {
    value: name.removeprefix("TYPE_").lower()
    for name, value in vars(FieldDescriptor).items()
    if name.startswith("TYPE_")
}


def _type(field):
    described = field.message_type or field.enum_type
    return described.full_name.removeprefix("inference.") if described else _SCALARS[field.type]


def _is_map(message):
    return message is not None and message.GetOptions().map_entry


def _field(field):
    if _is_map(field.message_type):
        entry = field.message_type.fields_by_name
        kind = f"map<{_type(entry['key'])},{_type(entry['value'])}>"
    else:
        kind = f"repeated {_type(field)}" if field.is_repeated else _type(field)
    oneof = f" oneof {field.containing_oneof.name}" if field.containing_oneof else ""
    return f"{field.name} {field.number} {kind}{oneof}"


def _enum(described):
    values = [f"{value.name} {value.number}" for value in described.values]
    yield "enum " + described.full_name.removeprefix("inference."), values


def _message(described):
    yield "message " + described.full_name.removeprefix("inference."), [_field(f) for f in described.fields]
    for nested in described.nested_types:
        if not _is_map(nested):
            yield from _message(nested)
    for nested in described.enum_types:
        yield from _enum(nested)


def _written():
    blocks = {}
    for block in FACTS.read_text().split("\n\n"):
        lines = [line.strip() for line in block.splitlines() if line and not line.startswith("#")]
        if lines:
            blocks[lines[0]] = lines[1:]
    return blocks


@check("the table of configuration fields is the client's", on=("grpc",))
def _(_opened):
    known = {}
    for described in model_config_pb2.DESCRIPTOR.enum_types_by_name.values():
        known.update(_enum(described))
    for described in model_config_pb2.DESCRIPTOR.message_types_by_name.values():
        known.update(_message(described))
    written = _written()
    wrong = sorted(heading for heading in known.keys() | written.keys() if known.get(heading) != written.get(heading))
    assert not wrong, f"differs from the client's: {', '.join(wrong)}"
