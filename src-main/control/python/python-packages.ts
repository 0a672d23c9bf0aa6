// Which packages a Python has, of those that models often need. Nothing of them is run: their own records are read.

import type { PythonPackage } from '../../../src-shared/contract/python-calls.ts';
import { askPython } from '../../backends/python-host/ask-python.ts';

const PACKAGES = [
  'numpy',
  'torch',
  'tensorflow',
  'tensorflow-cpu',
  'openvino',
  'nvidia-dali-cuda120',
  'nvidia-dali-cuda130',
  'tensorrt',
  'tensorrt-cu12',
  'tensorrt-cu13',
  'transformers',
  'pillow',
  'opencv-python',
  'opencv-python-headless',
];

const LOOK = `
import sys
from importlib import metadata
found = []
for name in sys.argv[1:]:
    try:
        found.append({"name": name, "version": metadata.version(name)})
    except metadata.PackageNotFoundError:
        pass
answer(found)
`;

/** In a fixed order. Rejects when the program cannot be run. */
export async function pythonPackages(program: string): Promise<readonly PythonPackage[]> {
  return await askPython(program, LOOK, PACKAGES);
}
