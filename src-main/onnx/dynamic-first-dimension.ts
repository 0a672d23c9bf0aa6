// Writes a copy of an .onnx file whose inputs and outputs declare a dynamic first dimension where they declared 1.
// Nothing else changes: nodes, weights and fields this reader does not know are copied byte for byte, in pieces, so a
// file of many gigabytes needs little memory. The source is only read.

import { createWriteStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { ModelDescription, TensorDescription } from '../../src-shared/config/model-description.ts';
import { openRegularFile } from '../base/regular-file.ts';
import { describeOnnx } from './describe-onnx.ts';
import { decodeOnnxFile, readOnnx } from './onnx-reader.ts';
import { readMessage } from './wire-cursor.ts';
import type { MessageTable } from './wire-cursor.ts';
import { editWireField, wireFields } from './wire-fields.ts';
import { WireWriter } from './wire-writer.ts';
import { onnxErrors } from './onnx-errors.ts';

interface RewriteOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (writtenBytes: number, totalBytes: number) => void;
}

/** Tensors that decide whether a model can batch: inputs without a default, and all outputs. */
function batchTensors({ inputs, outputs }: ModelDescription): readonly TensorDescription[] {
  return [...inputs.filter(({ isOptional }) => !isOptional), ...outputs];
}

/** Why no dynamic first dimension can be declared; undefined = it can, at least one is 1 and the others are dynamic. */
export function firstDimensionObstacle(description: ModelDescription): string | undefined {
  const tensors = batchTensors(description);
  const other = tensors.find(({ kind, shape }) => kind !== 'tensor' || (shape[0] !== 1 && shape[0] !== -1));
  if (other !== undefined) {
    const { name, kind, shape } = other;
    if (kind !== 'tensor') return `'${name}' is a ${kind}, which has no first dimension`;
    if (shape[0] === undefined) return `'${name}' has no dimensions`;
    return `the first dimension of '${name}' is ${shape[0]}; only 1 can be made dynamic`;
  }
  return tensors.some(({ shape }) => shape[0] === 1) ? undefined : 'every first dimension is dynamic already';
}

/**
 * INVALID_ARG when `firstDimensionObstacle` says so or the file is not readable; the target must not exist. Whoever
 * names the target removes it after a failure.
 */
export async function writeDynamicFirstDimension(
  source: string,
  target: string,
  options: RewriteOptions,
): Promise<void> {
  const description = describeOnnx(await readOnnx(source, options));
  const obstacle = firstDimensionObstacle(description);
  if (obstacle !== undefined) throw onnxErrors.notMadeDynamic({ file: source, reason: obstacle });
  const { handle: file } = await openRegularFile(source);
  try {
    const edits = await planEdits(file, source, description, options.signal);
    const { size } = await file.stat();
    await pipeline(
      Readable.from(spliced(file, size, edits, options)),
      createWriteStream(target, { flags: 'wx' }),
      { signal: options.signal },
    );
  } finally {
    await file.close();
  }
  await verify(target, description, options);
}

/** "batch", or the symbol that the file gives a first dimension already, so that both are known to be the same. */
function batchSymbol(description: ModelDescription): string {
  const tensors = batchTensors(description);
  const known = tensors.map(({ symbols }) => symbols[0]).find((symbol) => symbol !== undefined);
  if (known !== undefined) return known;
  const taken = new Set(tensors.flatMap(({ symbols }) => symbols));
  let symbol = 'batch';
  while (taken.has(symbol)) symbol = `${symbol}_size`;
  return symbol;
}

// --- where the bytes are ---------------------------------------------------------------------------------------------

interface Span {
  /** First byte of the content. */
  readonly start: number;
  readonly end: number;
}

interface Places {
  readonly graphs: Span[];
  readonly values: Span[];
}

const VALUE_PLACE = (name: string): MessageTable<Places>[number] => ({
  name,
  block: (into, { position }, end) => {
    into.values.push({ start: position, end });
    return undefined;
  },
});

const GRAPH_PLACES: MessageTable<Places> = { 11: VALUE_PLACE('input'), 12: VALUE_PLACE('output') };

const MODEL_PLACES: MessageTable<Places> = {
  7: {
    name: 'graph',
    block: function* (into, cursor, end) {
      into.graphs.push({ start: cursor.position, end });
      yield* readMessage(cursor, end, into, GRAPH_PLACES);
    },
  },
};

