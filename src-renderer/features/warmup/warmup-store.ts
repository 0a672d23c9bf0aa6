// What the warm-up runner of each model keeps while other tabs are shown: edited samples and the last result of each.
// A sample is known by where it comes from and the name it had there; one that was added here, by a number.

import type { StoreApi } from 'zustand/vanilla';
import { createStore } from 'zustand/vanilla';

import type { CallResult } from '../../../src-shared/contract/contract.ts';
import type { WarmupDraft } from './warmup-draft.ts';

/** What came of running a sample. */
export type WarmupResult = CallResult<'warmup/run'>;

/** The warm-up runner of one model, in this window. */
export interface WarmupState {
  /** By sample; only those that were changed or added. */
  readonly drafts: Readonly<Record<string, WarmupDraft>>;
  /** Keys of the samples that were added here, in order. */
  readonly added: readonly string[];
  /** How many were ever added: a key is never used again, since what was dropped may come back. */
  readonly addedCount: number;
  readonly results: Readonly<Record<string, WarmupResult>>;
  /** The sample that was run last; its curve is drawn. */
  readonly shown: string;
}

/** Where the state of one model is. */
export type WarmupStore = StoreApi<WarmupState>;

const stores = new Map<string, WarmupStore>();

/** The runner of a model; made on first use, kept until the window closes. */
export function warmupOf(model: string): WarmupStore {
  let store = stores.get(model);
  if (store === undefined) {
    store = createStore<WarmupState>(() => ({
      ...{ drafts: {}, added: [], addedCount: 0, results: {}, shown: '' },
    }));
    stores.set(model, store);
  }
  return store;
}

/** Forgets everything; for tests. */
export function clearWarmups(): void {
  stores.clear();
}

/** Keeps an edited sample; undefined = as the file has it. */
export function setDraft(store: WarmupStore, key: string, draft: WarmupDraft | undefined): void {
  const { [key]: _before, ...others } = store.getState().drafts;
  store.setState({ drafts: draft === undefined ? others : { ...others, [key]: draft } });
}

/** Changes a sample as it is now, whatever it was when the change began; a sample that is gone stays gone. */
export function editDraft(
  store: WarmupStore,
  { key, original }: { readonly key: string; readonly original: WarmupDraft | undefined },
  edit: (draft: WarmupDraft) => WarmupDraft,
): void {
  const now = store.getState().drafts[key] ?? original;
  if (now !== undefined) setDraft(store, key, edit(now));
}

/** Adds a sample that the file does not have, under a key of its own: its name may change. */
export function addSample(store: WarmupStore, draft: WarmupDraft): void {
  const { added, addedCount } = store.getState();
  const key = `new ${addedCount + 1}`;
  store.setState({ added: [...added, key], addedCount: addedCount + 1 });
  setDraft(store, key, draft);
}

/** An added sample is gone, with its result; returns what brings both back. */
export function dropSample(store: WarmupStore, key: string): () => void {
  const { added: before, drafts, results: ran } = store.getState();
  const draft = drafts[key];
  const result = ran[key];
  setDraft(store, key, undefined);
  store.setState(({ added, results }) => {
    const { [key]: _result, ...others } = results;
    return { added: added.filter((other) => other !== key), results: others };
  });
  return () => {
    setDraft(store, key, draft);
    store.setState(({ added, results }) => ({
      added: [...added.filter((other) => other !== key), ...before.filter((other) => other === key)],
      results: result === undefined ? results : { ...results, [key]: result },
    }));
  };
}

/** Keeps the result of a run and draws its curve. */
export function setResult(store: WarmupStore, key: string, result: WarmupResult): void {
  store.setState(({ results }) => ({ results: { ...results, [key]: result }, shown: key }));
}
