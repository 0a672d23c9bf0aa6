// The report that `conch perf` prints: settings, one block per level, a closing table, in the reference's words.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfGpu, PerfLevel } from '../../../src-shared/contract/perf-views.ts';
import type { LoadModel } from '../data/load-model.ts';
import { stabilizingLatencyUs } from '../measure/stability.ts';
import { LATE_SHARE, lateShare } from '../measure/verdicts.ts';
import { rangeOf } from '../options/load-options.ts';
import { doubleText, usecText } from './number-text.ts';
import { serverBlock } from './server-text.ts';

const OVERHEAD_LIMIT_PERCENT = 50;
const MAX_GPUS = 16;

/** `sequenceModel`: asynchronous calls, as sequence models are measured. */
export function settingsText(plan: PerfPlan, model: LoadModel): string {
  const { measurement, load } = plan;
  const isAsync = plan.isAsync || plan.isStreaming || model.isSequence;
  const lines = ['*** Measurement Settings ***', `  Batch size: ${plan.batchSize}`, '  Service Kind: TRITON'];
  if (measurement.warmupRequestCount > 0)
    lines.push(`  Sending ${measurement.warmupRequestCount} warmup request(s)`);
  if (measurement.fixedRequestCount > 0) {
    lines.push(`  Sending ${measurement.fixedRequestCount} benchmark request(s)`);
  } else {
    lines.push(
      `  Using "${measurement.mode === 'count' ? 'count_windows' : 'time_windows'}" mode for stabilization`,
      `  Stabilizing using ${stabilizingText(measurement.percentile, isAsync)}`,
      measurement.mode === 'count'
        ? `  Minimum number of samples in each window: ${measurement.requestCount}`
        : `  Measurement window: ${measurement.intervalMs} msec`,
    );
  }
  if (measurement.latencyLimitMs > 0 || isRange(plan))
    lines.push(`  Latency limit: ${doubleText(measurement.latencyLimitMs)} msec`);
  lines.push(...limitLines(plan));
  if ('levels' in load && load.levels.kind === 'binary') lines.push('  Using Binary Search algorithm');
  lines.push(`  Using ${isAsync ? 'asynchronous' : 'synchronous'} calls for inference`);
  if (model.isDecoupled)
    lines.push('  Detected decoupled model, using the first response for measuring latency');
  return `${lines.join('\n')}\n\n`;
}

function stabilizingText(percentile: number, isAsync: boolean): string {
  if (isAsync) return 'throughput';
  return percentile === 0 ? 'average latency and throughput' : `p${percentile}latency and throughput`;
}

function isRange({ load }: PerfPlan): boolean {
  const range = rangeOf(load);
  return range !== undefined && (range.kind === 'binary' || !range.isSingle);
}

function limitLines(plan: PerfPlan): string[] {
  const { load } = plan;
  const end = rangeOf(load)?.end ?? 0;
  if (load.kind === 'concurrency')
    return isRange(plan) ? [`  Concurrency limit: ${end} concurrent requests`] : [];
  if (load.kind !== 'request-rate') return [];
  const generation =
    load.distribution === 'poisson'
      ? '  Using poisson distribution on request generation'
      : '  Using uniform distribution on request generation';
  const limit = `  Request Rate limit: ${doubleText(end)} requests per seconds`;
  return isRange(plan) ? [limit, generation] : [generation];
}

/** The line above the numbers of one load. */
export function levelHeader({
  unit,
  value,
}: {
  readonly unit: PerfLevel['unit'];
  readonly value: number;
}): string {
  return unit === 'concurrency'
    ? `Request concurrency: ${value}\n`
    : `Request Rate: ${doubleText(value)} inference requests per second\n`;
}

/** One line per window, for -v. */
export function passText(index: number, window: PerfLevel['windows'][number], percentile: number): string {
  const latency =
    percentile === 0
      ? `Avg latency: ${usecText(window.meanUs)} usec (std ${usecText(window.deviationUs)} usec). `
      : `p${percentile} latency: ${usecText(stabilizingLatencyUs(window, percentile))} usec`;
  return `  Pass [${index}] throughput: ${doubleText(window.inferPerSecond)} infer/sec. ${latency}\n`;
}

/** The block of one load: what the client measured, then what the server said. */
export function levelText(level: PerfLevel, plan: PerfPlan, model: LoadModel, verbosity: number): string {
  const client = clientLines(level, plan, model, verbosity);
  const server =
    level.result.server === undefined ? '' : `  Server: \n${serverBlock(level.result.server, '    ')}`;
  return `  Client: \n${client.join('\n')}\n${server}${gpuText(level.gpus)}${overheadText(level)}\n`;
}

