// Backends for tests of what reads descriptions: one that runs, one whose models are only shown.

import type { BackendDescription } from '../config/backend-description.ts';
import { describeBackend } from '../config/backend-description.ts';

/** Two: `onnxruntime`, which runs, and one that is only known. */
export const SOME_BACKENDS: readonly BackendDescription[] = [
  describeBackend({
    name: 'onnxruntime',
    title: 'ONNX Runtime',
    summary: 'ONNX models.',
    aliases: ['onnx'],
    format: 'onnx',
    artefacts: [{ name: 'model.onnx', form: 'file or folder', platform: 'onnxruntime_onnx' }],
    parameters: [{ name: 'intra_op_thread_count', summary: 'Threads within an operator.' }],
    instances: { cpuInstanceCount: 2 },
  }),
  describeBackend({
    name: 'python',
    title: 'Python',
    summary: 'Python models.',
    format: 'source',
    artefacts: [{ name: 'model.py', form: 'file' }],
    runsCode: true,
    instances: { preferredGroups: [{ kind: 'KIND_CPU', count: 0 }] },
    needs: 'Python models need the Python backend.',
  }),
];
