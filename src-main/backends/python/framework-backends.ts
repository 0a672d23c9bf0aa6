// The backends of frameworks: PyTorch, OpenVINO, TensorFlow, DALI, TensorRT. Each is one runner file of resources/python,
// which runs in the process of an instance as the code of a Python model does. (docs/framework-backends.md)

import path from 'node:path';
import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { Backend, BackendTools } from '../../inference/backend.ts';
import { pythonFolder } from '../python-host/host-files.ts';
import type { HostedStatistics } from '../hosted/hosted-code.ts';
import type { OwnCode } from './python-backend.ts';
import { PYTHON_STATISTICS, PythonBackend } from './python-backend.ts';
import {
  daliDescription,
  openvinoDescription,
  PYTHON_RUNTIME,
  pytorchDescription,
  tensorflowDescription,
  tensorrtDescription,
} from './framework-descriptions.ts';
import { tensorrtNotices } from './tensorrt-notices.ts';

type RunnerName = (config: ModelConfig) => string;

/** Models are run by `conch_frameworks/<name>_runner.py`, unless `runnerName` names another file. */
function framework(
  description: BackendDescription,
  {
    runnerName = () => description.name,
    ...more
  }: Pick<OwnCode, 'completes' | 'notices'> & { readonly runnerName?: RunnerName } = {},
) {
  return (tools: BackendTools): Backend =>
    new PythonBackend(description, tools, {
      // Looked for when a model needs it: what only checks configurations does without.
      fileFor: (config) => path.join(pythonFolder(), 'conch_frameworks', `${runnerName(config)}_runner.py`),
      ...more,
      completionArguments: ({ defaultMaxBatchSize, backendConfig }) => ({
        default_max_batch_size: String(defaultMaxBatchSize),
        backend_settings: settingsText(backendConfig),
      }),
      instanceArguments: ({ kind, ordinal }, backendConfig) => ({
        configured_kind: kind.replace(/^KIND_/, ''),
        instance_ordinal: String(ordinal),
        backend_settings: settingsText(backendConfig),
      }),
      statistics: (config) => statisticsOf(description.name, config),
      // A class of the user's may be written for an interpreter of its own.
      sharesProcess: ({ runtime }) => runtime !== PYTHON_RUNTIME,
    });
}

/** What `--backend-config` says to the backend, as its runner reads it. */
const settingsText = (settings: ReadonlyMap<string, string>): string =>
  JSON.stringify(Object.fromEntries(settings));

/** A request whose answer is an error has failed, other than in Python models. */
function statisticsOf(backend: string, config: ModelConfig): HostedStatistics {
  if (config.runtime === PYTHON_RUNTIME) return PYTHON_STATISTICS;
  const counted = { failsByResponse: true, reportsResponses: false };
  if (backend !== 'dali') return { ...counted, countsBatches: 'answered' };
  return { ...counted, countsBatches: config.maxBatchSize === 0 ? 'none' : 'all' };
}

/** TorchScript, compiled packages, and classes of the user's are opened and fed in different ways. */
function pytorchRunner({ runtime, platform }: ModelConfig): string {
  if (runtime === PYTHON_RUNTIME) return 'pytorch_python';
  return platform === 'torch_aoti' ? 'pytorch_aoti' : 'pytorch';
}

export const pytorchBackend = framework(pytorchDescription, {
  completes: false,
  runnerName: pytorchRunner,
});
export const openvinoBackend = framework(openvinoDescription);
export const tensorflowBackend = framework(tensorflowDescription);
export const daliBackend = framework(daliDescription);
export const tensorrtBackend = framework(tensorrtDescription, {
  notices: tensorrtNotices,
});
