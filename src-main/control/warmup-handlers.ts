// Answers the calls of the warm-up runner: samples of the file and suggested ones, runs on the loaded instances with
// the latency of each iteration, insertion into a configuration text.

import { editConfigValue } from '../../src-shared/config/config-edit.ts';
import { modelConfigToText } from '../../src-shared/config/config-encoder.ts';
import { emptyModelConfig } from '../../src-shared/config/config-defaults.ts';
import { firstError } from '../../src-shared/config/config-issue.ts';
import type { ModelConfig, ModelWarmup } from '../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { parseText } from '../../src-shared/config/text-format/parser.ts';
import type { HandlersFor } from '../../src-shared/contract/contract.ts';
import type { inferenceCalls, WarmupSample } from '../../src-shared/contract/inference-calls.ts';
import { invalidArg, toServerError, unavailable } from '../../src-shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import { runWarmup } from '../repository/model-warmup.ts';
import type { Model } from '../repository/model.ts';
import type { ModelCatalog } from './model-catalog.ts';

export interface WarmupDependencies {
  readonly clock: Clock;
  readonly catalog: ModelCatalog;
  /** Serving version; "" = the newest. */
  readonly servingVersion: (name: string, version: string) => Model | undefined;
}

type WarmupCalls = 'warmup/samples' | 'warmup/run' | 'warmup/insert';
type WarmupRun = Awaited<ReturnType<HandlersFor<typeof inferenceCalls>['warmup/run']>>;
type InstanceCurve = WarmupRun['instances'][number];

/** An iteration within this factor of the settled latency counts as settled. */
const SETTLED = 1.25;

export function warmupHandlers(
  deps: WarmupDependencies,
): Pick<HandlersFor<typeof inferenceCalls>, WarmupCalls> {
  return {
    'warmup/samples': ({ model }) => {
      const config = deps.catalog.config(model);
      return [
        ...config.modelWarmup.map((sample) => sampleView(sample, false)),
        ...suggestedSamples(config).map((sample) => sampleView(sample, true)),
      ];
    },
    'warmup/run': ({ model, version, configText, iterations }, { signal }) => {
      const running = deps.servingVersion(model, version);
      if (running === undefined) throw unavailable(`model '${model}' is not loaded: load it first`);
      const sample = { ...parseSample(configText), count: iterations };
      return runOnInstances(deps, running, sample, signal);
    },
    'warmup/insert': ({ text, sampleText }) => ({ text: inserted(text, parseSample(sampleText)) }),
  };
}

function sampleView(sample: ModelWarmup, isSuggested: boolean): WarmupSample {
  const { name, batchSize, count } = sample;
  return {
    name,
    isSuggested,
    batchSize,
    count,
    configText: modelConfigToText(emptyModelConfig({ modelWarmup: [sample] })),
  };
}

/** Random data at batch 1 and at the maximum; dimensions of any size become 1. */
function suggestedSamples(config: ModelConfig): readonly ModelWarmup[] {
  if (config.ensembleScheduling !== undefined || config.input.length === 0) return [];
  const inputs = Object.fromEntries(
    config.input
      .filter(({ optional }) => !optional)
      .map(({ name, dataType, dims }) => [
        name,
        {
          dataType,
          dims: dims.map((dim) => (dim === -1 ? 1 : dim)),
          zeroData: dataType === 'TYPE_STRING' ? true : undefined,
          randomData: dataType === 'TYPE_STRING' ? undefined : true,
          inputDataFile: undefined,
        },
      ]),
  );
  const sizes = config.sequenceBatching === undefined ? [1, config.maxBatchSize] : [1];
  return [...new Set(sizes.filter((size) => size > 0))].map((batchSize) => ({
    name: `batch_${batchSize}`,
    batchSize,
    inputs,
    count: 1,
  }));
}

function parseSample(text: string): ModelWarmup {
  const { config, issues } = parseModelConfig(text);
  const error = firstError(issues);
  if (error !== undefined) throw invalidArg(`the sample cannot be read: ${error.message}`);
  const [sample] = config.modelWarmup;
  if (sample === undefined) throw invalidArg('the text holds no model_warmup entry');
  return sample;
}

async function runOnInstances(
  { clock }: WarmupDependencies,
  model: Model,
  sample: ModelWarmup,
  signal: AbortSignal,
): Promise<WarmupRun> {
  const subject = {
    name: model.id.name,
    version: model.version,
    modelDir: model.modelDir,
    config: model.config,
    normalize: (request: Parameters<typeof model.runtime.normalize>[0]) => {
      request.actualVersion = model.version;
      model.runtime.normalize(request);
    },
    clock,
  };
  const instances: InstanceCurve[] = [];
  for (const instance of model.instances.filter(({ spec }) => !spec.isPassive)) {
    const latenciesMs: number[] = [];
    let error = '';
    try {
      await runWarmup(subject, instance, [sample], {
        signal,
        execute: (target, payload) => model.runtime.executeOn(target, payload),
        onIteration: ({ latencyNs }) => latenciesMs.push(latencyNs / 1e6),
      });
    } catch (thrown) {
      signal.throwIfAborted();
      error = toServerError(thrown).message;
    }
    instances.push({ name: instance.spec.name, latenciesMs, error });
  }
  return { instances, ...summary(instances) };
}

function summary(instances: readonly InstanceCurve[]): {
  readonly sentence: string;
  readonly suggestedCount: number;
} {
  const failed = instances.find(({ error }) => error !== '');
  if (failed !== undefined) return { sentence: `${failed.name}: ${failed.error}`, suggestedCount: 0 };
  const curve = instances.reduce<readonly number[]>(
    (slowest, { latenciesMs }) => ((latenciesMs[0] ?? 0) > (slowest[0] ?? 0) ? latenciesMs : slowest),
    [],
  );
  const first = curve[0];
  if (first === undefined) return { sentence: 'Nothing ran.', suggestedCount: 0 };
  const tail = [...curve.slice(Math.floor(curve.length / 2))].sort((a, b) => a - b);
  const steady = tail[Math.floor(tail.length / 2)] ?? first;
  const settledAt = curve.findIndex((ms) => ms <= steady * SETTLED);
  const suggestedCount = Math.max(1, settledAt);
  const after = settledAt <= 0 ? 'from the start' : `after ${settledAt} ${settledAt === 1 ? 'run' : 'runs'}`;
  return {
    sentence: `First ${shown(first)}, steady ${shown(steady)} ${after}: set count: ${suggestedCount}.`,
    suggestedCount,
  };
}

function shown(ms: number): string {
  if (ms < 1) return `${Math.round(ms * 1000)} us`;
  return `${ms >= 100 ? Math.round(ms) : ms.toFixed(1)} ms`;
}

/** The text with one more warm-up entry at the end of the list. */
function inserted(text: string, sample: ModelWarmup): string {
  const { config } = parseModelConfig(text);
  const edits = [...editConfigValue(parseText(text), 'model_warmup', [...config.modelWarmup, sample])];
  edits.sort((a, b) => b.startOffset - a.startOffset);
  return edits.reduce(
    (edited, { startOffset, endOffset, newText }) =>
      edited.slice(0, startOffset) + newText + edited.slice(endOffset),
    text,
  );
}
