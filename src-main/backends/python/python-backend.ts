// The `python` backend: `model.py` in the version folder, one process per instance. Also makes backends that are written
// in Python themselves: their `model.py` lies in the backend directory and runs for all their models.
// (docs/python-models.md)

import path from 'node:path';
import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import type { ModelConfig, ModelInstanceGroup } from '../../../src-shared/config/model-config.ts';
import { systemClock } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import type {
  AutoCompleteOptions,
  AutoCompletion,
  Backend,
  BackendModel,
  BackendTools,
  ModelInstance,
  ModelLoadContext,
} from '../../inference/backend.ts';
import type { InstanceSpec } from '../../inference/backend.ts';
import { mayOverlap } from '../../inference/may-overlap.ts';
import type { ModelFiles } from '../../inference/model-files.ts';
import type { HostedStatistics } from '../hosted/hosted-code.ts';
import { HostedInstance } from '../hosted/hosted-instance.ts';
import { ExecutionEnvironments } from '../python-host/execution-environments.ts';
import { isThere } from '../../base/file-exists.ts';
import type { HostProcessOptions } from '../python-host/host-process.ts';
import { HostProcesses } from '../python-host/host-processes.ts';
import type { HostSetup } from '../python-host/host-messages.ts';
import { logPrinted } from '../python-host/model-log.ts';
import type { PythonChoice } from '../python-host/python-choice.ts';
import { PythonFinder } from '../python-host/python-choice.ts';
import { PythonCode } from '../python-host/python-code.ts';
import { checkBackendSettings, checkInstanceName } from './backend-settings.ts';
import { completeModel, PythonHandover } from './complete-model.ts';
import { pythonDescription } from './description.ts';
import { checkInputPlacement } from './model-parameters.ts';
import { pythonErrors } from './python-errors.ts';
import type { ModelCode } from './python-setup.ts';
import { completionSetup, instanceSetup, modelCode } from './python-setup.ts';

const log = getLogger('python');

/** finalize() has this long; what was accepted before has no limit, as in Triton. */
const FINALIZE_GRACE_MS = 30_000;

/** A request fails with its batch only: an error as the answer to one request is an answer. */
export const PYTHON_STATISTICS: HostedStatistics = {
  failsByResponse: false,
  reportsResponses: false,
  countsBatches: 'all',
};

/** More instances than this get further processes: each has three descriptors. */
const MOST_IN_ONE_PROCESS = 64;

const OWN_STUB = 'triton_python_backend_stub';

/** The backend `python` itself, whose models bring their own model.py. */
export function pythonBackend(tools: BackendTools): Backend {
  return new PythonBackend(pythonDescription('python'), tools);
}

/** Makes the backend of a name out of the backend directory: its `model.py` runs for all its models. */
export function pythonBasedBackends(tools: BackendTools): (name: string, modelFile: string) => Backend {
  return (name, modelFile) => new PythonBackend(pythonDescription(name), tools, { fileFor: () => modelFile });
}

/** Shared by all backends that run on Python: a program is looked at once, an archive is unpacked once. */
const finder = new PythonFinder();

/** What all models of a backend run, instead of code of their own. */
export interface OwnCode {
  /** The file with the class TritonPythonModel for a model of that configuration. */
  readonly fileFor: (config: ModelConfig) => string;
  /** Whether a configuration can be completed; true when absent. */
  readonly completes?: boolean;
  /** What of a configuration and of the backend's settings has no effect, a sentence each. */
  readonly notices?: (config: ModelConfig, settings: ReadonlyMap<string, string>) => readonly string[];
  /** Further arguments of the code, beside those of the reference. */
  readonly completionArguments?: (options: AutoCompleteOptions) => Readonly<Record<string, string>>;
  /** As `completionArguments`, for the code that runs; `backendConfig` is that of the command line. */
  readonly instanceArguments?: (
    spec: InstanceSpec,
    backendConfig: ReadonlyMap<string, string>,
  ) => Readonly<Record<string, string>>;
  /** How a model of that configuration counts; as Python models do when absent. */
  readonly statistics?: (config: ModelConfig) => HostedStatistics;
  /** Whether the instances of a model of that configuration run in one process; each has its own when absent. */
  readonly sharesProcess?: (config: ModelConfig) => boolean;
}

