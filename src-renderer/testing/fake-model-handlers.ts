// Answers about one model: its config as served, its file, its interface, snippets and statistics.

import type { CallHandlers } from '../../src-shared/contract/contract.ts';
import type { StatisticsView } from '../../src-shared/contract/observe-views.ts';
import { describeTensor } from '../../src-shared/config/model-description.ts';
import { SOME_BACKENDS } from '../../src-shared/testing/some-backends.ts';

const TEXT = [
  'name: "batch_mlp"',
  'backend: "onnxruntime"',
  'max_batch_size: 8',
  'input {',
  '  name: "INPUT0"',
  '  data_type: TYPE_FP32',
  '  dims: [16]',
  '}',
  'output {',
  '  name: "OUTPUT0"',
  '  data_type: TYPE_FP32',
  '  dims: [4]',
  '}',
  'dynamic_batching {',
  '  max_queue_delay_microseconds: 200',
  '}',
  'instance_group {',
  '  count: 2',
  '  kind: KIND_CPU',
  '}',
  '',
].join('\n');

const COMPLETED = new Set(['backend', 'instance_group']);

function servedJson(model: string): string {
  const isBroken = model === 'broken_dims';
  return JSON.stringify({
    name: model,
    max_batch_size: 8,
    input: [{ name: 'INPUT0', data_type: 'TYPE_FP32', dims: isBroken ? [-1, 16] : [16] }],
    output: [{ name: 'OUTPUT0', data_type: 'TYPE_FP32', dims: [4] }],
    dynamic_batching: { max_queue_delay_microseconds: 200 },
    instance_group: [{ count: 2, kind: 'KIND_CPU' }],
  });
}

/** A version under traffic. */
export const VERSION_STATISTICS: StatisticsView = {
  version: '2',
  sinceMs: Date.UTC(2026, 4, 4, 12, 0, 0),
  isReset: false,
  inferenceCount: 18_204,
  executionCount: 4_911,
  successCount: 18_204,
  failureCount: 3,
  queueFullCount: 0,
  timedOutCount: 0,
  cancelledCount: 0,
  meanUs: { request: 7400, queue: 2100, input: 90, infer: 4700, output: 60 },
  percentilesUs: { p50: 7200, p90: 12_400, p95: 14_800, p99: 17_900, max: 31_000 },
  batches: [
    { batchSize: 1, count: 311 },
    { batchSize: 4, count: 2400 },
    { batchSize: 8, count: 2200 },
  ],
  closeReasons: [{ reason: 'delay', count: 4100 }],
  cacheHitCount: 0,
  cacheMissCount: 0,
  instances: [
    { name: 'batch_mlp_0_0', device: 'CPU', executionCount: 2480, busy: 0.8, host: undefined },
    { name: 'batch_mlp_0_1', device: 'CPU', executionCount: 2431, busy: 0.74, host: undefined },
  ],
};

/** One configuration text for all models, which a write changes and the next read gives back. */
export function fakeModelHandlers(): Partial<CallHandlers> {
  let text = TEXT;
  return {
    'config/read': ({ model }) => ({
      exists: true,
      text,
      hash: String(text.length),
      path: `/home/ada/models/${model}/config.pbtxt`,
      readOnlyReason: undefined,
      refusal: undefined,
    }),
    'config/write': ({ model, text: next }) => {
      text = next;
      return {
        exists: true,
        text,
        hash: String(text.length),
        path: `/home/ada/models/${model}/config.pbtxt`,
        readOnlyReason: undefined,
        refusal: undefined,
      };
    },
    'config/effective': ({ model }) => ({
      text: TEXT,
      origins: TEXT.split('\n').map((line) =>
        COMPLETED.has(/^\w+/.exec(line)?.[0] ?? '')
          ? { kind: 'auto-complete' as const, reason: 'from the model file' }
          : { kind: 'file' as const, reason: '' },
      ),
      json: servedJson(model),
      error: undefined,
    }),
    'config/context': ({ model }) => ({
      modelName: model,
      versions: ['1'],
      descriptions: [
        {
          version: '1',
          description: {
            inputs: [describeTensor('INPUT0', 'FP32', [-1, 16])],
            outputs: [describeTensor('OUTPUT0', 'FP32', [-1, 4])],
          },
        },
      ],
      gpuIds: [],
      backends: SOME_BACKENDS,
      physicalCores: 8,
      isAutoCompleteEnabled: true,
      defaultMaxBatchSize: 4,
      models: [],
      files: ['1/model.onnx'],
      inspectedEntries: [{ name: 'model.onnx', isDirectory: false }],
    }),
    'config/validate': ({ model }) =>
      model === 'broken_dims'
        ? [
            {
              code: 'D21',
              severity: 'error',
              message: "model 'broken_dims', tensor 'INPUT0': the model expects 2 dimensions",
              hint: 'dims include the batch dimension. Remove the first element.',
              path: 'input[0].dims',
              startOffset: 120,
              endOffset: 128,
              line: 7,
              column: 9,
              fixes: [
                {
                  title: 'Remove the first element of dims',
                  edits: [{ startOffset: 120, endOffset: 124, newText: '' }],
                },
              ],
            },
          ]
        : [],
    'playground/labels': () => ({ labels: [] }),
    'playground/interface': () => ({
      inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [-1, 16], optional: false, imageLayout: '' }],
      outputs: [{ name: 'OUTPUT0', datatype: 'FP32', shape: [-1, 4], hasLabels: false }],
      maxBatchSize: 8,
      isSequence: false,
      sequenceIdleMs: 0,
      isDecoupled: false,
    }),
    'playground/snippets': ({ model }) => [
      {
        language: 'bash',
        title: 'curl',
        code: `curl -s -X POST http://127.0.0.1:8000/v2/models/${model}/infer \\\n  -H 'content-type: application/json' \\\n  -d '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1,16],"data":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]}]}'`,
      },
      {
        language: 'python',
        title: 'Python HTTP',
        code: `import numpy as np\nimport tritonclient.http as http\n\nclient = http.InferenceServerClient("127.0.0.1:8000")`,
      },
    ],
    'playground/serverSnippets': ({ language, model }) =>
      language === 'python-grpc'
        ? [{ subject: 'stream', code: `import tritonclient.grpc as triton\n# ${model}` }]
        : [
            { subject: 'health', code: 'curl -i http://127.0.0.1:8000/v2/health/ready' },
            { subject: 'statistics', code: `curl -s http://127.0.0.1:8000/v2/models/${model}/stats` },
          ],
    'observe/statistics': () => [VERSION_STATISTICS],
  };
}
