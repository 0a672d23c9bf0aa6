// What the `python` backend says about itself.

import { describeBackend } from '../../../src-shared/config/backend-description.ts';

/** The file that holds the class of a model, in its version folder or in the folder of a backend written in Python. */
export const MODEL_FILE = 'model.py';

const PARAMETERS = [
  {
    name: 'EXECUTION_ENV_PATH',
    summary:
      'Python environment of the model: a folder, or an archive made by conda-pack; $$TRITON_MODEL_DIRECTORY stands for the model folder.',
  },
  {
    name: 'FORCE_CPU_ONLY_INPUT_TENSORS',
    summary: 'yes (default) or no: whether inputs always come in host memory. Here they always do.',
  },
];

const SETTINGS = [
  {
    name: 'python-executable',
    summary: 'Path of the Python that runs models; default: a .venv beside the repository, then python3.',
  },
  { name: 'shm-default-byte-size', summary: 'Checked as Triton does; memory is taken as it is needed.' },
  { name: 'shm-growth-byte-size', summary: 'Checked as Triton does; memory is taken as it is needed.' },
  { name: 'stub-timeout-seconds', summary: 'Checked as Triton does; without effect there and here.' },
  { name: 'shm-region-prefix-name', summary: 'Checked as Triton does; regions have no names here.' },
  { name: 'shm_message_queue_size', summary: 'Checked as Triton does; there is no such queue here.' },
  { name: 'thread-pool-size', summary: 'Checked as Triton does; requests of models are not limited here.' },
];

/** The backend `python`, or one of that kind out of the backend directory. */
export function pythonDescription(name: string) {
  const isStock = name === 'python';
  return describeBackend({
    name,
    title: isStock ? 'Python' : `${name} (Python)`,
    summary: isStock
      ? 'Models written in Python, each instance in a process of its own.'
      : `Models of the backend '${name}', which is written in Python; each instance in a process of its own.`,
    format: 'source',
    artefacts: isStock ? [{ name: MODEL_FILE, form: 'file' }] : [],
    parameters: PARAMETERS,
    settings: SETTINGS,
    runtimes: isStock ? [MODEL_FILE] : [],
    runsCode: true,
    keepsStates: false,
    // As Triton's backend says of itself in the builds for GPUs; the first that the machine can have is taken.
    instances: {
      reachesGpusItself: true,
      preferredGroups: [
        { kind: 'KIND_GPU', count: 0 },
        { kind: 'KIND_CPU', count: 0 },
      ],
    },
  });
}
