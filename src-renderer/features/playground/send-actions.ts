// Sending: gets the server and the model ready when asked to, sends once or many times or as a step of a sequence,
// keeps what came back. Whatever fails becomes an outcome that is shown beside the request; nothing is thrown.

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { PlaygroundRequest } from '../../../src-shared/contract/inference-calls.ts';
import { ServerError } from '../../../src-shared/errors.ts';
import { cancelAction, isLoaded, loadModel } from '../../actions/model-actions.ts';
import { isRunning, startServer } from '../../actions/server-actions.ts';
import { isAbort, isConnectionLost, explainedMessage } from '../../engine/engine-client.ts';
import type { Engine } from '../../engine/engine-context.tsx';
import { t } from '../../texts/translate.ts';
import type { RequestDraft } from './draft.ts';
import { inputIssue } from './draft-issues.ts';
import { toRequest } from './draft-request.ts';
import { isWithoutPicture, takeSamplePictures } from './sample-pictures.ts';
import { takeSampleSounds } from './sound-actions.ts';
import type { Outcome, PlaygroundState, PlaygroundStore, SequenceStep } from './playground-store.ts';
import { addOutcome, patchDraft } from './playground-store.ts';
import { runStream } from './stream-run.ts';
import { releaseBlob } from '../../actions/blobs.ts';

/** `version` "" = the one that the server chooses. */
export interface SendTarget {
  readonly model: string;
  readonly version: string;
}

/** What must happen before a request can be answered. */
export type Readiness = 'ready' | 'load' | 'loading' | 'start' | 'busy' | 'impossible';

/** "start" before "load": without a server nothing is loaded. */
export function readinessOf(model: ModelView | undefined, isServing: boolean): Readiness {
  if (model === undefined || model.state === 'not-runnable') return 'impossible';
  if (model.state === 'unloading') return 'busy';
  if (!isServing) return 'start';
  if (model.state === 'loading') return 'loading';
  return isLoaded(model) ? 'ready' : 'load';
}

let lastId = 0;

/** Sends the draft as it is, `repeat.count` times. Nothing happens while something is being sent. */
export async function sendDraft(engine: Engine, store: PlaygroundStore, target: SendTarget): Promise<void> {
  const outcome = await whileSending(store, async (signal) => {
    await fillWithSamples(engine, store);
    const { draft, io } = store.getState();
    if (draft === undefined || io === undefined) return undefined;
    return sendRequest(
      { engine, store },
      toRequest(draft, { ...target, isSequence: io.isSequence }),
      draft,
      signal,
    );
  });
  if (outcome !== undefined) keep(engine, store, outcome);
}

async function fillWithSamples({ client }: Engine, store: PlaygroundStore): Promise<void> {
  if (store.getState().draft?.inputs.some(isWithoutPicture) === true) {
    await takeSamplePictures(client, store).catch(() => undefined);
  }
  await takeSampleSounds(client, store);
}

/** Sends one step of the running sequence; `start` begins a new one in the list. */
export async function sendStep(
  engine: Engine,
  store: PlaygroundStore,
  target: SendTarget,
  flags: { readonly start: boolean; readonly end: boolean },
): Promise<void> {
  const { draft } = store.getState();
  if (draft === undefined) return;
  patchDraft(store, { sequence: { ...draft.sequence, ...flags } });
  if (flags.start) store.setState({ steps: [] });
  await sendDraft(engine, store, target);
}

/**
 * Sends the script, or else the steps of the list again, one right after the other under another sequence id. What was
 * not answered with success stays the script, so that it can be played again.
 */
export async function playSteps(engine: Engine, store: PlaygroundStore): Promise<void> {
  const { steps, script, draft } = store.getState();
  if (draft === undefined) return;
  const requests = script.length > 0 ? asSequence(script) : steps.map(({ outcome }) => outcome.request);
  const id = nextSequenceId(draft.sequence.id);
  patchDraft(store, { sequence: { ...draft.sequence, id } });
  store.setState({ steps: [], script: [] });
  for (const { sequence, ...rest } of requests) {
    if (sequence === undefined) return;
    const request = { ...rest, sequence: { ...sequence, id } };
    const played = await whileSending(store, (signal) =>
      sendRequest({ engine, store }, request, { ...draft, repeat: ONCE }, signal),
    );
    if (played === undefined || played.result?.ok !== true) store.setState({ script });
    if (played === undefined) return;
    keep(engine, store, played);
    if (played.result?.ok !== true) return;
  }
}

/** Puts the draft behind the steps of the script instead of sending it. */
export function addToScript(store: PlaygroundStore, target: SendTarget): void {
  const { draft, script } = store.getState();
  if (draft === undefined) return;
  store.setState({ script: [...script, toRequest(draft, { ...target, isSequence: true })] });
}

/** The first request starts the sequence, the last ends it. */
function asSequence(requests: readonly PlaygroundRequest[]): readonly PlaygroundRequest[] {
  return requests.map((request, at) => ({
    ...request,
    sequence: { id: '', start: at === 0, end: at === requests.length - 1 },
  }));
}

const ONCE = { count: 1, concurrency: 1 } as const;

/** The next number; for names a counter at their end. */
export function nextSequenceId(id: string): string {
  const match = /^(.*?)(\d+)$/.exec(id);
  return match === null ? `${id}-2` : `${match[1] ?? ''}${BigInt(match[2] ?? '0') + 1n}`;
}

