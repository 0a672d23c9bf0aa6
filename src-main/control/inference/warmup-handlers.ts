// Answers the calls of the warm-up runner: samples of the file and suggested ones, runs on the loaded instances with
// the latency of each iteration, insertion into a configuration text.

import { editConfigValue } from '../../../src-shared/config/config-edit.ts';
import type { ModelConfig, ModelWarmup } from '../../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { applyTextEdits } from '../../../src-shared/config/text-format/ast.ts';
import { parseText } from '../../../src-shared/config/text-format/parser.ts';
import { parseWarmup, warmupText } from '../../../src-shared/config/warmup-text.ts';
import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { inferenceCalls, WarmupSample } from '../../../src-shared/contract/inference-calls.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { InferInput } from '../../inference/inference-request.ts';
import { contiguous } from '../../inference/tensor-bytes.ts';
import type { ReadBlob } from '../../playground/input-builder.ts';
import type { PlaygroundSender } from '../../playground/playground-sender.ts';
import type { TensorToShow } from '../../playground/shown-tensor.ts';
import { shownTensor } from '../../playground/shown-tensor.ts';
import { runWarmup } from '../../repository/model-warmup.ts';
import type { Model } from '../../repository/model.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import type { BlobStore } from '../files/blob-store.ts';
import { requestAsSample, writeWarmupFile } from './warmup-files.ts';
import { warmupSummary } from './warmup-summary.ts';
import { catalogErrors } from '../catalog/catalog-errors.ts';

/** What the calls about warm-up work with. */
export interface WarmupDependencies {
  readonly clock: Clock;
  readonly catalog: ModelCatalog;
  readonly sender: PlaygroundSender;
  readonly readBlob: ReadBlob;
  readonly blobs: BlobStore;
  /** Serving version; "" = the newest. */
  readonly servingVersion: (name: string, version: string) => Model | undefined;
}

type WarmupCalls =
  | 'warmup/samples'
  | 'warmup/run'
  | 'warmup/insert'
  | 'warmup/writeFile'
  | 'warmup/fromRequest';
type WarmupRun = Awaited<ReturnType<HandlersFor<typeof inferenceCalls>['warmup/run']>>;
type InstanceCurve = WarmupRun['instances'][number];

/**
 * Runs count in no statistics and change nothing on disk; inserting a sample gives back text, and the page
 * writes it.
 */
export function warmupHandlers(
  deps: WarmupDependencies,
): Pick<HandlersFor<typeof inferenceCalls>, WarmupCalls> {
  return {
    'warmup/samples': ({ model }) => {
      const config = deps.catalog.config(model);
      const { configText } = deps.catalog.facts(model);
      // The file, not what was loaded: a sample that was just inserted is in the file only.
      const inFile =
        configText === undefined ? config.modelWarmup : parseModelConfig(configText).config.modelWarmup;
      return [
        ...inFile.map((sample) => sampleView(sample, false)),
        ...suggestedSamples({ ...config, modelWarmup: inFile }).map((sample) => sampleView(sample, true)),
      ];
    },
    'warmup/writeFile': async ({ model, name, blob }) => {
      await writeWarmupFile(deps.catalog.facts(model), name, await deps.readBlob(blob));
      await deps.catalog.refresh(model);
    },
    'warmup/fromRequest': async ({ name, request }) => {
      const { catalog, sender } = deps;
      const { inputs } = await sender.build(request);
      const facts = catalog.facts(request.model);
      const sample = await requestAsSample(facts, catalog.config(request.model), name, inputs);
      await catalog.refresh(request.model);
      return { sampleText: warmupText(sample) };
    },
    'warmup/run': ({ model, version, configText, iterations }, { signal }) => {
      const running = deps.servingVersion(model, version);
      if (running === undefined) throw catalogErrors.notLoaded({ model });
      const sample = { ...parseWarmup(configText), count: iterations };
      return runOnInstances(deps, running, sample, signal);
    },
    'warmup/insert': ({ text, sampleText }) => ({ text: inserted(text, parseWarmup(sampleText)) }),
  };
}

function sampleView(sample: ModelWarmup, isSuggested: boolean): WarmupSample {
  const { name, batchSize, count } = sample;
  return {
    name,
    isSuggested,
    batchSize,
    count,
    configText: warmupText(sample),
  };
}

/**
 * Random data at batch 1 and at the maximum, without optional inputs and, where there are some, with them; dimensions of
 * any size become 1. Names that the file uses are left out.
 */
function suggestedSamples(config: ModelConfig): readonly ModelWarmup[] {
  if (config.ensembleScheduling !== undefined || config.input.length === 0) return [];
  const taken = new Set(config.modelWarmup.map(({ name }) => name));
  const sizes = config.sequenceBatching === undefined ? [1, config.maxBatchSize] : [1];
  const hasOptional = config.input.some(({ optional }) => optional);
  return [...new Set(sizes.filter((size) => size > 0))]
    .flatMap((batchSize) => [
      { name: `batch_${batchSize}`, batchSize, inputs: randomInputs(config, false), count: 1 },
      ...(hasOptional
        ? [
            {
              name: `batch_${batchSize}_optional`,
              batchSize,
              inputs: randomInputs(config, true),
              count: 1,
            },
          ]
        : []),
    ])
    .filter(({ name }) => !taken.has(name));
}

