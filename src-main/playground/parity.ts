// Parity: the same tensors through the server and through a bare ONNX Runtime session on the CPU, compared element by
// element. Tells the first differing place.

import type { TensorDifference } from '../../src-shared/contract/inference-calls.ts';
import type { DataType } from '../../src-shared/datatypes.ts';
import { elementByteSize, isDataType } from '../../src-shared/datatypes.ts';
import type { TensorElement } from '../../src-shared/tensor/element-difference.ts';
import { ElementDifferences } from '../../src-shared/tensor/element-difference.ts';
import type { BareTensor } from '../backends/onnxruntime/bare-run-messages.ts';
import { BareSession } from '../backends/onnxruntime/bare-run.ts';
import type { ClientRequest, ClientTensor } from '../client/infer-client.ts';
import { decodeElements, decodeValues, encodeTexts } from '../tensor/value-codec.ts';
import { elementRange, inChunks } from './element-chunks.ts';

/** How two answers compare, as a whole and by output. */
export interface ParityReport {
  readonly verdict: 'match' | 'differ' | 'cannot-compare';
  readonly message: string;
  readonly outputs: readonly TensorDifference[];
  /** Differences up to this, absolute or relative, count as none. */
  readonly tolerance: number;
}

/** Both answers of one output; undefined = plain ONNX Runtime gave none of that name. */
export interface AnswerPair {
  readonly served: ClientTensor;
  readonly bare: ClientTensor | undefined;
}

/** `answers`: both tensors of each output, so that the page can show what differs. */
export interface BareComparison extends ParityReport {
  readonly answers: readonly AnswerPair[];
}

/** What the server gave for the same rows in a larger batch. */
export interface BatchedAnswer {
  readonly batchSize: number;
  /** The outputs for the rows of the request; a text when the server refused. */
  readonly outputs: readonly ClientTensor[] | string;
}

/** Absolute differences, and differences in shares of the value, up to this count as equal. */
const TOLERANCE = 1e-5;

/** A request and its answer, to be compared with what the file alone gives. */
export interface Served {
  readonly request: ClientRequest;
  /** What the server gave for it. */
  readonly outputs: readonly ClientTensor[];
  /** Asked for when the request alone matches; undefined when it cannot be batched. */
  readonly inBatch: () => Promise<BatchedAnswer | undefined>;
}

/**
 * Runs the model file with the same inputs beside the server, and says for each output how far the two are
 * apart.
 */
export async function compareWithBare(
  modelFile: string,
  { request, outputs: served, inBatch }: Served,
  signal: AbortSignal,
): Promise<BareComparison> {
  const inputs = request.inputs.map(bareTensor);
  if (inputs.some((input) => input === undefined)) {
    return cannotCompare('An input has a type that a bare session cannot take.');
  }
  const session = new BareSession(modelFile);
  try {
    const outputs = served.map(({ name }) => name);
    const bare = await session.run(
      { inputs: inputs.filter((input) => input !== undefined), outputs },
      signal,
    );
    const alone = await reportOf(served, bare);
    const report = alone.verdict === 'match' ? await withBatch(alone, bare, await inBatch()) : alone;
    const answers = served.map((tensor) => ({ served: tensor, bare: wireTensor(bare, tensor.name) }));
    return { ...report, answers };
  } finally {
    await session.close();
  }
}

/** A comparison that was not made, and why. */
export function cannotCompare(message: string): BareComparison {
  return { verdict: 'cannot-compare', message, outputs: [], tolerance: TOLERANCE, answers: [] };
}

/** A request that matches alone, looked at again among other rows. */
async function withBatch(
  alone: ParityReport,
  bare: readonly BareTensor[],
  batched: BatchedAnswer | undefined,
): Promise<ParityReport> {
  if (batched === undefined) return alone;
  const { batchSize, outputs } = batched;
  const only = `Alone the outputs match plain ONNX Runtime, in a batch of ${batchSize}`;
  if (typeof outputs === 'string') {
    return { ...alone, verdict: 'differ', message: `${only} the server fails: ${outputs}` };
  }
  const together = await reportOf(outputs, bare);
  if (together.verdict === 'match') {
    return { ...alone, message: `${alone.message} So they do in a batch of ${batchSize}.` };
  }
  const where =
    together.outputs.find(({ firstDiffering }) => firstDiffering !== undefined)?.firstDiffering ?? '';
  const message = `${only} they differ at ${where}. The rows of a batch influence each other.`;
  return { ...together, message };
}