/** What an instance is made of. */
interface InstanceSource {
  readonly context: ModelLoadContext;
  readonly code: ModelCode;
  readonly processes: HostProcesses;
  /** Arguments that its code is told beside the usual ones. */
  readonly told: Readonly<Record<string, string>>;
}

/** Serves models with a model.py of their own, or with the one of a backend out of the backend directory. */
export class PythonBackend implements Backend {
  readonly description: BackendDescription;
  readonly #tools: BackendTools;
  readonly #own: OwnCode | undefined;
  readonly #environments: ExecutionEnvironments;

  constructor(description: BackendDescription, tools: BackendTools, own?: OwnCode) {
    this.description = description;
    this.#tools = tools;
    this.#own = own;
    this.#environments = tools.owned.add(new ExecutionEnvironments());
  }

  /** What a person sees while it does not end. */
  get completing(): string | undefined {
    if (this.#own?.completes === false) return undefined;
    return this.#own === undefined
      ? 'its process imports the code and runs auto_complete_config()'
      : 'its process reads the file of the model';
  }

  check(config: ModelConfig): readonly string[] {
    const groups = config.instanceGroup.filter(({ kind }) => kind === 'KIND_CPU' || kind === 'KIND_MODEL');
    this.#requireGpus(config.name, groups);
    return this.#own?.notices?.(config, this.#tools.settingsOf(this.description.name)) ?? [];
  }

  async autoComplete(
    files: ModelFiles,
    config: ModelConfig,
    options: AutoCompleteOptions,
  ): Promise<AutoCompletion> {
    if (this.#own?.completes === false) return { config, origins: new Map() };
    this.#requireGpus(files.modelName, config.instanceGroup);
    checkInputPlacement(config);
    const code = await modelCode(config, files, this.#own?.fileFor(config), '');
    const python = await this.#choosePython(files, config, options.backendConfig);
    const more = this.#own?.completionArguments?.(options) ?? {};
    return await completeModel({
      python,
      setup: withArguments(completionSetup(config, files, code), more),
      clock: systemClock,
      signal: options.signal,
      instanceCount: this.#sharesProcess(config) ? instanceCount(config) : 0,
      config,
      isByBackend: this.#own !== undefined,
    });
  }

  async load(context: ModelLoadContext): Promise<BackendModel> {
    const { config, backendConfig, modelName } = context;
    this.#requireGpus(modelName, config.instanceGroup);
    checkBackendSettings(backendConfig);
    for (const line of checkInputPlacement(config)) log.info(line, { model: modelName });
    const code = await modelCode(config, context, this.#own?.fileFor(config), '');
    const python = await this.#choosePython(context, config, backendConfig);
    const handover = context.handover instanceof PythonHandover ? context.handover : undefined;
    const shared = this.#sharesProcess(config)
      ? new HostProcesses(
          {
            python,
            label: modelName,
            clock: context.clock,
            laneCount: instanceCount(config),
            onLine: (stream, line) => logPrinted(stream, line, { model: modelName }),
          },
          handover?.process,
        )
      : undefined;
    const told = handover?.unreadable === undefined ? {} : { model_config: handover.unreadable };
    return {
      notices: [...(await noticesOf(context)), ...(this.#own?.notices?.(config, backendConfig) ?? [])],
      creation: 'its process starts and runs initialize()',
      createInstance: (spec, { signal }) =>
        this.#createInstance(
          { context, code, processes: shared ?? ownProcess(context, python, spec), told },
          spec,
          signal,
        ),
      close: () => Promise.resolve(),
    };
  }

  async #createInstance(
    { context, code, processes, told }: InstanceSource,
    spec: InstanceSpec,
    signal: AbortSignal,
  ): Promise<ModelInstance> {
    const { config, clock, reporter, invoker, modelName } = context;
    const { services } = this.#tools;
    checkInstanceName(spec.name);
    const more = { ...told, ...this.#own?.instanceArguments?.(spec, context.backendConfig) };
    const setup = withArguments(instanceSetup(config, context, code, spec), more);
    const instance = new HostedInstance({
      spec,
      modelName,
      config,
      clock,
      reporter,
      room: 'python',
      isProcess: true,
      executeTimeoutMs: 0,
      unloadTimeoutMs: FINALIZE_GRACE_MS,
      restartsAtOnce: true,
      mayOverlap: mayOverlap(config),
      statistics: this.#own?.statistics?.(config) ?? PYTHON_STATISTICS,
      needsInputs: config.maxBatchSize > 0,
      startCode: (listener, abort) =>
        PythonCode.start({ processes, setup, clock, invoker, services, listener, signal: abort }),
    });
    await instance.start(signal);
    return instance;
  }

  /** Throws INVALID_ARG when an instance of the groups would be on no GPU and the backend runs nowhere else. */
  #requireGpus(model: string, groups: readonly ModelInstanceGroup[]): void {
    if (this.description.instances.isOnlyOnGpus !== true) return;
    if (groups.some(({ kind, gpus }) => kind !== 'KIND_GPU' || gpus.length === 0))
      throw pythonErrors.gpuOnly({ model, backend: this.description.title });
  }

  #sharesProcess(config: ModelConfig): boolean {
    return this.#own?.sharesProcess?.(config) === true;
  }

  /** The model's own environment, the backend's setting, that of Python models, what the machine has. */
  async #choosePython(
    { modelDir }: ModelFiles,
    { parameters }: ModelConfig,
    settings: ReadonlyMap<string, string>,
  ): Promise<PythonChoice> {
    const named = parameters['EXECUTION_ENV_PATH']?.stringValue ?? '';
    if (named !== '') {
      const { program, variables } = await this.#environments.find(named, modelDir);
      return { ...(await finder.look(program)), environment: variables };
    }
    const setting =
      settings.get('python-executable') ?? this.#tools.settingsOf('python').get('python-executable');
    return await finder.choose({ modelDir, setting: setting === '' ? undefined : setting });
  }
}

/** The process of one instance. */
function ownProcess(
  { clock, modelName }: ModelLoadContext,
  python: PythonChoice,
  { name }: InstanceSpec,
): HostProcesses {
  const onLine: HostProcessOptions['onLine'] = (stream, line) =>
    logPrinted(stream, line, { model: modelName, instance: name });
  return new HostProcesses({ python, label: name, clock, laneCount: 1, onLine });
}

/** How many instances the groups of a model ask for; instances that are added later get further processes. */
function instanceCount({ instanceGroup }: ModelConfig): number {
  const counts = instanceGroup.map(({ count, gpus }) => count * Math.max(1, gpus.length));
  return Math.min(
    MOST_IN_ONE_PROCESS,
    Math.max(
      1,
      counts.reduce((sum, count) => sum + count, 0),
    ),
  );
}

/** A stub of the model's own is a native program for another transport. */
async function noticesOf({ modelDir }: ModelFiles): Promise<readonly string[]> {
  if (!(await isThere(path.join(modelDir, OWN_STUB)))) return [];
  return [
    `'${OWN_STUB}' in the model's folder is not used: the model runs on the Python that this server chose; ` +
      'name another one with EXECUTION_ENV_PATH or --backend-config=python,python-executable=PATH',
  ];
}

function withArguments(setup: HostSetup, more: Readonly<Record<string, string>>): HostSetup {
  return { ...setup, args: { ...setup.args, ...more } };
}
