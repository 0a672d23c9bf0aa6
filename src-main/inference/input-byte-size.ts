// Does an input hold as many bytes as its shape says? Fixed-size types by multiplication, BYTES by walking the length
// prefixes over all chunks. Chunks are pieces of a socket stream: a length may be cut by a chunk's end.

import { TEXT_LENGTH_BYTES } from '../../src-shared/datatypes.ts';
import { concreteCount } from '../../src-shared/tensor/shape.ts';
import type { InferenceRequest, InferInput } from './inference-request.ts';
import { inputErrors } from './input-errors.ts';
import type { InputPlan } from './input-plan.ts';
import type { TensorBytes } from './tensor-bytes.ts';

const WINDOW_BYTES = 64 * 1024;
const MAX_INT64 = 2n ** 63n - 1n;

/** Expects `input.shapeWithBatch` to be set. Throws INVALID_ARG. */
export function checkByteSize(
  modelName: string,
  request: InferenceRequest,
  input: InferInput,
  plan: InputPlan,
): void {
  const shape = plan.isShapeTensor ? input.clientShape : input.shapeWithBatch;
  const elementCount = countElements(shape);
  if (plan.datatype === 'BYTES') {
    if (elementCount > Number.MAX_SAFE_INTEGER) refuseOverflow('element count', input, shape, 1);
    checkTexts(modelName, request, input, elementCount);
    return;
  }
  const expected = elementCount * plan.elementByteSize;
  if (expected === input.bytes.byteSize) return;
  if (expected > Number.MAX_SAFE_INTEGER) refuseOverflow('byte size', input, shape, plan.elementByteSize);
  throw inputErrors.byteSize({
    prefix: request.logPrefix,
    name: input.name,
    model: modelName,
    expected: exactProduct(shape, plan.elementByteSize),
    seen: input.bytes.byteSize,
  });
}

/** An empty shape counts no elements. */
function countElements(shape: readonly number[]): number {
  return shape.length === 0 ? 0 : concreteCount(shape);
}

function exactProduct(shape: readonly number[], elementByteSize: number): bigint {
  if (shape.length === 0) return 0n;
  return shape.reduce((product, dim) => product * BigInt(dim), BigInt(elementByteSize));
}

function refuseOverflow(
  what: string,
  input: InferInput,
  shape: readonly number[],
  elementByteSize: number,
): void {
  if (exactProduct(shape, elementByteSize) <= MAX_INT64) return;
  throw inputErrors.tooLarge({ what, name: input.name, limit: MAX_INT64 });
}

function checkTexts(
  modelName: string,
  request: InferenceRequest,
  input: InferInput,
  expectedCount: number,
): void {
  const walk = walkTexts(input.bytes, expectedCount);
  const where = { prefix: request.logPrefix, name: input.name, model: modelName };
  if (walk.danglingByteSize > 0) throw inputErrors.lengthCut({ ...where, seen: walk.danglingByteSize });
  const counts = { seen: walk.count, expected: expectedCount };
  if (walk.count > expectedCount) throw inputErrors.tooManyTexts({ ...where, ...counts });
  if (walk.count < expectedCount) throw inputErrors.tooFewTexts({ ...where, ...counts });
  if (walk.cut !== undefined) {
    const { byteSize, available } = walk.cut;
    throw inputErrors.textCut({ name: input.name, expected: byteSize, seen: available });
  }
}

interface TextWalk {
  /** Elements begun; stops at one more than expected. */
  readonly count: number;
  /** Bytes of a length word that the data ends in. */
  readonly danglingByteSize: number;
  /** The last element, when it runs past the end of the data. */
  readonly cut: { readonly byteSize: number; readonly available: number } | undefined;
}

function walkTexts(bytes: TensorBytes, expectedCount: number): TextWalk {
  return bytes.peek === undefined ? walkChunks(bytes, expectedCount) : walkElsewhere(bytes, expectedCount);
}

/** Bytes that lie elsewhere: only lengths are read, a window at a time. */
function walkElsewhere(bytes: TensorBytes, expectedCount: number): TextWalk {
  const { byteSize: total } = bytes;
  let window: DataView = new DataView(new ArrayBuffer(0));
  let windowAt = 0;
  let count = 0;
  let byteSize = 0;
  let at = 0;
  while (at + TEXT_LENGTH_BYTES <= total) {
    count += 1;
    if (count > expectedCount) return { count, danglingByteSize: 0, cut: undefined };
    if (at + TEXT_LENGTH_BYTES > windowAt + window.byteLength) {
      const part = bytes.peek?.(at, WINDOW_BYTES) ?? new Uint8Array(0);
      window = new DataView(part.buffer, part.byteOffset, part.byteLength);
      windowAt = at;
    }
    byteSize = window.getUint32(at - windowAt, true);
    at += TEXT_LENGTH_BYTES + byteSize;
  }
  if (at > total) {
    return { count, danglingByteSize: 0, cut: { byteSize, available: total - (at - byteSize) } };
  }
  return { count, danglingByteSize: total - at, cut: undefined };
}

function walkChunks(bytes: TensorBytes, expectedCount: number): TextWalk {
  let count = 0;
  let byteSize = 0;
  let payloadLeft = 0;
  let lengthWord = 0;
  let lengthBytes = 0;
  for (const chunk of bytes.chunks) {
    let at = 0;
    while (at < chunk.byteLength) {
      if (payloadLeft > 0) {
        const step = Math.min(payloadLeft, chunk.byteLength - at);
        at += step;
        payloadLeft -= step;
        continue;
      }
      lengthWord += (chunk[at] ?? 0) * 2 ** (8 * lengthBytes);
      at += 1;
      lengthBytes += 1;
      if (lengthBytes < TEXT_LENGTH_BYTES) continue;
      count += 1;
      if (count > expectedCount) return { count, danglingByteSize: 0, cut: undefined };
      byteSize = lengthWord;
      payloadLeft = lengthWord;
      lengthWord = 0;
      lengthBytes = 0;
    }
  }
  const cut = payloadLeft > 0 ? { byteSize, available: byteSize - payloadLeft } : undefined;
  return { count, danglingByteSize: lengthBytes, cut };
}
