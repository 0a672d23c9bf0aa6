// Measures the window against its performance budget and writes the table into docs/performance.md. Needs a build and
// a Chromium; takes about five minutes, with `-- --journeys` one, for the table of journeys alone; `-- --observer` prints
// what a page costs. What this machine cannot measure is listed with the reason.

import type { Browser } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

import { launchBrowser } from '../e2e/harness/app-test.ts';
import { sampleFiles, TempRepository } from '../e2e/harness/fixture-models.ts';
import { serveApp } from '../e2e/harness/serve-app.ts';
import { browserLauncher } from '../e2e/harness/launch-app.ts';
import { inOneLine } from './error-line.ts';
import { firstScript } from './first-script.ts';
import { journeyTable, takeJourneys } from './ui-journeys.ts';
import * as measures from './ui-measures.ts';
import type { ObserverEffect } from './ui-observer.ts';
import { measureObserver } from './ui-observer.ts';
import { measurePageStart } from './ui-page-start.ts';
import type { PageStart, PageTimes } from './ui-page-start.ts';

interface Row {
  readonly item: string;
  readonly budget: string;
  readonly measured: string;
  /** Undefined = not measured. */
  readonly isMet: boolean | undefined;
  /** The machine's other work is in the number. */
  readonly isWallClock?: boolean;
}

const DOCUMENT = path.resolve(import.meta.dirname, '../docs/performance.md');
const BEGIN = '<!-- measured by npm run measure-ui: begin -->';
const END = '<!-- measured by npm run measure-ui: end -->';
const JOURNEYS_BEGIN = '<!-- journeys by npm run measure-ui: begin -->';
const JOURNEYS_END = '<!-- journeys by npm run measure-ui: end -->';
/** First script of the page, compressed as browsers ask for it. */
const SCRIPT_LIMIT = 200_000;
const MANY_MODELS = 1000;
const LONG_CONFIG_LINES = 2000;
const START_ROUNDS = 7;
const OBSERVER_PAIRS = 10;
const OBSERVER_LIMIT = 0.02;

const ms = (value: number): string => `${Math.round(value)} ms`;
const kib = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KiB`;
const mib = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MiB`;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function row(item: string, budget: string, measured: string, isMet: boolean): Row {
  return { item, budget, measured, isMet };
}

function wallClock(item: string, budget: string, measured: string, isMet: boolean): Row {
  return { item, budget, measured, isMet, isWallClock: true };
}

function notMeasured(item: string, budget: string, reason: string): Row {
  return { item, budget, measured: reason, isMet: undefined };
}

async function serverStart(): Promise<{ readonly listeningMs: number }> {
  const startMs = performance.now();
  await using app = await serveApp();
  void app;
  return { listeningMs: performance.now() - startMs };
}

/** Rows of one measurement; one that fails is listed with what went wrong, and the others go on. */
async function rowsOf<T>(
  item: string,
  measure: () => Promise<T>,
  toRows: (measured: T) => readonly Row[],
): Promise<readonly Row[]> {
  process.stderr.write(`${item} ...\n`);
  try {
    return toRows(await measure());
  } catch (thrown) {
    process.stderr.write(`${(thrown as Error).stack ?? String(thrown)}\n`);
    return [notMeasured(item, '', `this run failed: ${inOneLine(thrown)}`)];
  }
}

async function liveRows(browser: Browser): Promise<readonly Row[]> {
  await using app = await serveApp();
  const place = { browser, app };
  return [
    ...(await rowsOf('Page start', () => measurePageStart(place, START_ROUNDS), startRows)),
    ...(await rowsOf('Live charts', () => measures.measureChartFrames(place), chartRows)),
    ...(await rowsOf('Renderer processor share', () => measures.measureRendererCpu(place), cpuRows)),
    ...(await rowsOf('Messages', () => measures.measureMessages(place), messageRows)),
    ...(await rowsOf('Observer effect', () => measureObserver(place, OBSERVER_PAIRS), observerRows)),
  ];
}

function startRows({ rounds, window, floor, first }: PageStart): readonly Row[] {
  const startRow = (item: string, limitMs: number, read: (times: PageTimes) => number): Row => {
    const value = read(window);
    const measured = `${ms(value)}, of which a page of one line takes ${ms(read(floor))} (medians of ${rounds}); the server's first page ${ms(read(first))}`;
    return wallClock(item, `< ${limitMs / 1000} s`, measured, value < limitMs);
  };
  return [
    startRow('Page painted: its frame (from navigation)', 300, ({ paintedMs }) => paintedMs),
    startRow('Page painted: its first texts, the names of the screens', 800, ({ contentMs }) => contentMs),
    startRow('Page interactive: a model was selected', 800, ({ interactiveMs }) => interactiveMs),
  ];
}

