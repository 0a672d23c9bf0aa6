// Bytes between page and engine, in pieces small enough that no message is large. Blobs belong to whoever made them, and
// are released or pushed out.

import { z } from 'zod';

import { defineCall } from './define.ts';

/** Of one message. */
const MOST_BYTES = 49_152;

/** Places in a blob that lie at even distances: `unit` bytes at each, row after row. */
const gridSchema = z.object({
  blob: z.string(),
  offset: z.int().min(0),
  unit: z.int().min(1),
  columns: z.int().min(1).max(MOST_BYTES),
  /** Bytes from one column to the next. */
  columnStep: z.int().min(1),
  rows: z.int().min(1).max(MOST_BYTES),
  rowStep: z.int().min(1),
});

/** Everything about the bytes of blobs. */
export const blobCalls = [
  defineCall('blob/create', z.object({}))<{ readonly blob: string }>(),
  defineCall('blob/append', z.object({ blob: z.string(), base64: z.string().max(66_000) }))<{
    readonly byteSize: number;
  }>(),
  defineCall(
    'blob/read',
    z.object({ blob: z.string(), offset: z.number(), byteSize: z.number().max(MOST_BYTES) }),
  )<{
    readonly base64: string;
    readonly totalByteSize: number;
  }>(),
  /** Every so many-th element of a large table or picture. */
  defineCall(
    'blob/readGrid',
    gridSchema.refine(({ unit, columns, rows }) => unit * columns * rows <= MOST_BYTES),
  )<{ readonly base64: string }>(),
  defineCall('blob/release', z.object({ blob: z.string() }))<void>(),
] as const;
