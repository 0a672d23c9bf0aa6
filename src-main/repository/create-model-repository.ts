// Puts the model repository together: lifecycle, loader, poller, transactions over one set of roots and one event bus.

import { EventBus } from '../base/event-bus.ts';
import type { Clock } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';
import { GpuMemoryMeter } from '../gpu/memory-meter.ts';
import type { BackendRegistry } from '../inference/backend-registry.ts';
import type { ModelInvoker } from '../inference/model-invoker.ts';
import { RequestTapPoint } from '../inference/request-tap.ts';
import { checksumAgent } from './agents/checksum-agent.ts';
import type { RepositoryAgent } from './agents/repository-agent.ts';
import type { ConfigRules } from './config-rules.ts';
import { LoadSlots } from './load-slots.ts';
import { ModelLifecycle } from './model-lifecycle.ts';
import { ModelLoader } from './model-loader.ts';
import { ModelRepository } from './model-repository.ts';
import type { ModelRuntimeFactory } from './model-runtime.ts';
import type { RepositoryEvents } from './repository-events.ts';
import type { RepositoryOptions } from './repository-options.ts';
import { RepositoryRoots } from './repository-roots.ts';
import { RepositoryPoller } from './repository-poller.ts';
import { RepositoryTransactions } from './repository-transactions.ts';

/** What the repository works with. It closes none of it. */
export interface RepositoryDeps {
  readonly clock: Clock;
  readonly rules: ConfigRules;
  readonly backends: BackendRegistry;
  readonly createRuntime: ModelRuntimeFactory;
  /** The one that the runtimes look at; default: nobody looks. */
  readonly tapPoint?: RequestTapPoint;
  /** Settings of the command line for a backend, global ones included. */
  readonly backendSettings: (backend: string) => ReadonlyMap<string, string>;
  /** Create the instances of a version at the same time; undefined = as their backend says. */
  readonly parallelInstances?: boolean | undefined;
  /** Default: what models take of GPUs is not known. */
  readonly gpuMemory?: GpuMemoryMeter;
  /** Besides the built-in ones. */
  readonly agents?: readonly RepositoryAgent[];
}

const log = getLogger('repository');

/**
 * A repository with everything it needs. Reads nothing yet: `start` does. Listeners of its events that throw are logged
 * and hold up nobody.
 */
export function createModelRepository(options: RepositoryOptions, deps: RepositoryDeps): ModelRepository {
  const events = new EventBus<RepositoryEvents>((thrown) =>
    log.error(`an event listener failed: ${String(thrown)}`),
  );
  const roots = new RepositoryRoots(options.paths, options.switches);
  const invoker: ModelInvoker = { use: (name, version) => repository.use(name, version) };
  const stepInvoker = (namespace: string): ModelInvoker => ({
    use: (name, version) => repository.useFrom(namespace, name, version),
  });
  const lifecycle = new ModelLifecycle({
    events,
    slots: new LoadSlots(options.loadThreadCount, deps.clock),
    retryCount: options.loadRetryCount,
  });
  const loader = new ModelLoader({
    rules: deps.rules,
    backends: deps.backends,
    createRuntime: deps.createRuntime,
    invoker,
    stepInvoker,
    clock: deps.clock,
    events,
    gpuMemory: deps.gpuMemory ?? GpuMemoryMeter.blind(deps.clock),
    autoComplete: options.autoCompleteConfig,
    backendSettings: deps.backendSettings,
    parallelInstances: deps.parallelInstances,
  });
  const agents = [checksumAgent, ...(deps.agents ?? [])];
  const poller = new RepositoryPoller({
    context: {
      rules: deps.rules,
      agents: new Map(agents.map((agent) => [agent.name, agent])),
      agentDirectory: options.agentDirectory,
      modelConfigName: options.modelConfigName,
      isStrict: !options.autoCompleteConfig,
      allowCodeOverride: options.allowCodeOverride,
      isTrusted: (root) => roots.isTrusted(root),
      wallMs: () => deps.clock.wallMs(),
    },
    namespacing: options.namespacing,
    repositories: () => roots.paths,
    folderNames: () => roots.folderNames,
  });
  const transactions = new RepositoryTransactions({ lifecycle, loader, rules: deps.rules });
  const repository = new ModelRepository({
    options,
    lifecycle,
    transactions,
    poller,
    roots,
    events,
    tapPoint: deps.tapPoint ?? new RequestTapPoint(),
  });
  return repository;
}
