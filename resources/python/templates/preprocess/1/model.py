"""The step before an image model: pictures as bytes in, normalised pixels out, with numpy alone.

In an ensemble, PIXELS goes to the input of the model behind it. Sizes, mean and deviation are those of most models that
were trained on ImageNet; change them to what yours was trained with.
"""

import numpy as np
import triton_python_backend_utils as pb_utils

SIZE = 224
MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], dtype=np.float32)


def resized(image):
    """The picture in SIZE x SIZE, each pixel the nearest of the original. `image` is height x width x 3."""
    rows = np.arange(SIZE) * image.shape[0] // SIZE
    columns = np.arange(SIZE) * image.shape[1] // SIZE
    return image[rows][:, columns]


class TritonPythonModel:
    def execute(self, requests):
        responses = []
        for request in requests:
            images = pb_utils.get_input_tensor_by_name(request, "IMAGE").as_numpy()
            # uint8 0..255 to float 0..1, normalised, from height x width x channel to channel x height x width
            pixels = np.stack([resized(image) for image in images]).astype(np.float32) / 255.0
            pixels = ((pixels - MEAN) / DEVIATION).transpose(0, 3, 1, 2)
            output = pb_utils.Tensor("PIXELS", np.ascontiguousarray(pixels))
            responses.append(pb_utils.InferenceResponse(output_tensors=[output]))
        return responses
