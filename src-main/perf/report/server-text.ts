// The server's part of a level as text: one model, and the models behind it, further in.

import type { PerfServerTimes } from '../../../src-shared/contract/perf-views.ts';
import { usecText } from './number-text.ts';

/** Lines that each begin with `indent` and end with a line break. */
export function serverBlock(times: PerfServerTimes, indent: string): string {
  if (times.successCount === 0) return `${indent}Request count: 0\n`;
  const lines = [
    `Inference count: ${times.inferenceCount}`,
    `Execution count: ${times.executionCount}`,
    ...(times.hasCache
      ? [`Cache hit count: ${times.cacheHitCount}`, `Cache miss count: ${times.cacheMissCount}`]
      : []),
    `Successful request count: ${times.successCount}`,
    `Avg request latency: ${usecText(times.requestUs)} usec ${bracket(times)}`,
    ...(times.hasCache ? cacheLines(times) : []),
  ];
  const own = lines.map((line) => `${indent}${line}\n`).join('');
  return times.composing.length === 0 ? own : `${own}\n${composingText(times.composing, indent)}`;
}

function bracket(times: PerfServerTimes): string {
  const computeUs = times.inputUs + times.inferUs + times.outputUs;
  const head = `(overhead ${usecText(times.overheadUs)} usec + queue ${usecText(times.queueUs)} usec`;
  if (times.hasCache)
    return `${head} + cache hit/miss ${usecText(Math.max(0, times.requestUs - times.overheadUs - times.queueUs))} usec)`;
  if (times.isEnsemble) return `${head} + compute ${usecText(computeUs)} usec)`;
  return `${head} + compute input ${usecText(times.inputUs)} usec + compute infer ${usecText(times.inferUs)} usec + compute output ${usecText(times.outputUs)} usec)`;
}

function cacheLines(times: PerfServerTimes): string[] {
  const missUs = times.cacheMissUs + times.inputUs + times.inferUs + times.outputUs;
  return [
    `  Average Cache Hit Latency: ${usecText(times.cacheHitUs)} usec`,
    `  Average Cache Miss Latency: ${usecText(missUs)} usec (cache lookup/insertion ${usecText(times.cacheMissUs)} usec + compute input ${usecText(times.inputUs)} usec + compute infer ${usecText(times.inferUs)} usec + compute output ${usecText(times.outputUs)} usec)`,
  ];
}

function composingText(composing: readonly PerfServerTimes[], indent: string): string {
  const blocks = composing.map(
    (step) => `${indent}${step.model}, version: ${step.version}\n${serverBlock(step, `${indent}  `)}`,
  );
  return `${indent}Composing models: \n${blocks.join('\n')}`;
}
