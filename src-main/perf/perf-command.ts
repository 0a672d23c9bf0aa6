// `conch perf` without a process around it: options in, report out, exit code back.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isThere } from '../base/file-exists.ts';
import type { PerfLevel } from '../../src-shared/contract/perf-views.ts';
import { DEFAULT_PORTS } from '../../src-shared/default-ports.ts';
import { toServerError } from '../../src-shared/errors.ts';
import { systemClock } from '../base/clock.ts';
import { RunControl } from './measure/run-control.ts';
import { perfUsage } from './options/option-table.ts';
import { planFromOptions } from './options/plan-from-options.ts';
import type { PlannedOptions } from './options/plan-from-options.ts';
import { readNumber } from './options/option-readers.ts';
import type { OptionValues } from './options/perf-arguments.ts';
import { PerfUsageError, scanPerfOptions } from './options/perf-arguments.ts';
import type { SessionResult } from './perf-session.ts';
import { runSession } from './perf-session.ts';
import { csvReport } from './report/csv-report.ts';
import { PerfPrinter } from './report/perf-printer.ts';
import { profileExport } from './report/profile-export.ts';
import { GpuSampler } from './server/gpu-sampler.ts';
import { parseAddress } from './load/lanes-for-plan.ts';

/** Exit codes of the reference. */
const PERF_EXIT = { success: 0, unstable: 2, noRequests: 3, failure: 99 } as const;

/** What `conch perf` uses of its process. */
export interface PerfCommandContext {
  /** To standard output, as it is: line ends are part of the text. */
  print(text: string): void;
  /** To standard error, as it is: line ends are part of the text. */
  printError(text: string): void;
  /** Shown on terminals only; "" removes it. */
  status(text: string): void;
  readonly version: string;
  /** First interrupt: measure to the end of what runs, then report. */
  readonly signal: AbortSignal;
}

/** Never throws. Resolves with the exit code. */
export async function runPerfCommand(args: readonly string[], context: PerfCommandContext): Promise<number> {
  let values: OptionValues;
  let planned: PlannedOptions;
  try {
    ({ values } = scanPerfOptions(args));
    if (values.has('help')) {
      context.print(perfUsage());
      return PERF_EXIT.success;
    }
    if (values.has('version')) {
      context.printError(`Perf Analyzer Version ${context.version} (commit conch)\n`);
      return PERF_EXIT.success;
    }
    planned = planFromOptions(values);
    await checkExportFile(values);
  } catch (thrown) {
    if (!(thrown instanceof PerfUsageError)) throw thrown;
    context.printError(`${perfUsage()}\nError: ${thrown.message}\n`);
    return PERF_EXIT.failure;
  }
  for (const warning of planned.warnings) context.printError(`Warning: ${warning}\n`);
  try {
    return await measure(planned, values, context);
  } catch (thrown) {
    context.status('');
    context.printError(`Error: ${toServerError(thrown).message}\n`);
    return PERF_EXIT.failure;
  }
}

async function checkExportFile(values: OptionValues): Promise<void> {
  const file = values.last('profile-export-file');
  if (file === undefined) return;
  if (await isThere(file)) throw new PerfUsageError(`--profile-export-file '${file}' already exists`);
}

async function measure(
  { plan }: PlannedOptions,
  values: OptionValues,
  context: PerfCommandContext,
): Promise<number> {
  const control = new RunControl();
  const onInterrupt = (): void => {
    context.printError('Interrupt signal (2) received.\nWaiting for in-flight inferences to complete.\n');
    control.stop();
  };
  context.signal.addEventListener('abort', onInterrupt, { once: true });
  const verbosity = Math.min(2, values.count('v'));
  const printer = new PerfPrinter({ plan, verbosity, print: context.print, status: context.status });
  const exportFile = values.last('profile-export-file');
  try {
    const session = await runSession({
      plan,
      clock: systemClock,
      control,
      events: printer,
      isExporting: exportFile !== undefined,
      stopsWhenBad: true,
      gpus: await gpuSampler(plan.url, values),
      beforeStart: async (link) => {
        const settings = traceSettings(values);
        if (Object.keys(settings).length > 0) await link.updateTrace(settings);
      },
    });
    printer.close();
    for (const warning of session.warnings) context.printError(`Warning: ${warning}\n`);
    await writeFiles(session, plan, values, context);
    return report(session, plan, context);
  } finally {
    context.signal.removeEventListener('abort', onInterrupt);
  }
}