/** Bytes of the source that are replaced, in order, without overlap. */
interface Edit extends Span {
  readonly bytes: Uint8Array;
}

async function planEdits(
  file: FileHandle,
  source: string,
  description: ModelDescription,
  signal: AbortSignal,
): Promise<readonly Edit[]> {
  const places: Places = { graphs: [], values: [] };
  await decodeOnnxFile(source, places, MODEL_PLACES, { signal });
  const [graph, ...more] = places.graphs;
  if (graph === undefined || more.length > 0) {
    throw onnxErrors.severalGraphs({ file: source, count: places.graphs.length });
  }
  const wanted = new Set(
    batchTensors(description)
      .filter(({ shape }) => shape[0] === 1)
      .map(({ name }) => name),
  );
  const symbol = batchSymbol(description);
  const edits: Edit[] = [];
  let growth = 0;
  for (const { start, end } of places.values) {
    const value = await readBytes(file, start, end - start);
    if (!wanted.has(nameOf(value, source))) continue;
    const content = withDynamicFirst(value, symbol, source);
    const from = await lengthStart(file, start);
    const bytes = new Uint8Array(Buffer.concat([varint(content.byteLength), content]));
    edits.push({ start: from, end, bytes });
    growth += bytes.byteLength - (end - from);
  }
  const length = varint(graph.end - graph.start + growth);
  const from = await lengthStart(file, graph.start);
  return [{ start: from, end: graph.start, bytes: length }, ...edits];
}

/** Name of a value; the last one counts, as everywhere in the format. */
function nameOf(value: Uint8Array, source: string): string {
  const name = wireFields(value, source).findLast(({ number }) => number === 1);
  return new TextDecoder().decode(name?.content);
}

/** value.type.tensor_type.shape.dim[0]: what it is called stays, its size becomes a symbol. */
function withDynamicFirst(value: Uint8Array, symbol: string, source: string): Uint8Array {
  const inside = (number: number, edit: (content: Uint8Array) => Uint8Array) => (message: Uint8Array) =>
    editWireField(message, number, edit, source);
  const dimension = (content: Uint8Array): Uint8Array => {
    const kept = wireFields(content, source).filter(({ number }) => number !== 1 && number !== 2);
    return new Uint8Array(
      Buffer.concat([new WireWriter().text(2, symbol).finish(), ...kept.map(({ raw }) => raw)]),
    );
  };
  return inside(2, inside(1, inside(2, inside(1, dimension))))(value);
}

/** Where the length of a content that begins at `start` begins: every byte of it but the last has its high bit set. */
async function lengthStart(file: FileHandle, start: number): Promise<number> {
  const before = await readBytes(file, start - Math.min(start, 10), Math.min(start, 10));
  let byteCount = 1;
  while ((before.at(-byteCount - 1) ?? 0) >= 0x80) byteCount += 1;
  return start - byteCount;
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Uint8Array.from([...bytes, rest]);
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  if (bytesRead < length) throw onnxErrors.shrunk();
  return bytes;
}

// --- writing ---------------------------------------------------------------------------------------------------------

const PIECE_BYTE_SIZE = 1024 * 1024;

async function* spliced(
  file: FileHandle,
  byteSize: number,
  edits: readonly Edit[],
  { onProgress }: RewriteOptions,
): AsyncGenerator<Uint8Array> {
  let position = 0;
  for (const { start, end, bytes } of [...edits, { start: byteSize, end: byteSize, bytes: undefined }]) {
    while (position < start) {
      const length = Math.min(PIECE_BYTE_SIZE, start - position);
      yield await readBytes(file, position, length);
      position += length;
      onProgress?.(position, byteSize);
    }
    if (bytes !== undefined) yield bytes;
    position = end;
  }
}

/** What was written is read again: the same model but for the first dimensions. */
async function verify(target: string, before: ModelDescription, options: RewriteOptions): Promise<void> {
  const after = describeOnnx(await readOnnx(target, options));
  const told = ({ inputs, outputs }: ModelDescription): string =>
    JSON.stringify(
      [...inputs, ...outputs].map(({ name, sourceType, shape }) => [name, sourceType, shape.slice(1)]),
    );
  const isDynamic = batchTensors(after).every(({ shape }) => shape[0] === -1);
  if (!isDynamic || told(before) !== told(after)) {
    throw onnxErrors.otherModel({ file: target });
  }
}
