// Calls that may take long are tasks while they do: visible, cancellable, also from a page that did not ask for them.
// What is over within a second never shows. What changes something goes on when its page goes away.

import type { CallArgs, CallHandlers, CallName } from '../../../src-shared/contract/contract.ts';
import type { EventBus } from '../../base/event-bus.ts';
import type { RepositoryEvents } from '../../repository/repository-events.ts';
import type { TaskHandle, TaskRegistry } from './task-registry.ts';

type Titles = { readonly [N in CallName]?: (args: CallArgs<N>) => string };

/** What the task of a call is called. */
const TITLES: Titles = {
  'repository/load': ({ model }) => `Load ${model}`,
  'repository/reload': ({ model }) => `Reload ${model}`,
  'repository/unload': ({ model }) => `Unload ${model}`,
  'repository/compareVersions': ({ model }) => `Compare versions of ${model}`,
  'warmup/run': ({ model }) => `Warm up ${model}`,
  'config/batchProbe': ({ path }) => `Batch probe of ${path.split(/[\\/]/).at(-1) ?? path}`,
  'playground/parity': ({ model }) => `Parity check of ${model}`,
  'playground/repeat': ({ request: { model }, count }) => `Send ${count} requests to ${model}`,
  'perf/apply': () => 'Apply a configuration and check it',
};

/** They change nothing: where the page went away, nobody wants to know. */
const ANSWERS: ReadonlySet<string> = new Set([
  'repository/compareVersions',
  'warmup/run',
  'config/batchProbe',
  'playground/parity',
  'playground/repeat',
]);
const LOADS: ReadonlySet<string> = new Set(['repository/load', 'repository/reload']);

type Handler = (args: unknown, context: { readonly signal: AbortSignal }) => unknown;

/** The same handlers; those that may take long run as tasks. */
export function withLongCalls(
  handlers: CallHandlers,
  { tasks, events }: { readonly tasks: TaskRegistry; readonly events: EventBus<RepositoryEvents> },
): CallHandlers {
  const wrapped = Object.entries(TITLES).map(([name, titleOf]) => {
    const handler = handlers[name as CallName] as Handler;
    const run: Handler = (args, { signal }) => {
      const title = (titleOf as (args: unknown) => string)(args);
      return tasks.runLong(
        title,
        async (handle) => {
          using _phases = LOADS.has(name) ? followLoad(events, args as LoadArgs, handle) : undefined;
          return await handler(args, { signal: handle.signal });
        },
        { signal, isAnswer: ANSWERS.has(name) },
      );
    };
    return [name, run] as const;
  });
  return { ...handlers, ...(Object.fromEntries(wrapped) as Partial<CallHandlers>) };
}

interface LoadArgs {
  readonly model: string;
}

/** The step a load is at is what its task says. */
function followLoad(events: EventBus<RepositoryEvents>, { model }: LoadArgs, handle: TaskHandle): Disposable {
  return events.subscribe('loadPhase', ({ id, phase }) => {
    if (id.name === model && phase !== undefined) handle.report(undefined, phase);
  });
}
