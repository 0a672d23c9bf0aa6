// Results as CSV with the reference's columns; composing models each get a table of their own.

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfGpu, PerfLevel, PerfServerTimes } from '../../../src-shared/contract/perf-views.ts';
import type { LoadModel } from '../data/load-model.ts';
import { doubleText, usecText } from './number-text.ts';

interface CsvFile {
  readonly name: string;
  readonly text: string;
}

/** The report of `-f`, with further files for the models of an ensemble. */
export interface CsvReport {
  readonly text: string;
  /** Named after the file that was asked for. */
  readonly composing: readonly CsvFile[];
  /** For standard error; undefined = nothing to say. */
  readonly note: string | undefined;
}

type CsvModel = Pick<LoadModel, 'isDecoupled'>;

interface Column {
  readonly title: string;
  readonly value: (level: PerfLevel) => string;
}

/**
 * Rows in the order of throughput, as the reference writes them. `fileName` names the files of composing
 * models.
 */
export function csvReport(
  levels: readonly PerfLevel[],
  plan: PerfPlan,
  model: CsvModel,
  options: { readonly isVerbose: boolean; readonly fileName: string },
): CsvReport {
  const rows = [...levels].sort((a, b) => a.result.inferPerSecond - b.result.inferPerSecond);
  const columns = columnsFor(rows, plan, model, options.isVerbose);
  const isNetworkZero = rows.some(
    ({ result }) => result.server !== undefined && networkUs(result, result.server) === 0,
  );
  return {
    text: tableText(columns, rows),
    composing: composingTables(rows, options.fileName),
    note: isNetworkZero
      ? 'Server-side statistics exceed the measured latency in some rows; a longer measurement interval helps.'
      : undefined,
  };
}

function tableText(columns: readonly Column[], rows: readonly PerfLevel[]): string {
  const lines = rows.map((level) => columns.map(({ value }) => value(level)).join(','));
  return `${[columns.map(({ title }) => title).join(','), ...lines].join('\n')}\n`;
}

function columnsFor(
  rows: readonly PerfLevel[],
  plan: PerfPlan,
  model: CsvModel,
  isVerbose: boolean,
): Column[] {
  const hasServer = rows.some(({ result }) => result.server !== undefined);
  const hasCache = rows.some(({ result }) => result.server?.hasCache === true);
  const ranks = Object.keys(rows[0]?.result.percentilesUs ?? { 50: 0, 90: 0, 95: 0, 99: 0 });
  return [
    loadColumn(plan.load.kind === 'concurrency' || plan.load.kind === 'periodic'),
    { title: 'Inferences/Second', value: ({ result }) => doubleText(result.inferPerSecond) },
    ...(model.isDecoupled
      ? [
          {
            title: 'Response Throughput',
            value: ({ result }: PerfLevel) => doubleText(result.responsePerSecond),
          },
        ]
      : []),
    { title: 'Client Send', value: ({ result }) => usecText(result.sendUs) },
    ...(hasServer ? serverColumns(hasCache) : []),
    { title: 'Client Recv', value: ({ result }) => usecText(result.receiveUs) },
    ...ranks.map((rank) => ({
      title: `p${rank} latency`,
      value: ({ result }: PerfLevel) => usecText(result.percentilesUs[rank] ?? 0),
    })),
    ...(isVerbose ? verboseColumns(rows, plan) : []),
  ];
}

function loadColumn(isConcurrency: boolean): Column {
  return {
    title: isConcurrency ? 'Concurrency' : 'Request Rate',
    value: ({ value }) => (isConcurrency ? String(value) : doubleText(value)),
  };
}

function serverColumns(hasCache: boolean): Column[] {
  const column = (title: string, pick: (times: PerfServerTimes) => number): Column => ({
    title,
    value: ({ result }) => usecText(result.server === undefined ? 0 : pick(result.server)),
  });
  return [
    {
      title: 'Network+Server Send/Recv',
      value: ({ result }) => usecText(result.server === undefined ? 0 : networkUs(result, result.server)),
    },
    column('Server Queue', ({ queueUs }) => queueUs),
    column('Server Compute Input', ({ inputUs }) => inputUs),
    column('Server Compute Infer', ({ inferUs }) => inferUs),
    column('Server Compute Output', ({ outputUs }) => outputUs),
    ...(hasCache
      ? [
          column('Server Cache Hit', ({ cacheHitUs }) => cacheHitUs),
          column('Server Cache Miss', ({ cacheMissUs }) => cacheMissUs),
        ]
      : []),
  ];
}

