// Which packages a Python has, of those that models often need. Nothing of them is run: their own records are read.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import type { PythonPackage } from '../../../src-shared/contract/python-calls.ts';

const PACKAGES = [
  'numpy',
  'torch',
  'tensorflow',
  'tensorflow-cpu',
  'openvino',
  'nvidia-dali-cuda120',
  'nvidia-dali-cuda130',
  'tensorrt',
  'transformers',
  'pillow',
  'opencv-python',
  'opencv-python-headless',
];
const TIMEOUT_MS = 30_000;

const LOOK = `
import json, sys
from importlib import metadata
found = []
for name in sys.argv[1:]:
    try:
        found.append({"name": name, "version": metadata.version(name)})
    except metadata.PackageNotFoundError:
        pass
print(json.dumps(found))
`;

/** In a fixed order. Rejects when the program cannot be run. */
export async function pythonPackages(program: string): Promise<readonly PythonPackage[]> {
  const { stdout } = await promisify(execFile)(program, ['-c', LOOK, ...PACKAGES], {
    timeout: TIMEOUT_MS,
    windowsHide: true,
  });
  return JSON.parse(stdout) as readonly PythonPackage[];
}
