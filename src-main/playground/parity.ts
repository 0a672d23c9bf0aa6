// Parity: the same tensors through the server and through a bare ONNX Runtime session on the CPU, compared element by
// element. Tells the first differing place.

import type { DataType } from '../../src-shared/datatypes.ts';
import { isDataType } from '../../src-shared/datatypes.ts';
import type { BareTensor } from '../backends/onnxruntime/bare-run.ts';
import { BareSession } from '../backends/onnxruntime/bare-run.ts';
import type { ClientRequest, ClientTensor } from '../client/infer-client.ts';
import { decodeElements, decodeValues } from '../tensor/value-codec.ts';

export interface ParityOutput {
  readonly name: string;
  readonly maxAbsolute: number;
  readonly maxRelative: number;
  /** "logits[0,17]: 0.912 and 0.344"; "" when nothing differs. */
  readonly firstDiffering: string;
}

export interface ParityReport {
  readonly verdict: 'match' | 'differ' | 'cannot-compare';
  readonly message: string;
  readonly outputs: readonly ParityOutput[];
}

/** Differences up to this share of the value count as equal. */
const TOLERANCE = 1e-5;

/** `served` are the outputs the server gave for `request`. */
export async function compareWithBare(
  modelFile: string,
  request: ClientRequest,
  served: readonly ClientTensor[],
  signal: AbortSignal,
): Promise<ParityReport> {
  const inputs = request.inputs.map(bareTensor);
  if (inputs.some((input) => input === undefined)) {
    return {
      verdict: 'cannot-compare',
      message: 'An input has a type that a bare session cannot take.',
      outputs: [],
    };
  }
  const session = new BareSession(modelFile);
  try {
    const outputs = served.map(({ name }) => name);
    const bare = await session.run(
      { inputs: inputs.filter((input) => input !== undefined), outputs },
      signal,
    );
    return report(served, bare);
  } finally {
    await session.close();
  }
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

function report(served: readonly ClientTensor[], bare: readonly BareTensor[]): ParityReport {
  const outputs = served.map((tensor) =>
    compareTensors(
      tensor,
      bare.find(({ name }) => name === tensor.name),
    ),
  );
  const worst = Math.max(0, ...outputs.map(({ maxAbsolute }) => maxAbsolute));
  const different = outputs.find(({ firstDiffering }) => firstDiffering !== '');
  if (different === undefined) {
    const shown = worst === 0 ? '0' : worst.toExponential(1);
    return {
      verdict: 'match',
      message: `Outputs match plain ONNX Runtime (largest difference ${shown}).`,
      outputs,
    };
  }
  return {
    verdict: 'differ',
    message: `Outputs differ from plain ONNX Runtime at ${different.firstDiffering}.`,
    outputs,
  };
}

export function compareTensors(served: ClientTensor, bare: BareTensor | undefined): ParityOutput {
  const { name } = served;
  const differs = (where: string): ParityOutput => ({
    name,
    maxAbsolute: Infinity,
    maxRelative: Infinity,
    firstDiffering: where,
  });
  if (bare === undefined) return differs(`${name}: a bare session gives no such output`);
  if (!isDataType(served.datatype) || served.datatype !== bare.datatype) {
    return differs(`${name}: ${served.datatype} and ${bare.datatype}`);
  }
  const [a, b] = [elements(served.bytes, served.datatype), bare.texts ?? elements(bare.bytes, bare.datatype)];
  if (a.length !== b.length) return differs(`${name}: ${a.length} and ${b.length} elements`);
  let maxAbsolute = 0;
  let maxRelative = 0;
  let firstDiffering = '';
  a.forEach((left, at) => {
    const right = b[at];
    if (left === right) return;
    const [x, y] = [Number(left), Number(right)];
    if (Number.isNaN(x) && Number.isNaN(y) && typeof left !== 'string') return;
    const absolute = typeof left === 'string' ? Infinity : Math.abs(x - y);
    const relative = absolute / Math.max(Math.abs(x), Math.abs(y), 1e-30);
    maxAbsolute = Math.max(maxAbsolute, absolute);
    maxRelative = Math.max(maxRelative, relative);
    const isFar = !(absolute <= TOLERANCE || relative <= TOLERANCE);
    if (isFar && firstDiffering === '')
      firstDiffering = `${name}[${indexOf(at, served.shape).join(',')}]: ${String(left)} and ${String(right)}`;
  });
  return { name, maxAbsolute, maxRelative, firstDiffering };
}

function elements(bytes: Uint8Array, datatype: DataType): readonly (number | bigint | boolean | string)[] {
  return datatype === 'BYTES'
    ? decodeValues(bytes, datatype, Infinity)
    : decodeElements(bytes, datatype, Infinity);
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
