"""Writes TorchScript models for tests: `torch_models.py FOLDER`, one folder with model.pt per model."""

import os
import sys
from typing import Dict, List, Tuple

import torch


class AddSub(torch.nn.Module):
    def forward(self, INPUT0: torch.Tensor, INPUT1: torch.Tensor):
        return INPUT0 + INPUT1, INPUT0 - INPUT1


class Branching(torch.nn.Module):
    """Control flow: halves what is large, doubles what is small, as often as its sum asks for."""

    def forward(self, x: torch.Tensor):
        steps = 0
        while bool(x.abs().sum() > 8.0) and steps < 10:
            x = x / 2
            steps += 1
        if steps == 0:
            x = x * 2
        return x


class Number(torch.nn.Module):
    def forward(self, x: torch.Tensor, n: int):
        return x * n


class LateDict(torch.nn.Module):
    def forward(self, a: torch.Tensor, b: Dict[str, torch.Tensor]):
        return a + b["x"]


class Keyed(torch.nn.Module):
    def forward(self, tensors: Dict[str, torch.Tensor]):
        return tensors["a"] - tensors["b"]


class GivesDict(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return {"y": x}


class GivesNumbers(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> Tuple[torch.Tensor, List[int]]:
        return x, [1, 2]


class Scalar(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x.sum()


class Echo(torch.nn.Module):
    def forward(self, texts: List[str]) -> List[str]:
        return texts


class Dropping(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = torch.nn.Dropout(0.5)

    def forward(self, x: torch.Tensor):
        return self.dropout(x)


class FirstRow(torch.nn.Module):
    def forward(self, x: torch.Tensor):
        return x[:1]


class Accumulate(torch.nn.Module):
    def forward(self, x: torch.Tensor, state: torch.Tensor):
        total = x + state
        return total * 1.0, total


class Multiply(torch.nn.Module):
    def forward(self, a: torch.Tensor, b: torch.Tensor):
        return torch.matmul(a, b)


class Linear(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = torch.nn.Parameter(torch.tensor(3.0))

    def forward(self, x: torch.Tensor):
        return x * self.factor


class Slow(torch.nn.Module):
    """As many steps as its largest element says."""

    def forward(self, x: torch.Tensor):
        print("slow begins")
        y = x * 0.0
        for _ in range(int(x.max())):
            y = y + 1.0
        return y


class Count(torch.nn.Module):
    """Ragged elements, and how many each request had."""

    def forward(self, elements: torch.Tensor, counts: torch.Tensor):
        return counts.reshape([-1, 1]) * 1.0 + 0.0 * elements.sum()


WEIGHTED = """
import torch


class Scale(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.factor = torch.nn.Parameter(torch.ones(1))

    def forward(self, x, y):
        return x * self.factor, x - y
"""


def main(folder):
    os.makedirs(os.path.join(folder, "Weighted"))
    with open(os.path.join(folder, "Weighted", "model.py"), "w") as source:
        source.write(WEIGHTED)
    torch.save({"factor": torch.tensor([3.0])}, os.path.join(folder, "Weighted", "model.pt"))
    kinds = (
        AddSub, Branching, Number, LateDict, Keyed, GivesDict, GivesNumbers, Scalar, Echo, Dropping, FirstRow, Accumulate,
        Multiply, Count, Linear, Slow,
    )
    for kind in kinds:
        os.makedirs(os.path.join(folder, kind.__name__))
        torch.jit.script(kind()).save(os.path.join(folder, kind.__name__, "model.pt"))
    os.makedirs(os.path.join(folder, "Eager"))
    torch.save(torch.nn.Linear(2, 2).state_dict(), os.path.join(folder, "Eager", "model.pt"))
    os.makedirs(os.path.join(folder, "Broken"))
    with open(os.path.join(folder, "Broken", "model.pt"), "wb") as broken:
        broken.write(b"this is no archive")


main(sys.argv[1])