function noteStep(store: PlaygroundStore, outcome: Outcome): void {
  const { sequence } = outcome.request;
  const { draft, steps } = store.getState();
  if (sequence === undefined || draft === undefined) return;
  const { start, end } = sequence;
  const flags: SequenceStep['flags'] =
    start && end ? 'start and end' : start ? 'start' : end ? 'end' : 'step';
  store.setState({ steps: [...(start ? [] : steps), { outcome, flags }] });
  if (outcome.result?.ok !== true) return;
  // What follows a start is a step; what follows an end is another sequence.
  patchDraft(store, { sequence: { id: draft.sequence.id, start: end, end: false } });
}

/** Undefined when something is being sent already. */
async function whileSending<Result>(
  store: PlaygroundStore,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  if (store.getState().sending !== undefined) return undefined;
  const controller = new AbortController();
  store.setState({ sending: controller });
  try {
    return await work(controller.signal);
  } finally {
    store.setState({ sending: undefined });
  }
}

/** Who sends, and where it shows. */
interface Sender {
  readonly engine: Engine;
  readonly store: PlaygroundStore;
}

/** Never rejects: what fails is an outcome as well. */
async function sendRequest(
  from: Sender,
  request: PlaygroundRequest,
  draft: RequestDraft,
  signal: AbortSignal,
): Promise<Outcome> {
  const base = { id: ++lastId, atMs: Date.now(), request };
  try {
    signal.throwIfAborted();
    checkDraft(draft);
    await makeReady(from.engine, request.model, signal);
    return { ...base, ...NOT_REFUSED, ...(await call(from, request, draft, signal)) };
  } catch (thrown) {
    return { ...base, result: undefined, repeat: undefined, ...refusal(thrown, base.atMs) };
  }
}

/** Shows the outcome, as a step of its sequence when it belongs to one. */
function keep(engine: Engine, store: PlaygroundStore, outcome: Outcome): void {
  for (const gone of addOutcome(store, outcome)) releaseOutcome(engine, gone);
  noteStep(store, outcome);
}

/**
 * Ends what is being sent, and the load that it waits for; it becomes an outcome that says so. What a stream has brought
 * is kept, unless this is the second time.
 */
export function cancelSending({ sending, stream }: PlaygroundState): void {
  if (stream?.stop !== undefined) stream.stop();
  else sending?.abort(new DOMException('cancelled', 'AbortError'));
}

const NOT_REFUSED = {
  refused: undefined,
  refusedInput: undefined,
  cancelledAfterMs: undefined,
  isLost: false,
} as const;

async function call(
  { engine: { client }, store }: Sender,
  request: PlaygroundRequest,
  { repeat }: RequestDraft,
  signal: AbortSignal,
): Promise<Pick<Outcome, 'result' | 'repeat'>> {
  if (repeat.count <= 1) {
    if (store.getState().io?.isDecoupled === true)
      return { result: await runStream(client, store, request, signal), repeat: undefined };
    return { result: await client.call('playground/send', request, { signal }), repeat: undefined };
  }
  const answer = await client.call('playground/repeat', { request, ...repeat }, { signal });
  return { result: answer.last, repeat: answer };
}

/** A fault in the draft that no server needs to see. */
function checkDraft({ inputs }: RequestDraft): void {
  for (const input of inputs) {
    const issue = inputIssue(input);
    if (issue === undefined) continue;
    throw new ServerError('INVALID_ARG', `${input.name}: ${issue}`, { details: { input: input.name } });
  }
}

async function makeReady(engine: Engine, name: string, signal: AbortSignal): Promise<void> {
  const { state } = engine;
  const isServing = (): boolean => isRunning(state.server.getState().view);
  const model = (): ModelView | undefined => state.models.getState().byName.get(name);
  if (!isServing()) await unlessAborted(startServer(engine), signal);
  if (!isServing()) throw new ServerError('UNAVAILABLE', t('playground.notStarted'));
  await whileLoading(engine, name, signal);
  if (readinessOf(model(), true) !== 'load') return;
  const stop = (): void => cancelAction(name);
  signal.addEventListener('abort', stop);
  let why: string | undefined;
  const load = loadModel(engine, name, (reason) => (why = reason));
  const loaded = await unlessAborted(load, signal).finally(() => signal.removeEventListener('abort', stop));
  // The server would only say that there is no such model.
  if (loaded || model()?.state === 'ready') return;
  throw new ServerError(
    'UNAVAILABLE',
    why === undefined ? t('playground.notLoaded', { name }) : t('playground.notLoadedFor', { name, why }),
  );
}

/** Until a load that others began has ended, in whatever way. Rejects when the signal does. */
async function whileLoading({ state }: Engine, name: string, signal: AbortSignal): Promise<void> {
  const isLoading = (): boolean => state.models.getState().byName.get(name)?.state === 'loading';
  if (!isLoading()) return;
  const ended = Promise.withResolvers<undefined>();
  const off = state.models.subscribe(() => {
    if (!isLoading()) ended.resolve(undefined);
  });
  await unlessAborted(ended.promise, signal).finally(off);
}

/** Rejects as soon as the signal does, however long the work goes on. */
function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort);
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', onAbort));
}

function refusal(thrown: unknown, atMs: number): Pick<Outcome, keyof typeof NOT_REFUSED> {
  if (isAbort(thrown)) {
    return {
      refused: t('playground.cancelled'),
      refusedInput: undefined,
      isLost: false,
      cancelledAfterMs: Math.max(0, Date.now() - atMs),
    };
  }
  const input = thrown instanceof ServerError ? thrown.details?.['input'] : undefined;
  return {
    ...NOT_REFUSED,
    refused: explainedMessage(thrown),
    refusedInput: typeof input === 'string' ? input : undefined,
    isLost: isConnectionLost(thrown),
  };
}

function releaseOutcome({ client }: Engine, { result }: Outcome): void {
  for (const response of result?.responses ?? []) {
    for (const { blob } of response.outputs) releaseBlob(client, blob);
  }
}
