// What the user says of a model: its task where the guess is wrong, its licence. Kept with the app's own data, by folder.

import { useRef, useState } from 'react';

import { useClient } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import { TASKS } from './model-task.ts';
import type { Task } from './model-task.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

/** What was said by hand; everything else is worked out again each time. */
export interface KeptCard {
  /** Undefined = as guessed. */
  readonly task?: Task | undefined;
  readonly licence?: string | undefined;
}

/**
 * What is kept of the model in `folder`, and how to change some of it: what is not given stays. Nothing is written
 * before what was kept is known. `folder` must not change while the caller is shown.
 */
export function useKeptCard(folder: string): readonly [card: KeptCard, change: (changes: KeptCard) => void] {
  const client = useClient();
  const key = `card ${folder}`;
  const stored = useCall('settings/readLayout', { key });
  const [changed, setChanged] = useState<KeptCard>({});
  const latest = useRef<KeptCard>({});
  const card = { ...readCard(stored.data?.json), ...changed };
  const change = (changes: KeptCard): void => {
    latest.current = { ...latest.current, ...changes };
    setChanged(latest.current);
    const write = async (): Promise<void> => {
      const { json } = await client.call('settings/readLayout', { key });
      const next = { ...readCard(json), ...latest.current };
      await client.call('settings/writeLayout', { key, json: JSON.stringify(next) });
    };
    write().catch(toastThrown);
  };
  return [card, change];
}

/** What is damaged is left out. */
export function readCard(json: string | undefined): KeptCard {
  try {
    const value = JSON.parse(json ?? '') as { task?: unknown; licence?: unknown } | null;
    return {
      task: TASKS.find((task) => task === value?.task),
      licence: typeof value?.licence === 'string' ? value.licence : undefined,
    };
  } catch {
    return {};
  }
}
