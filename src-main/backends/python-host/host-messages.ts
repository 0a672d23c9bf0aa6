// What the JSON of frames says (frames.ts), and requests and responses of hosted code as blocks, both ways.

import type { StatusCode } from '../../../src-shared/errors.ts';
import { ServerError, STATUS_CODES } from '../../../src-shared/errors.ts';
import type { CorrelationId, InferenceRequest } from '../../inference/inference-request.ts';
import { inputsAsFound } from '../../inference/input-order.ts';
import type { InferenceResponse, ParameterValue } from '../../inference/inference-response.ts';
import { bytesOf } from '../../inference/tensor-bytes.ts';
import type { HostedCall } from '../hosted/hosted-calls.ts';
import type { HostedResponse, HostedTensor } from '../hosted/hosted-code.ts';
import type { Block, BlockExtra, SentTensor } from './blocks.ts';
import type { WireParameters } from './wire-parameters.ts';
import { parametersFromWire, parametersToWire } from './wire-parameters.ts';

/** The first message: what the process is for. */
export interface HostSetup {
  /** `serve`: run the model; `complete`: run its auto_complete_config and end. */
  readonly command: 'serve' | 'complete';
  readonly modelFile: string;
  readonly modelDir: string;
  readonly versionDir: string;
  /** Folder of the backend, appended to `sys.path`. */
  readonly backendDir: string;
  /** Folder of a backend that is written in Python itself; undefined for other models. */
  readonly ownBackendDir: string | undefined;
  readonly isDecoupled: boolean;
  /** What the model's initialize() gets. */
  readonly args: Readonly<Record<string, string>>;
}

/** An error on its way to Python. */
export type WireText = readonly [code: string, message: string];

/** A line that the model or the host wrote: level, file, line, message. */
export type WireLogLine = readonly [level: string, file: string, line: number, message: string];

/** The text of an error up to its first zero byte: errors of Triton are C strings. May be empty, as a model may give it. */
export function errorText(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** Why a start or a completion failed; INTERNAL without a code. */
export function failureOf(told: unknown): ServerError {
  const { text, code = 'INTERNAL' } = told as { readonly text: string; readonly code?: string };
  return errorFromText([code, text]);
}

function errorToText(error: ServerError): WireText {
  return [error.code, error.message];
}

function errorFromText([code, message]: WireText): ServerError {
  const known = STATUS_CODES.find((candidate) => candidate === code);
  return new ServerError(known ?? ('UNKNOWN' satisfies StatusCode), errorText(message));
}

/** Inputs and overriding inputs of a request in the order in which the model finds them; shapes have the batch dimension. */
export function requestTensors({ inputs, overrideInputs }: InferenceRequest): SentTensor[] {
  return inputsAsFound(inputs, overrideInputs).map(({ name, datatype, shapeWithBatch, bytes }) => ({
    name,
    datatype,
    shape: shapeWithBatch,
    bytes,
  }));
}

/** undefined when nothing differs from the usual request. */
export function requestExtra(request: InferenceRequest): BlockExtra | undefined {
  const { id, correlationId, flags, timeoutUs, parameters, trace } = request;
  const extra: Record<string, unknown> = {};
  if (id !== '') extra['id'] = id;
  if (correlationId !== 0n) extra['c'] = correlationToWire(correlationId);
  if (flags !== 0) extra['f'] = flags;
  if (timeoutUs !== 0) extra['u'] = timeoutUs;
  if (parameters.size > 0) extra['p'] = parametersToWire(parameters);
  if (trace?.context !== undefined) extra['t'] = trace.context;
  for (const _ in extra) return extra;
  return undefined;
}

/** A response without its tensors. */
export function responseOf(block: Block, outputs: readonly HostedTensor[]): HostedResponse {
  const error = block.extra['e'] as WireText | undefined;
  return {
    outputs,
    parameters: wireParameters(block.extra),
    error: error && errorFromText(error),
  };
}

/** A call of the model to another model; version -1 is the one that the policy chooses. */
export function callOf(call: number, block: Block, inputs: readonly HostedTensor[]): HostedCall {
  const { extra } = block;
  return {
    call,
    model: text(extra['n']),
    version: Number(extra['v'] ?? -1),
    id: text(extra['id']),
    correlationId: correlationFromWire(extra['c']),
    flags: Number(extra['f'] ?? 0),
    priority: 0n,
    timeoutUs: Number(extra['u'] ?? 0),
    parameters: wireParameters(extra),
    requestedOutputs: block.wanted,
    inputs,
  };
}

/** Outputs of an answer to a call; several chunks are joined into one. */
export function callResponseTensors(response: InferenceResponse): SentTensor[] {
  return response.outputs.map(({ name, datatype, shape, bytes }) => ({
    name,
    datatype,
    shape,
    bytes: bytesOf(bytes),
  }));
}

/** What goes with the outputs: the error, else the parameters; undefined where there is neither. */
export function callResponseExtra(response: InferenceResponse): BlockExtra | undefined {
  if (response.error !== undefined) return { e: errorToText(response.error) };
  return response.parameters.size === 0 ? undefined : { p: parametersToWire(response.parameters) };
}

function wireParameters(extra: BlockExtra): ReadonlyMap<string, ParameterValue> {
  return parametersFromWire(extra['p'] as WireParameters | undefined);
}

function correlationToWire(id: CorrelationId): string | readonly [string] {
  return typeof id === 'bigint' ? [String(id)] : id;
}

function correlationFromWire(wire: unknown): CorrelationId {
  if (Array.isArray(wire)) return BigInt(wire[0] as string);
  return typeof wire === 'string' ? wire : 0n;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
