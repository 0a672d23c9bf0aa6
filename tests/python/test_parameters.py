"""Parameters of requests, as models read them."""

import json
import math

import pytest

from conch_python.parameters import of_wire, parameters_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.0"),
        (1.5, "1.5"),
        (-0.25, "-0.25"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (100.0, "100.0"),
        (0.1, "0.1"),
        (0.00001, "0.00001"),
        (1e-6, "0.000001"),
        (1.25e-7, "1.25e-7"),
        (5e-324, "5e-324"),
        (2.0**63, "9223372036854776000.0"),
        (-(2.0**63), "-9223372036854776000.0"),
        (1e20, "100000000000000000000.0"),
        (1e21, "1e21"),
        (-1.5e300, "-1.5e300"),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
    ],
)
def test_reals_are_written_as_the_server_writes_them(value, text):
    assert parameters_text({"a": value, "ä": 'b"'}) == '{"a":%s,"ä":"b\\""}' % text
    read = json.loads(text)
    assert read == value or math.isnan(value) and math.isnan(read)


def test_other_values_keep_their_kind():
    assert parameters_text({}) == "{}"
    assert parameters_text({"a": 2**63 - 1, "b": True, "c": "x"}) == '{"a":9223372036854775807,"b":true,"c":"x"}'


def test_integers_and_reals_come_as_what_they_are():
    read = of_wire({"whole": ["5"], "real": 5, "zero": ["-0", "d"], "no": ["NaN", "d"], "end": ["-Infinity", "d"]})
    assert read["whole"] == 5 and isinstance(read["whole"], int)
    assert read["real"] == 5.0 and isinstance(read["real"], float)
    assert math.copysign(1, read["zero"]) == -1
    assert math.isnan(read["no"])
    assert read["end"] == -math.inf
