// Keeps the workspace (per repository), the first steps and the keymap across restarts, through the engine's layout store. Nothing is
// written before it has been read, and what the user did until then counts more than what is read. Changes are collected
// for a moment and written together, also when the page goes away.

import { useEffect } from 'react';
import type { StoreApi } from 'zustand/vanilla';

import { coach, coachToJson, restoreCoach } from '../actions/coach-store.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { useClient, useConnection, useModels, useSetting } from '../engine/engine-context.tsx';
import type { KeymapOverrides } from '../lib/keymap.ts';
import { keymap } from '../lib/keymap.ts';
import { workspaceFromJson, workspaceToJson } from '../lib/workspace-json.ts';
import { mergedWorkspace } from '../lib/workspace-merge.ts';
import { INITIAL_WORKSPACE, workspace } from '../lib/workspace-store.ts';

const COLLECT_MS = 400;

interface Kept<State> {
  readonly key: string;
  readonly store: StoreApi<State>;
  readonly toJson: (state: State) => string;
  /** `asked`: the state when `json` was asked for. */
  readonly restore: (json: string, asked: State) => void;
}

/** Mounted once. What is open is kept for each repository, shortcuts and first steps for all of them. */
export function usePersistence(): void {
  const client = useClient();
  const isOpen = useConnection(({ generation }) => generation > 0);
  const repository = useModels(({ repositories, isLoaded }) =>
    isLoaded ? (repositories[0]?.path ?? '') : undefined,
  );
  const restoreTabs = useSetting('general.restoreTabs', true);
  useEffect(() => {
    if (repository === undefined) return undefined;
    return keep(client, {
      key: `workspace ${repository}`,
      store: workspace,
      toJson: workspaceToJson,
      restore: (json, asked) => {
        const all = workspaceFromJson(json);
        const kept = restoreTabs
          ? all
          : { ...all, tabs: INITIAL_WORKSPACE.tabs, activeId: INITIAL_WORKSPACE.activeId };
        workspace.setState(mergedWorkspace(kept, asked, workspace.getState()));
      },
    });
    // The setting matters at the start only; switching it later must not restore again.
  }, [client, repository, restoreTabs]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const steps = keep(client, {
      key: 'first steps',
      store: coach,
      toJson: coachToJson,
      restore: restoreCoach,
    });
    const keys = keep(client, {
      key: 'keymap',
      store: keymap,
      toJson: ({ overrides }) => JSON.stringify(overrides),
      restore: (json) => keymap.setState({ overrides: overridesOf(json) }),
    });
    return () => {
      steps();
      keys();
    };
  }, [client, isOpen]);
}

/** Reads, then follows. Returns the off-switch, which writes what is still waiting. */
function keep<State>(client: EngineClient, { key, store, toJson, restore }: Kept<State>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = '';
  let off = (): void => undefined;
  let isOver = false;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const json = toJson(store.getState());
    if (json === written) return;
    written = json;
    // A failed write costs a layout, never an error on screen; the next change writes again.
    client.call('settings/writeLayout', { key, json }).catch(() => {
      written = '';
    });
  };
  const writeSoon = (): void => {
    timer ??= setTimeout(write, COLLECT_MS);
  };
  const asked = store.getState();
  void client
    .call('settings/readLayout', { key })
    .then(({ json }) => {
      const isTouched = store.getState() !== asked;
      if (isOver || json === '') return isTouched;
      restore(json, asked);
      if (isTouched) written = json;
      return isTouched;
    })
    .catch(() => false)
    .then((isTouched) => {
      if (isOver) return;
      if (isTouched) writeSoon();
      else written = toJson(store.getState());
      off = store.subscribe(writeSoon);
    });
  const writeWaiting = (): void => {
    if (timer !== undefined) write();
  };
  window.addEventListener('pagehide', writeWaiting);
  return () => {
    isOver = true;
    off();
    window.removeEventListener('pagehide', writeWaiting);
    writeWaiting();
  };
}

function overridesOf(json: string): KeymapOverrides {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(
      Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return {};
  }
}
