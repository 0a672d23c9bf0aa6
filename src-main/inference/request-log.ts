// What the verbose log tells of a request's way through the server: the reference's records, one by one. Where the
// reference names addresses in memory, a request has a running number here, and buffers have none.

import { formatShape } from '../../src-shared/tensor/shape.ts';
import { getLogger } from '../base/log.ts';
import type { InferenceResponse } from './inference-response.ts';
import { requestPrefix } from './request-prefix.ts';

const log = getLogger('infer');
const LEVEL = 1;

interface LoggedInput {
  readonly name: string;
  readonly datatype: string;
  readonly clientShape: readonly number[];
  readonly shapeWithBatch: readonly number[];
  readonly shape: readonly number[];
}

/** What of a request stands in the log. */
interface LoggedRequest {
  readonly id: string;
  readonly logPrefix: string;
  readonly state: string;
  readonly modelName: string;
  readonly requestedVersion: number;
  readonly actualVersion: string;
  readonly flags: number;
  readonly correlationId: bigint | string;
  readonly batchSize: number;
  readonly priority: bigint;
  readonly timeoutUs: number;
  readonly inputs: readonly LoggedInput[];
  readonly overrideInputs: readonly LoggedInput[];
  readonly requestedOutputs: readonly string[];
}

const numbers = new WeakMap<LoggedRequest, number>();
let lastNumber = 0;

function numberOf(request: LoggedRequest): string {
  let number = numbers.get(request);
  if (number === undefined) numbers.set(request, (number = lastNumber += 1));
  return `#${number}`;
}

/** True while such records are written; guards what they cost. */
export function logsRequests(): boolean {
  return log.isVerbose(LEVEL);
}

/** A request goes into another state of the reference's life of a request. */
export function logState(request: LoggedRequest, next: string): void {
  log.verbose(LEVEL, `${request.logPrefix}Setting state from ${request.state} to ${next}`);
}

/** The request was checked and completed; `asked` are the outputs that the client named. */
export function logPrepared(request: LoggedRequest, asked: readonly string[]): void {
  logState(request, request.state);
  const { id, modelName, requestedVersion, actualVersion, flags, correlationId, batchSize } = request;
  const head = [
    `${request.logPrefix}prepared: [${numberOf(request)}] request id: ${id}`,
    `model: ${modelName}`,
    `requested version: ${requestedVersion}`,
    `actual version: ${actualVersion}`,
    `flags: 0x${flags.toString(16)}`,
    `correlation id: ${correlationId}`,
    `batch size: ${batchSize}`,
    `priority: ${request.priority}`,
    `timeout (us): ${request.timeoutUs}`,
  ].join(', ');
  const inputs = request.inputs.map(inputText);
  const overrides = request.overrideInputs.map(inputText);
  const lines = [
    head,
    ...['original inputs:', ...inputs, 'override inputs:', ...overrides, 'inputs:', ...inputs, ...overrides],
    ...['original requested outputs:', ...asked, 'requested outputs:', ...request.requestedOutputs],
  ];
  log.verbose(LEVEL, `${lines.join('\n')}\n`);
}

/** One record for each output of a response. */
export function logOutputs({ outputs }: InferenceResponse): void {
  for (const { name, datatype, shape } of outputs) {
    log.verbose(
      LEVEL,
      `add response output: output: ${name}, type: ${datatype}, shape: ${formatShape(shape)}`,
    );
  }
}

/** A request was refused before a scheduler took it. */
export function logRefused(id: string, message: string): void {
  log.verbose(LEVEL, `${requestPrefix(id)}Infer failed: ${message}`);
}

/** An instance takes a batch. */
export function logExecution(model: string, instance: string, requestCount: number): void {
  log.verbose(LEVEL, `model ${model}, instance ${instance}, executing ${requestCount} requests`);
}

function inputText({ name, datatype, clientShape, shapeWithBatch, shape }: LoggedInput): string {
  return `input: ${name}, type: ${datatype}, original shape: ${formatShape(clientShape)}, batch + shape: ${formatShape(shapeWithBatch)}, shape: ${formatShape(shape)}`;
}
