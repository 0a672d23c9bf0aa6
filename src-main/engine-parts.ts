// Larger parts of the engine, built from its options: the model repository over the scheduling room, and the metrics
// that follow it. Used by the composition root only.

import type { Clock } from './base/clock.ts';
import type { Disposer } from './base/disposer.ts';
import type { EngineBackends } from './engine-backends.ts';
import { ModelMetricsPublisher } from './engine-metrics.ts';
import type { GpuMemoryMeter } from './gpu/memory-meter.ts';
import type { EngineOptions } from './options/engine-options.ts';
import { createNormalizer } from './inference/request-normalizer.ts';
import { RequestTapPoint } from './inference/request-tap.ts';
import type { LogFormat } from './logging/log-line.ts';
import { parseMetricsConfig } from './metrics/metrics-config.ts';
import { ServerMetrics } from './metrics/server-metrics.ts';
import type { RepositoryAgent } from './repository/agents/repository-agent.ts';
import { createModelRepository } from './repository/create-model-repository.ts';
import type { ModelRepository } from './repository/model-repository.ts';
import { scheduledRuntimes } from './repository/scheduled-runtime.ts';
import type { ConfigMachine } from './repository/triton-config-rules.ts';
import { tritonConfigRules } from './repository/triton-config-rules.ts';
import { createScheduler } from './scheduling/create-scheduler.ts';
import { RateLimiter } from './scheduling/rate-limiter.ts';
import type { ResponseCache } from './scheduling/response-cache.ts';
import type { SchedulerTestHooks } from './scheduling/scheduler-deps.ts';
import { NO_TEST_HOOKS } from './scheduling/scheduler-deps.ts';
import type { LogOutput } from './logging/log-output.ts';
import { LogSettings } from './logging/log-settings.ts';
import { AbsentCudaSharedMemory } from './service/cuda-shared-memory.ts';
import type { InferenceService } from './service/inference-service.ts';
import { EngineInferenceService } from './service/inference-service-impl.ts';
import type { ServerState } from './service/server-state.ts';
import { SharedMemoryNames } from './service/shared-memory-regions.ts';
import { sharedMemoryFolder, SystemSharedMemory } from './service/system-shared-memory.ts';
import type { TraceStart } from './tracing/trace-settings.ts';
import { TraceSettings } from './tracing/trace-settings.ts';
import { readTraceStart } from './tracing/trace-start.ts';

/** What shells and tests hand in for the model repository. */
export interface RepositoryBuildDeps {
  readonly agents?: readonly RepositoryAgent[];
  readonly hooks?: SchedulerTestHooks;
  /** Create the instances of a version at the same time; undefined = as their backend says. */
  readonly parallelInstances?: boolean | undefined;
}

/** The log format where no output is handed in: kept and shown, without effect. */
class HeldFormat {
  format: LogFormat;

  constructor(format: LogFormat) {
    this.format = format;
  }

  setFormat(format: LogFormat): void {
    this.format = format;
  }
}

/** undefined when metrics are off. */
export function buildMetrics(
  options: EngineOptions,
  visibleDevices: string | undefined,
  parts: {
    readonly clock: Clock;
    readonly cache: ResponseCache | undefined;
    readonly repository: ModelRepository;
    readonly owned: Disposer;
  },
): ServerMetrics | undefined {
  const { enabled, cpu, gpu, intervalMs, settings } = options.metrics;
  if (!enabled) return undefined;
  const { clock, cache, repository, owned } = parts;
  const { config, faults } = parseMetricsConfig(settings);
  const metrics = owned.add(
    new ServerMetrics({
      config,
      configFaults: faults,
      clock,
      cpu,
      gpu,
      intervalMs,
      visibleDevices,
      cache: cache === undefined ? undefined : () => cache.metrics(),
    }),
  );
  owned.add(new ModelMetricsPublisher({ repository, metrics }));
  return metrics;
}

/** The repository with its loader, lifecycle and schedulers; nothing is read before it is started. */
export function buildRepository(
  options: EngineOptions,
  deps: RepositoryBuildDeps,
  parts: {
    readonly clock: Clock;
    readonly cache: ResponseCache | undefined;
    readonly backends: EngineBackends;
    readonly machine: ConfigMachine;
    readonly gpuMemory: GpuMemoryMeter;
  },
): ModelRepository {
  const { clock, cache, backends, machine, gpuMemory } = parts;
  const tapPoint = new RequestTapPoint();
  return createModelRepository(options.repository, {
    clock,
    tapPoint,
    rules: tritonConfigRules(machine),
    backends: backends.registry,
    createRuntime: scheduledRuntimes({
      clock,
      limiter:
        options.rateLimit.mode === 'off'
          ? undefined
          : new RateLimiter({ clock, resources: options.rateLimit.resources }),
      cache,
      hooks: deps.hooks ?? NO_TEST_HOOKS,
      createScheduler,
      createNormalizer,
      tapPoint,
    }),
    backendSettings: backends.settingsOf,
    parallelInstances: deps.parallelInstances,
    gpuMemory,
    agents: deps.agents ?? [],
  });
}

/** What shells and tests hand in for the service. */
export interface ServiceBuildDeps {
  /** Where log lines are printed, for the format setting; default: nowhere that has one. */
  readonly logOutput?: Pick<LogOutput, 'format' | 'setFormat'>;
  /** Start-up trace settings as the command line read them; default: from the options alone. */
  readonly traceStart?: TraceStart;
  /** Told before each request of a model. Must be quick. */
  readonly onModelUse?: ((modelName: string) => void) | undefined;
}

/** The operations of the server over a repository, with shared memory, traces and log settings. */
export function buildService(
  options: EngineOptions,
  deps: ServiceBuildDeps,
  parts: { readonly state: ServerState; readonly repository: ModelRepository; readonly owned: Disposer },
): { readonly service: InferenceService; readonly traceSettings: TraceSettings } {
  const { state, repository, owned } = parts;
  const names = new SharedMemoryNames();
  const { allowClient } = options.sharedMemory;
  const folder = sharedMemoryFolder(process.platform);
  const traceSettings = new TraceSettings({
    start: deps.traceStart ?? readTraceStart(options.trace.settings),
    isKnownModel: (name) => {
      state.checkServing();
      return isServed(repository, name);
    },
  });
  const service: InferenceService = new EngineInferenceService({
    serverId: options.server.id,
    controlMode: options.repository.controlMode,
    strictReadiness: options.server.strictReadiness,
    state,
    repository,
    traceSettings,
    logSettings: new LogSettings(deps.logOutput ?? new HeldFormat(options.log.format), options.log.file),
    systemSharedMemory: owned.add(new SystemSharedMemory({ allowClient, names, folder })),
    cudaSharedMemory: new AbsentCudaSharedMemory({ allowClient, names }),
    onModelUse: deps.onModelUse,
  });
  return { service, traceSettings };
}

/** Whether a request that names no version would find a model: not where several namespaces have one of the name. */
function isServed(repository: ModelRepository, name: string): boolean {
  try {
    repository.find(name, -1);
    return true;
  } catch {
    return false;
  }
}
