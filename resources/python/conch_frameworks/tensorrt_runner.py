"""TensorRT plans (`tensorrt_plan`, model.plan) on NVIDIA's GPUs, through the package `tensorrt` and the driver."""

import contextlib
import os

from conch_python.cuda_driver import driver
from conch_python.errors import TritonModelException
from conch_python.link import link
from conch_python.logger import Logger

from .config import Config
from .faults import internal, invalid_arg, unavailable
from .framework_model import FrameworkModel
from .in_common import in_common
from .tensorrt_completion import complete
from .tensorrt_engine import Engines, framework
from .tensorrt_executor import Executor
from .tensorrt_interface import check
from .tensorrt_parameters import TensorRtParameters, TensorRtSettings, first_gpu, profiles_of_instance


class TritonPythonModel(FrameworkModel):
    @staticmethod
    def auto_complete_config(given):
        config = Config(given.as_dict())
        device = first_gpu(config)
        if device is None:
            return given
        framework()
        cuda = _driver_for(f"model '{config.name}'")
        with _in_the_words_of_the_driver():
            file = _file_of(config, link.version_dir, cuda, device)
            if not os.path.isfile(file):
                raise internal(f"unable to load plan file to auto complete config: {file}")
            complete(config, _engines(file, cuda, device).first)
        return given

    def open(self):
        if self.kind != "GPU":
            raise invalid_arg(f"unable to load model '{self.model_name}', TensorRT backend supports only GPU device")
        framework()
        config = self.config
        parameters = TensorRtParameters(config, self.model_name)
        if parameters.has_strategy:
            Logger.log_info(
                f"'execution_context_allocation_strategy' set to '{parameters.strategy}' for model instance "
                f"'{self.model_name}'"
            )
        cuda = _driver_for(f"instance '{self.instance_name}'")
        with _in_the_words_of_the_driver():
            self._executor = self._prepare(cuda, parameters)

    def _prepare(self, cuda, parameters):
        config = self.config
        file = _file_of(config, self.version_dir, cuda, self.device_id)
        if not os.path.isfile(file):
            raise internal(f"failed to open text file for read '{file}': No such file or directory")
        with cuda.entered(self.device_id):
            plan = _engines(file, cuda, self.device_id).take()
        profiles = profiles_of_instance(config, self.instance_name, plan.profile_count)
        check(config, plan, profiles, self.instance_name, self.model_name)
        return Executor(plan, profiles, cuda, self.device_id, parameters, self.instance_name)

    def run(self, inputs, wanted):
        with _in_the_words_of_the_driver():
            return self._executor.run(inputs, wanted)

    def finalize(self):
        self._executor.close()


@contextlib.contextmanager
def _in_the_words_of_the_driver():
    """What a call of the driver says is the error as it stands, without the place in our code."""
    try:
        yield
    except TritonModelException as error:
        raise internal(str(error)) from None


def _driver_for(who):
    cuda = driver()
    if cuda is None:
        raise unavailable(f"{who} is of KIND_GPU, and no NVIDIA driver that finds a GPU can be loaded")
    return cuda


def _file_of(config, version_dir, cuda, device):
    """The plan for GPUs like this one, else the default one."""
    by_capability = config.fields.get("cc_model_filenames") or {}
    name = by_capability.get(cuda.compute_capability(device)) if by_capability else None
    return os.path.join(version_dir, name or config.file_name or "model.plan")


def _engines(file, cuda, device):
    """Read once for a GPU: what completed the configuration is what the first instance runs."""
    key = ("TensorRT's engines", file, device)
    settings = TensorRtSettings(link.arguments)
    with cuda.entered(device):
        return in_common(key, lambda: Engines(file, device, settings))[0]
