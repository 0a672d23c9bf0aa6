// Keeps the latest requests with their tensors while it is switched on. Everything is copied at once, because the memory
// of a request is used again after it. Bounded in bytes and number; the oldest go first.

import type { CaptureState, CapturedRow } from '../../../src-shared/contract/capture-calls.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import type { Clock } from '../../base/clock.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { ParameterValue } from '../../inference/inference-response.ts';
import type { RequestTap, RequestTapPoint, TappedRequest } from '../../inference/request-tap.ts';
import { copyBytes } from '../../inference/tensor-bytes.ts';
import type { TensorToShow } from '../../playground/shown-tensor.ts';
import { captureErrors } from './capture-errors.ts';

/** Capturing ends by itself after this. */
const DURATION_MS = 10 * 60_000;
const LIMIT_BYTES = 64 * 1024 * 1024;
/** Tensors of a request above this are not kept. */
const LARGEST_REQUEST_BYTES = 16 * 1024 * 1024;
const MAX_REQUESTS = 500;
/** Responses of one request whose tensors are kept: a decoupled model may send thousands. */
const MAX_RESPONSES = 16;

interface KeptResponse {
  readonly outputs: readonly TensorToShow[];
  readonly error: string | undefined;
}

/** A request as it was when it came, and what came back so far. */
export interface KeptRequest extends Omit<CapturedRow, 'inputs'> {
  readonly inputs: readonly TensorToShow[];
  readonly responses: readonly KeptResponse[];
  readonly requestedOutputs: readonly string[];
  readonly priority: bigint;
  readonly timeoutUs: number;
  readonly correlationId: bigint | string;
  readonly flags: number;
  readonly parameters: ReadonlyMap<string, ParameterValue>;
}

type Draft = { -readonly [K in keyof KeptRequest]: KeptRequest[K] } & { responses: KeptResponse[] };

/** Switches itself off after a while, and then costs a request nothing. Without a model it captures all models. */
export class RequestCapture implements RequestTap {
  readonly #clock: Clock;
  readonly #point: RequestTapPoint;
  /** By id, oldest first. */
  readonly #kept = new Map<number, Draft>();
  /** Ids of requests that still run, for the steps they cause. */
  readonly #ids = new WeakMap<InferenceRequest, number>();
  #byteSize = 0;
  #lastId = 0;
  #model: string | undefined;
  #endsAtMs = 0;

  constructor(clock: Clock, point: RequestTapPoint) {
    this.#clock = clock;
    this.#point = point;
  }

  /** For a model, or for all; begins its time anew when it is on already. */
  start(model?: string): void {
    this.#model = model;
    this.#endsAtMs = this.#clock.wallMs() + DURATION_MS;
    this.#point.tap = this;
  }

