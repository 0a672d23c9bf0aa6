// The outputs of kept answers, whatever they travelled in, and whether they are the expected ones.

import { decodeHttpResponse } from '../../client/http-codec.ts';
import { decodeInferResponse, decodeStreamResponse } from '../../grpc-wire/infer-response-decoder.ts';
import type { DataSet } from '../data/data-set.ts';
import type { Lane } from '../load/lane.ts';

/** In which form answers lie there. */
export type AnswerForm = 'http' | 'unary' | 'stream';

/** BYTES elements carry their length prefixes, whatever the answer travelled in. */
export interface AnswerTensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

/** Whether a kept answer is an HTTP body, a unary message or a message of a stream. */
export function answerForm(plan: {
  readonly protocol: 'http' | 'grpc';
  readonly isStreaming: boolean;
}): AnswerForm {
  if (plan.protocol === 'http') return 'http';
  return plan.isStreaming ? 'stream' : 'unary';
}

/** A kept HTTP body has the length of its JSON part in front (4 bytes, 0 = all of it). */
export function answerOutputs(answer: Buffer, form: AnswerForm): readonly AnswerTensor[] {
  if (form === 'unary') return decodeInferResponse(answer).outputs;
  if (form === 'stream') return decodeStreamResponse(answer).response.outputs;
  const headLength = answer.readUInt32LE(0);
  const headers = headLength === 0 ? {} : { 'inference-header-content-length': String(headLength) };
  return decodeHttpResponse(headers, answer.subarray(4)).response.outputs;
}

/** Undefined when the last answer is as the data expects, or when it expects nothing. */
export function answerMismatch(lane: Lane, data: DataSet, form: AnswerForm): string | undefined {
  const { stream, step } = lane.message;
  const expected = data.streams[stream]?.[step]?.expected;
  const answer = lane.responses.at(-1);
  if (expected === undefined || answer === undefined) return undefined;
  const outputs = answerOutputs(answer, form);
  for (const [name, { bytes }] of expected) {
    const found = outputs.find((output) => output.name === name);
    if (found === undefined) return `the answer to stream ${stream}, step ${step} has no output '${name}'`;
    if (!Buffer.from(found.bytes).equals(bytes))
      return `Output doesn't match expected output: '${name}' of stream ${stream}, step ${step}`;
  }
  return undefined;
}
