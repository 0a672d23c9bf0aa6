// One model: its default configuration, the search, the sweep over the best. Trials that were measured before are not
// measured again, whatever asks for them.

import { modelConfigToText } from '../../../src-shared/config/config-encoder.ts';
import { isEnsemble, type ModelConfig } from '../../../src-shared/config/model-config.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import { analyzeErrors } from '../analyze-errors.ts';
import type { ModelSettings, ProfileSettings } from '../options/profile-settings.ts';
import { ranked } from '../rank/constraints.ts';
import { gainOver } from '../rank/objectives.ts';
import type { Checkpoint } from '../results/checkpoint.ts';
import type { Measurement, VariantRecord } from '../results/measurement.ts';
import { bestMeasurement } from '../results/ranking.ts';
import { bruteSearch, manualSearch } from '../search/brute-search.ts';
import { quickSearch } from '../search/quick-search.ts';
import { refinement } from '../search/refinement.ts';
import type { SearchSpace } from '../search/search-space.ts';
import type { Search, Trial, TrialResult, VariantFields } from '../search/trial.ts';
import type { AnalyzerServer } from './analyzer-server.ts';
import type { TrialMeasurer } from './measurer.ts';
import { searchSpace, variantFacts } from './model-facts.ts';
import { readConfig, variantText } from './variant-repository.ts';
import type { Variant, Variants } from './variants.ts';

/** A model is given up when this many measurements fail before one succeeds. */
const FAILURES_AT_START = 2;

/** What a profile of a model works with. */
export interface ProfileParts {
  readonly settings: ProfileSettings;
  readonly server: AnalyzerServer;
  readonly measurer: TrialMeasurer;
  readonly variants: Variants;
  readonly checkpoint: Checkpoint;
  readonly gpuCount: number;
  /** Lines for the user. */
  note(text: string): void;
  /** A measurement failed. */
  failed(text: string): void;
  /** Nothing more is to be measured. */
  isStopping(): boolean;
}

/** Has one variant loaded at a time, and none after its end. */
export class ModelProfile {
  readonly #model: ModelSettings;
  readonly #parts: ProfileParts;
  /** Fields of variants by their names, for the sweep. */
  readonly #fields = new Map<string, VariantFields>();
  #base: ModelConfig | undefined;
  #baseText: string | undefined;
  /** As the model has it; undefined = it has no file. */
  #written: string | undefined;
  #loaded: (Variant & { readonly served: string }) | undefined;
  #failures = 0;
  /** Now, not in the checkpoint. */
  #measuredCount = 0;

  constructor(model: ModelSettings, parts: ProfileParts) {
    this.#model = model;
    this.#parts = parts;
  }

