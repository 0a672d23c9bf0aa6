// The figures of a run as a table for a page.

import os from 'node:os';

import type { ClassResult } from './run-class.ts';

/**
 * Markdown: a line about the run, and a row for each class. Names the machine's cores and its load, since times
 * depend on them.
 */
export function reportText(results: readonly ClassResult[], seed: number): string {
  const total = results.reduce((sum, { inputs }) => sum + inputs, 0);
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  const rows = results.map(
    ({ name, sends, inputs, seconds: took, slowestPulseMs, longestHoldMs, before, after, faults }) =>
      `| \`${name}\` | ${sends} | ${inputs} | ${took.toFixed(0)} | ${slowestPulseMs} | ${longestHoldMs} | ${before.descriptors} / ${after.descriptors} | ${before.threads} / ${after.threads} | ${before.heapMiB} / ${after.heapMiB} | ${before.residentMiB} / ${after.residentMiB} | ${faults.length} |`,
  );
  return [
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, seed ${seed}, Node ${process.versions.node}, ${os.cpus().length} cores, load average at the end ${os.loadavg()[0]?.toFixed(0)}: ${total} inputs in ${(seconds / 60).toFixed(1)} minutes.`,
    '',
    '| Class | Sends | Inputs | Seconds | Slowest answers to others, ms | Loop held, ms | Descriptors | Threads | Heap, MiB | Resident, MiB | Findings |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
