// Gives components their engine: client, followed state, connection state. Tests hand in a client of their own.

import type { ReactNode } from 'react';
import { createContext, use } from 'react';
import type { StoreApi } from 'zustand/vanilla';
import { useStore } from 'zustand';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { ServerView } from '../../src-shared/contract/observe-views.ts';
import type { EngineClient } from './engine-client.ts';
import type { ConnectionState } from './engine-connection.ts';
import type { EngineState } from './engine-state.ts';
import { readSnapshots, subscribeState } from './engine-state.ts';
import type { ModelsState } from './models-store.ts';
import type { SamplesState } from './samples-store.ts';

/** The engine as components see it. */
export interface Engine {
  readonly client: EngineClient;
  readonly state: EngineState;
  readonly connection: StoreApi<ConnectionState>;
  /** Connects again now instead of after the pause between attempts. */
  readonly retry: () => void;
}

const EngineContext = createContext<Engine | undefined>(undefined);

/** `engine` is followed by whoever made it (`followEngine`). */
export function EngineProvider({
  engine,
  children,
}: {
  readonly engine: Engine;
  readonly children: ReactNode;
}) {
  return <EngineContext value={engine}>{children}</EngineContext>;
}

/**
 * Keeps the engine's state as the server has it: subscribes, and reads all snapshots for each new connection. Outside
 * React, so that the first answers are on their way while the window is drawn for the first time. Returns the off-switch.
 */
export function followEngine({ client, state, connection }: Engine): () => void {
  const stopEvents = subscribeState(client, state);
  let readFor = 0;
  const readNewest = ({ generation }: ConnectionState): void => {
    if (generation === readFor) return;
    readFor = generation;
    void readSnapshots(client, state);
  };
  readNewest(connection.getState());
  const stopReading = connection.subscribe(readNewest);
  return () => {
    stopReading();
    stopEvents();
  };
}

/** Throws outside of an EngineProvider. */
export function useEngine(): Engine {
  const engine = use(EngineContext);
  if (engine === undefined) throw new Error('useEngine needs an EngineProvider above it');
  return engine;
}

/** The client of the engine; the same object for the life of the window. */
export function useClient(): EngineClient {
  return useEngine().client;
}

/** `select` must return something that is stable while it means the same. */
export function useConnection<T>(select: (state: ConnectionState) => T): T {
  return useStore(useEngine().connection, select);
}

/** `select` must return something that is stable while it means the same. */
export function useModels<T>(select: (state: ModelsState) => T): T {
  return useStore(useEngine().state.models, select);
}

/** The model that answers by this name: of two folders with one name the first. Undefined when there is none. */
export function useModel(name: string): ModelView | undefined {
  return useModels(({ byName }) => byName.get(name));
}

/** Draws with every sample unless `select` picks what changes less often, such as `perSecond` or `second`. */
export function useSamples<T>(select: (state: SamplesState) => T): T {
  return useStore(useEngine().state.samples, select);
}

/** `select` gets undefined until the engine has told of the server. */
export function useServer<T>(select: (view: ServerView | undefined) => T): T {
  return useStore(useEngine().state.server, ({ view }) => select(view));
}

type Widened<T> = T extends string ? string : T extends number ? number : boolean;

/** Value of a setting; `fallback` until the settings have been read. */
export function useSetting<T extends string | number | boolean>(key: string, fallback: T): Widened<T> {
  const value = useStore(
    useEngine().state.settings,
    ({ view }) => view?.settings.find((setting) => setting.key === key)?.value,
  );
  return (typeof value === typeof fallback ? value : fallback) as Widened<T>;
}
