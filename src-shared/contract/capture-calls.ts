// Calls about captured requests: what real clients sent and got, tensors included, kept in memory while somebody asks for
// it. Off by default, because copies of tensors cost time and memory.

import { z } from 'zod';

import { defineCall } from './define.ts';
import type { PlaygroundRequest } from './inference-calls.ts';
import type { PlaygroundOutput, PlaygroundResponse } from './playground-answer.ts';

/** Whether requests are captured, and how much was captured so far. */
export interface CaptureState {
  readonly isOn: boolean;
  /** The only model that is captured; undefined = all. */
  readonly model: string | undefined;
  /** Wall clock; capturing ends by itself then, so that nobody forgets it. 0 while off. */
  readonly endsAtMs: number;
  readonly count: number;
  readonly byteSize: number;
  /** The oldest requests go when this is reached. */
  readonly limitBytes: number;
}

/** One captured request, or one step of a captured request to an ensemble, without its tensors. */
export interface CapturedRow {
  /** Ascending in the order of arrival. */
  readonly id: number;
  readonly atMs: number;
  readonly model: string;
  readonly version: string;
  /** The client's id of the request; undefined = none. */
  readonly requestId: string | undefined;
  /** Id of the captured request to an ensemble that this is a step of; 0 = a client sent it. */
  readonly parentId: number;
  /** Position of that step; -1 without one. */
  readonly stepIndex: number;
  readonly state: 'running' | 'ok' | 'failed';
  /** The server's words; undefined unless failed. */
  readonly error: string | undefined;
  /** From arrival at the model to the last response. */
  readonly durationMs: number;
  readonly responseCount: number;
  readonly inputs: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly shape: readonly number[];
  }[];
  /** Of all its tensors. */
  readonly byteSize: number;
  /** Id of the request among the traces of the window; undefined when it was not traced. */
  readonly traceId?: number | undefined;
  /** False when the tensors were too large to keep: then only these facts are known. */
  readonly hasTensors: boolean;
}

/** A tensor that a client sent. */
export interface CapturedInput extends PlaygroundOutput {
  /** One text for each element, which give the same bytes when they are sent; undefined where it is large or no text. */
  readonly values: readonly string[] | undefined;
}

/** A captured request with its tensors, as long as newer ones have not pushed it out. */
export interface CapturedRequest {
  readonly row: CapturedRow;
  /** The same request for the playground; its tensors are in blobs. */
  readonly request: PlaygroundRequest;
  readonly inputs: readonly CapturedInput[];
  /** The first of them, when there are very many. */
  readonly responses: readonly PlaygroundResponse[];
}

const id = z.object({ id: z.number().int() });

/** Those that change something answer with the state behind it. */
export const captureCalls = [
  defineCall('capture/state', z.object({}))<CaptureState>(),
  /** Captures requests to this model and the steps of ensembles it is; without a model, requests to all of them. */
  defineCall('capture/start', z.object({ model: z.string().optional() }))<CaptureState>(),
  defineCall('capture/stop', z.object({}))<CaptureState>(),
  defineCall('capture/clear', z.object({}))<CaptureState>(),
  /** Newest first: requests to the model (without one, to any) and the steps that were run for them. */
  defineCall('capture/list', z.object({ model: z.string().optional() }))<readonly CapturedRow[]>(),
  /** The captured request that is this one among the traces of the window, as long as it is kept. */
  defineCall('capture/ofTrace', z.object({ traceId: z.number().int() }))<{
    readonly row: CapturedRow | undefined;
  }>(),
  /** NOT_FOUND when newer requests took its place. */
  defineCall('capture/open', id)<CapturedRequest>(),
] as const;