function randomInputs({ input }: ModelConfig, withOptional: boolean): ModelWarmup['inputs'] {
  const used = input.filter(({ optional }) => withOptional || !optional);
  return Object.fromEntries(
    used.map(({ name, dataType, dims }) => [
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
}

async function runOnInstances(
  { clock, blobs }: WarmupDependencies,
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
  const answer = new FirstOffer();
  const sent = new FirstOffer();
  for (const instance of model.instances.filter(({ spec }) => !spec.isPassive)) {
    const latenciesMs: number[] = [];
    let error: string | undefined;
    try {
      await runWarmup(subject, instance, [sample], {
        signal,
        execute: (target, payload) => model.runtime.executeOn(target, payload),
        onIteration: ({ latencyNs }) => latenciesMs.push(latencyNs / 1e6),
        onInputs: (inputs) => sent.offer(inputsOfFiles(sample, inputs)),
        onOutputs: (outputs) => answer.offer(outputs),
      });
    } catch (thrown) {
      signal.throwIfAborted();
      error = toServerError(thrown).message;
    }
    instances.push({ name: instance.spec.name, latenciesMs, error });
  }
  const failure = instances.find(({ error }) => error !== undefined)?.error;
  const faultyInput =
    failure === undefined ? undefined : (inputIn(failure, sample) ?? missingInput(model.config, sample));
  const show = ({ tensors }: FirstOffer) =>
    Promise.all(tensors.map((tensor) => shownTensor(tensor, (bytes) => blobs.create(bytes))));
  return {
    ...{ instances, faultyInput, ...summary(instances) },
    outputs: await show(answer),
    inputs: failure === undefined ? await show(sent) : [],
  };
}

/** What is random or zero is nothing to look at. */
function inputsOfFiles(sample: ModelWarmup, inputs: readonly InferInput[]): readonly TensorToShow[] {
  return inputs
    .filter(({ name }) => sample.inputs[name]?.inputDataFile !== undefined)
    .map(({ name, datatype, clientShape, bytes }) => {
      return { name, datatype, shape: clientShape, bytes: contiguous(bytes) };
    });
}

/** Nobody looks at every number of more. */
const MAX_SHOWN_BYTES = 16 * 1024 * 1024;

/** Keeps a copy of the first tensors that are offered: an answer, or what it was the answer to. */
class FirstOffer {
  tensors: readonly TensorToShow[] = [];
  #isTaken = false;

  offer(tensors: readonly TensorToShow[]): void {
    if (this.#isTaken) return;
    this.#isTaken = true;
    const byteSize = tensors.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    if (byteSize > MAX_SHOWN_BYTES) return;
    this.tensors = tensors.map((tensor) => ({ ...tensor, bytes: Uint8Array.from(tensor.bytes) }));
  }
}

/** The input of the sample that a message names, in quotes or as a word; the longest name wins. */
function inputIn(message: string, { inputs }: ModelWarmup): string | undefined {
  const names = Object.keys(inputs).sort((a, b) => b.length - a.length);
  return names.find((name) => message.includes(`'${name}'`)) ?? names.find((name) => isWordOf(message, name));
}

/** A message about the number of inputs names none: it is the one that the sample lacks. */
function missingInput({ input }: ModelConfig, { inputs }: ModelWarmup): string | undefined {
  return input.find(({ name, optional }) => !optional && !Object.hasOwn(inputs, name))?.name;
}

function isWordOf(message: string, name: string): boolean {
  return message.split(/[^\w./:-]+/).some((word) => word === name || word.replace(/[.:]$/, '') === name);
}

function summary(instances: readonly InstanceCurve[]): {
  readonly sentence: string;
  readonly suggestedCount: number;
} {
  const failed = instances.find(({ error }) => error !== undefined);
  if (failed !== undefined) return { sentence: `${failed.name}: ${failed.error}`, suggestedCount: 0 };
  const curve = instances.reduce<readonly number[]>(
    (slowest, { latenciesMs }) => ((latenciesMs[0] ?? 0) > (slowest[0] ?? 0) ? latenciesMs : slowest),
    [],
  );
  const first = curve[0];
  if (first === undefined) return { sentence: 'Nothing ran.', suggestedCount: 0 };
  const others = instances.map(({ latenciesMs }) => latenciesMs).filter((other) => other !== curve);
  return warmupSummary(curve, others);
}

/** The text with the sample in place of one of its name, or behind the others; all other text stays as it is. */
function inserted(text: string, sample: ModelWarmup): string {
  const samples = parseModelConfig(text).config.modelWarmup;
  const known = samples.findIndex(({ name }) => name === sample.name);
  const path = `model_warmup[${known < 0 ? samples.length : known}]`;
  return applyTextEdits(text, editConfigValue(parseText(text), path, sample));
}
