// Reads the structure of an .onnx file without its weights, in pieces, so a file of many gigabytes costs what its
// graph costs. Weight bytes are passed over by offset. Errors say what is wrong at which byte of which field.

import type { FileHandle } from 'node:fs/promises';

import { ServerError } from '../../src-shared/errors.ts';
import { openRegularFile } from '../base/regular-file.ts';
import type { OnnxModel } from './onnx-model.ts';
import { MODEL, newModel } from './onnx-tables.ts';
import { WireCursor, readMessage } from './wire-cursor.ts';
import type { Decoding, MessageTable } from './wire-cursor.ts';
import { onnxErrors } from './onnx-errors.ts';

const WINDOW_BYTE_SIZE = 256 * 1024;

/** Reading stops between two pieces of the file once `signal` aborts, with the signal's reason. */
export interface ReadOnnxOptions {
  readonly signal?: AbortSignal | undefined;
}

/**
 * Structure of the file at `path`. Throws INVALID_ARG when it is no readable ONNX file (empty, truncated, corrupt,
 * a pointer to large-file storage), INTERNAL when the file cannot be examined, the signal's reason when aborted.
 */
export async function readOnnx(path: string, options: ReadOnnxOptions = {}): Promise<OnnxModel> {
  const draft = newModel();
  const fileByteSize = await decodeOnnxFile(path, draft, MODEL, options);
  const { graph, ...rest } = draft;
  if (graph === undefined) throw onnxErrors.invalid({ file: path, reason: 'it holds no graph' });
  return { ...rest, graph, fileByteSize };
}

/** Reads what `table` names of the file into `into` and answers the file's size; rejects like `readOnnx`. */
export async function decodeOnnxFile<T>(
  path: string,
  into: T,
  table: MessageTable<T>,
  options: ReadOnnxOptions = {},
): Promise<number> {
  const { handle: file, byteSize } = await openRegularFile(path).catch((thrown: unknown) => {
    if (thrown instanceof ServerError) throw thrown;
    throw onnxErrors.unreadable({ file: path }, { cause: thrown });
  });
  try {
    await readFrom(file, new WireCursor(path, byteSize), { path, into, table, signal: options.signal });
    return byteSize;
  } finally {
    await file.close();
  }
}

interface Reading<T> {
  readonly path: string;
  readonly into: T;
  readonly table: MessageTable<T>;
  readonly signal: AbortSignal | undefined;
}

async function readFrom<T>(
  file: FileHandle,
  cursor: WireCursor,
  { path, into, table, signal }: Reading<T>,
): Promise<void> {
  const { fileByteSize } = cursor;
  if (fileByteSize === 0) throw onnxErrors.invalid({ file: path, reason: 'it is empty' });
  await loadWindow(file, cursor, WINDOW_BYTE_SIZE);
  refuseKnownStrangers(cursor, path);
  signal?.throwIfAborted();
  const decoding: Decoding<void> = readMessage(cursor, fileByteSize, into, table);
  for (let step = decoding.next(); step.done !== true; step = decoding.next()) {
    signal?.throwIfAborted();
    await loadWindow(file, cursor, step.value);
  }
}

/** Loads a window that starts at the cursor and holds at least `byteCount` bytes, or all that is left. */
async function loadWindow(file: FileHandle, cursor: WireCursor, byteCount: number): Promise<void> {
  const start = cursor.position;
  const left = cursor.fileByteSize - start;
  const bytes = new Uint8Array(Math.min(left, Math.max(byteCount, WINDOW_BYTE_SIZE)));
  let filled = 0;
  while (filled < bytes.byteLength) {
    const { bytesRead } = await file.read(bytes, filled, bytes.byteLength - filled, start + filled);
    if (bytesRead === 0) cursor.fail('the file became shorter while it was read');
    filled += bytesRead;
  }
  cursor.load(start, bytes);
}

const STRANGERS: readonly (readonly [start: string, what: string])[] = [
  ['version https://git-lfs', 'it is a Git LFS pointer; fetch the real file with "git lfs pull"'],
  ['<!DOCTYPE', 'it is an HTML page'],
  ['<html', 'it is an HTML page'],
  ['PK\u0003\u0004', 'it is a zip archive'],
];

function refuseKnownStrangers(cursor: WireCursor, path: string): void {
  const start = cursor.text(Math.min(32, cursor.fileByteSize));
  cursor.position = 0;
  const stranger = STRANGERS.find(([prefix]) => start.startsWith(prefix));
  if (stranger !== undefined) throw onnxErrors.invalid({ file: path, reason: stranger[1] });
}
