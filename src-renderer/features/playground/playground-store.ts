// The playground of each model: its draft, what was sent and came back, and what runs. One store per model, kept while
// other tabs are shown. Changes of a draft go through the functions here; calls are in `send-actions`.

import type { StoreApi } from 'zustand/vanilla';
import { createStore } from 'zustand/vanilla';

import type { CallResult } from '../../../src-shared/contract/contract.ts';
import type {
  ModelInterface,
  PlaygroundRequest,
  PlaygroundResult,
  RepeatResult,
} from '../../../src-shared/contract/inference-calls.ts';
import type { StreamProgress } from '../../../src-shared/contract/playground-answer.ts';
import type { InputDraft, RequestDraft } from './draft.ts';
import { hasHalfTypes, newDraft, signatureOf } from './draft.ts';
import { fromRequest } from './draft-request.ts';

/** One thing that was sent, and what came of it. */
export interface Outcome {
  readonly id: number;
  readonly atMs: number;
  readonly request: PlaygroundRequest;
  /** Undefined when it never reached the server. */
  readonly result: PlaygroundResult | undefined;
  /** Set when it was sent more than once. */
  readonly repeat: RepeatResult | undefined;
  /** Why it was not sent, or that it was cancelled; undefined = it was answered. */
  readonly refused: string | undefined;
  /** Milliseconds after which it was cancelled, before an answer came; undefined = it was not. */
  readonly cancelledAfterMs: number | undefined;
  /** The connection broke off while it was under way, so that nobody knows what became of it. */
  readonly isLost: boolean;
  /** The input that `refused` is about. */
  readonly refusedInput: string | undefined;
}

/** A request of a sequence with its place in it. */
export interface SequenceStep {
  readonly outcome: Outcome;
  readonly flags: 'start' | 'step' | 'end' | 'start and end';
}

/** What the checks of a model found last: kept while other tabs are looked at. */
export interface CheckResults {
  readonly parity?: {
    readonly atMs: number;
    readonly result: CallResult<'playground/parity'>;
    /** What was compared. */
    readonly request: PlaygroundRequest;
  };
  readonly encodings?: { readonly atMs: number; readonly rows: CallResult<'playground/encodingCost'> };
}

/** One model's playground. Nothing of it is kept when the window closes. */
export interface PlaygroundState {
  readonly io: ModelInterface | undefined;
  readonly draft: RequestDraft | undefined;
  /** JSON was asked for, but a 16-bit float cannot be sent so. */
  readonly isJsonRefused: boolean;
  /** 0..1 by input. */
  readonly uploads: Readonly<Record<string, number>>;
  readonly sending: AbortController | undefined;
  /** Of a model with 0..n responses, while one is sent. Without `stop` it has been stopped. */
  readonly stream:
    | { readonly progress: StreamProgress | undefined; readonly stop: (() => void) | undefined }
    | undefined;
  readonly outcome: Outcome | undefined;
  /** Newest first, the shown one included. */
  readonly history: readonly Outcome[];
  /** Steps of the sequence that is being built, in order. */
  readonly steps: readonly SequenceStep[];
  /** Steps that were put aside to be sent in one go, in order. */
  readonly script: readonly PlaygroundRequest[];
  readonly checks: CheckResults;
  readonly responseTab: string;
}

/** Where the state of one model is; `playgroundOf` finds it. */
export type PlaygroundStore = StoreApi<PlaygroundState>;

const HISTORY_LENGTH = 50;

const stores = new Map<string, PlaygroundStore>();

/** The playground of a model; made on first use, kept until the window closes. */
export function playgroundOf(model: string): PlaygroundStore {
  let store = stores.get(model);
  if (store === undefined) {
    store = createStore<PlaygroundState>(() => ({
      io: undefined,
      draft: undefined,
      isJsonRefused: false,
      uploads: {},
      sending: undefined,
      stream: undefined,
      outcome: undefined,
      history: [],
      steps: [],
      script: [],
      checks: {},
      responseTab: 'outputs',
    }));
    stores.set(model, store);
  }
  return store;
}

/** Forgets every draft; for tests. */
export function clearPlaygrounds(): void {
  stores.clear();
}

/** Takes the interface over; the draft stays when it still fits. */
export function setInterface(store: PlaygroundStore, io: ModelInterface): void {
  const before = store.getState().io;
  const isSame = before !== undefined && signatureOf(before) === signatureOf(io);
  store.setState(isSame ? { io } : { io, draft: newDraft(io), steps: [], script: [], checks: {} });
}

/** Changes the draft, and its protocol where JSON cannot carry it. Nothing happens before there is one. */
export function editDraft(store: PlaygroundStore, change: (draft: RequestDraft) => RequestDraft): void {
  const { draft } = store.getState();
  if (draft === undefined) return;
  const next = change(draft);
  const isJsonRefused = next.protocol === 'http-json' && hasHalfTypes(next);
  store.setState({
    draft: isJsonRefused ? { ...next, protocol: 'http-binary' } : next,
    ...(isJsonRefused ? { isJsonRefused } : {}),
  });
}

/** Changes some fields of the draft. */
export function patchDraft(store: PlaygroundStore, changes: Partial<RequestDraft>): void {
  editDraft(store, (draft) => ({ ...draft, ...changes }));
}

/** Changes one input of the draft; nothing happens when there is none of that name. */
export function editInput(
  store: PlaygroundStore,
  name: string,
  change: (input: InputDraft) => InputDraft,
): void {
  editDraft(store, (draft) => ({
    ...draft,
    inputs: draft.inputs.map((input) => (input.name === name ? change(input) : input)),
  }));
}

/** Changes some fields of one input. */
export function patchInput(store: PlaygroundStore, name: string, changes: Partial<InputDraft>): void {
  editInput(store, name, (input) => ({ ...input, ...changes }));
}

/** Puts a request that was sent or saved into the builder. */
export function restoreRequest(store: PlaygroundStore, request: PlaygroundRequest): void {
  const { io } = store.getState();
  if (io !== undefined) store.setState({ draft: fromRequest(request, io) });
}

/** How much of a file has been sent to the input, 0..1; undefined = none is on its way. */
export function setUpload(store: PlaygroundStore, input: string, share: number | undefined): void {
  const { [input]: _before, ...rest } = store.getState().uploads;
  store.setState({ uploads: share === undefined ? rest : { ...rest, [input]: share } });
}

/** Shows an outcome and keeps it. Returns those that fell out of the history. */
export function addOutcome(store: PlaygroundStore, outcome: Outcome): readonly Outcome[] {
  const history = [outcome, ...store.getState().history];
  store.setState({ outcome, history: history.slice(0, HISTORY_LENGTH) });
  return history.slice(HISTORY_LENGTH);
}

/** The newest earlier outcome with outputs: what "previous" means for a comparison. */
export function previousOutcome({ outcome, history }: PlaygroundState): Outcome | undefined {
  if (outcome === undefined) return undefined;
  return history.find((other) => other.id < outcome.id && other.result?.ok === true);
}

/** The input an outcome is about; undefined = none. */
export function faultyInputOf(outcome: Outcome | undefined): string | undefined {
  return outcome?.result?.faultyInput ?? outcome?.refusedInput;
}

/** What came of a request without an answer, in two words. */
export function titleOfRefusal({
  cancelledAfterMs,
  isLost,
}: Outcome): 'playground.cancelledTitle' | 'playground.noAnswer' | 'playground.notSent' {
  if (isLost) return 'playground.noAnswer';
  return cancelledAfterMs === undefined ? 'playground.notSent' : 'playground.cancelledTitle';
}
