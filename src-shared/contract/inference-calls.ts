// Calls of the playground, the warm-up runner and the parity check. Requests are sent by the engine side over real
// loopback sockets; tensors travel as blobs in pieces of at most 48 KiB.

import { z } from 'zod';

import { blobCalls } from './blob-calls.ts';
import { defineCall } from './define.ts';
import type { CodePlace } from './model-view.ts';
import type { ServerSnippet } from './server-snippet.ts';
import { SERVER_SNIPPET_LANGUAGES } from './server-snippet.ts';
import type { PlaygroundOutput, PlaygroundResponse, StreamProgress } from './playground-answer.ts';

/** One input of a playground request. `blob` names bytes sent before with blob/append. */
const playgroundInputSchema = z.object({
  name: z.string(),
  datatype: z.string(),
  shape: z.array(z.number()),
  source: z.discriminatedUnion('kind', [
    /** Row-major decimal texts; BYTES elements are UTF-8 texts. */
    z.object({ kind: z.literal('values'), values: z.array(z.string()) }),
    z.object({ kind: z.literal('fill'), value: z.enum(['zeros', 'ones']) }),
    z.object({ kind: z.literal('random'), seed: z.number(), min: z.number(), max: z.number() }),
    z.object({ kind: z.literal('range'), start: z.number(), step: z.number() }),
    /** The same decimal text, or UTF-8 text for BYTES, in every element. */
    z.object({ kind: z.literal('constant'), value: z.string() }),
    /** Raw tensor bytes in wire layout, one .npy file, or a text of JSON arrays or comma-separated values. */
    z.object({ kind: z.literal('blob'), blob: z.string(), format: z.enum(['raw', 'npy', 'json', 'csv']) }),
    z.object({
      kind: z.literal('image'),
      blob: z.string(),
      resize: z.enum(['stretch', 'contain', 'cover']),
      layout: z.enum(['NHWC', 'NCHW']),
      channels: z.enum(['RGB', 'BGR', 'GRAY']),
      scaling: z.enum(['NONE', 'UNIT', 'INCEPTION', 'VGG', 'IMAGENET', 'CUSTOM']),
      /** For CUSTOM: (pixel - mean) / std per channel in RGB order, pixels 0..255. */
      mean: z.array(z.number()).length(3).optional(),
      std: z.array(z.number()).length(3).optional(),
      /** The grey that transparent parts are laid on; absent = they have the colours that lie beneath. */
      background: z.number().int().min(0).max(255).optional(),
    }),
  ]),
});

/** An input of a request, as the page has it. */
export type PlaygroundInput = z.infer<typeof playgroundInputSchema>;

