// The notes of one model folder: read once, saved a moment after the last key and when their card goes away. What could
// not be saved is kept in this window and said.

import { useCallback, useEffect, useState } from 'react';

import { explainedMessage } from '../../engine/engine-client.ts';
import { useClient } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import { t } from '../../texts/translate.ts';

const SAVE_DELAY_MS = 600;

/** Texts that are not saved yet, by folder. */
const unsaved = new Map<string, string>();

/** The notes as they are typed, and whether they are kept. */
export interface Notes {
  readonly text: string;
  /** The whole text; it is saved a moment after the last change. */
  readonly change: (text: string) => void;
  /** "Saved", why not, or undefined. */
  readonly status: string | undefined;
  /** Whether what is stored is known. Nothing may be typed before: it would take the place of what is stored. */
  readonly isRead: boolean;
  /** Why reading failed; undefined = it did not. */
  readonly readError: string | undefined;
  /** Reads again. */
  readonly retry: () => void;
}

/** `folder` must not change while the caller is shown. */
export function useNotes(folder: string): Notes {
  const client = useClient();
  const key = `notes ${folder}`;
  const stored = useCall('settings/readLayout', { key });
  const [draft, setDraft] = useState<string | undefined>(() => unsaved.get(folder));
  const [status, setStatus] = useState<string>();
  const save = useCallback((): void => {
    const text = unsaved.get(folder);
    if (text === undefined) return;
    client.call('settings/writeLayout', { key, json: JSON.stringify(text) }).then(
      () => {
        if (unsaved.get(folder) === text) unsaved.delete(folder);
        setStatus(t('model.notes.saved'));
      },
      (thrown: unknown) => setStatus(t('model.notes.notSaved', { reason: explainedMessage(thrown) })),
    );
  }, [client, folder, key]);
  useEffect(() => {
    if (draft === undefined) return undefined;
    const timer = setTimeout(save, SAVE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [draft, save]);
  useEffect(() => save, [save]);
  return {
    text: draft ?? readNote(stored.data?.json),
    change: (text) => {
      unsaved.set(folder, text);
      setStatus(undefined);
      setDraft(text);
    },
    status,
    isRead: draft !== undefined || stored.data !== undefined,
    readError: draft === undefined && stored.data === undefined ? stored.error : undefined,
    retry: stored.reload,
  };
}

function readNote(json: string | undefined): string {
  try {
    const value: unknown = JSON.parse(json ?? '""');
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}
