"""Runs an engine for one instance: an execution context for each of its optimisation profiles, a stream, and memory of
the GPU that its tensors are copied into and out of."""

import numpy as np

from conch_python.gpu_memory import Allocation

from .batch import numpy_type
from .faults import internal, unsupported
from .tensorrt_engine import framework, journal_of_process
from .tensorrt_interface import request_fault


class Executor:
    def __init__(self, plan, profiles, cuda, device, parameters, instance_name):
        self._plan = plan
        self._cuda = cuda
        self._device = device
        self._instance_name = instance_name
        self._journal = journal_of_process()
        self._memory = {}
        self._allocators = {}
        self._stream = cuda.create_stream(device, parameters.preference)
        self._contexts = {}
        strategy = getattr(framework().ExecutionContextAllocationStrategy, parameters.strategy)
        try:
            for profile in profiles:
                self._contexts[profile] = self._context(profile, strategy)
            cuda.synchronize_stream(self._stream, device)
        except BaseException:
            self.close()
            raise

    def _context(self, profile, strategy):
        with self._cuda.entered(self._device):
            context = self._plan.engine.create_execution_context(strategy)
            if context is None:
                raise internal(f"unable to create TensorRT context: {self._journal.taken()}")
            if not context.set_optimization_profile_async(profile, self._stream):
                raise internal(
                    f"Can not set the specified optimization profile {profile}[{profile}] for {self._instance_name}. "
                    f"{self._journal.taken()}"
                )
        return context

    def run(self, inputs, wanted):
        """Name -> array on the host of the outputs in `wanted`, in the engine's order."""
        self._journal.taken()
        context = self._contexts[self._choose_profile(inputs)]
        # Memory of the host that TensorRT and copies read until the stream has been waited for.
        kept = []
        try:
            for name, array in inputs.items():
                kept.append(self._bind_input(context, self._plan.inputs[name], array))
            with self._cuda.entered(self._device):
                return self._execute(context, wanted)
        finally:
            self._cuda.synchronize_stream(self._stream, self._device)

    def _execute(self, context, wanted):
        """Results are there when the stream has been waited for."""
        self._check_complete(context)
        on_host = {each.name: self._bind_output(context, each) for each in self._plan.outputs.values()}
        is_queued = context.execute_async_v3(self._stream)
        failure = next((each.failure for each in self._allocators.values() if each.failure is not None), None)
        if not is_queued or failure is not None:
            raise internal(f"failed to enqueue TensorRT execution: {failure or self._journal.taken()}")
        return {name: self._result(context, name, on_host[name]) for name in self._plan.outputs if name in wanted}

    def close(self):
        """Waits for the GPU, then gives back what the instance has of it."""
        with self._cuda.entered(self._device):
            self._contexts.clear()
        self._allocators.clear()
        self._memory.clear()
        self._cuda.destroy_stream(self._stream, self._device)

    def _choose_profile(self, inputs):
        """The one whose best shapes are the nearest among those that allow the request."""
        best = None
        refusal = None
        for profile in self._contexts:
            fault, distance = self._distance(profile, inputs)
            if fault is not None:
                refusal = refusal or fault
            elif best is None or distance < best[0]:
                best = (distance, profile)
        if best is None:
            raise refusal
        return best[1]

    def _distance(self, profile, inputs):
        distance = 0
        for name, array in inputs.items():
            tensor = self._plan.inputs[name]
            checked = [(tensor.limits[profile], array.shape)]
            if tensor.is_shape and tensor.values[profile].most:
                checked.append((tensor.values[profile], array.reshape(-1).tolist()))
            for limits, numbers in checked:
                if len(numbers) != len(limits.most):
                    words = f"model expected {len(limits.most)} dimensions but received {len(numbers)}"
                    return request_fault(name, words, self._instance_name), 0
                words = limits.violation(numbers)
                if words is not None:
                    return request_fault(name, words, self._instance_name), 0
                distance += limits.distance(numbers)
        return None, distance

    def _bind_input(self, context, tensor, array):
        array = np.ascontiguousarray(array).reshape(array.shape)
        _check_padding(tensor, array.shape)
        if not context.set_input_shape(tensor.name, tuple(array.shape)):
            raise request_fault(tensor.name, self._journal.taken(), self._instance_name)
        if tensor.is_on_host:
            self._set_address(context, tensor.name, array.ctypes.data)
            return array
        address = self._reserve(tensor.name, array.nbytes)
        if array.nbytes > 0:
            self._cuda.queue_to_device(address, array.ctypes.data, array.nbytes, self._stream, self._device)
        self._set_address(context, tensor.name, address)
        return array

    def _check_complete(self, context):
        try:
            missing = context.infer_shapes()
        except RuntimeError as error:
            raise internal(f"unable to infer the shapes of outputs: {error}") from None
        if missing:
            raise internal("failed to specify the dimensions of all input tensors or values of all input shape tensors")

    def _bind_output(self, context, tensor):
        """The array of an output that TensorRT writes on the host; None for others."""
        shape = tuple(context.get_tensor_shape(tensor.name))
        dtype = np.dtype(numpy_type(tensor.data_type))
        if -1 in shape:
            self._let_allocate(context, tensor.name)
            return None
        _check_padding(tensor, shape)
        if tensor.is_on_host:
            array = np.empty(shape, dtype)
            self._set_address(context, tensor.name, array.ctypes.data)
            return array
        self._set_address(context, tensor.name, self._reserve(tensor.name, int(np.prod(shape)) * dtype.itemsize))
        return None

    def _let_allocate(self, context, name):
        """The shape depends on the data: TensorRT asks for the memory while it runs, and says the shape then."""
        allocator = self._allocators.get(name)
        if allocator is None:
            allocator = self._allocators[name] = _allocator_class()(lambda size: self._reserve(name, size))
        allocator.begin()
        if not context.set_output_allocator(name, allocator):
            raise internal(f"unable to set the allocator of output '{name}': {self._journal.taken()}")

    def _result(self, context, name, array):
        if array is not None:
            return array
        allocator = self._allocators.get(name)
        shape = allocator.shape if allocator is not None else None
        if shape is None:
            shape = tuple(context.get_tensor_shape(name))
        if -1 in shape:
            raise internal(f"TensorRT did not say the shape of output '{name}'")
        array = np.empty(shape, numpy_type(self._plan.outputs[name].data_type))
        if array.nbytes > 0:
            source = self._memory[name].address
            self._cuda.queue_to_host(array.ctypes.data, source, array.nbytes, self._stream, self._device)
        return array

    def _reserve(self, name, byte_size):
        """Address of memory of the GPU for a tensor. Nothing runs in it: every execution is waited for."""
        size = max(byte_size, 1)
        had = self._memory.get(name)
        if had is None or had.byte_size < size:
            self._memory.pop(name, None)
            had = None
            self._memory[name] = had = _Memory(size, self._device)
        return had.address

    def _set_address(self, context, name, address):
        if not context.set_tensor_address(name, address):
            raise internal(f"unable to set the address of tensor '{name}': {self._journal.taken()}")


