"""The step behind a classifier: scores in; the best class, its probability and its label out, with numpy alone.

Put the names of the classes into labels.txt beside this file, one a line; without it a label is "class 7".
"""

import os

import numpy as np
import triton_python_backend_utils as pb_utils


def probabilities_of(scores):
    """Probabilities of each row; shape as before. Rows that are probabilities already, as those of a model that ends in
    a softmax of its own, stay as they are."""
    if (scores >= 0).all() and np.allclose(scores.sum(axis=-1), 1, atol=1e-2):
        return scores
    exponents = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponents / exponents.sum(axis=-1, keepdims=True)


class TritonPythonModel:
    def initialize(self, args):
        path = os.path.join(os.path.dirname(__file__), "labels.txt")
        self.labels = []
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.labels = [line.strip() for line in file]

    def label(self, index):
        return self.labels[index] if index < len(self.labels) else f"class {index}"

    def execute(self, requests):
        responses = []
        for request in requests:
            scores = pb_utils.get_input_tensor_by_name(request, "SCORES").as_numpy()
            probabilities = probabilities_of(scores)
            best = probabilities.argmax(axis=-1)
            labels = [self.label(int(index)).encode() for index in best]
            outputs = [
                pb_utils.Tensor("CLASS", best.astype(np.int64)[:, None]),
                pb_utils.Tensor("PROBABILITY", probabilities.max(axis=-1, keepdims=True).astype(np.float32)),
                pb_utils.Tensor("LABEL", np.array(labels, dtype=np.object_)[:, None]),
            ]
            responses.append(pb_utils.InferenceResponse(output_tensors=outputs))
        return responses