export const playgroundRequestSchema = z.object({
  model: z.string(),
  /** "" = the server's choice. */
  version: z.string(),
  protocol: z.enum(['http-json', 'http-binary', 'grpc']),
  id: z.string(),
  inputs: z.array(playgroundInputSchema),
  /** Empty = all; classification 0 = raw tensor. */
  outputs: z.array(z.object({ name: z.string(), classification: z.number() })),
  priority: z.number().int(),
  timeoutUs: z.number().int(),
  sequence: z.object({ id: z.string(), start: z.boolean(), end: z.boolean() }).optional(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/** A request of the playground, which is also what is saved. */
export type PlaygroundRequest = z.infer<typeof playgroundRequestSchema>;

/** What came of one request of the window: the answer, or where and why it failed, and how long each part took. */
export interface PlaygroundResult {
  readonly ok: boolean;
  /** HTTP status, or the gRPC code for gRPC. */
  readonly status: number;
  readonly statusText: string;
  /** Verbatim server message; undefined on success. */
  readonly error: string | undefined;
  /** Plain explanation; undefined when nothing better than the message is known. */
  readonly explanation: string | undefined;
  /** The input the error is about, undefined when unknown. */
  readonly faultyInput: string | undefined;
  /** The line of a model's own code that the error came from; absent where it tells of none. */
  readonly codePlace?: CodePlace & { readonly model: string };
  /** In their order; of a stream at most the first 1000, and 64 MiB. */
  readonly responses: readonly PlaygroundResponse[];
  /** Responses of a stream, those included that were not kept; undefined when it was no stream. */
  readonly streamed?: { readonly count: number; readonly isStopped: boolean } | undefined;
  readonly headers: readonly (readonly [string, string])[];
  /** JSON header of the response, at most 64 KiB. */
  readonly rawHead: string;
  readonly requestByteSize: number;
  readonly responseByteSize: number;
  readonly totalMs: number;
  /** Parts of the request in order; they add up to `totalMs`. */
  readonly timing: readonly { readonly name: string; readonly ms: number }[];
  /** Batch the request ran in, when known. */
  readonly batchSize: number | undefined;
  readonly modelVersion: string;
}

/** What came of sending one request many times. */
export interface RepeatResult {
  /** Answer of the last request that was sent. */
  readonly last: PlaygroundResult;
  readonly okCount: number;
  readonly failCount: number;
  /** Messages of failed requests with how often each came, most frequent first. */
  readonly errors: readonly { readonly message: string; readonly count: number }[];
  readonly totalMs: number;
  readonly perSecond: number;
  /** Over the requests that were answered with success; undefined when there is none. */
  readonly latencyMs:
    | { readonly p50: number; readonly p90: number; readonly p99: number; readonly max: number }
    | undefined;
}

/** How far one tensor is from another, element by element. */
export interface TensorDifference {
  readonly name: string;
  /** Undefined when the difference is no number: other types or sizes, texts, NaN. */
  readonly maxAbsolute: number | undefined;
  readonly maxRelative: number | undefined;
  /** "logits[0,17]: 0.912 and 0.344"; undefined when nothing differs by more than the tolerance. */
  readonly firstDiffering: string | undefined;
}

/**
 * A request kept beside its model. With an `expectation` it is a test: the values of each output as decimal
 * texts, in row-major order, and how far a number may be from its own.
 */
export interface SavedRequest {
  readonly id: string;
  readonly name: string;
  readonly savedAtMs: number;
  readonly request: PlaygroundRequest;
  readonly expectation:
    | { readonly tolerance: number; readonly outputs: Readonly<Record<string, readonly string[]>> }
    | undefined;
}

/** An input or output as a client has to send or gets it. */
export interface InterfaceTensor {
  readonly name: string;
  readonly datatype: string;
  /** As a client sees it: batch dimension in front for batching models, -1 = any. */
  readonly shape: readonly number[];
}

/** What a request to a model consists of, out of its metadata and configuration. */
export interface ModelInterface {
  readonly inputs: readonly (InterfaceTensor & {
    readonly optional: boolean;
    /** `format` of the config; "" = none. */
    readonly imageLayout: '' | 'NHWC' | 'NCHW';
  })[];
  readonly outputs: readonly (InterfaceTensor & { readonly hasLabels: boolean })[];
  /** 0 = requests have no batch dimension. */
  readonly maxBatchSize: number;
  readonly isSequence: boolean;
  /** A sequence without a request for this long ends; 0 without sequences. */
  readonly sequenceIdleMs: number;
  readonly isDecoupled: boolean;
}

/** One request that a model is given before it serves. */
export interface WarmupSample {
  readonly name: string;
  /** Not in the file. */
  readonly isSuggested: boolean;
  readonly batchSize: number;
  readonly count: number;
  /** Text of one model_warmup entry. */
  readonly configText: string;
}

const model = z.object({ model: z.string() });

/** Labels of an output of a model that an ensemble runs, by class index. */
export interface StepLabels {
  readonly model: string;
  readonly output: string;
  readonly labels: readonly string[];
}

/** Everything that the playground asks the engine. */
export const inferenceCalls = [
  ...blobCalls,
  /** For the builder; works for models that are not loaded. */
  defineCall('playground/interface', model)<ModelInterface>(),
  /** Label file of an output of the serving version, by class index; empty without one. "" = the server's choice. */
  defineCall('playground/labels', z.object({ model: z.string(), version: z.string(), output: z.string() }))<{
    readonly labels: readonly string[];
    /** Where an ensemble's output has none: those of a model inside it, which may or may not be meant. */
    readonly step?: StepLabels | undefined;
  }>(),
  defineCall('playground/send', playgroundRequestSchema)<PlaygroundResult>(),
  /** The same for models with 0..n responses; `stream` is an id of the page's, for the two calls below. */
  defineCall(
    'playground/sendStream',
    z.object({ stream: z.string(), request: playgroundRequestSchema }),
  )<PlaygroundResult>(),
  /** Undefined when no such stream runs. */
  defineCall('playground/streamed', z.object({ stream: z.string() }))<StreamProgress | undefined>(),
  /** No more responses are wanted: those so far become the answer of `playground/sendStream`. */
  defineCall('playground/stopStream', z.object({ stream: z.string() }))<void>(),
  /** Shape and range of one input after generation or image preprocessing. */
  defineCall('playground/previewInput', playgroundInputSchema)<{
    readonly shape: readonly number[];
    readonly min: number;
    readonly max: number;
    readonly preview: readonly string[];
    /** The bytes of a picture's tensor, to be released by the caller; undefined for other inputs. */
    readonly blob: string | undefined;
  }>(),
  defineCall('playground/snippets', playgroundRequestSchema)<
    readonly { readonly language: string; readonly title: string; readonly code: string }[]
  >(),
  /** Code for what clients do with a server; `request` runs the model where one is given and can be built. */
  defineCall(
    'playground/serverSnippets',
    z.object({
      language: z.enum(SERVER_SNIPPET_LANGUAGES),
      model: z.string(),
      request: playgroundRequestSchema.optional(),
    }),
  )<readonly ServerSnippet[]>(),
  defineCall('playground/parity', playgroundRequestSchema)<{
    readonly verdict: 'match' | 'differ' | 'cannot-compare';
    readonly message: string;
    readonly outputs: readonly TensorDifference[];
    readonly tolerance: number;
    /** Both answers, for looking at them; those that are too large are left out. */
    readonly answers: readonly {
      readonly served: PlaygroundOutput;
      /** Undefined when plain ONNX Runtime gave none of that name. */
      readonly bare: PlaygroundOutput | undefined;
    }[];
  }>(),
  /** Sends the same request `count` times, `concurrency` at a time, over one connection. */
  defineCall(
    'playground/repeat',
    z.object({
      request: playgroundRequestSchema,
      count: z.number().int().min(1).max(10_000),
      concurrency: z.number().int().min(1).max(256),
    }),
  )<RepeatResult>(),
  /** Compares outputs of two results by their blobs, all elements. */
  defineCall(
    'playground/compare',
    z.object({
      tolerance: z.number().min(0),
      pairs: z.array(
        z.object({
          name: z.string(),
          datatype: z.string(),
          shape: z.array(z.number()),
          a: z.string(),
          b: z.string(),
        }),
      ),
    }),
  )<readonly TensorDifference[]>(),
  /** The HTTP body of a request with binary tensors, as a blob: what `request.bin` of a snippet holds. */
  defineCall('playground/requestBody', playgroundRequestSchema)<{
    readonly blob: string;
    readonly byteSize: number;
    readonly headByteSize: number;
  }>(),
  defineCall('playground/encodingCost', playgroundRequestSchema)<
    readonly {
      readonly encoding: string;
      readonly bodyByteSize: number;
      readonly p50Ms: number;
      readonly error: string | undefined;
    }[]
  >(),
  defineCall('playground/savedList', model)<readonly SavedRequest[]>(),
  defineCall(
    'playground/save',
    z.object({
      id: z.string(),
      name: z.string(),
      request: playgroundRequestSchema,
      withExpectation: z.boolean(),
    }),
  )<SavedRequest>(),
  /** All saved requests of the model with their files, as a JSON text in a blob. */
  defineCall('playground/exportSaved', model)<{ readonly blob: string; readonly byteSize: number }>(),
  /** Adds what such a text holds to the saved requests of the model. */
  defineCall('playground/importSaved', z.object({ model: z.string(), blob: z.string() }))<{
    readonly count: number;
  }>(),
  /** `undo`: brings it back while this engine runs; undefined = its files are too large to be kept for that. */
  defineCall('playground/deleteSaved', z.object({ model: z.string(), id: z.string() }))<{
    readonly undo: string | undefined;
  }>(),
  /** Takes back a deletion. NOT_FOUND when it is not kept any more. */
  defineCall('playground/restoreSaved', z.object({ undo: z.string() }))<void>(),
  defineCall('playground/runSaved', z.object({ model: z.string(), id: z.string() }))<{
    readonly result: PlaygroundResult;
    /** Undefined without an expectation. */
    readonly passed: boolean | undefined;
    readonly message: string;
  }>(),
  /** Samples of model_warmup plus suggested ones. */
  defineCall('warmup/samples', model)<readonly WarmupSample[]>(),
  /** Runs one sample against the loaded instances, without reload. */
  defineCall(
    'warmup/run',
    z.object({
      model: z.string(),
      version: z.string(),
      configText: z.string(),
      iterations: z.number().int().min(1).max(1000),
    }),
  )<{
    readonly instances: readonly {
      readonly name: string;
      readonly latenciesMs: readonly number[];
      readonly error: string | undefined;
    }[];
    /** Input that the first error is about; undefined = none, or not known. */
    readonly faultyInput: string | undefined;
    readonly sentence: string;
    readonly suggestedCount: number;
    /** What the first request of the sample was answered; empty when none was, or too large to look at. */
    readonly outputs: readonly PlaygroundOutput[];
    /** What that request held of data files; empty when nothing, or too much to look at. */
    readonly inputs: readonly PlaygroundOutput[];
  }>(),
  /** Puts a sample into a config text, in place of one of its name; returns the new text, nothing is written. */
  defineCall('warmup/insert', z.object({ model: z.string(), text: z.string(), sampleText: z.string() }))<{
    readonly text: string;
  }>(),
  /** Writes uploaded bytes as a data file below the model's `warmup` folder. ALREADY_EXISTS when there is one. */
  defineCall('warmup/writeFile', z.object({ model: z.string(), name: z.string(), blob: z.string() }))<void>(),
  /** Writes the tensors of a request as data files; returns the sample that names them. */
  defineCall('warmup/fromRequest', z.object({ name: z.string(), request: playgroundRequestSchema }))<{
    readonly sampleText: string;
  }>(),
] as const;
