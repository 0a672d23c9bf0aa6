// An InferenceService without a repository: models from config text, answers scripted per model, everything that was
// asked is recorded. Lookup faults carry the real words; nothing is validated, queued or batched. Ends of uses are
// counted, so that a test can assert that none is left.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { dataTypeFromConfig } from '../../src-shared/datatypes.ts';
import { invalidArg, notFound, unavailable, unsupported } from '../../src-shared/errors.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { OutputTensor } from '../inference/inference-response.ts';
import type { ModelUse } from '../inference/model-invoker.ts';
import { contiguous } from '../inference/tensor-bytes.ts';
import type { ModelStatisticsSnapshot } from '../metrics/infer-statistics.ts';
import type {
  InferenceService,
  LoadParameters,
  ModelIndexEntry,
  ModelMetadata,
  ServerMetadata,
} from '../service/inference-service.ts';
import type { LogSettingsService, TraceSettingChange, TraceSettingsService } from '../service/settings.ts';
import type { TraceSettingsState } from '../tracing/trace-settings.ts';
import { FakeSharedMemory } from './fake-shared-memory.ts';
import type { LogSettingsChange, LogSettingsState } from '../logging/log-settings.ts';

/** A model of the fake service. */
export interface FakeModel {
  /** config.pbtxt text with a name. */
  readonly config: string;
  readonly versions?: readonly string[];
  /** Known but not ready. */
  readonly isUnready?: boolean;
  readonly labels?: readonly string[];
  /** Answers a request; default: each input k goes back as output k. */
  readonly respond?: (request: InferenceRequest) => void;
}

/** Sends the inputs back under the names of the configured outputs, as the only response. */
function echo(config: ModelConfig, request: InferenceRequest): void {
  const wanted = request.requestedOutputs;
  const outputs: OutputTensor[] = [];
  config.output.forEach((output, index) => {
    const input = request.inputs[index];
    if (wanted.length > 0 && !wanted.includes(output.name)) return;
    if (input === undefined && request.rawInput === undefined) return;
    const bytes = contiguous(input?.bytes ?? request.rawInput ?? { chunks: [], byteSize: 0 });
    const datatype = dataTypeFromConfig(output.dataType) ?? 'FP32';
    outputs.push({ name: output.name, datatype, shape: input?.clientShape ?? [bytes.byteLength], bytes });
  });
  void request.respondOutputs(outputs, true);
}

interface LoadedFake {
  readonly model: FakeModel;
  readonly config: ModelConfig;
  readonly versions: readonly string[];
}

const NO_DURATION = { count: 0, ns: 0 };

/**
 * `openUses` must be zero at the end of a test. Models may be scripted to answer late, several times, or with an
 * error.
 */
export class FakeService implements InferenceService {
  readonly #models = new Map<string, LoadedFake>();
  readonly requests: InferenceRequest[] = [];
  readonly loads: { readonly name: string; readonly parameters: LoadParameters }[] = [];
  readonly unloads: { readonly name: string; readonly unloadDependents: boolean }[] = [];
  readonly traceUpdates: { readonly modelName: string; readonly change: ReadonlyMap<string, unknown> }[] = [];
  /** Off = loads, updates and requests are not kept. */
  isRecording = true;
  isStopping = false;
  isServerReady = true;
  loadError: Error | undefined;
  openUses = 0;
  readonly systemSharedMemory = new FakeSharedMemory();
  readonly cudaSharedMemory = new FakeSharedMemory();
  readonly traceSettings: TraceSettingsService = new FakeTraceSettings(this.traceUpdates);
  readonly logSettings = new FakeLogSettings();

  constructor(models: readonly FakeModel[] = []) {
    for (const model of models) {
      const { config } = parseModelConfig(model.config);
      this.#models.set(config.name, { model, config, versions: model.versions ?? ['1'] });
    }
  }

  isExiting(): boolean {
    return this.isStopping;
  }

  isLive(): boolean {
    return true;
  }

  isReady(): boolean {
    return this.isServerReady;
  }

  isHealthy(): Promise<boolean> {
    return Promise.resolve(this.isReady());
  }

  hasModel(name: string): boolean {
    return this.#models.has(name);
  }

  async isModelReady(name: string, version: string): Promise<boolean> {
    try {
      this.#find(name, version);
    } catch {
      return await Promise.resolve(false);
    }
    return await Promise.resolve(true);
  }

  serverMetadata(): ServerMetadata {
    return { name: 'triton', version: '2.73.0', extensions: ['classification', 'sequence'] };
  }

  modelMetadata(name: string, version: string): ModelMetadata {
    const { config, versions } = this.#find(name, version);
    const tensor = (io: {
      name: string;
      dataType: Parameters<typeof dataTypeFromConfig>[0];
      dims: readonly number[];
    }) => ({
      name: io.name,
      datatype: dataTypeFromConfig(io.dataType) ?? '',
      shape: config.maxBatchSize > 0 ? [-1, ...io.dims] : io.dims,
    });
    return {
      name,
      versions: version === '' ? versions : [version],
      platform: config.platform || config.backend,
      inputs: config.input.map(tensor),
      outputs: config.output.map(tensor),
    };
  }

