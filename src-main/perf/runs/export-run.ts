// A stored run as a file to take away: the reference's CSV, everything as JSON, or a table for a report.

import type { PerfLevel, PerfRun } from '../../../src-shared/contract/perf-views.ts';
import { csvReport } from '../report/csv-report.ts';
import { doubleText } from '../report/number-text.ts';

export function exportRun(
  run: PerfRun,
  format: 'csv' | 'json' | 'markdown',
): { readonly fileName: string; readonly text: string } {
  const name = `${run.model}-${new Date(run.startedAtMs).toISOString().slice(0, 19).replaceAll(':', '-')}`;
  switch (format) {
    case 'csv':
      return { fileName: `${name}.csv`, text: csvText(run) };
    case 'json':
      return { fileName: `${name}.json`, text: `${JSON.stringify(run, undefined, 2)}\n` };
    case 'markdown':
      return { fileName: `${name}.md`, text: markdown(run) };
  }
}

function csvText(run: PerfRun): string {
  const levels = run.levels.filter(({ result }) => result.requestCount > 0);
  const isDecoupled = levels.some(({ result }) => result.responsePerSecond > result.inferPerSecond * 1.01);
  return csvReport(levels, run.plan, { isDecoupled }, { isVerbose: false, fileName: '' }).text;
}

function markdown(run: PerfRun): string {
  const { fingerprint, plan } = run;
  const unit = run.levels[0]?.unit === 'request-rate' ? 'Request rate' : 'Concurrency';
  const rows = run.levels.map(row);
  const knee = run.levels[run.kneeIndex];
  return [
    `## ${run.name === '' ? run.model : run.name}`,
    '',
    `\`${run.model}\` over ${plan.protocol === 'grpc' ? 'gRPC' : `HTTP (${plan.inputEncoding})`}, batch size ${plan.batchSize}, ${new Date(run.startedAtMs).toISOString()}.`,
    '',
    `| ${unit} | inf/s | mean us | p50 us | p90 us | p95 us | p99 us | queue us | infer us | state |`,
    '|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|',
    ...rows,
    '',
    ...(knee === undefined ? [] : [`Beyond ${doubleText(knee.value)} only the queue grows.`, '']),
    `Measured on ${fingerprint.cpuModel}, ${fingerprint.cpuCount} cores, ${fingerprint.platform}${fingerprint.device === '' ? '' : `, ${fingerprint.device}`}; ${fingerprint.serverName}.`,
    ...(run.warnings.length === 0 ? [] : ['', ...run.warnings.map((warning) => `- ${warning}`)]),
    '',
  ].join('\n');
}

function row({ value, result, state }: PerfLevel): string {
  const cell = (us: number | undefined): string => (us === undefined ? '' : String(Math.round(us)));
  const { percentilesUs: ranks, server } = result;
  const cells = [
    doubleText(value),
    doubleText(result.inferPerSecond),
    cell(result.meanUs),
    cell(ranks['50']),
    cell(ranks['90']),
    cell(ranks['95']),
    cell(ranks['99']),
    cell(server?.queueUs),
    cell(server?.inferUs),
    state,
  ];
  return `| ${cells.join(' | ')} |`;
}