/** What went wrong with the last level, and the exit code. */
function report(
  { levels }: SessionResult,
  plan: PlannedOptions['plan'],
  context: PerfCommandContext,
): number {
  const last = levels.at(-1);
  if (last === undefined) return PERF_EXIT.success;
  if (last.state === 'failed') {
    if (last.firstError === '') {
      context.printError(`${last.note}\n`);
      return PERF_EXIT.noRequests;
    }
    context.printError(
      `Failed to maintain requested inference load. Worker thread(s) failed to generate requests: ${last.firstError}\n`,
    );
    return PERF_EXIT.failure;
  }
  if (last.state !== 'unstable') return PERF_EXIT.success;
  context.printError(`${unstableText(last, plan)}\n`);
  return levels.length === 1 ? PERF_EXIT.unstable : PERF_EXIT.success;
}

function unstableText(level: PerfLevel, { measurement }: PlannedOptions['plan']): string {
  if (level.unit !== 'concurrency') return 'Failed to obtain stable measurement.';
  const option = measurement.mode === 'count' ? 'measurement-request-count' : 'measurement-interval';
  return `Failed to obtain stable measurement within ${measurement.maxWindows} measurement windows for concurrency ${level.value}. Please try to increase the --${option}.`;
}

async function writeFiles(
  session: SessionResult,
  plan: PlannedOptions['plan'],
  values: OptionValues,
  context: PerfCommandContext,
): Promise<void> {
  const csvFile = values.last('latency-report-file');
  const measured = session.levels.filter(({ state }) => state !== 'failed' && state !== 'unstable');
  if (csvFile !== undefined && measured.length > 0) {
    const { dir, base } = path.parse(csvFile);
    const csv = csvReport(measured, plan, session.model, {
      isVerbose: values.has('verbose-csv'),
      fileName: base,
    });
    await writeFile(csvFile, csv.text);
    for (const { name, text } of csv.composing) await writeFile(path.join(dir, name), text);
    if (csv.note !== undefined) context.printError(`${csv.note}\n`);
  }
  const exportFile = values.last('profile-export-file');
  if (exportFile === undefined) return;
  const { text, notes } = profileExport(plan, session, context.version);
  await writeFile(exportFile, text);
  for (const note of notes) context.printError(`${note}\n`);
}

function traceSettings(values: OptionValues): Record<string, readonly string[]> {
  const settings: Record<string, readonly string[]> = {};
  for (const name of ['trace-level', 'trace-rate', 'trace-count', 'log-frequency']) {
    const given = values.all(name);
    if (given.length > 0) settings[name.replace('-', '_')] = name === 'trace-level' ? given : given.slice(-1);
  }
  return settings;
}

async function gpuSampler(url: string, values: OptionValues): Promise<GpuSampler | undefined> {
  if (!values.has('collect-metrics')) return undefined;
  const { host } = parseAddress(url, DEFAULT_PORTS.http);
  const metricsUrl = values.last('metrics-url') ?? `${host}:${DEFAULT_PORTS.metrics}/metrics`;
  const sampler = new GpuSampler(metricsUrl.includes('://') ? metricsUrl : `http://${metricsUrl}`, {
    clock: systemClock,
    periodMs: readNumber(values, 'metrics-interval', { min: 1 }, 1000),
  });
  await sampler.check();
  return sampler;
}
