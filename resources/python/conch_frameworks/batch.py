"""Requests as one batch: inputs of all requests one after another along the first dimension, outputs cut apart again."""

import numpy as np

from conch_python.dtypes import BF16, TRITON_STRING_TO_NUMPY
from conch_python.errors import TritonError
from conch_python.response import InferenceResponse
from conch_python.tensor import Tensor

from .faults import internal, unsupported


class Batch:
    """`rows[i]`: batch size of request i; all 1 for models without batching, whose requests come alone."""

    def __init__(self, requests, config):
        self.requests = requests
        self._config = config
        self._bfloats = {
            each.name for each in (*config.outputs, *(state.as_output() for state in config.states)) if each.data_type == "TYPE_BF16"
        }
        self._tensors = [{tensor.name(): tensor for tensor in request.inputs()} for request in requests]
        self._shape_tensors = {each.name for each in (*config.inputs, *config.outputs) if each.is_shape_tensor}
        if config.max_batch_size > 0:
            self.rows = [_rows_of(request, self._shape_tensors) for request in requests]
        else:
            self.rows = [1] * len(requests)
        self.total = sum(self.rows)

    def arrays(self, name):
        """The array of each request, in order; requests without that input are left out."""
        return [_elements(tensors[name]) for tensors in self._tensors if name in tensors]

    def plain_inputs(self):
        """Name -> array of the whole batch, for frameworks that know neither ragged nor batch inputs."""
        return {
            name: _joined(self.arrays(name)) for name in dict.fromkeys(name for tensors in self._tensors for name in tensors)
        }

    def inputs(self):
        """Name -> array of the whole batch, batch inputs and controls included."""
        ragged = {each.name for each in self._config.inputs if each.is_ragged}
        joined = {}
        for name in dict.fromkeys(name for tensors in self._tensors for name in tensors):
            arrays = self.arrays(name)
            if name in self._shape_tensors:
                joined[name] = self._shape_values(arrays[0])
            elif name in ragged:
                joined[name] = np.concatenate([array.reshape(-1) for array in arrays])
            else:
                joined[name] = _joined(arrays)
        for each in self._config.batch_inputs:
            for name in each.names:
                joined[name] = self._batch_input(each)
        return joined

    def responses(self, outputs):
        """One response for each request out of name -> array of the whole batch."""
        scattered = {name: each for each in self._config.batch_outputs for name in each.names}
        cut = {}
        for name, array in outputs.items():
            if name in scattered:
                cut[name] = self._scatter(array, scattered[name])
            elif name in self._shape_tensors:
                cut[name] = self._shapes_of_requests(name, array)
            elif self._config.max_batch_size > 0:
                cut[name] = self._split(name, array)
            else:
                cut[name] = [array] * len(self.requests)
        return [self._response(index, cut) for index in range(len(self.requests))]

    def failed(self, message, code=TritonError.INTERNAL):
        """The same error for every request."""
        return [InferenceResponse(error=TritonError(message, code)) for _ in self.requests]

    def _response(self, index, cut):
        tensors = []
        for name, parts in cut.items():
            part = parts[index]
            if isinstance(part, TritonError):
                return InferenceResponse(error=part)
            tensors.append(_tensor(name, part, name in self._bfloats))
        return InferenceResponse(tensors)

    def _split(self, name, array):
        parts = []
        at = 0
        for request, rows in zip(self.requests, self.rows):
            end = at + rows
            if end > array.shape[0]:
                fault = unsupported(
                    f"{_request_prefix(request)}failed to split the output tensor '{name}' in responses: expected batch "
                    f"size of at least {end} in model output, got {array.shape[0]}"
                )
                parts.append(TritonError(str(fault), fault.code))
            else:
                parts.append(array[at:end])
            at = end
        return parts

    def _shape_values(self, array):
        """Values that are a shape, the same in all requests but for the first one where there is a batch: its size."""
        values = array.reshape(-1) if self._config.max_batch_size == 0 else array.reshape(-1).copy()
        if self._config.max_batch_size > 0 and values.size > 0:
            values[0] = self.total
        return values

    def _shapes_of_requests(self, name, array):
        if self._config.max_batch_size == 0:
            return [array] * len(self.requests)
        if array.size == 0 or array.reshape(-1)[0] != self.total:
            seen = array.reshape(-1)[0] if array.size > 0 else "none"
            raise internal(f"unexpected batch shape value {seen} for '{name}', total batch size was {self.total}")
        parts = []
        for rows in self.rows:
            part = array.copy()
            part.reshape(-1)[0] = rows
            parts.append(part)
        return parts

    def _scatter(self, array, each):
        """Cuts elements by the shapes of the source input, which each answer takes."""
        shapes = [source.shape for source in self.arrays(each.sources[0])]
        flat = array.reshape(-1)
        parts = []
        at = 0
        for shape in shapes:
            count = int(np.prod(shape))
            parts.append(flat[at : at + count].reshape(shape))
            at += count
        return parts

    def _batch_input(self, each):
        sources = self.arrays(each.sources[0])
        dtype = TRITON_STRING_TO_NUMPY[each.data_type]
        counts = [array.size for array in sources]
        if each.kind == "BATCH_ELEMENT_COUNT":
            return np.array(counts, dtype)
        if each.kind == "BATCH_ACCUMULATED_ELEMENT_COUNT":
            return np.cumsum(counts).astype(dtype)
        if each.kind == "BATCH_ACCUMULATED_ELEMENT_COUNT_WITH_ZERO":
            return np.concatenate([[0], np.cumsum(counts)]).astype(dtype)
        if each.kind == "BATCH_MAX_ELEMENT_COUNT_AS_SHAPE":
            return np.zeros([max(counts, default=0)], dtype)
        # BATCH_ITEM_SHAPE and BATCH_ITEM_SHAPE_FLATTEN: a row of dimensions, without the batch dimension, for each item.
        shapes = [array.shape[1:] for array, rows in zip(sources, self.rows) for _ in range(rows)]
        items = np.array(shapes, dtype)
        return items.reshape(-1) if each.kind == "BATCH_ITEM_SHAPE_FLATTEN" else items


def numpy_type(data_type):
    """What arrays of a configured type are made of; those of BF16 hold its bits."""
    return np.uint16 if data_type == "TYPE_BF16" else TRITON_STRING_TO_NUMPY[data_type]


def _elements(tensor):
    """The array; of BF16, for which numpy has no type, its bits."""
    return tensor._array if tensor.triton_dtype() == BF16 else tensor.as_numpy()


def _tensor(name, array, is_bfloat):
    return Tensor._of_parts(name, BF16, None, np.ascontiguousarray(array), None) if is_bfloat else Tensor(name, array)


def _joined(arrays):
    if len(arrays) == 1:
        return arrays[0]
    first = arrays[0]
    if any(each.shape[1:] != first.shape[1:] for each in arrays):
        expected = sum(len(each) for each in arrays) * first[:1].nbytes
        given = sum(each.nbytes for each in arrays)
        raise unsupported(f"expected {expected} bytes of data in input buffer, got {given} bytes.")
    return np.concatenate(arrays)


def _rows_of(request, shape_tensors):
    inputs = [each for each in request.inputs() if each.name() not in shape_tensors]
    shape = inputs[0].shape() if inputs else []
    return int(shape[0]) if shape else 1


def _request_prefix(request):
    return f"[request id: {request.request_id() or '<id_unknown>'}] "
