// Believable models for tests and for the harness page: the samples, in every state the list can show.

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { RepositorySnapshot } from '../../src-shared/contract/repository-calls.ts';

/** Folder that the made-up models are said to lie in. */
export const FAKE_REPOSITORY = '/home/ada/models';
const LOADED_AT_MS = Date.UTC(2026, 4, 4, 12, 4, 0);

/** A loaded CPU model; `changes` make it anything else. */
export function fakeModel(name: string, changes: Partial<ModelView> = {}): ModelView {
  const repository = changes.repository ?? FAKE_REPOSITORY;
  return {
    name,
    repository,
    path: `${repository}/${name}`,
    kind: 'onnx',
    backend: 'onnxruntime',
    format: 'onnx',
    needs: undefined,
    state: 'ready',
    phase: undefined,
    reason: undefined,
    failure: undefined,
    versions: [
      {
        version: '1',
        state: 'READY',
        reason: '',
        byteSize: 84_112,
        fileCount: 1,
        modifiedAtMs: LOADED_AT_MS - 3_600_000,
        loadMs: 640,
        memoryBytes: 84_112,
        gpuMemory: [],
      },
    ],
    servedVersions: ['1'],
    device: 'CPU',
    isDegraded: false,
    notices: [],
    gpuTrial: undefined,
    gpuMemory: [],
    maxBatchSize: 0,
    batching: 'none',
    instanceCount: 1,
    changedOnDisk: false,
    isConfigChanged: false,
    reloadKind: 'none',
    hasOverride: false,
    loadedAtMs: LOADED_AT_MS,
    timings: {
      totalMs: 184,
      phases: [
        { text: 'read config', ms: 4 },
        { text: 'session 1', ms: 180 },
      ],
      memoryDeltaBytes: 6_400_000,
    },
    memoryBytes: 6_400_000,
    isDecoupled: false,
    isEnsemble: false,
    isSequence: false,
    usedBy: [],
    uses: [],
    issueCounts: { error: 0, warning: 0, info: 0 },
    duplicateOf: undefined,
    isShadowed: false,
    isQuarantined: false,
    changedSinceFailure: [],
    ...changes,
  };
}

const UNLOADED: Partial<ModelView> = {
  state: 'unloaded',
  servedVersions: [],
  device: undefined,
  loadedAtMs: 0,
  timings: undefined,
  memoryBytes: undefined,
};

function version(name: string, state: ModelView['versions'][number]['state'], byteSize: number) {
  return {
    version: name,
    state,
    reason: '',
    byteSize,
    fileCount: 2,
    modifiedAtMs: LOADED_AT_MS - 86_400_000,
    loadMs: state === 'READY' ? 640 : undefined,
    memoryBytes: state === 'READY' ? 412_004 : undefined,
    gpuMemory: [],
  };
}

const BROKEN_DIMS = fakeModel('broken_dims', {
  ...UNLOADED,
  state: 'failed',
  maxBatchSize: 8,
  batching: 'max 8',
  reason:
    "model 'broken_dims', tensor 'INPUT0': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 3 dimensions",
  failure: {
    title: 'The dimensions of INPUT0 include the batch dimension',
    original:
      "model 'broken_dims', tensor 'INPUT0': the model expects 2 dimensions (shape [-1,16]) but the model configuration specifies 3 dimensions (an initial batch dimension because max_batch_size > 0 followed by the explicit tensor shape, making complete shape [-1,-1,16])",
    why: 'max_batch_size is 8, so the server puts the batch dimension in front of dims by itself. dims [-1,16] already starts with it, which makes three dimensions where the model has two.',
    code: 'D21',
    line: 7,
    place: undefined,
    fixes: [
      {
        title: 'Remove the first element of dims',
        edits: [{ startOffset: 120, endOffset: 124, newText: '' }],
      },
    ],
  },
  issueCounts: { error: 2, warning: 0, info: 1 },
});

/** A test that needs another one makes it with `fakeModel`. */
export const FAKE_MODELS: readonly ModelView[] = [
  fakeModel('accumulate', {
    kind: 'sequence',
    isSequence: true,
    batching: 'sequence, 4 slots',
    maxBatchSize: 4,
  }),
  fakeModel('batch_mlp', {
    maxBatchSize: 8,
    batching: 'max 8, delay 200 µs',
    instanceCount: 2,
    versions: [version('1', 'NOT_SELECTED', 402_112), version('2', 'READY', 412_004)],
    servedVersions: ['2'],
    memoryBytes: 18_200_000,
    usedBy: ['pipeline'],
    timings: {
      totalMs: 1810,
      phases: [
        { text: 'read config', ms: 6 },
        { text: 'complete config', ms: 21 },
        { text: 'session 1', ms: 690 },
        { text: 'session 2', ms: 640 },
        { text: 'warmup 1 of 1', ms: 453 },
      ],
      memoryDeltaBytes: 212_000_000,
    },
  }),
  fakeModel('bert_reranker', {
    isDegraded: true,
    notices: [
      'The config asks for a GPU. None is available here, so it runs on CPU. Production is not affected.',
    ],
    device: 'CPU',
    maxBatchSize: 16,
    batching: 'max 16, delay 500 µs',
    memoryBytes: 438_000_000,
    issueCounts: { error: 0, warning: 1, info: 0 },
  }),
  BROKEN_DIMS,
  fakeModel('detector_fil', {
    ...UNLOADED,
    kind: 'fil',
    backend: 'fil',
    state: 'not-runnable',
    reason: 'backend "fil"',
  }),
  fakeModel('image_tiny', {
    changedOnDisk: true,
    isConfigChanged: true,
    reloadKind: 'instances',
    memoryBytes: 2_100_000,
  }),
  fakeModel('pipeline', {
    kind: 'ensemble',
    backend: '',
    isEnsemble: true,
    uses: ['image_tiny', 'batch_mlp'],
    device: undefined,
    memoryBytes: undefined,
  }),
  fakeModel('simple', { ...UNLOADED }),
  fakeModel('text_bytes', { ...UNLOADED, state: 'loading', phase: 'instance 1 of 2' }),
];

/** One repository, writable and trusted, with these models; the scan is over. */
export function fakeSnapshot(models: readonly ModelView[] = FAKE_MODELS): RepositorySnapshot {
  return {
    repositories: [
      {
        path: FAKE_REPOSITORY,
        modelCount: models.length,
        isWritable: true,
        isEnabled: true,
        isWatched: true,
        isTrusted: true,
        waitingSinceMs: undefined,
        isGivenUp: false,
        error: undefined,
      },
    ],
    models,
    isScanning: false,
  };
}
