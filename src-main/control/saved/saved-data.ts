// A saved playground request as the input data of a load test, in perf_analyzer's JSON form: one entry per row of its
// batch, since a load test makes batches by itself. Bytes travel as base64, so nothing is rounded.

import type { SavedRequest } from '../../../src-shared/contract/inference-calls.ts';
import type { ClientTensor } from '../../client/infer-client.ts';
import type { ReadBlob } from '../../playground/input-builder.ts';
import { buildInput } from '../../playground/input-builder.ts';
import { savedErrors } from './saved-errors.ts';

/** `isBatched`: the first dimension of every input counts rows. Rejects with INVALID_ARG naming the input at fault. */
export async function savedDataText(
  { name, request }: SavedRequest,
  { isBatched, readBlob }: { readonly isBatched: boolean; readonly readBlob: ReadBlob },
): Promise<string> {
  const inputs = await Promise.all(request.inputs.map((input) => buildInput(input, readBlob)));
  const rowCount = isBatched ? (inputs[0]?.shape[0] ?? 1) : 1;
  const odd = isBatched ? inputs.find(({ shape }) => shape[0] !== rowCount) : undefined;
  if (odd !== undefined || rowCount === 0)
    throw savedErrors.noCommonRows({
      name,
      input: odd?.name ?? inputs[0]?.name ?? '',
      rows: odd?.shape[0] ?? 0,
      first: rowCount,
    });
  const columns = inputs.map((input) => (isBatched ? rowsOf(input, rowCount) : [bytesOf(input)]));
  const data = Array.from({ length: rowCount }, (_, row) =>
    Object.fromEntries(
      inputs.map((input, at) => [
        input.name,
        {
          content: { b64: Buffer.from(columns[at]?.[row] ?? []).toString('base64') },
          shape: isBatched ? input.shape.slice(1) : input.shape,
        },
      ]),
    ),
  );
  return JSON.stringify({ data });
}

function bytesOf({ bytes }: ClientTensor): Uint8Array {
  return bytes;
}

function rowsOf(input: ClientTensor, rowCount: number): readonly Uint8Array[] {
  const { bytes, datatype } = input;
  if (datatype !== 'BYTES') {
    const size = bytes.byteLength / rowCount;
    return Array.from({ length: rowCount }, (_, row) => bytes.subarray(row * size, (row + 1) * size));
  }
  const elements = input.shape.slice(1).reduce((product, dim) => product * dim, 1);
  return Array.from({ length: rowCount }, (_, row) => row).reduce<{ at: number; rows: Uint8Array[] }>(
    ({ at, rows }) => {
      const end = afterElements(bytes, at, elements);
      return { at: end, rows: [...rows, bytes.subarray(at, end)] };
    },
    { at: 0, rows: [] },
  ).rows;
}

/** Where `count` length-prefixed elements from `start` on end. */
function afterElements(bytes: Uint8Array, start: number, count: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;
  for (let element = 0; element < count; element += 1) at += 4 + view.getUint32(at, true);
  return at;
}
