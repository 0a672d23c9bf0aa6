// A client that sends one request again and again is answered with the same JSON again and again, and other bytes behind
// it. The JSON of the last answer is used for the next one that would get the same.

import type { InferenceResponse } from '../../inference/inference-response.ts';
import { findOutput, type InferReply } from './infer-response.ts';
import type { ParsedInfer, ParsedOutput, RememberedReply } from './parsed-infer.ts';

/** Longer ones are written each time: requests are many, and each remembers its own. */
const MAX_REMEMBERED_BYTES = 2048;

type Parameters = InferenceResponse['parameters'];

const NO_PARTS: readonly never[] = [];

/** The reply of the last such answer with this one's bytes; undefined where anything else differs. */
export function rememberedReply(response: InferenceResponse, parsed: ParsedInfer): InferReply | undefined {
  const known = parsed.remembered;
  if (known === undefined || !isAlike(known, response)) return undefined;
  const { outputs } = response;
  const { json, binaryByteSize } = known;
  const buffers = outputs.map(({ bytes }) => bytes);
  return { leading: NO_PARTS, json, jsonByteSize: json.length, buffers, binaryByteSize };
}

/** Keeps the reply for the next answer, unless it has more than the plain parts of an answer in binary form. */
export function rememberReply(response: InferenceResponse, parsed: ParsedInfer, reply: InferReply): void {
  const { outputs, parameters, id, modelName, modelVersion } = response;
  if (reply.leading.length > 0 || reply.json.length > MAX_REMEMBERED_BYTES) return;
  if (!outputs.every(({ name }) => isBytes(findOutput(parsed, name)))) return;
  parsed.remembered = {
    id,
    modelName,
    modelVersion,
    parameters,
    outputs: outputs.map(({ name, datatype, shape, bytes }) => {
      return { name, datatype, shape, byteSize: bytes.byteLength };
    }),
    // In one piece: what was put together out of many would be put together again each time.
    json: Buffer.from(reply.json, 'latin1').toString('latin1'),
    binaryByteSize: reply.binaryByteSize,
  };
}

/** The output's own bytes stand behind the JSON. */
function isBytes({ isBinary, classCount, shared }: ParsedOutput): boolean {
  return isBinary && classCount === 0 && shared === undefined;
}

function isAlike(known: RememberedReply, response: InferenceResponse): boolean {
  const { outputs } = response;
  if (known.id !== response.id || known.modelVersion !== response.modelVersion) return false;
  if (known.modelName !== response.modelName || !isSame(known.parameters, response.parameters)) return false;
  if (known.outputs.length !== outputs.length) return false;
  for (let index = 0; index < outputs.length; index++) {
    const before = known.outputs[index];
    const output = outputs[index];
    if (before === undefined || output === undefined) return false;
    if (before.name !== output.name || before.datatype !== output.datatype) return false;
    if (before.byteSize !== output.bytes.byteLength || !isSameShape(before.shape, output.shape)) return false;
  }
  return true;
}

/** None, or those that all answers of a kind share. Others are few, and written each time. */
function isSame(before: Parameters, parameters: Parameters): boolean {
  return before === parameters || (before.size === 0 && parameters.size === 0);
}

function isSameShape(before: readonly number[], shape: readonly number[]): boolean {
  if (before.length !== shape.length) return false;
  for (let axis = 0; axis < shape.length; axis++) {
    if (before[axis] !== shape[axis]) return false;
  }
  return true;
}
