// A bucket as it is kept: one text of one byte per character for its counters, its batch sizes and its latencies. Some
// twelve hundred buckets are kept per model version; as objects their fields took as much room again as the counts.

import { pushNumber, readNumbers, skipNumbers } from './packed-counts.ts';
import type { PackedCounts } from './packed-counts.ts';
import type { SeriesBucket } from './series-bucket.ts';

/** A bucket packed into a text, since a million of them are kept. */
export type SeriesRecord = string & { readonly packed: 'bucket' };

/** The plain numbers of a bucket, in the order in which they are written. */
const FIELDS = [
  'atMs',
  'bucketMs',
  'inferences',
  'executions',
  'successes',
  'failures',
  'rejected',
  'timedOut',
  'requestNs',
  'queueNs',
  'inputNs',
  'inferNs',
  'outputNs',
  'cacheHits',
  'cacheMisses',
  'cacheLookupNs',
  'cacheMissNs',
  'waiting',
  'inFlight',
] as const satisfies readonly (keyof SeriesBucket)[];

/** Values are whole numbers from 0 on; a fraction of a nanosecond is rounded. */
export function packBucket(bucket: SeriesBucket): SeriesRecord {
  const bytes: number[] = [];
  const push = (value: number): void => pushNumber(bytes, Math.max(0, Math.round(value)));
  for (const field of FIELDS) push(bucket[field]);
  push(bucket.busyNs.length);
  bucket.busyNs.forEach(push);
  push(bucket.batches.length);
  const head = Buffer.from(bytes).toString('latin1');
  // Through bytes: joined texts would stay three texts.
  return Buffer.from(head + bucket.batches + bucket.latency, 'latin1').toString('latin1') as SeriesRecord;
}

/** The bucket that was kept as this record. */
export function unpackBucket(record: SeriesRecord): SeriesBucket {
  const fields = readNumbers(record, 0, FIELDS.length + 1);
  const busyCount = fields.values[FIELDS.length] ?? 0;
  const rest = readNumbers(record, fields.end, busyCount + 1);
  const latencyAt = rest.end + (rest.values[busyCount] ?? 0);
  return {
    ...countersOf(fields.values),
    batches: record.slice(rest.end, latencyAt) as string as PackedCounts,
    latency: record.slice(latencyAt) as string as PackedCounts,
    busyNs: rest.values.slice(0, busyCount),
  };
}

/** A literal, field by field: a page that follows a chart reads some hundred records a second. */
function countersOf(values: readonly number[]): Record<(typeof FIELDS)[number], number> {
  const at = (index: number): number => values[index] ?? 0;
  return {
    atMs: at(0),
    bucketMs: at(1),
    inferences: at(2),
    executions: at(3),
    successes: at(4),
    failures: at(5),
    rejected: at(6),
    timedOut: at(7),
    requestNs: at(8),
    queueNs: at(9),
    inputNs: at(10),
    inferNs: at(11),
    outputNs: at(12),
    cacheHits: at(13),
    cacheMisses: at(14),
    cacheLookupNs: at(15),
    cacheMissNs: at(16),
    waiting: at(17),
    inFlight: at(18),
  };
}

/** When it begins, without reading the rest. */
export function recordStart(record: SeriesRecord): number {
  return readNumbers(record, 0, 1).values[0] ?? 0;
}

/** Its executions by batch size, packed as they are, without reading the rest: hundreds are added up for each look at a chart. */
export function recordBatches(record: SeriesRecord): PackedCounts {
  const busy = readNumbers(record, skipNumbers(record, 0, FIELDS.length), 1);
  const length = readNumbers(record, skipNumbers(record, busy.end, busy.values[0] ?? 0), 1);
  return record.slice(length.end, length.end + (length.values[0] ?? 0)) as string as PackedCounts;
}
