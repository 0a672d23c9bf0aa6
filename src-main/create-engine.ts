// The sole composition root: builds everything the engine is made of from options. Shells hand in what differs between
// them and talk to the result.

import type { GpuDevice } from '../src-shared/config/validation-context.ts';
import type { Clock } from './base/clock.ts';
import { systemClock } from './base/clock.ts';
import { Disposer } from './base/disposer.ts';
import { createBackends } from './engine-backends.ts';
import { useGpuTrials } from './engine-gpu-trials.ts';
import { EngineListeners } from './engine-listeners.ts';
import { EngineMachine } from './engine-machine.ts';
import type { RepositoryBuildDeps, ServiceBuildDeps } from './engine-parts.ts';
import { buildMetrics, buildRepository, buildService } from './engine-parts.ts';
import type { EngineHooks } from './engine.ts';
import { Engine } from './engine.ts';
import { GpuMemoryMeter } from './gpu/memory-meter.ts';
import type { Backend } from './inference/backend.ts';
import type { ModelServices } from './inference/model-services.ts';
import { CustomMetrics } from './metrics/custom-metrics.ts';
import { readCacheBlocks } from './metrics/cache-blocks.ts';
import { objectStores } from './object-stores/shared-stores.ts';
import type { EngineOptions } from './options/engine-options.ts';
import type { GrpcDelays } from './protocol/grpc/grpc-delays.ts';
import { createResponseCache } from './scheduling/response-cache.ts';
import { ServerState } from './service/server-state.ts';
import { LiveTracing } from './tracing/live-tracing.ts';
import { SlowTraces } from './tracing/slow-traces.ts';
import { TraceSampler } from './tracing/trace-sampler.ts';

/** What differs between shells and tests; everything else comes from the options. */
export interface EngineDeps extends RepositoryBuildDeps, ServiceBuildDeps, EngineHooks {
  /** Value of CUDA_VISIBLE_DEVICES, for GPU metrics. */
  readonly visibleDevices?: string | undefined;
  /** Waits of gRPC calls for tests; default: none. */
  readonly grpcDelays?: GrpcDelays | undefined;
  /** Where SageMaker puts models; default: its own place. Tests have one of theirs. */
  readonly sagemakerRoot?: string | undefined;
  /** A session of a model is about to be made with this GPU provider. */
  readonly onGpuSession?: ((model: string, provider: string) => void) | undefined;
  readonly clock?: Clock;
  /** Besides the built-in ones; one of the same name takes its place. */
  readonly backends?: readonly Backend[];
  /** Usable GPUs, ascending by id; default: what this machine has. */
  readonly gpuInventory?: readonly GpuDevice[];
}

/** Builds an engine; nothing runs and no port is open before `start()`. Throws for options that contradict. */
export function createEngine(given: EngineOptions, deps: EngineDeps = {}): Engine {
  const { repository: wanted } = given;
  const paths = wanted.paths.map((root) => objectStores.adopt(root));
  const options = { ...given, repository: { ...wanted, paths } };
  const { clock = systemClock } = deps;
  const owned = new Disposer();
  const state = new ServerState();
  const cache = createResponseCache(options.cache, clock);
  // Backends are built before what their models may ask for.
  const built: { services?: ModelServices } = {};
  const backends = createBackends(options.backends, deps.backends ?? [], owned, () => built.services);
  backends.onnxruntime.watchGpuSessions(deps.onGpuSession);
  const machine = new EngineMachine(options.backends, backends, deps.gpuInventory);
  const gpuMemory = new GpuMemoryMeter({
    clock,
    sources: () => machine.memorySources,
    pid: process.pid,
  });
  const repository = buildRepository(options, deps, { clock, cache, backends, machine, gpuMemory });
  useGpuTrials(options.backends.gpuPolicy, backends.onnxruntime, repository);
  backends.onnxruntime.trials.around(() => gpuMemory.apart());
  const { service, traceSettings } = buildService(options, deps, { state, repository, owned });
  const tracing = new LiveTracing(owned.add(new TraceSampler({ settings: traceSettings, clock })), clock);
  const tracer = new SlowTraces(tracing, clock);
  const metrics = buildMetrics(options, deps.visibleDevices, { clock, cache, repository, owned });
  built.services = { models: service, metrics: metrics?.custom ?? CustomMetrics.unseen() };
  const listeners = new EngineListeners(options, {
    service,
    clock,
    tracer,
    metricsText: metrics === undefined ? undefined : () => metrics.text(),
    delays: deps.grpcDelays,
    sagemakerRoot: deps.sagemakerRoot,
    cacheBlocks: () => (metrics === undefined ? undefined : readCacheBlocks(metrics.custom)),
  });
  const prepare = async (): Promise<void> => {
    metrics?.start();
    await machine.findGpus();
  };
  return new Engine({
    options,
    clock,
    service,
    repository,
    state,
    cache,
    metrics,
    listeners,
    owned,
    hooks: deps,
    backends: backends.registry,
    machine,
    prepare,
    tracing,
    slowTraces: tracer,
  });
}