function clientLines(
  { result, value, unit, firstError }: PerfLevel,
  plan: PerfPlan,
  model: LoadModel,
  verbosity: number,
): string[] {
  const lines = [`    Request count: ${result.requestCount}`];
  if (result.errorCount > 0)
    lines.push(`    Failed request count: ${result.errorCount}`, `    First error: ${firstError}`);
  const seconds = result.durationMs / 1000;
  if (model.isSequence) {
    lines.push(
      `    Sequence count: ${result.sequenceCount} (${doubleText(result.sequenceCount / seconds)} seq/sec)`,
    );
  }
  if (unit === 'request-rate' && lateShare(result) > LATE_SHARE) {
    lines.push(
      `    Avg send request rate: ${(result.sentCount / seconds).toFixed(2)} infer/sec`,
      `    [WARNING] Perf Analyzer was not able to keep up with the desired request rate. ${(lateShare(result) * 100).toFixed(2)}% of the requests were delayed. `,
    );
  }
  lines.push(`    Throughput: ${doubleText(result.inferPerSecond)} infer/sec`);
  if (model.isDecoupled)
    lines.push(`    Response Throughput: ${doubleText(result.responsePerSecond)} infer/sec`);
  if (verbosity > 0) lines.push(`    Avg client overhead: ${result.overheadPercent.toFixed(2)}%`);
  const { percentile } = plan.measurement;
  if (percentile === 0) {
    lines.push(
      `    Avg latency: ${usecText(result.meanUs)} usec (standard deviation ${usecText(result.deviationUs)} usec)`,
    );
  }
  for (const [rank, latencyUs] of Object.entries(result.percentilesUs))
    lines.push(`    p${rank} latency: ${usecText(latencyUs)} usec`);
  if (result.fromDueUs !== undefined && lateShare(result) > LATE_SHARE) {
    const waited = Object.entries(result.fromDueUs).map(([rank, us]) => `p${rank} ${usecText(us)}`);
    lines.push(
      `    Latency from the time a request was due${value === 0 ? '' : ` at ${doubleText(value)}/sec`}: ${waited.join(', ')} usec`,
    );
  }
  lines.push(transportText(result, plan, verbosity));
  return lines;
}

function transportText(result: PerfLevel['result'], plan: PerfPlan, verbosity: number): string {
  const { meanUs, sendUs, receiveUs } = result;
  const waitUs = Math.max(0, meanUs - sendUs - receiveUs);
  const total = usecText(meanUs);
  const wait = `response wait ${usecText(waitUs)} usec`;
  if (plan.protocol === 'http') {
    return verbosity > 0
      ? `    Avg HTTP time: ${total} usec (send ${usecText(sendUs)} usec + ${wait} + receive ${usecText(receiveUs)} usec)`
      : `    Avg HTTP time: ${total} usec (send/recv ${usecText(sendUs + receiveUs)} usec + ${wait})`;
  }
  return verbosity > 0
    ? `    Avg gRPC time: ${total} usec (marshal ${usecText(sendUs)} usec + ${wait} + unmarshal ${usecText(receiveUs)} usec)`
    : `    Avg gRPC time: ${total} usec ((un)marshal request/response ${usecText(sendUs + receiveUs)} usec + ${wait})`;
}

function gpuText(gpus: readonly PerfGpu[]): string {
  if (gpus.length === 0) return '';
  if (gpus.length > MAX_GPUS)
    return '  Server Prometheus Metrics: \n    Too many GPUs to show here; write them with -f and --verbose-csv\n';
  const block = (title: string, unit: string, value: (gpu: PerfGpu) => number): string =>
    `    ${title}:\n${gpus.map((gpu) => `      ${gpu.uuid} : ${doubleText(value(gpu))}${unit}\n`).join('')}`;
  return [
    '  Server Prometheus Metrics: \n',
    block('Avg GPU Utilization', '%', ({ utilizationPercent }) => utilizationPercent),
    block('Avg GPU Power Usage', ' watts', ({ powerWatts }) => powerWatts),
    block('Max GPU Memory Usage', ' bytes', ({ usedByteSize }) => usedByteSize),
    block('Total GPU Memory', ' bytes', ({ totalByteSize }) => totalByteSize),
  ].join('');
}

function overheadText({ result }: PerfLevel): string {
  if (result.overheadPercent <= OVERHEAD_LIMIT_PERCENT) return '';
  return '[WARNING] Perf Analyzer is not able to keep up with the desired load. The results may not be accurate.\n';
}

/** The table at the end. */
export function closingText(levels: readonly PerfLevel[], percentile: number): string {
  const measure = percentile === 0 ? 'Average' : `p${percentile}`;
  const rows = levels.map((level) => {
    const load =
      level.unit === 'concurrency'
        ? `Concurrency: ${level.value}`
        : `Request Rate: ${doubleText(level.value)}`;
    const latency = usecText(stabilizingLatencyUs(level.result, percentile));
    return `${load}, throughput: ${doubleText(level.result.inferPerSecond)} infer/sec, latency ${latency} usec\n`;
  });
  return `Inferences/Second vs. Client ${measure} Batch Latency\n${rows.join('')}`;
}
