"""DALI pipelines (model.dali, dali.py): one pipeline per instance, fed with the samples of a batch."""

import os

import numpy as np

from conch_python.errors import ModelFault, TritonError
from conch_python.link import link
from conch_python.response import InferenceResponse
from conch_python.tensor import Tensor

from .config import Config, backend_settings
from .dali_order import answer_order
from .dali_interface import check, complete, is_unbatched
from .dali_source import find_pipeline
from .decoupled import send_all
from .faults import package_missing, unknown
from .framework_model import FrameworkModel
from .in_common import in_common

try:
    from nvidia.dali import plugin_manager
    from nvidia.dali.pipeline import Pipeline
except Exception as error:  # noqa: BLE001
    Pipeline = None
    _missing = error


# How DALI says that an input has nothing more to give.
_USED_UP = "No data was provided to the InputOperator"


class TritonPythonModel(FrameworkModel):
    @staticmethod
    def auto_complete_config(given):
        config = Config(given.as_dict())
        pipeline = _find(config, link.version_dir)
        complete(config, pipeline, _is_unbatched(link.version_dir))
        return given

    def open(self):
        self._source, _ = in_common("source", lambda: _find(self.config, self.version_dir))
        self._unbatched = _is_unbatched(self.version_dir)
        check(self.config, self._source, self._unbatched)
        if self._source.streams and not self._unbatched:
            raise unknown(
                f"DALI Backend error: input operator '{self._source.streams[0]}' gives several outputs for one input, which "
                "needs `max_batch_size: 0` in config.pbtxt"
            )
        # Position of each output in the pipeline, in the order of an answer.
        named = {each.name: index for index, each in enumerate(self.config.outputs)}
        self._answered = [(name, named[name]) for name in answer_order(named)]
        # Rows that the configuration merges: output name -> samples are cut along their outer axis.
        self._split = set(filter(None, self.config.text("split_along_outer_axis").split(":")))
        self._batch_size = self.config.max_batch_size or self._source.batch_size
        self._pipeline = self._build()

    def execute(self, requests):
        if not link.is_decoupled:
            if self._unbatched:
                return [self._only(request) for request in requests]
            return self._run_batch(requests)
        if self._unbatched:
            for request in requests:
                send_all(request, self._responses(request))
        else:
            for request, response in zip(requests, self._run_batch(requests)):
                send_all(request, [response])
        return None

    def _only(self, request):
        responses = list(self._responses(request))
        if len(responses) == 1:
            return responses[0]
        return InferenceResponse(
            error=TritonError(
                f"DALI Backend error: the pipeline gave {len(responses)} outputs for one input, which needs "
                "`model_transaction_policy { decoupled: true }` in config.pbtxt",
                TritonError.UNKNOWN,
            )
        )

    def _responses(self, request):
        """One for each run of the pipeline: more than one where an input gives several outputs, until it is used up."""
        streams = self._source.streams
        try:
            fed, _ = self._samples([request])
            outputs = self._run(fed)
            while True:
                yield self._response(outputs, 0, len(outputs[0]))
                # A batch that is not full is the last one.
                if not streams or len(outputs[0]) < self._batch_size:
                    return
                outputs = self._run_on()
                if outputs is None:
                    return
        except ModelFault as fault:
            yield InferenceResponse(error=TritonError(str(fault), fault.code))
        except GeneratorExit:
            # Nobody waits any more, and what the input still holds is nobody's.
            self._pipeline = None
            raise

    def _run_batch(self, requests):
        try:
            fed, rows = self._samples(requests)
            outputs = self._run(fed)
        except ModelFault as fault:
            return [InferenceResponse(error=TritonError(str(fault), fault.code)) for _ in requests]
        responses = []
        at = 0
        for count in rows:
            responses.append(self._response(outputs, at, at + count))
            at += count
        return responses

    def _samples(self, requests):
        """Input name -> one array per sample; and the number of samples of each request."""
        fed = {}
        rows = []
        counts = {len(request.inputs()) for request in requests}
        if len(counts) > 1:
            raise unknown("DALI Backend error: Each request must provide the same number of inputs.")
        expected = len(self.config.outputs)
        for request in requests:
            asked = len(request._outputs)
            if asked not in (0, expected):
                raise unknown(
                    f"DALI Backend error: Number of outputs expected by the requests ({asked}) does not match the number of "
                    f"outputs from DALI pipeline ({expected})."
                )
            sizes = set()
            for tensor in request.inputs():
                array = tensor.as_numpy()
                if tensor.name() not in self._source.streams:
                    sizes.add(array.shape[0])
                fed.setdefault(tensor.name(), []).extend(array[index] for index in range(array.shape[0]))
            if len(sizes) > 1:
                raise unknown("DALI Backend error: Each input in a request must have the same batch size.")
            rows.append(sizes.pop() if sizes else 1)
        return fed, rows

    def _run(self, fed):
        if self._pipeline is None:
            self._pipeline = self._build()
        try:
            for name, samples in fed.items():
                self._pipeline.feed_input(name, samples)
            return [_on_host(each) for each in self._pipeline.run()]
        except Exception as error:  # noqa: BLE001 - the pipeline cannot be used again, the next batch makes another
            self._pipeline = None
            raise unknown(f"Runtime error: {error}") from None

    def _run_on(self):
        """The outputs of another run without new inputs; None when the inputs are used up."""
        try:
            return [_on_host(each) for each in self._pipeline.run()]
        except Exception as error:  # noqa: BLE001 - as above
            self._pipeline = None
            if _USED_UP in str(error):
                return None
            raise unknown(f"Runtime error: {error}") from None

    def _response(self, outputs, begin, end):
        tensors = []
        for name, position in self._answered:
            samples = [np.asarray(outputs[position].at(index)) for index in range(begin, end)]
            try:
                if name in self._split:
                    joined = np.concatenate(samples)
                else:
                    joined = np.stack(samples)
            except ValueError:
                return InferenceResponse(
                    error=TritonError(
                        f"DALI Backend error: the samples of output '{name}' differ in shape, and one answer has one "
                        "shape",
                        TritonError.UNKNOWN,
                    )
                )
            tensors.append(Tensor(name, joined))
        return InferenceResponse(tensors)

    def _build(self):
        threads = self.config.integer("num_threads") if self.config.has("num_threads") else None
        # Without queues an execution uses what was fed for it, and nothing waits for a batch to come.
        options = {"prefetch_queue_depth": 1, "exec_async": False, "exec_pipelined": False}
        if threads is not None:
            options["num_threads"] = threads
        size = self._batch_size
        try:
            if self.kind == "GPU":
                return Pipeline.deserialize(self._source.data, batch_size=size, device_id=self.device_id, **options)
            return Pipeline.deserialize(self._source.for_cpu(), batch_size=size, **options)
        except Exception as error:  # noqa: BLE001
            raise unknown(f"Error while instantiating DALI pipeline: {error}") from None


def _find(config, version_dir):
    if Pipeline is None:
        raise package_missing("nvidia-dali-cuda120", "DALI", _missing)
    for library in filter(None, backend_settings(link.arguments).get("plugin_libs", "").split(":")):
        try:
            plugin_manager.load_library(library)
        except Exception as error:  # noqa: BLE001
            raise unknown(f"DALI Backend error: {error}") from None
    return find_pipeline(config, version_dir)


def _is_unbatched(version_dir):
    file = os.path.join(os.path.dirname(version_dir), "config.pbtxt")
    if not os.path.exists(file):
        return False
    with open(file, encoding="utf-8", errors="replace") as text:
        return is_unbatched(text.read())


def _on_host(tensors):
    return tensors.as_cpu() if hasattr(tensors, "as_cpu") else tensors