  /** What was captured stays. */
  stop(): void {
    if (this.#point.tap === this) this.#point.tap = undefined;
  }

  /** Forgets what was captured; whether it is on does not change. */
  clear(): void {
    this.#kept.clear();
    this.#byteSize = 0;
  }

  /** Sizes in bytes. Switches itself off first where its time is over. */
  state(): CaptureState {
    this.#endWhenDue();
    const isOn = this.#point.tap === this;
    return {
      isOn,
      model: this.#model,
      endsAtMs: isOn ? this.#endsAtMs : 0,
      count: this.#kept.size,
      byteSize: this.#byteSize,
      limitBytes: LIMIT_BYTES,
    };
  }

  /** Newest first: requests to the model (without one, to any) and the steps that were run for them, at any depth. */
  list(model?: string): readonly KeptRequest[] {
    const chosen = new Set<number>();
    for (const { id, parentId, model: own } of this.#kept.values()) {
      if (model === undefined || own === model || chosen.has(parentId)) chosen.add(id);
    }
    return [...this.#kept.values()].filter(({ id }) => chosen.has(id)).reverse();
  }

  /** NOT_FOUND when newer requests took its place. */
  find(id: number): KeptRequest {
    const found = this.#kept.get(id);
    if (found === undefined) {
      throw captureErrors.gone({ id });
    }
    return found;
  }

  /** The request with this id among the traces of the window; undefined when it is not, or no longer, kept. */
  ofTrace(traceId: number): KeptRequest | undefined {
    return [...this.#kept.values()].find((kept) => kept.traceId === traceId);
  }

  take(
    request: InferenceRequest,
    model: { readonly name: string; readonly version: string },
  ): TappedRequest | undefined {
    this.#endWhenDue();
    if (this.#point.tap !== this || request.isUncounted) return undefined;
    const parentId = request.parent === undefined ? 0 : (this.#ids.get(request.parent) ?? 0);
    if (parentId === 0 && this.#model !== undefined && this.#model !== model.name) return undefined;
    const draft = this.#open(request, model, parentId);
    const startNs = this.#clock.nowNs();
    const elapsedMs = (): number => (this.#clock.nowNs() - startNs) / 1e6;
    this.#ids.set(request, draft.id);
    request.interceptResponses((next) => (response, isFinal) => {
      if (response !== undefined) this.#addResponse(draft, response.outputs, response.error);
      if (isFinal) {
        draft.durationMs = elapsedMs();
        if (draft.state === 'running') draft.state = 'ok';
      }
      return next(response, isFinal);
    });
    return {
      accepted: () => this.#addInputs(draft, request),
      refused: (error) => {
        if (draft.inputs.length === 0) this.#addInputs(draft, request);
        draft.state = 'failed';
        draft.error = error.message;
        draft.durationMs = elapsedMs();
      },
    };
  }

  #endWhenDue(): void {
    if (this.#point.tap === this && this.#clock.wallMs() >= this.#endsAtMs) this.stop();
  }

  #open(
    request: InferenceRequest,
    { name, version }: { readonly name: string; readonly version: string },
    parentId: number,
  ): Draft {
    this.#lastId += 1;
    const draft: Draft = {
      id: this.#lastId,
      atMs: this.#clock.wallMs(),
      model: name,
      version,
      requestId: request.id || undefined,
      parentId,
      stepIndex: parentId === 0 ? -1 : request.stepIndex,
      traceId: request.trace?.windowId,
      state: 'running',
      error: undefined,
      durationMs: 0,
      responseCount: 0,
      inputs: [],
      responses: [],
      byteSize: 0,
      hasTensors: true,
      requestedOutputs: request.requestedOutputs,
      priority: request.priority,
      timeoutUs: request.timeoutUs,
      correlationId: request.correlationId,
      flags: request.flags,
      parameters: request.parameters,
    };
    this.#kept.set(draft.id, draft);
    return draft;
  }

  #addInputs(draft: Draft, { inputs }: InferenceRequest): void {
    const byteSize = inputs.reduce((sum, { bytes }) => sum + bytes.byteSize, 0);
    const isKept = this.#grow(draft, byteSize);
    draft.inputs = inputs.map(({ name, datatype, clientShape: shape, bytes }) => {
      const copy = new Uint8Array(isKept ? bytes.byteSize : 0);
      if (isKept) copyBytes(bytes, copy, 0);
      return { name, datatype, shape, bytes: copy };
    });
  }

  #addResponse(draft: Draft, outputs: readonly TensorToShow[], error: ServerError | undefined): void {
    draft.responseCount += 1;
    if (error !== undefined) {
      draft.state = 'failed';
      draft.error = error.message;
    }
    if (draft.responses.length >= MAX_RESPONSES) return;
    const byteSize = outputs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
    if (!this.#grow(draft, byteSize)) return;
    draft.responses.push({
      error: error?.message,
      outputs: outputs.map(({ name, datatype, shape, bytes }) => ({
        name,
        datatype,
        shape,
        bytes: Uint8Array.from(bytes),
      })),
    });
  }

  /** Makes room for further bytes of a request; false when its tensors are not kept. */
  #grow(draft: Draft, byteSize: number): boolean {
    if (!draft.hasTensors || !this.#kept.has(draft.id)) return false;
    if (draft.byteSize + byteSize > LARGEST_REQUEST_BYTES) {
      this.#byteSize -= draft.byteSize;
      const inputs = draft.inputs.map((input) => ({ ...input, bytes: new Uint8Array() }));
      Object.assign(draft, { hasTensors: false, byteSize: 0, inputs, responses: [] });
      return false;
    }
    draft.byteSize += byteSize;
    this.#byteSize += byteSize;
    for (const [id, oldest] of this.#kept) {
      if (this.#byteSize <= LIMIT_BYTES && this.#kept.size <= MAX_REQUESTS) break;
      if (id === draft.id) continue;
      this.#byteSize -= oldest.byteSize;
      this.#kept.delete(id);
    }
    return true;
  }
}
