// Measures the window against its performance budget and writes the tables into docs/performance.md. Needs a build and
// a Chromium; takes about twenty minutes. Parts by name (`-- list memory`, `-- --list` names them) are printed and not
// written, but for `-- journeys`, which is a table of its own. What this machine cannot measure is listed with the reason.

import type { Browser } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

import { launchBrowser } from '../e2e/harness/app-test.ts';
import { browserLauncher } from '../e2e/harness/launch-app.ts';
import { graphParts, logParts, manyModelsParts, traceParts } from './ui-filled-parts.ts';
import { journeyTable, takeJourneys } from './ui-journeys.ts';
import { liveParts } from './ui-live-parts.ts';
import { measureGroup } from './ui-parts.ts';
import { mib, notMeasured, tableOf } from './ui-rows.ts';
import type { Row } from './ui-rows.ts';

const DOCUMENT = path.resolve(import.meta.dirname, '../docs/performance.md');
const BEGIN = '<!-- measured by npm run measure-ui: begin -->';
const END = '<!-- measured by npm run measure-ui: end -->';
const JOURNEYS_BEGIN = '<!-- journeys by npm run measure-ui: begin -->';
const JOURNEYS_END = '<!-- journeys by npm run measure-ui: end -->';
const JOURNEYS = 'journeys';

/** In the order of the table. */
const GROUPS = [liveParts, manyModelsParts, logParts, traceParts, graphParts];
const NAMES = [...GROUPS.flatMap(({ parts }) => Object.keys(parts)), JOURNEYS];

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
    notMeasured('Captured payloads', '<= 64 MB', 'no number; held by `src-main/control/capture`'),
  ];
}

function machine(browser: Browser): string {
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

async function measureRows(browser: Browser, isWanted: (name: string) => boolean): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const group of GROUPS) rows.push(...(await measureGroup(browser, group, isWanted)));
  return rows;
}

async function measureJourneys(browser: Browser): Promise<void> {
  await using launcher = await browserLauncher();
  const journeys = await takeJourneys(launcher, (name) => process.stderr.write(`${name} ...\n`));
  await put(JOURNEYS_BEGIN, JOURNEYS_END, `${machine(browser)}\n\n${journeyTable(journeys)}`);
}

async function measure(asked: readonly string[]): Promise<void> {
  const browser = await launchBrowser();
  try {
    const rows = await measureRows(browser, (name) => asked.length === 0 || asked.includes(name));
    if (asked.length === 0) {
      await put(BEGIN, END, `${machine(browser)}\n\n${tableOf([...rows, ...unmeasured()], load)}`);
    } else if (rows.length > 0) {
      console.log(tableOf(rows, load));
    }
    if (asked.length === 0 || asked.includes(JOURNEYS)) await measureJourneys(browser);
  } finally {
    await browser.close();
  }
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => name !== '--list' && !NAMES.includes(name));
if (unknown.length > 0) throw new Error(`no such part: ${unknown.join(', ')}; there are ${NAMES.join(', ')}`);
if (asked.includes('--list')) console.log(NAMES.join('\n'));
else await measure(asked);
