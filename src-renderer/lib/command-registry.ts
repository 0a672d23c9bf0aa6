// Who carries out a command right now. The latest registration wins and ends with its component; a command without one
// is shown disabled with the reason of the table.

import { useEffect, useRef } from 'react';
import { createStore } from 'zustand/vanilla';

import { t } from '../texts/translate.ts';
import { COMMANDS } from './command-table.ts';
import { activeTab } from './workspace-store.ts';

/** How a command is carried out where it is registered. */
export interface CommandHandler {
  /** `argument`: a model for commands that take one, or what else a command is about; undefined = not said. */
  readonly run: (argument: string | undefined) => void;
  /** Why it cannot run now; undefined = it can. */
  readonly disabledReason: (argument: string | undefined) => string | undefined;
}

type Handlers = ReadonlyMap<string, readonly CommandHandler[]>;

interface Registry {
  readonly handlers: Handlers;
  /** The window had a server and has none now. */
  readonly isServerLost: boolean;
}

const store = createStore<Registry>(() => ({ handlers: new Map(), isServerLost: false }));

export const commandRegistry = store;

/** Returns the off-switch. */
export function registerCommand(id: string, handler: CommandHandler): () => void {
  const put = (change: (known: readonly CommandHandler[]) => readonly CommandHandler[]): void => {
    const handlers = new Map(store.getState().handlers);
    handlers.set(id, change(handlers.get(id) ?? []));
    store.setState({ handlers });
  };
  put((known) => [...known, handler]);
  return () => put((known) => known.filter((other) => other !== handler));
}

/** Commands that need the server are off from now on, or on again. */
export function setServerLost(isServerLost: boolean): void {
  store.setState({ isServerLost });
}

/** Undefined = the command can run. */
export function disabledReason(id: string, argument?: string): string | undefined {
  const { handlers, isServerLost } = store.getState();
  const known = COMMANDS.find((command) => command.id === id);
  if (isServerLost && known?.needsServer === true) return t('command.notConnected');
  const handler = handlers.get(id)?.at(-1);
  return handler === undefined
    ? t(known?.unavailable ?? 'command.notHere')
    : handler.disabledReason(argument);
}

/** Of a click while the window is still being fetched; the last one counts. */
let early: { readonly id: string; readonly argument: string | undefined } | undefined;
let isWhole = false;

/** All that carries out commands of no screen is there: what was asked for before runs now. */
export function commandsAreHere(): void {
  isWhole = true;
  const asked = early;
  early = undefined;
  if (asked !== undefined) runCommand(asked.id, asked.argument);
}

/** False when the command could not run, or not yet. */
export function runCommand(id: string, argument?: string): boolean {
  const handler = store.getState().handlers.get(id)?.at(-1);
  if (handler === undefined && !isWhole) early = { id, argument };
  if (handler === undefined || disabledReason(id, argument) !== undefined) return false;
  handler.run(argument);
  return true;
}

/** Carries out `id` while the component is mounted. */
export function useCommand(
  id: string,
  run: (argument: string | undefined) => void,
  reason: (argument: string | undefined) => string | undefined = () => undefined,
): void {
  // The reason is asked for while the palette and menus are drawn, which an effect event does not allow.
  const latest = useRef({ run, reason });
  useEffect(() => {
    latest.current = { run, reason };
  });
  useEffect(
    () =>
      registerCommand(id, {
        run: (argument) => latest.current.run(argument),
        disabledReason: (argument) => latest.current.reason(argument),
      }),
    [id],
  );
}

/** The model that a command is about: the one that was said, else that of the active tab; undefined = none. */
export function commandModel(argument: string | undefined): string | undefined {
  const name = argument ?? activeTab()?.address.model;
  return name === '' ? undefined : name;
}

/** A command about one model, which cannot run without any. `reason`: why it cannot run for this one; undefined = it can. */
export function useModelCommand(
  id: string,
  run: (model: string) => void,
  reason: (model: string) => string | undefined = () => undefined,
): void {
  useCommand(
    id,
    (argument) => {
      const model = commandModel(argument);
      if (model !== undefined) run(model);
    },
    (argument) => {
      const model = commandModel(argument);
      return model === undefined ? t('command.needsModel') : reason(model);
    },
  );
}
