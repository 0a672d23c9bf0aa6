"""Adds and subtracts two tensors: a model to change into your own.

The server makes one TritonPythonModel per instance, each in a process of its own, and calls it from one thread.
"""

import json

import triton_python_backend_utils as pb_utils


class TritonPythonModel:
    def initialize(self, args):
        """Once, when the model loads. `args["model_config"]` is config.pbtxt as JSON."""
        parameters = json.loads(args["model_config"])["parameters"]
        self.scale = float(parameters["scale"]["string_value"])
        pb_utils.Logger.log_info(f"scale is {self.scale}")

    def execute(self, requests):
        """For each batch: a list of requests in, a list with one response each out, in the same order."""
        responses = []
        for request in requests:
            a = pb_utils.get_input_tensor_by_name(request, "INPUT0").as_numpy()
            b = pb_utils.get_input_tensor_by_name(request, "INPUT1").as_numpy()
            if a.shape != b.shape:
                error = pb_utils.TritonError(f"INPUT0 is {a.shape}, INPUT1 is {b.shape}: they must be equal")
                responses.append(pb_utils.InferenceResponse(error=error))
                continue
            outputs = [
                pb_utils.Tensor("SUM", (a + b) * self.scale),
                pb_utils.Tensor("DIFFERENCE", (a - b) * self.scale),
            ]
            responses.append(pb_utils.InferenceResponse(output_tensors=outputs))
        return responses

    def finalize(self):
        """Once, when the model unloads."""
