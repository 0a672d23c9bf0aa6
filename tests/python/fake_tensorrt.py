"""The package `tensorrt` as far as it is called: names, order and types of arguments are those of its versions 10.16 and
11.4. A plan is the JSON of its tensors; an output says what it is of the inputs."""

import ctypes
import enum
import json

import numpy as np

__version__ = "11.4.0.106"

DataType = enum.Enum("DataType", "FLOAT HALF BF16 INT8 INT32 INT64 BOOL UINT8 FP8 INT4 FP4 E8M0", start=0)
TensorFormat = enum.Enum("TensorFormat", "LINEAR CHW2 HWC8 CHW4 CHW16 CHW32", start=0)
TensorLocation = enum.Enum("TensorLocation", "DEVICE HOST", start=0)
TensorIOMode = enum.Enum("TensorIOMode", "NONE INPUT OUTPUT", start=0)
ExecutionContextAllocationStrategy = enum.Enum("Strategy", "STATIC ON_PROFILE_CHANGE USER_MANAGED", start=0)

NUMPY = {
    "FLOAT": np.float32,
    "HALF": np.float16,
    "BF16": np.uint16,
    "INT8": np.int8,
    "INT32": np.int32,
    "INT64": np.int64,
    "BOOL": np.bool_,
    "UINT8": np.uint8,
}

plugins_of = []
runtimes = []


def _is(value, kind):
    """As the real binding, which takes no subclass of what it does not know and no None."""
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise TypeError("incompatible function arguments")


class ILogger:
    Severity = enum.Enum("Severity", "INTERNAL_ERROR ERROR WARNING INFO VERBOSE", start=0)

    def __init__(self):
        self.is_made = True


class IOutputAllocator:
    def __init__(self):
        self.is_made = True


def init_libnvinfer_plugins(logger, namespace):
    _is(logger, ILogger)
    _is(namespace, str)
    plugins_of.append(namespace)
    return True


class Runtime:
    def __init__(self, logger):
        _is(logger, ILogger)
        self._logger = logger
        self.engine_host_code_allowed = False
        runtimes.append(self)

    def deserialize_cuda_engine(self, serialized_engine):
        _is(serialized_engine, bytes)
        try:
            plan = json.loads(serialized_engine)
        except ValueError:
            self._logger.log(ILogger.Severity.ERROR, "IRuntime::deserializeCudaEngine: Error Code 1: magic tag does not match")
            return None
        return ICudaEngine(plan, self._logger)


class ICudaEngine:
    def __init__(self, plan, logger):
        self._logger = logger
        self._tensors = {each["name"]: each for each in plan["inputs"] + plan["outputs"]}
        self._inputs = {each["name"] for each in plan["inputs"]}
        self.num_optimization_profiles = plan.get("profiles", 1)
        self.num_io_tensors = len(self._tensors)
        self.contexts = []

    def _tensor(self, name):
        _is(name, str)
        return self._tensors[name]

    def get_tensor_name(self, index):
        _is(index, int)
        return list(self._tensors)[index]

    def get_tensor_mode(self, name):
        self._tensor(name)
        return TensorIOMode.INPUT if name in self._inputs else TensorIOMode.OUTPUT

    def get_tensor_dtype(self, name):
        return DataType[self._tensor(name).get("type", "FLOAT")]

    def get_tensor_shape(self, name):
        return tuple(self._tensor(name)["dims"])

    def get_tensor_format(self, name, profile_index):
        _is(profile_index, int)
        return TensorFormat[self._tensor(name).get("format", "LINEAR")]

    def get_tensor_vectorized_dim(self, name, profile_index):
        _is(profile_index, int)
        return 1 if "format" in self._tensor(name) else -1

    def get_tensor_components_per_element(self, name, profile_index):
        _is(profile_index, int)
        return 4 if "format" in self._tensor(name) else -1

    def get_tensor_location(self, name):
        return TensorLocation.HOST if self._tensor(name).get("is_shape") else TensorLocation.DEVICE

    def is_shape_inference_io(self, name):
        return self._tensor(name).get("is_shape", False)

    def get_tensor_profile_shape(self, name, profile_index):
        _is(profile_index, int)
        tensor = self._tensor(name)
        return [tuple(each) for each in tensor.get("limits", [[tensor["dims"]] * 3] * 9)[profile_index]]

    def get_tensor_profile_values(self, profile_index, name, /):
        """Only by place: the binding's own names of the two are the wrong way round."""
        _is(profile_index, int)
        return self._tensor(name)["values"][profile_index]

    def create_execution_context(self, strategy=ExecutionContextAllocationStrategy.STATIC):
        _is(strategy, ExecutionContextAllocationStrategy)
        self.contexts.append(IExecutionContext(self, strategy))
        return self.contexts[-1]


class IExecutionContext:
    def __init__(self, engine, strategy):
        self.engine = engine
        self.strategy = strategy
        self.active_optimization_profile = 0
        self.executions = 0
        self._shapes = {}
        self._addresses = {}
        self._allocators = {}

    def set_optimization_profile_async(self, profile_index, stream_handle):
        _is(profile_index, int)
        _is(stream_handle, int)
        self.active_optimization_profile = profile_index
        return 0 <= profile_index < self.engine.num_optimization_profiles

    def set_input_shape(self, name, shape):
        _is(shape, (tuple, list))
        least, _, most = self.engine.get_tensor_profile_shape(name, self.active_optimization_profile)
        self._shapes[name] = tuple(shape)
        return len(shape) == len(least) and all(low <= dim <= high for low, dim, high in zip(least, shape, most))

    def set_tensor_address(self, name, memory):
        _is(name, str)
        _is(memory, int)
        self._addresses[name] = memory
        return memory != 0

    def set_output_allocator(self, name, output_allocator):
        _is(name, str)
        _is(output_allocator, IOutputAllocator)
        self._allocators[name] = output_allocator
        return output_allocator.is_made

    def infer_shapes(self):
        return [name for name in self.engine._inputs if name not in self._shapes or name not in self._addresses]

    def get_tensor_shape(self, name):
        if name in self._shapes:
            return self._shapes[name]
        tensor = self.engine._tensor(name)
        if tensor["is"] == "not zero":
            return tuple(tensor["dims"])
        return self._value(tensor).shape

    def execute_async_v3(self, stream_handle):
        _is(stream_handle, int)
        self.executions += 1
        for name, tensor in self.engine._tensors.items():
            if name in self.engine._inputs:
                continue
            value = np.ascontiguousarray(self._value(tensor)).astype(NUMPY[tensor.get("type", "FLOAT")])
            address = self._addresses.get(name)
            if tensor["is"] == "not zero":
                allocator = self._allocators[name]
                address = allocator.reallocate_output_async(name, 0, value.nbytes, 256, stream_handle)
                allocator.notify_shape(name, value.shape)
            if not address:
                self.engine._logger.log(ILogger.Severity.ERROR, f"no memory for {name}")
                return False
            ctypes.memmove(address, value.ctypes.data, value.nbytes)
        return True

    def _value(self, tensor):
        of = tensor["of"]
        shape = self._shapes[of]
        dtype = np.dtype(NUMPY[self.engine._tensor(of).get("type", "FLOAT")])
        data = ctypes.string_at(self._addresses[of], int(np.prod(shape)) * dtype.itemsize)
        given = np.frombuffer(data, dtype).reshape(shape)
        if tensor["is"] == "twice":
            return given * 2
        if tensor["is"] == "same":
            return given
        if tensor["is"] == "not zero":
            return given[given != 0]
        if tensor["is"] == "shape":
            return np.array(shape)
        return np.ones(given.tolist())