  modelConfig(name: string, version: string): ModelConfig {
    return this.#find(name, version).config;
  }

  statistics(name: string, version: string): readonly ModelStatisticsSnapshot[] {
    if (name !== '' && !this.#models.has(name))
      throw invalidArg(`requested model '${name}' is not available`);
    const names = name === '' ? [...this.#models.keys()] : [name];
    return names.map((model) => statisticsOf(model, version === '' ? '1' : version));
  }

  repositoryIndex(options: { readonly readyOnly: boolean }): Promise<readonly ModelIndexEntry[]> {
    const ready = [...this.#models].flatMap(([name, { versions }]) =>
      versions.map((version): ModelIndexEntry => ({ name, version, state: 'READY' })),
    );
    return Promise.resolve(options.readyOnly ? ready : [...ready, { name: 'never_loaded' }]);
  }

  loadModel(name: string, parameters: LoadParameters): Promise<void> {
    if (this.isRecording) this.loads.push({ name, parameters });
    return this.loadError === undefined ? Promise.resolve() : Promise.reject(this.loadError);
  }

  unloadModel(name: string, options: { readonly unloadDependents: boolean }): Promise<void> {
    if (this.isRecording) this.unloads.push({ name, ...options });
    return Promise.resolve();
  }

  registerRepository(): Promise<void> {
    return Promise.resolve();
  }

  unregisterRepository(): void {}

  useModel(name: string, version: string): ModelUse {
    const found = this.#find(name, version);
    this.openUses += 1;
    let isOpen = true;
    return {
      name,
      version: version === '' ? (found.versions.at(-1) ?? '1') : version,
      config: found.config,
      isDecoupled: found.config.modelTransactionPolicy?.decoupled === true,
      infer: (request) => this.#run(found, request),
      release: () => {
        if (isOpen) this.openUses -= 1;
        isOpen = false;
      },
    };
  }

  infer(use: ModelUse, request: InferenceRequest): void {
    if (this.isStopping) throw unavailable('Server exiting');
    request.actualVersion = use.version;
    use.infer(request);
  }

  label(use: ModelUse, _outputName: string, classIndex: number): string | undefined {
    return this.#models.get(use.name)?.model.labels?.[classIndex];
  }

  #run({ model, config }: LoadedFake, request: InferenceRequest): void {
    if (this.isRecording) this.requests.push(request);
    if (model.respond === undefined) echo(config, request);
    else model.respond(request);
  }

  #find(name: string, version: string): LoadedFake {
    const found = this.#models.get(name);
    if (found === undefined) throw notFound(`Request for unknown model: '${name}' is not found`);
    if (version !== '' && !found.versions.includes(version)) {
      throw notFound(`Request for unknown model: '${name}' version ${version} is not found`);
    }
    if (found.model.isUnready === true) {
      throw unavailable(`Request for unknown model: '${name}' version 1 is not at ready state`);
    }
    return found;
  }
}

function statisticsOf(name: string, version: string): ModelStatisticsSnapshot {
  return {
    name,
    version,
    lastInferenceMs: 7,
    inferenceCount: 3,
    executionCount: 2,
    inference: {
      success: { count: 2, ns: 10 },
      fail: NO_DURATION,
      queue: { count: 2, ns: 1 },
      computeInput: NO_DURATION,
      computeInfer: NO_DURATION,
      computeOutput: NO_DURATION,
      cacheHit: NO_DURATION,
      cacheMiss: NO_DURATION,
    },
    responses: {},
    batches: [
      { batchSize: 2, computeInput: NO_DURATION, computeInfer: NO_DURATION, computeOutput: NO_DURATION },
    ],
    memoryUsage: [],
  };
}

class FakeTraceSettings implements TraceSettingsService {
  readonly #updates: { readonly modelName: string; readonly change: ReadonlyMap<string, unknown> }[];

  constructor(updates: { readonly modelName: string; readonly change: ReadonlyMap<string, unknown> }[]) {
    this.#updates = updates;
  }

  get(modelName: string): TraceSettingsState {
    if (modelName === 'missing') throw invalidArg(`Request for unknown model : ${modelName}`);
    return {
      traceFile: 'trace.json',
      traceLevel: ['OFF'],
      traceRate: '1000',
      traceCount: '-1',
      logFrequency: '0',
      traceMode: 'triton',
      modeSettings: [],
    };
  }

  update(modelName: string, change: TraceSettingChange): TraceSettingsState {
    const entries = new Map(change);
    if (entries.has('trace_file')) {
      throw unsupported('trace file location can not be updated through network protocol');
    }
    this.#updates.push({ modelName, change: entries });
    return this.get(modelName);
  }
}

class FakeLogSettings implements LogSettingsService {
  view: LogSettingsState = {
    logFile: '',
    logInfo: true,
    logWarning: true,
    logError: true,
    logVerboseLevel: 0,
    logFormat: 'default',
  };

  get(): LogSettingsState {
    return this.view;
  }

  update(change: LogSettingsChange): LogSettingsState {
    this.view = { ...this.view, ...change };
    return this.view;
  }
}