class _Memory(Allocation):
    __slots__ = ("byte_size",)

    def __init__(self, byte_size, device):
        super().__init__(byte_size, device)
        self.byte_size = byte_size


def _check_padding(tensor, shape):
    """Clients send the elements of a format as they lie in memory; a part of a vector would need bytes beyond the shape."""
    if tensor.vector is None:
        return
    dimension, components = tensor.vector
    if dimension >= 0 and shape[dimension] % max(components, 1) != 0:
        raise unsupported(
            f"tensor '{tensor.name}' has a format of vectors of {components} along dimension {dimension}, whose size must be "
            f"a multiple of that, got {shape[dimension]}"
        )


def _allocator_class():
    trt = framework()

    class Allocator(trt.IOutputAllocator):
        """Called by TensorRT while it runs: an exception would end the process, so it is kept, and no memory given."""

        def __init__(self, reserve):
            trt.IOutputAllocator.__init__(self)
            self._reserve = reserve
            self.begin()

        def begin(self):
            self.shape = None
            self.failure = None

        def reallocate_output_async(self, tensor_name, memory, size, alignment, stream):  # noqa: ARG002
            return self.reallocate_output(tensor_name, memory, size, alignment)

        def reallocate_output(self, tensor_name, memory, size, alignment):  # noqa: ARG002
            try:
                return self._reserve(size)
            except Exception as error:  # noqa: BLE001
                self.failure = error
                return 0

        def notify_shape(self, tensor_name, shape):  # noqa: ARG002
            self.shape = tuple(shape)

    return Allocator
