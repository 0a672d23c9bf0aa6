// A stored run as a file to take away: the reference's CSV, everything as JSON, or a table for a report.

import type { PerfLevel, PerfRun } from '../../../src-shared/contract/perf-views.ts';
import { toCommand } from '../options/plan-command.ts';
import { DEFAULT_URLS } from '../options/plan-from-options.ts';
import { csvReport } from '../report/csv-report.ts';
import { doubleText } from '../report/number-text.ts';

/** The text and the name of a file for it. */
export function exportRun(
  run: PerfRun,
  format: 'csv' | 'json' | 'markdown' | 'issue',
): { readonly fileName: string; readonly text: string } {
  const name = exportName(run);
  switch (format) {
    case 'csv':
      return { fileName: `${name}.csv`, text: csvText(run) };
    case 'json':
      return { fileName: `${name}.json`, text: `${JSON.stringify(run, undefined, 2)}\n` };
    case 'markdown':
      return { fileName: `${name}.md`, text: markdown(run) };
    case 'issue':
      return { fileName: `${name}-issue.md`, text: issueText(run) };
  }
}

/** Without an ending. */
export function exportName({ model, startedAtMs }: Pick<PerfRun, 'model' | 'startedAtMs'>): string {
  return `${model}-${new Date(startedAtMs).toISOString().slice(0, 19).replaceAll(':', '-')}`;
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
    `\`${run.model}\` over ${plan.protocol === 'grpc' ? 'gRPC' : `HTTP (${plan.inputEncoding})`}, ${batchText(plan)}, ${new Date(run.startedAtMs).toISOString()}.`,
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

/** The table with all somebody else needs to measure the same: command, configuration, machine. */
function issueText(run: PerfRun): string {
  const { command } = toCommand(run.plan, DEFAULT_URLS);
  const { fingerprint, note } = run;
  const facts = [
    `- Program: Conch ${fingerprint.appVersion}; server: ${fingerprint.serverName === '' ? 'not known' : fingerprint.serverName}`,
    `- Machine: ${fingerprint.cpuModel}, ${fingerprint.cpuCount} cores, ${Math.round(fingerprint.memoryByteSize / 2 ** 30)} GiB, ${fingerprint.platform}`,
    `- Device: ${fingerprint.device === '' ? 'not known' : fingerprint.device}${fingerprint.powerSource === '' ? '' : `; power: ${fingerprint.powerSource}`}`,
    `- Configuration: ${run.configHash}${run.isOverride ? ', loaded for this run only' : ''}`,
  ];
  const config = run.configText.trimEnd();
  return [
    markdown(run).trimEnd(),
    '',
    ...(note === '' ? [] : [note, '']),
    'Command:',
    '',
    fenced(command, 'sh'),
    '',
    ...facts,
    '',
    '<details><summary>config.pbtxt</summary>',
    '',
    fenced(config, 'protobuf'),
    '',
    '</details>',
    '',
  ].join('\n');
}

/** A fence longer than any inside the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
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

function batchText({ data, batchSize }: PerfRun['plan']): string {
  return data.source.kind === 'captured'
    ? 'captured requests with their own batches'
    : `batch size ${batchSize}`;
}
