// What the form of the Perf lab starts with for a model: tensors, shapes that must be given, presets.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { PerfDefaults } from '../../../src-shared/contract/perf-calls.ts';
import type { PerfLevels, PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { DEFAULT_MEASUREMENT, defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { loadModelOf } from '../data/load-model.ts';

/** `isSequence`: it, or a model of its ensemble. Texts are the caller's. */
export function perfDefaults(
  config: ModelConfig,
  about: {
    readonly configText: string;
    readonly isSequence: boolean;
    /** As the settings of the app say. */
    readonly measurement?: Partial<PerfPlan['measurement']>;
  },
): PerfDefaults {
  const model = loadModelOf(config, '', []);
  const openInputs = model.inputs.filter(({ dims, isOptional }) => dims.includes(-1) && !isOptional);
  const shapes = Object.fromEntries(
    openInputs.map(({ name, dims }) => [name, dims.map((dim) => (dim === -1 ? 1 : dim))]),
  );
  const base = defaultPerfPlan(config.name);
  const plan: PerfPlan = {
    ...base,
    protocol: model.isDecoupled ? 'grpc' : 'http',
    isStreaming: model.isDecoupled,
    isAsync: model.isDecoupled,
    data: { ...base.data, shapes },
    measurement: { ...base.measurement, ...about.measurement },
  };
  return {
    plan,
    inputs: model.inputs.map(({ name, datatype, dims, isOptional }) => ({
      name,
      datatype,
      shape: model.maxBatchSize > 0 ? [-1, ...dims] : dims,
      optional: isOptional,
    })),
    maxBatchSize: model.maxBatchSize,
    isSequence: about.isSequence || model.isSequence,
    isDecoupled: model.isDecoupled,
    openShapes: openInputs.map(({ name }) => name),
    presets: presetsFor(plan),
    configText: about.configText,
  };
}

function presetsFor(plan: PerfPlan): PerfDefaults['presets'] {
  const preset = (levels: PerfLevels, measurement: Partial<PerfPlan['measurement']>): PerfPlan => ({
    ...plan,
    load: { kind: 'concurrency', levels },
    measurement: { ...DEFAULT_MEASUREMENT, ...measurement },
  });
  return [
    {
      name: 'Quick look',
      about:
        'Concurrency 1, 2, 4 and 8 in windows of a second, longer ones where they differ; about 20 s, a minute and a half at most.',
      plan: preset(
        { kind: 'list', values: [1, 2, 4, 8] },
        { intervalMs: 1000, maxWindows: 8, growsWindows: true },
      ),
    },
    {
      name: 'Standard',
      about: 'Concurrency 1 to 16 in steps of 5 s windows, as perf_analyzer measures; about 90 s.',
      plan: preset({ kind: 'list', values: [1, 2, 4, 8, 16] }, {}),
    },
    {
      name: 'Find the knee',
      about: 'Doubles the concurrency until throughput stops growing.',
      plan: preset(
        { kind: 'doubling', start: 1, end: 0 },
        { intervalMs: 2000, maxWindows: 8, growsWindows: true },
      ),
    },
    {
      name: 'Soak',
      about: 'Concurrency 4 for ten minutes in three windows.',
      plan: preset(
        { kind: 'list', values: [4] },
        { intervalMs: 166_667, maxWindows: 3, stabilityPercent: 100 },
      ),
    },
  ];
}
