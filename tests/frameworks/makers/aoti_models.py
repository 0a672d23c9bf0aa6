"""Compiles PyTorch models ahead of time for tests: `aoti_models.py FOLDER`, two packages and what kept them from being made."""

import os
import shutil
import sys
from typing import Dict

import torch


class AddSubRows(torch.nn.Module):
    def forward(self, x, y):
        return x + y, x - y


class Structured(torch.nn.Module):
    """Tensors in structures on both sides: four go in, three come out."""

    def forward(self, x, parts: Dict[str, torch.Tensor], *, scale):
        return {"sum": x + parts["left"], "others": (x - parts["right"], x * scale)}


def main(folder):
    """Writes model.pt2 where this PyTorch and a C++ compiler can make it. The file `missing` says why not, or nothing."""
    os.makedirs(folder, exist_ok=True)
    missing = ""
    try:
        from torch._inductor import aoti_compile_and_package
    except ImportError:
        aoti_compile_and_package = None
    if aoti_compile_and_package is None:
        missing = f"PyTorch {torch.__version__} makes no packages: 2.6 does"
    elif shutil.which("g++") is None:
        missing = "no g++ on PATH"
    else:
        batch = {0: torch.export.Dim("batch", min=1, max=64)}
        # Each a tensor of its own: what is the same object here is one input of the package.
        rows = [torch.ones(2, 2) for _ in range(4)]
        exported = torch.export.export(AddSubRows(), tuple(rows[:2]), dynamic_shapes={"x": batch, "y": batch})
        aoti_compile_and_package(exported, package_path=os.path.join(folder, "model.pt2"))
        parts = {"left": rows[1], "right": rows[2]}
        shapes = {"x": batch, "parts": {"left": batch, "right": batch}, "scale": batch}
        exported = torch.export.export(Structured(), (rows[0], parts), {"scale": rows[3]}, dynamic_shapes=shapes)
        aoti_compile_and_package(exported, package_path=os.path.join(folder, "structured.pt2"))
    with open(os.path.join(folder, "missing"), "w") as reason:
        reason.write(missing)


main(sys.argv[1])
