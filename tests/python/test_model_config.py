"""ModelConfig: what completion does to a configuration, and what it leaves alone. Answers were asked of Triton's own."""

import json

import pytest
from conch_python.model_config import ModelConfig

INPUT = {"name": "INPUT0", "data_type": "TYPE_FP32", "dims": [-1]}


def given(**more):
    return ModelConfig(json.dumps({"name": "m", "max_batch_size": 0, "input": [], "output": [], **more}))


def test_a_conflict_changes_nothing():
    config = given(input=[{"name": "INPUT0", "data_type": "TYPE_INVALID", "dims": [4], "optional": True}])
    before = json.dumps(config.as_dict())
    with pytest.raises(ValueError, match=r"expects dims \[-1\]"):
        config.add_input(INPUT)
    with pytest.raises(ValueError, match="expects optional False"):
        config.add_input({**INPUT, "dims": [4], "optional": False})
    assert json.dumps(config.as_dict()) == before


def test_a_dict_that_is_added_is_the_models_own():
    config = given()
    tensor = dict(INPUT)
    config.add_input(tensor)
    tensor["dims"] = [8]
    assert config.as_dict()["input"] == [{**INPUT, "dims": [8]}]
    # The one that is there has the new name by then.
    tensor["name"] = "INPUT1"
    config.add_input(tensor)
    assert [each["name"] for each in config.as_dict()["input"]] == ["INPUT1"]


def test_what_is_unset_is_taken():
    config = given(output=[{"name": "OUTPUT0", "data_type": "TYPE_INVALID", "dims": []}])
    config.add_output({**INPUT, "name": "OUTPUT0"})
    assert config.as_dict()["output"] == [{**INPUT, "name": "OUTPUT0"}]


def test_a_field_that_the_model_took_away_is_missed():
    config = given(input=[{"name": "INPUT0", "dims": [-1]}])
    with pytest.raises(KeyError, match="data_type"):
        config.add_input(INPUT)


@pytest.mark.parametrize("policy", [5, "decoupled", ["decoupled"]])
def test_a_policy_is_a_dict(policy):
    with pytest.raises(AttributeError, match="has no attribute 'keys'"):
        given().set_model_transaction_policy(policy)