  /** Rejects when the model cannot be profiled at all; what was measured stays in the checkpoint. */
  async run(): Promise<void> {
    const { settings, note } = this.#parts;
    try {
      const space = await this.#prepare();
      const { name, goals, parameters, loads } = this.#model;
      const isManual = parameters !== undefined || settings.search.isDisabled || this.#parts.variants.isFixed;
      const isQuick = settings.search.mode === 'quick';
      note(`Profiling ${name}: ${isQuick ? 'quick' : isManual ? 'manual brute' : 'brute'} search`);
      const notes = { note };
      if (isQuick) await this.#drive(quickSearch(space, goals));
      else await this.#drive(isManual ? manualSearch(space, parameters, notes) : bruteSearch(space, notes));
      const isSwept = isQuick
        ? !settings.search.isSweepDisabled
        : loads === undefined && space.givenLoads === undefined && !space.usesFormula;
      if (isSwept) await this.#sweep(space);
      if (this.#measuredCount > 1) await this.#checkDrift();
    } finally {
      await this.#unload();
      await this.#parts.variants.restore(this.#model.name).catch((thrown: unknown) => {
        this.#parts.failed(`${this.#model.name} could not be restored: ${toServerError(thrown).message}`);
      });
    }
  }

  /** Loads the default, and says what may be tried. */
  async #prepare(): Promise<SearchSpace> {
    const { settings, variants, checkpoint, gpuCount, note } = this.#parts;
    const { name, parameters } = this.#model;
    const variant = `${name}_config_default`;
    this.#written = await variants.configText(name);
    const served = await this.#load({ model: name, name: variant, text: this.#written });
    if (isEnsemble(served) && !settings.search.isDisabled && !variants.isFixed)
      throw analyzeErrors.ensembleSearch({ model: name });
    if (parameters !== undefined && variants.isFixed)
      note(`The configuration of ${name} is left as it is: models are not loaded`);
    this.#baseText = this.#written ?? modelConfigToText({ ...served, name });
    this.#base = readConfig(name, this.#baseText);
    const before = checkpoint.variants(name).find((record) => record.name === variant);
    if (before !== undefined && before.text !== this.#baseText) {
      note(`The configuration of ${name} has changed since the checkpoint: its old results are not used`);
      checkpoint.forget(name);
    }
    this.#put(undefined, { ...this.#record(undefined), ...variantFacts(served, gpuCount) });
    return searchSpace(this.#model, settings, { served, gpuCount });
  }

  async #drive(search: Search): Promise<void> {
    let step = search.next();
    while (step.done !== true && !this.#parts.isStopping()) step = search.next(await this.#trial(step.value));
  }

  async #sweep(space: SearchSpace): Promise<void> {
    const { checkpoint, settings } = this.#parts;
    const { name, goals } = this.#model;
    const measured = checkpoint.variants(name).flatMap((record) => {
      const best = bestMeasurement(record, goals);
      return best === undefined ? [] : [{ record, metrics: best.metrics }];
    });
    const best = ranked(measured, goals).map(({ record }) => record.name);
    const names = new Set([...best.slice(0, settings.topCount), `${name}_config_default`]);
    for (const variant of names) {
      // It is in the checkpoint of an earlier search, and this one did not try it: its fields are not known.
      if (!this.#fields.has(variant)) continue;
      const options = { maxSteps: settings.search.maxBinarySteps };
      await this.#drive(refinement(space, this.#fields.get(variant), goals, options));
    }
  }

  /** Measures the default's best load a second time: what differs now is the machine's doing, not a configuration's. */
  async #checkDrift(): Promise<void> {
    const { note, failed, isStopping } = this.#parts;
    const { goals } = this.#model;
    const best = bestMeasurement(this.#record(undefined), goals);
    if (best === undefined || isStopping()) return;
    const { batchSize, load, variant } = best;
    const place = `${variant} once more: client batch size=${batchSize}, ${load.unit}=${load.value}`;
    try {
      const again = await this.#measure(variant, { fields: undefined, batchSize, load });
      const drift = gainOver(best.metrics, again.metrics, goals.objectives);
      this.#put(undefined, { ...this.#record(undefined), drift });
      note(`${place}: ${resultText(again)}`);
    } catch (thrown) {
      failed(`${place}: ${toServerError(thrown).message}`);
    }
  }

  async #trial(trial: Trial): Promise<TrialResult> {
    const { note, failed, checkpoint } = this.#parts;
    const record = this.#record(trial.fields);
    const known = record.measurements.find((measured) => isOf(measured, trial));
    if (known !== undefined) {
      note('Existing measurement found for run config. Skipping profile');
      return known;
    }
    const place = `${record.name}: client batch size=${trial.batchSize}, ${trial.load.unit}=${trial.load.value}`;
    try {
      const measured = await this.#measure(record.name, trial);
      const latest = this.#record(trial.fields);
      this.#put(trial.fields, {
        ...latest,
        failure: undefined,
        measurements: [...latest.measurements, measured],
      });
      await checkpoint.save();
      note(`${place}: ${resultText(measured)}`);
      this.#failures = -Infinity;
      this.#measuredCount += 1;
      return measured;
    } catch (thrown) {
      const reason = toServerError(thrown).message;
      this.#put(trial.fields, { ...this.#record(trial.fields), failure: reason });
      await checkpoint.save();
      failed(`${place}: ${reason}`);
      this.#failures += 1;
      if (this.#failures >= FAILURES_AT_START && !this.#parts.isStopping())
        throw analyzeErrors.noMeasurements({ count: this.#failures, reason }, { cause: thrown });
      return undefined;
    }
  }

  async #measure(variant: string, { fields, batchSize, load }: Trial): Promise<Measurement> {
    const { server, measurer, gpuCount } = this.#parts;
    const { name: model, perfFlags } = this.#model;
    if (this.#loaded?.name !== variant) {
      await this.#unload();
      const text = fields === undefined ? this.#written : this.#record(fields).text;
      const config = await this.#load({ model, name: variant, text });
      this.#put(fields, { ...this.#record(fields), ...variantFacts(config, gpuCount) });
    }
    const served = this.#loaded?.served ?? variant;
    return measurer.measure(server, { served, variant, batchSize, load, perfFlags });
  }

  async #load(variant: Variant): Promise<ModelConfig> {
    const { server, variants } = this.#parts;
    const served = await variants.load(variant);
    this.#loaded = { ...variant, served };
    return server.config(served);
  }

  async #unload(): Promise<void> {
    const { variants, failed } = this.#parts;
    const variant = this.#loaded;
    if (variant === undefined) return;
    this.#loaded = undefined;
    await variants
      .unload(variant)
      .catch((thrown: unknown) =>
        failed(`${variant.name} could not be unloaded: ${toServerError(thrown).message}`),
      );
  }

  /** What is known of the variant, in the checkpoint or new. */
  #record(fields: VariantFields): VariantRecord {
    const { checkpoint } = this.#parts;
    const { name } = this.#model;
    const text =
      fields === undefined ? (this.#baseText ?? '') : variantText(name, this.#base as ModelConfig, fields);
    const variant = checkpoint.variantName(name, text, fields === undefined);
    return (
      checkpoint.variants(name).find((record) => record.name === variant) ?? {
        name: variant,
        text,
        instanceGroup: '',
        instanceCount: 0,
        maxBatchSize: 0,
        hasDynamicBatching: false,
        parameters: {},
        measurements: [],
        failure: undefined,
      }
    );
  }

  #put(fields: VariantFields, record: VariantRecord): void {
    this.#fields.set(record.name, fields);
    this.#parts.checkpoint.put(this.#model.name, record);
  }
}

function isOf(measured: Measurement, { batchSize, load }: Trial): boolean {
  const isSameLoad = measured.load.unit === load.unit && measured.load.value === load.value;
  return measured.batchSize === batchSize && isSameLoad;
}

function resultText({ metrics }: Measurement): string {
  const { perf_throughput: rate = 0, perf_latency_p99: p99 = 0 } = metrics;
  return `${rate.toFixed(1)} infer/sec, p99 ${p99.toFixed(3)} ms`;
}
