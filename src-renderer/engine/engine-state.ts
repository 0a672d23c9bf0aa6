// Everything the whole window follows: models, samples, server, tasks, settings, logs. `follow` reads the snapshots and
// subscribes; it is called again for every new connection, so that nothing stale survives a restart of the engine.

import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

import type { ServerView, SettingsView, TaskView } from '../../src-shared/contract/observe-views.ts';
import type { EngineClient } from './engine-client.ts';
import type { LogBuffer } from './log-buffer.ts';
import { createLogBuffer } from './log-buffer.ts';
import type { ModelsStore } from './models-store.ts';
import { applyChange, applyRepositories, applySnapshot, createModelsStore } from './models-store.ts';
import type { SamplesStore } from './samples-store.ts';
import { createSamplesStore } from './samples-store.ts';

/** One store for each thing that is followed, so that nobody draws for the news of another. */
export interface EngineState {
  readonly models: ModelsStore;
  readonly samples: SamplesStore;
  readonly server: StoreApi<{ readonly view: ServerView | undefined }>;
  readonly tasks: StoreApi<{ readonly tasks: readonly TaskView[] }>;
  readonly settings: StoreApi<{ readonly view: SettingsView | undefined }>;
  readonly logs: LogBuffer;
}

const FIRST_LOG_LINES = 2000;

/** Empty stores; `subscribeState` and `readSnapshots` fill them. */
export function createEngineState(): EngineState {
  return {
    models: createModelsStore(),
    samples: createSamplesStore(),
    server: createStore(() => ({ view: undefined })),
    tasks: createStore(() => ({ tasks: [] })),
    settings: createStore(() => ({ view: undefined })),
    logs: createLogBuffer(),
  };
}

/** Subscribes to every event once; returns the off-switch. */
export function subscribeState(client: EngineClient, state: EngineState): () => void {
  const offSwitches = [
    client.subscribe('repository/models', (change) => applyChange(state.models, change)),
    client.subscribe('repository/list', (list) => applyRepositories(state.models, list)),
    client.subscribe('observe/sample', (sample) => {
      if (!isHidden()) state.samples.applySample(sample);
    }),
    onShown(() => void readSamples(client, state).catch(() => undefined)),
    client.subscribe('observe/logLines', ({ lines }) => state.logs.append(lines)),
    client.subscribe('observe/task', (task) => applyTask(state, task)),
    client.subscribe('server/changed', (view) => state.server.setState({ view })),
    client.subscribe('settings/changed', () => void readSettings(client, state)),
  ];
  return () => offSwitches.forEach((off) => off());
}

/** Reads all snapshots. Each failure is left to the connection's own state: a lost channel ends them all. */
export async function readSnapshots(client: EngineClient, state: EngineState): Promise<void> {
  await Promise.allSettled([
    client.call('repository/snapshot', {}).then((snapshot) => applySnapshot(state.models, snapshot)),
    client.call('server/view', {}).then((view) => state.server.setState({ view })),
    readSamples(client, state),
    client.call('observe/tasks', {}).then((tasks) => state.tasks.setState({ tasks })),
    client
      .call('observe/logs', { afterSequence: state.logs.lastSequence(), limit: FIRST_LOG_LINES })
      .then((lines) => state.logs.append(lines)),
    readSettings(client, state),
  ]);
}

/** The minute first, which the sample then adds to. */
async function readSamples(client: EngineClient, state: EngineState): Promise<void> {
  state.samples.applySparklines(await client.call('observe/sparklines', {}));
  state.samples.applySample(await client.call('observe/sample', {}));
}

/** Nobody sees the numbers of a hidden page; they are read again when it is shown. */
function isHidden(): boolean {
  return typeof document !== 'undefined' && document.hidden;
}

function onShown(listener: () => void): () => void {
  if (typeof document === 'undefined') return () => undefined;
  const check = (): void => {
    if (!document.hidden) listener();
  };
  document.addEventListener('visibilitychange', check);
  return () => document.removeEventListener('visibilitychange', check);
}

async function readSettings(client: EngineClient, state: EngineState): Promise<void> {
  state.settings.setState({ view: await client.call('settings/read', {}) });
}

function applyTask(state: EngineState, task: TaskView): void {
  const { tasks } = state.tasks.getState();
  const isKnown = tasks.some(({ id }) => id === task.id);
  state.tasks.setState({
    tasks: isKnown ? tasks.map((known) => (known.id === task.id ? task : known)) : [task, ...tasks],
  });
}