function bareTensor({ name, datatype, shape, bytes }: ClientTensor): BareTensor | undefined {
  if (!isDataType(datatype) || datatype === 'BF16') return undefined;
  const isText = datatype === 'BYTES';
  return {
    name,
    datatype,
    shape,
    bytes: isText ? new Uint8Array() : bytes,
    texts: isText ? decodeValues(bytes, 'BYTES', Infinity) : undefined,
  };
}

/** In wire layout. */
function wireTensor(tensors: readonly BareTensor[], name: string): ClientTensor | undefined {
  const found = tensors.find((tensor) => tensor.name === name);
  if (found === undefined) return undefined;
  const { datatype, shape, bytes, texts } = found;
  return { name, datatype, shape: [...shape], bytes: texts === undefined ? bytes : encodeTexts(texts) };
}

async function reportOf(served: readonly ClientTensor[], bare: readonly BareTensor[]): Promise<ParityReport> {
  const outputs: TensorDifference[] = [];
  for (const tensor of served) {
    outputs.push(
      await compareTensors(
        tensor,
        bare.find(({ name }) => name === tensor.name),
      ),
    );
  }
  const worst = Math.max(0, ...outputs.map(({ maxAbsolute }) => maxAbsolute ?? 0));
  const different = outputs.find(({ firstDiffering }) => firstDiffering !== undefined);
  if (different === undefined) {
    const shown = worst === 0 ? '0' : worst.toExponential(1);
    return {
      verdict: 'match',
      message: `Outputs match plain ONNX Runtime (largest difference ${shown}).`,
      outputs,
      tolerance: TOLERANCE,
    };
  }
  return {
    verdict: 'differ',
    tolerance: TOLERANCE,
    message: `Outputs differ from plain ONNX Runtime at ${different.firstDiffering}.`,
    outputs,
  };
}

/** Outputs of two bare sessions. */
export async function compareBare(a: BareTensor, b: BareTensor | undefined): Promise<TensorDifference> {
  return compareTensors({ ...a, shape: [...a.shape] }, b);
}

/** See `ElementDifferences`. */
export async function compareTensors(
  served: ClientTensor,
  other: Comparable | undefined,
  tolerance = TOLERANCE,
): Promise<TensorDifference> {
  const { name, datatype } = served;
  const unlike = (where: string): TensorDifference => ({
    name,
    maxAbsolute: undefined,
    maxRelative: undefined,
    firstDiffering: where,
  });
  if (other === undefined) return unlike(`${name}: there is no such output to compare with`);
  if (!isDataType(datatype) || datatype !== other.datatype) {
    return unlike(`${name}: ${datatype} and ${other.datatype}`);
  }
  const [a, b] = [elementsOf(served, datatype), elementsOf(other, datatype)];
  if (a.count !== b.count) return unlike(`${name}: ${a.count} and ${b.count} elements`);
  const found = new ElementDifferences(tolerance);
  await inChunks(a.count, (from, to) => {
    const [left, right] = [a.range(from, to), b.range(from, to)];
    left.forEach((value, index) => found.add(from + index, value, right[index] ?? value));
  });
  return differenceOf(served, found);
}

type Comparable = Pick<ClientTensor, 'datatype' | 'bytes'> & {
  readonly texts?: readonly string[] | undefined;
};

interface Elements {
  readonly count: number;
  readonly range: (from: number, to: number) => readonly TensorElement[];
}

function elementsOf({ bytes, texts }: Comparable, datatype: DataType): Elements {
  if (datatype === 'BYTES') {
    const values = texts ?? decodeValues(bytes, datatype, Infinity);
    return { count: values.length, range: (from, to) => values.slice(from, to) };
  }
  return {
    count: Math.floor(bytes.byteLength / elementByteSize(datatype)),
    range: (from, to) => decodeElements(elementRange(bytes, datatype, from, to), datatype, Infinity),
  };
}

function differenceOf(
  { name, shape }: ClientTensor,
  { first, maxAbsolute, maxRelative }: ElementDifferences,
): TensorDifference {
  const firstDiffering =
    first === undefined
      ? undefined
      : `${name}[${indexOf(first.at, shape).join(',')}]: ${String(first.left)} and ${String(first.right)}`;
  return { name, maxAbsolute, maxRelative, firstDiffering };
}

function indexOf(flat: number, shape: readonly number[]): number[] {
  let rest = flat;
  return shape
    .toReversed()
    .map((dim) => {
      const index = rest % dim;
      rest = Math.floor(rest / dim);
      return index;
    })
    .reverse();
}
