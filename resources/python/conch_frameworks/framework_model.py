"""What the runners share: the life of an instance, and a batch from gathering to the answers."""

import os

import numpy as np

from conch_python.errors import ModelFault
from conch_python.link import link
from conch_python.logger import Logger

from .batch import Batch, numpy_type
from .config import Config


class FrameworkModel:
    """A runner fills `open` and `run`; `instance_name`, `kind` ("CPU", "GPU", "MODEL") and `device_id` say where it runs.

    `configured_kind` is what the configuration asks for, which this machine may not have.
    """

    def initialize(self, args):
        self.config = Config(args["model_config"])
        self.model_name = args["model_name"]
        self.instance_name = args["model_instance_name"]
        self.kind = args["model_instance_kind"]
        self.configured_kind = args.get("configured_kind", self.kind)
        self.device_id = int(args["model_instance_device_id"] or 0)
        self.ordinal = int(args.get("instance_ordinal", "0"))
        self.is_first = self.ordinal == 0
        self.version_dir = link.version_dir
        self.open()

    def execute(self, requests):
        if self.config.max_batch_size > 0:
            return self._execute(requests)
        return [response for request in requests for response in self._execute([request])]

    def open(self):
        raise NotImplementedError

    def gather(self, batch):
        """Name -> array, what `run` gets of a batch. Raises ModelFault likewise."""
        return batch.inputs()

    def run(self, inputs, wanted):
        """Name -> array of the outputs in `wanted`; `inputs` likewise. Raises ModelFault, the answer to the batch."""
        raise NotImplementedError

    def path_of(self, default_name):
        return os.path.join(self.version_dir, self.config.file_name or default_name)

    def log_once(self, line):
        """A line about the model, not the instance."""
        if self.is_first:
            Logger.log_info(line)

    def _execute(self, requests):
        batch = Batch(requests, self.config)
        if self.config.max_batch_size > 0 and batch.total == 0:
            return batch.responses(self._empty_outputs())
        wanted = {name for request in requests for name in request._outputs}
        try:
            return batch.responses(self.run(self.gather(batch), wanted))
        except ModelFault as fault:
            return batch.failed(str(fault), fault.code)

    def _empty_outputs(self):
        return {
            each.name: np.zeros([0, *(max(0, dim) for dim in each.model_dims)], numpy_type(each.data_type))
            for each in self.config.outputs
        }
