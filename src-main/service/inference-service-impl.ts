// The operations of the server over the model repository. Stateless but for what it is handed: state, settings, shared
// memory. Owns the texts of lookup, admission and control refusals; frontends add nothing but wire forms.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { toServerError } from '../../src-shared/errors.ts';
import { getLogger } from '../base/log.ts';
import { checkFileCount } from '../base/request-limits.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { ModelUse } from '../inference/model-invoker.ts';
import type { ModelStatisticsSnapshot } from '../metrics/infer-statistics.ts';
import { compareIds } from '../repository/model-identity.ts';
import type { Model } from '../repository/model.ts';
import { ModelHandle } from '../repository/model-handle.ts';
import type { ModelRepository } from '../repository/model-repository.ts';
import { repositoryErrors } from '../repository/repository-errors.ts';
import { isRepositoryReady } from '../repository/repository-readiness.ts';
import type { ModelControlMode } from '../repository/repository-options.ts';
import type {
  InferenceService,
  LoadParameters,
  ModelIndexEntry,
  ModelMetadata,
  ServerMetadata,
} from './inference-service.ts';
import { describeModel } from './model-metadata.ts';
import { serverErrors } from './server-errors.ts';
import type { ServerState } from './server-state.ts';
import type { LogSettingsService, TraceSettingsService } from './settings.ts';
import type { SharedMemoryService } from './shared-memory.ts';
import { ANY_VERSION, parseVersion } from './version-text.ts';

const log = getLogger('service');

/** Compatibility level that clients compare; the product's own version is shown elsewhere. */
const COMPATIBILITY_VERSION = '2.73.0';

const EXTENSIONS: readonly string[] = [
  'classification',
  'sequence',
  'model_repository',
  'model_repository(unload_dependents)',
  'schedule_policy',
  'model_configuration',
  'system_shared_memory',
  'cuda_shared_memory',
  'binary_tensor_data',
  'parameters',
  'statistics',
  'trace',
  'logging',
];

/** What the service works with. It closes none of it. */
export interface InferenceServiceParts {
  readonly serverId: string;
  readonly controlMode: ModelControlMode;
  readonly strictReadiness: boolean;
  readonly state: ServerState;
  readonly repository: ModelRepository;
  readonly traceSettings: TraceSettingsService;
  readonly logSettings: LogSettingsService;
  readonly systemSharedMemory: SharedMemoryService;
  readonly cudaSharedMemory: SharedMemoryService;
  /** Told before each request of a model, so that whoever watches for crashes knows what ran. Must be quick. */
  readonly onModelUse?: ((modelName: string) => void) | undefined;
}

/** Every refusal is a ServerError with a status and the reference's words; frontends write it down unchanged. */
export class EngineInferenceService implements InferenceService {
  readonly traceSettings: TraceSettingsService;
  readonly logSettings: LogSettingsService;
  readonly systemSharedMemory: SharedMemoryService;
  readonly cudaSharedMemory: SharedMemoryService;
  readonly #parts: InferenceServiceParts;

  constructor(parts: InferenceServiceParts) {
    this.#parts = parts;
    this.traceSettings = parts.traceSettings;
    this.logSettings = parts.logSettings;
    this.systemSharedMemory = parts.systemSharedMemory;
    this.cudaSharedMemory = parts.cudaSharedMemory;
  }

  isExiting(): boolean {
    return this.#parts.state.isExiting;
  }

  isLive(): boolean {
    return this.#parts.state.isLive;
  }

  isReady(): boolean {
    const { state, strictReadiness, repository } = this.#parts;
    if (state.phase !== 'ready') return false;
    return !strictReadiness || isRepositoryReady(repository.models());
  }

  hasModel(name: string): boolean {
    return this.#parts.repository.versions(name).length > 0;
  }