function chartRows(charts: measures.ChartFrames): readonly Row[] {
  const { framesPerSecond, chartCount, busyMs, durationMs, longestTaskMs } = charts;
  const ownGap = Math.max(0, ...charts.gaps.map(({ ownMs }) => ownMs));
  return [
    wallClock(
      'Frames while charts run and the wheel turns',
      '60 fps, never below 50',
      `${framesPerSecond.toFixed(1)} fps with ${chartCount} charts in view; most own work between two frames ${ms(ownGap)}; main thread busy ${percent(busyMs / durationMs)}`,
      framesPerSecond >= 50,
    ),
    row('Longest task in steady state (processor time)', '50 ms', ms(longestTaskMs), longestTaskMs <= 50),
  ];
}

function cpuRows({ idle, hidden }: measures.RendererCpu): readonly Row[] {
  return [
    row('Renderer, idle screen, server serving', '< 3 % of a core', percent(idle), idle < 0.03),
    row('Renderer, page hidden', '< 0.5 % of a core', percent(hidden), hidden < 0.005),
  ];
}

function messageRows(messages: measures.MessageReport): readonly Row[] {
  const { perSecond, bytesPerSecond, largestBytes } = messages;
  const largest = messages.largest.replaceAll(/[|`]/g, ' ').slice(0, 40);
  return [
    row(
      'Messages to the page, Statistics open',
      '<= 20 per s',
      `${perSecond.toFixed(1)} per s`,
      perSecond <= 20,
    ),
    row(
      'Largest message, all time ranges opened',
      '<= 64 KiB',
      `${kib(largestBytes)} (\`${largest}\`)`,
      largestBytes <= 65_536,
    ),
    row('Bytes to the page, steady', '<= 512 KiB/s', `${kib(bytesPerSecond)}/s`, bytesPerSecond <= 524_288),
  ];
}

function observerRows({ pairs, processor, throughput, closedPerSecond }: ObserverEffect): readonly Row[] {
  const item = 'Observer effect: processor time of the engine for a request';
  const told = ({ median, error }: ObserverEffect['processor']): string =>
    `${percent(median)} ± ${percent(2 * error)}`;
  const measured = `${told(processor)} more with the page (median of ${pairs} pairs of rounds, ± two standard errors); requests a second, page on the same machine: ${told(throughput)} fewer than ${Math.round(closedPerSecond)}`;
  // What lies within the error of the limit is not known.
  return Math.abs(processor.median - OBSERVER_LIMIT) < 2 * processor.error
    ? [notMeasured(item, '< 2 %', `${measured}: too uneven to judge`)]
    : [row(item, '< 2 %', measured, processor.median < OBSERVER_LIMIT)];
}

/** Comments count as lines to the editor as much as fields do. */
function longConfig(text: string): string {
  const lines = text.split('\n');
  const filler = Array.from(
    { length: LONG_CONFIG_LINES - lines.length },
    (_, index) => `parameters { key: "setting_${index}" value { string_value: "${index}" } }`,
  );
  return [...lines, ...filler, ''].join('\n');
}

async function listRows(browser: Browser): Promise<readonly Row[]> {
  const names = Array.from({ length: MANY_MODELS }, (_, index) => `model_${String(index).padStart(4, '0')}`);
  const files = Object.assign({}, ...names.map((name) => sampleFiles('simple', name))) as Record<
    string,
    string | Uint8Array
  >;
  const [long = ''] = names;
  files[`${long}/config.pbtxt`] = longConfig(String(files[`${long}/config.pbtxt`]));
  await using folder = await TempRepository.create(files);
  const args = [
    `--model-repository=${folder.path}`,
    '--model-control-mode=explicit',
    ...names.slice(0, 10).map((name) => `--load-model=${name}`),
  ];
  await using app = await serveApp({ args });
  const place = { browser, app };
  return [
    ...(await rowsOf('List of models', () => measures.measureModelList(place), listScrollRows)),
    ...(await rowsOf('Editor', () => measures.measureEditor(place, long), editorRows)),
    ...(await rowsOf('Memory', () => measures.measureMemory(place, names.slice(0, 10)), memoryRows)),
  ];
}

function listScrollRows({ framesPerSecond, gaps }: measures.ListScroll): readonly Row[] {
  const ownGap = Math.max(0, ...gaps.map(({ ownMs }) => ownMs));
  return [
    wallClock(
      `List of ${MANY_MODELS} models, scrolled`,
      '60 fps',
      `${framesPerSecond.toFixed(1)} fps; most own work between two frames ${ms(ownGap)}`,
      framesPerSecond >= 55,
    ),
  ];
}

function editorRows({ keyToPaintMs, diagnosticsMs }: measures.EditorTimes): readonly Row[] {
  return [
    wallClock(
      `Editor, key to paint, ${LONG_CONFIG_LINES} lines (p95)`,
      '< 30 ms',
      ms(keyToPaintMs),
      keyToPaintMs < 30,
    ),
    wallClock(
      'Editor, diagnostics after the last key',
      '< 150 ms after the pause',
      `${ms(diagnosticsMs)}, the pause included`,
      diagnosticsMs < 300,
    ),
  ];
}

function memoryRows({ tabCount, processBytes, heapBytes }: measures.RendererMemory): readonly Row[] {
  return [
    row(
      `Renderer memory with ${tabCount} model tabs`,
      '< 350 MB',
      `${mib(processBytes)} (JavaScript heap ${mib(heapBytes)})`,
      processBytes < 350e6,
    ),
  ];
}

function scriptRow(): Row {
  const { files, gzipBytes, brotliBytes, screen } = firstScript();
  const measured = `${Math.round(gzipBytes / 1000)} kB gzip, ${Math.round(brotliBytes / 1000)} kB brotli, in ${files} files; beside it ${Math.round(screen.gzipBytes / 1000)} kB gzip for the first screen`;
  return row('First script of the page, compressed', '< 200 kB', measured, gzipBytes < SCRIPT_LIMIT);
}

function unmeasured(): readonly Row[] {
  return [
    notMeasured(
      'Cold start of the Electron window',
      'painted < 1.5 s',
      'needs Electron and a display; the page of the browser shell is above',
    ),
    notMeasured(
      'Backpressure',
      'drop after 3 unacknowledged, count',
      'no number; held by `src-shared/rpc/rpc.test.ts`',
    ),
    notMeasured('Transport', 'MessagePort, no synchronous call', 'no number; a matter of construction'),
    notMeasured('200 000 log lines, 50 000 trace rows', '60 fps', 'no run here fills them with real lines'),
    notMeasured('Graph of 800 nodes', '50 fps, layout < 3 s', 'not part of this run'),
    notMeasured('Captured payloads', '<= 64 MB', 'no number; held by `src-main/control/capture`'),
  ];
}

function tableOf(rows: readonly Row[]): string {
  const isBusy = load > os.cpus().length;
  const verdict = ({ isMet, isWallClock }: Row): string => {
    if (isMet === undefined) return '–';
    if (isMet) return 'met';
    return isWallClock === true && isBusy ? 'missed, on a busy machine' : '**missed**';
  };
  const lines = rows.map((one) => `| ${one.item} | ${one.budget} | ${one.measured} | ${verdict(one)} |`);
  return ['| Item | Budget | Measured | |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

function machine(browser: Browser, load: number): string {
  const cpus = os.cpus();
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  return [
    `- Machine: ${cpus[0]?.model.trim() ?? 'unknown'}, ${cpus.length} processors, ${mib(os.totalmem())}, ${os.type()}; no GPU is used for drawing.`,
    `- Load average when the run began: ${load.toFixed(1)}. Above the number of processors, frame rates and start times are those of a machine that is busy with other things; processor times are not touched by it.`,
    `- Browser: headless Chromium ${browser.version()}; Node ${process.versions.node}; commit ${commit}.`,
    `- Date: ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC. Command: \`npm run measure-ui\`.`,
  ].join('\n');
}

/** Writes a section of the page between its two marks. */
async function put(begin: string, end: string, section: string): Promise<void> {
  const text = await readFile(DOCUMENT, 'utf8');
  const [before = ''] = text.split(begin);
  const after = text.split(end)[1] ?? '\n';
  const page = `${before}${begin}\n\n${section}\n\n${end}${after}`;
  await writeFile(DOCUMENT, await format(page, { ...(await resolveConfig(DOCUMENT)), parser: 'markdown' }));
}

const load = os.loadavg()[0] ?? 0;
async function measureBudget(browser: Browser): Promise<void> {
  const { listeningMs } = await serverStart();
  const rows = [
    wallClock(
      'Server listening (from the start of the process)',
      '< 2 s',
      ms(listeningMs),
      listeningMs < 2000,
    ),
    scriptRow(),
    ...(await liveRows(browser)),
    ...(await listRows(browser)),
    ...unmeasured(),
  ];
  await put(BEGIN, END, `${machine(browser, load)}\n\n${tableOf(rows)}`);
}

/** One row alone, to the terminal. */
async function printObserver(browser: Browser): Promise<void> {
  await using app = await serveApp();
  console.log(tableOf(observerRows(await measureObserver({ browser, app }, OBSERVER_PAIRS))));
}

async function measureJourneys(browser: Browser): Promise<void> {
  await using launcher = await browserLauncher();
  const journeys = await takeJourneys(launcher, (name) => process.stderr.write(`${name} ...\n`));
  await put(JOURNEYS_BEGIN, JOURNEYS_END, `${machine(browser, load)}\n\n${journeyTable(journeys)}`);
}

const browser = await launchBrowser();
try {
  if (process.argv.includes('--observer')) await printObserver(browser);
  else if (!process.argv.includes('--journeys')) await measureBudget(browser);
  if (!process.argv.includes('--observer')) await measureJourneys(browser);
} finally {
  await browser.close();
}
