// The backends of frameworks: PyTorch, OpenVINO, TensorFlow, DALI. Each is one runner file of resources/python, which
// runs in the process of an instance as the code of a Python model does. (docs/framework-backends.md)

import path from 'node:path';
import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import type { Backend, BackendTools } from '../../inference/backend.ts';
import { pythonFolder } from '../python-host/host-files.ts';
import { PythonBackend } from './python-backend.ts';
import {
  daliDescription,
  openvinoDescription,
  pytorchDescription,
  tensorflowDescription,
} from './framework-descriptions.ts';

function framework(description: BackendDescription, completes: boolean) {
  return (tools: BackendTools): Backend =>
    new PythonBackend(description, tools, {
      // Looked for when a model needs it: what only checks configurations does without.
      get file() {
        return path.join(pythonFolder(), 'conch_frameworks', `${description.name}_runner.py`);
      },
      completes,
      completionArguments: ({ defaultMaxBatchSize }) => ({
        default_max_batch_size: String(defaultMaxBatchSize),
      }),
      instanceArguments: ({ ordinal }) => ({ instance_ordinal: String(ordinal) }),
    });
}

export const pytorchBackend = framework(pytorchDescription, false);
export const openvinoBackend = framework(openvinoDescription, true);
export const tensorflowBackend = framework(tensorflowDescription, true);
export const daliBackend = framework(daliDescription, true);