  async isHealthy(): Promise<boolean> {
    if (!this.isReady()) return false;
    if (!this.#parts.strictReadiness) return true;
    const asked = await Promise.all([...this.#parts.repository.ready()].map(hasFitInstances));
    return !asked.includes(false);
  }

  async isModelReady(name: string, version: string): Promise<boolean> {
    this.#parts.state.checkServing();
    const wanted = parseVersion(version);
    let model: Model;
    try {
      model = this.#parts.repository.find(name, wanted);
    } catch {
      return false;
    }
    return hasFitInstances(model);
  }

  serverMetadata(): ServerMetadata {
    return { name: this.#parts.serverId, version: COMPATIBILITY_VERSION, extensions: EXTENSIONS };
  }

  modelMetadata(name: string, version: string): ModelMetadata {
    const model = this.#find(name, version);
    const versions = version === '' ? this.#readyVersions(model) : [model.version];
    return describeModel(model.config, versions);
  }

  modelConfig(name: string, version: string): ModelConfig {
    return this.#find(name, version).config;
  }

  statistics(name: string, version: string): readonly ModelStatisticsSnapshot[] {
    this.#parts.state.checkServing();
    const ready = [...this.#parts.repository.ready()];
    const wanted = parseVersion(version);
    // By name, whichever was loaded first.
    ready.sort((a, b) => compareIds(a.id, b.id));
    const named = name === '' ? ready : ready.filter(({ id }) => id.name === name);
    if (name !== '' && (named.length === 0 || this.#parts.repository.isAmbiguous(name))) {
      throw serverErrors.statisticsOfNone({ name });
    }
    const chosen = wanted === ANY_VERSION ? named : named.filter((model) => model.version === String(wanted));
    if (name !== '' && chosen.length === 0) {
      throw serverErrors.statisticsOfNoVersion({ name });
    }
    return chosen.map((model) => model.runtime.statistics.snapshot());
  }

  async repositoryIndex(options: { readonly readyOnly: boolean }): Promise<readonly ModelIndexEntry[]> {
    this.#parts.state.checkServing();
    return await this.#parts.repository.index(options);
  }

  async loadModel(name: string, parameters: LoadParameters): Promise<void> {
    this.#checkControl();
    checkFileCount(parameters.files?.size ?? 0);
    await this.#parts.repository.load(name, {
      override: { configJson: parameters.configJson, files: parameters.files },
    });
  }

  async unloadModel(name: string, options: { readonly unloadDependents: boolean }): Promise<void> {
    this.#checkControl();
    await this.#parts.repository.unload(name, options);
  }

  async registerRepository(path: string, names: ReadonlyMap<string, string>): Promise<void> {
    if (this.#parts.controlMode !== 'explicit') throw repositoryErrors.registrationMode();
    await this.#parts.repository.folders.register(path, names);
  }

  unregisterRepository(path: string): void {
    if (this.#parts.controlMode !== 'explicit') throw repositoryErrors.unregistrationMode();
    this.#parts.repository.folders.unregister(path);
  }

  useModel(name: string, version: string): ModelUse {
    this.#parts.state.checkServing();
    const use = new ModelHandle(this.#find(name, version));
    this.#parts.onModelUse?.(name);
    return use;
  }

  infer(use: ModelUse, request: InferenceRequest): void {
    this.#parts.state.checkServing();
    use.infer(request);
  }

  label(use: ModelUse, outputName: string, classIndex: number): string | undefined {
    return use instanceof ModelHandle ? use.model.labels.get(outputName)?.[classIndex] : undefined;
  }

  #find(name: string, version: string): Model {
    this.#parts.state.checkServing();
    return this.#parts.repository.find(name, parseVersion(version));
  }

  #readyVersions(model: Model): string[] {
    return [...this.#parts.repository.ready()]
      .filter(({ id }) => id.name === model.id.name && id.namespace === model.id.namespace)
      .map(({ version }) => version);
  }

  #checkControl(): void {
    this.#parts.state.checkServing();
    if (this.#parts.controlMode !== 'explicit') {
      throw serverErrors.modeForbidsControl();
    }
    this.#parts.state.checkControl();
  }
}

/** Whether every instance of the model says that it can work. */
async function hasFitInstances(model: Model): Promise<boolean> {
  try {
    await Promise.all(model.instances.map((instance) => instance.isReady?.()));
    return true;
  } catch (thrown) {
    const { message } = toServerError(thrown);
    log.verbose(1, `Model '${model.id.name}' version ${model.version} is not ready: ${message}`);
    return false;
  }
}