function networkUs(result: PerfLevel['result'], times: PerfServerTimes): number {
  const server =
    times.queueUs + times.inputUs + times.inferUs + times.outputUs + times.cacheHitUs + times.cacheMissUs;
  return Math.max(0, result.meanUs - result.sendUs - result.receiveUs - server);
}

function verboseColumns(rows: readonly PerfLevel[], plan: PerfPlan): Column[] {
  const gpu = (title: string, pick: (gpu: PerfGpu) => number): Column => ({
    title,
    value: ({ gpus }) => gpus.map((entry) => `${entry.uuid}:${doubleText(pick(entry))};`).join(''),
  });
  return [
    ...(plan.measurement.percentile === 0
      ? [{ title: 'Avg latency', value: ({ result }: PerfLevel) => usecText(result.meanUs) }]
      : []),
    {
      title: 'request/response',
      value: ({ result }) => usecText(result.sendUs + result.receiveUs),
    },
    {
      title: 'response wait',
      value: ({ result }) => usecText(Math.max(0, result.meanUs - result.sendUs - result.receiveUs)),
    },
    ...(rows.some(({ gpus }) => gpus.length > 0)
      ? [
          gpu('Avg GPU Utilization', ({ utilizationPercent }) => utilizationPercent),
          gpu('Avg GPU Power Usage', ({ powerWatts }) => powerWatts),
          gpu('Max GPU Memory Usage', ({ usedByteSize }) => usedByteSize),
          gpu('Total GPU Memory', ({ totalByteSize }) => totalByteSize),
        ]
      : []),
  ];
}

function composingTables(rows: readonly PerfLevel[], fileName: string): CsvFile[] {
  const names = new Map<string, (level: PerfLevel) => PerfServerTimes | undefined>();
  for (const { result } of rows) {
    for (const { model, version } of flatComposing(result.server)) {
      names.set(`${model}_v${version}.${fileName}`, (level) =>
        flatComposing(level.result.server).find((step) => step.model === model && step.version === version),
      );
    }
  }
  return [...names].map(([name, stepOf]) => ({
    name,
    text: tableText(composingColumns(rows, stepOf), rows),
  }));
}

function flatComposing(times: PerfServerTimes | undefined): PerfServerTimes[] {
  return (times?.composing ?? []).flatMap((step) => [step, ...flatComposing(step)]);
}

function composingColumns(
  rows: readonly PerfLevel[],
  stepOf: (level: PerfLevel) => PerfServerTimes | undefined,
): Column[] {
  const column = (title: string, pick: (times: PerfServerTimes) => number): Column => ({
    title,
    value: (level) => {
      const times = stepOf(level);
      return usecText(times === undefined ? 0 : pick(times));
    },
  });
  const accounted = (times: PerfServerTimes): number =>
    times.queueUs + times.inputUs + times.inferUs + times.outputUs + times.cacheHitUs + times.cacheMissUs;
  return [
    loadColumn(rows[0]?.unit !== 'request-rate'),
    {
      title: 'Inferences/Second',
      value: (level) => {
        const whole = level.result.server?.successCount ?? 0;
        const share = whole === 0 ? 0 : (stepOf(level)?.successCount ?? 0) / whole;
        return doubleText(level.result.inferPerSecond * share);
      },
    },
    { title: 'Client Send', value: () => '0' },
    column('Network+Server Send/Recv', (times) => Math.max(0, times.requestUs - accounted(times))),
    column('Server Queue', ({ queueUs }) => queueUs),
    column('Server Compute Input', ({ inputUs }) => inputUs),
    column('Server Compute Infer', ({ inferUs }) => inferUs),
    column('Server Compute Output', ({ outputUs }) => outputUs),
    { title: 'Client Recv', value: () => '0' },
  ];
}
