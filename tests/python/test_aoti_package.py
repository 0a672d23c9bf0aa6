"""Which GPU an AOT Inductor package is loaded on."""

import pytest
from conch_frameworks import pytorch_aoti_runner
from conch_python.errors import ModelFault


class TorchThatLoads:
    """What a package is loaded with; PyTorch 2.6 has no device among the arguments."""

    __version__ = "2.6.0"

    def __init__(self, takes_device):
        def new(path, run_single_threaded=False, device_index=-1):
            return path, device_index

        def old(path, run_single_threaded=False):
            return path, None

        self._inductor = type("Inductor", (), {"aoti_load_package": staticmethod(new if takes_device else old)})


@pytest.mark.parametrize(
    "takes_device, device, loaded_on", [(True, 1, 1), (True, 0, 0), (True, None, -1), (False, 0, None), (False, None, None)]
)
def test_a_package_goes_to_the_gpu_of_its_instance(monkeypatch, takes_device, device, loaded_on):
    monkeypatch.setattr(pytorch_aoti_runner, "torch", TorchThatLoads(takes_device))
    assert pytorch_aoti_runner.load_package("f", device) == ("f", loaded_on)


def test_an_old_pytorch_cannot_put_a_package_elsewhere(monkeypatch):
    monkeypatch.setattr(pytorch_aoti_runner, "torch", TorchThatLoads(False))
    with pytest.raises(ModelFault, match="on GPU 0 only, and this instance is for GPU 1"):
        pytorch_aoti_runner.load_package("f", 1)
