"""ModelConfig: what auto_complete_config gets, changes and returns. Names and data types are joined into sentences, not
formatted: one that is no text is a TypeError, as in Triton. A dict that is added is the model's own: later changes count.
A conflict changes nothing."""

import json

_SCHEDULING_CHOICES = ("dynamic_batching", "sequence_batching", "ensemble_scheduling")


class ModelConfig:
    __module__ = "triton_python_backend_utils"

    def __init__(self, model_config):
        self._model_config = json.loads(model_config)

    def as_dict(self):
        return self._model_config

    @property
    def _name(self):
        return "" + self._model_config["name"]

    @property
    def _function(self):
        return f"auto-complete-config function for model '{self._name}'"

    def set_max_batch_size(self, max_batch_size):
        current = self._model_config["max_batch_size"]
        if current > max_batch_size:
            raise ValueError(
                f"configuration specified max_batch_size {current}, but in {self._function} specified "
                f"max_batch_size {max_batch_size}"
            )
        self._model_config["max_batch_size"] = max_batch_size

    def set_dynamic_batching(self):
        found = next((choice for choice in _SCHEDULING_CHOICES if choice in self._model_config), None)
        if found is None:
            self._model_config["dynamic_batching"] = {}
        elif found != "dynamic_batching":
            raise ValueError(
                f"Configuration specified scheduling_choice as '{found}', but auto-complete-config function for model "
                f"'{self._name}' tries to set scheduling_choice as 'dynamic_batching'"
            )

    def add_input(self, input):  # noqa: A002 - the name is the interface
        self._add("input", input, ("name", "data_type", "dims", "optional"))

    def add_output(self, output):
        self._add("output", output, ("name", "data_type", "dims"))

    def set_model_transaction_policy(self, transaction_policy_dict):
        for key in transaction_policy_dict.keys():
            if key != "decoupled":
                raise ValueError(
                    "model transaction property in auto-complete-config function for model "
                    f"'{self._name}' contains property other than 'decoupled'."
                )
        policy = self._model_config.setdefault("model_transaction_policy", {})
        if "decoupled" not in transaction_policy_dict:
            return
        wanted = transaction_policy_dict["decoupled"]
        if "decoupled" in policy and policy["decoupled"] != wanted:
            raise ValueError(
                f"trying to change decoupled property in auto-complete-config for model '{self._name}', which is "
                f"already set to '{policy['decoupled']}'."
            )
        policy["decoupled"] = wanted

    def _add(self, kind, tensor, properties):
        quoted = [f"'{name}'" for name in properties]
        listed = ", ".join(quoted[:-1]) + " and " + quoted[-1]
        if any(key not in properties for key in tensor):
            raise ValueError(
                kind + " '" + tensor["name"] + f"' in {self._function} contains property other than {listed}."
            )
        if "name" not in tensor:
            raise ValueError(f"{kind} in {self._function} is missing 'name' property.")
        name = tensor["name"]
        for needed in ("data_type", "dims"):
            if needed not in tensor:
                raise ValueError(kind + " '" + name + f"' in {self._function} is missing '{needed}' property.")
        tensors = self._model_config[kind]
        current = next((each for each in tensors if each["name"] == name), None)
        if current is None:
            tensors.append(tensor)
        else:
            self._merge(kind, current, tensor)

    def _merge(self, kind, current, tensor):
        name = tensor["name"]
        data_type = current["data_type"]
        if data_type not in ("TYPE_INVALID", tensor["data_type"]):
            raise ValueError(
                f"unable to load model '{self._name}', configuration expects datatype "
                + data_type
                + f" for {kind} '"
                + name
                + "', model provides "
                + tensor["data_type"]
            )
        dims = current["dims"]
        if dims and dims != tensor["dims"]:
            raise ValueError(
                f"model '{self._name}', tensor '"
                + name
                + f"': the model expects dims {tensor['dims']} but the model configuration specifies dims {dims}"
            )
        if "optional" in current and "optional" in tensor and current["optional"] != tensor["optional"]:
            raise ValueError(
                f"model '{self._name}', tensor '"
                + name
                + f"': the model expects optional {tensor['optional']} but the model configuration specifies "
                f"optional {current['optional']}"
            )
        current.update(tensor)
