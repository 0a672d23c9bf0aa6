// Whether a model gives each row the same result alone and in a batch: random inputs at batch 1, 2 and 3, each row
// compared with its single run. Runs in a session of its own; nothing of the repository is touched.

import type { DataType } from '../../../src-shared/datatypes.ts';
import { elementByteSize } from '../../../src-shared/datatypes.ts';
import type { BatchProbeResult } from '../../../src-shared/contract/config-calls.ts';
import { toServerError } from '../../../src-shared/errors.ts';
import type { BareTensor } from '../../backends/onnxruntime/bare-run-messages.ts';
import { BareSession } from '../../backends/onnxruntime/bare-run.ts';
import { firstDimensionObstacle } from '../../onnx/dynamic-first-dimension.ts';
import { inspectAnyFile } from '../../onnx/onnx-inspection.ts';
import { decodeElements } from '../../tensor/value-codec.ts';
import { probeInputs, probeTensor, type ProbeInput } from './probe-rows.ts';

const TOLERANCE = 1e-4;
const ROWS = 3;
/**
 * Never rejects but for an abort: a model that cannot be probed is an answer that says why. Needs inputs with a
 * first dimension of -1.
 */
export async function batchProbe(file: string, signal: AbortSignal): Promise<BatchProbeResult> {
  const { description, problem } = await inspectAnyFile(file, { signal });
  if (problem !== undefined) return cannotRun(byName(problem, file));
  const fixed = description.inputs.find(({ isOptional, shape }) => !isOptional && shape[0] !== -1);
  if (fixed !== undefined) {
    const size = fixed.shape[0];
    const said = size === undefined ? 'has no dimensions' : `has a fixed first dimension of ${size}`;
    return {
      ...cannotRun(`input '${fixed.name}' ${said}, so there is no batch to probe`),
      canMakeDynamic: firstDimensionObstacle(description) === undefined,
    };
  }
  const inputs = probeInputs(description, 1);
  if ('problem' in inputs) return cannotRun(inputs.problem);
  const session = new BareSession(file);
  try {
    return await probe(session, inputs, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    return cannotRun(byName(toServerError(thrown).message, file));
  } finally {
    await session.close();
  }
}

/** Where an upload was put means nothing to whoever dropped it. */
function byName(message: string, file: string): string {
  return message.replaceAll(file, file.split(/[\\/]/).at(-1) ?? file);
}

function cannotRun(message: string): BatchProbeResult {
  return { verdict: 'cannot-run', maxDifference: 0, message, canMakeDynamic: false };
}

async function probe(
  session: BareSession,
  inputs: readonly ProbeInput[],
  signal: AbortSignal,
): Promise<BatchProbeResult> {
  const rows = Array.from({ length: ROWS }, (_, row) => inputs.map((input) => probeTensor(input, row)));
  const single: (readonly BareTensor[])[] = [];
  for (const row of rows) single.push(await session.run({ inputs: row, outputs: [] }, signal));
  let worst = 0;
  for (let size = 2; size <= ROWS; size += 1) {
    const batch = inputs.map((_, index) =>
      joined(rows.slice(0, size).map((row) => row[index] as BareTensor)),
    );
    const outputs = await session.run({ inputs: batch, outputs: [] }, signal).catch((thrown: unknown) => {
      signal.throwIfAborted();
      return bakedIn(toServerError(thrown).message, size);
    });
    if (typeof outputs === 'string') return unsafe(Infinity, outputs);
    for (const output of outputs) {
      if (output.shape[0] !== size) {
        const shape = output.shape.join(',');
        return unsafe(
          Infinity,
          `With a batch of ${size}, output '${output.name}' has shape [${shape}]: its first dimension is not the batch.`,
        );
      }
      worst = Math.max(worst, rowDifference(output, single, size));
    }
  }
  const shown = worst === 0 ? '0' : worst.toExponential(1);
  if (worst > TOLERANCE) {
    return unsafe(worst, `Rows influence each other: results in a batch differ by up to ${shown}.`);
  }
  const message = `Batching is safe: rows differ by at most ${shown}.`;
  return { verdict: 'safe', maxDifference: worst, message, canMakeDynamic: false };
}

function unsafe(maxDifference: number, message: string): BatchProbeResult {
  return { verdict: 'unsafe', maxDifference, message, canMakeDynamic: false };
}

/** Single rows ran, so what fails now has the batch of 1 written into the graph. */
function bakedIn(reason: string, size: number): string {
  const node = /Name:'([^']+)'/.exec(reason)?.[1];
  return node === undefined
    ? `A batch of 1 runs, a batch of ${size} fails: ${reason}`
    : `The graph has a batch of 1 baked in at node ${node}: a batch of ${size} fails there.`;
}

function joined(parts: readonly BareTensor[]): BareTensor {
  const [first] = parts;
  if (first === undefined) throw new RangeError('no rows');
  return {
    ...first,
    shape: [parts.length, ...first.shape.slice(1)],
    bytes: Buffer.concat(parts.map(({ bytes }) => bytes)),
    texts: first.texts === undefined ? undefined : parts.flatMap(({ texts }) => texts ?? []),
  };
}

/** Largest difference of any row to its single run. */
function rowDifference(output: BareTensor, single: readonly (readonly BareTensor[])[], size: number): number {
  let worst = 0;
  for (let row = 0; row < size; row += 1) {
    const alone = single[row]?.find(({ name }) => name === output.name);
    if (alone === undefined) return Infinity;
    if (output.texts !== undefined) {
      const perRow = output.texts.length / size;
      const same = alone.texts?.every((text, at) => text === output.texts?.[row * perRow + at]) === true;
      worst = Math.max(worst, same ? 0 : Infinity);
      continue;
    }
    const byteSize = output.bytes.byteLength / size;
    const part = output.bytes.subarray(row * byteSize, (row + 1) * byteSize);
    worst = Math.max(worst, elementDifference(part, alone.bytes, output.datatype));
  }
  return worst;
}

function elementDifference(a: Uint8Array, b: Uint8Array, datatype: DataType): number {
  if (datatype === 'BYTES' || elementByteSize(datatype) === 0 || a.byteLength !== b.byteLength)
    return Infinity;
  const right = decodeElements(b, datatype, Infinity);
  return decodeElements(a, datatype, Infinity).reduce<number>((worst, value, at) => {
    const x = Number(value);
    const y = Number(right[at]);
    const same = x === y || (Number.isNaN(x) && Number.isNaN(y));
    return same ? worst : Math.max(worst, Math.abs(x - y));
  }, 0);
}
