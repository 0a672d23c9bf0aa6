// The parts of the budget that need nothing but the samples: how fast server and page are there, and what the window costs
// while requests come.

import { serveApp } from '../e2e/harness/serve-app.ts';
import { firstScript } from './first-script.ts';
import * as measures from './ui-measures.ts';
import type { Place } from './ui-measures.ts';
import { verdictOf } from './paired-differences.ts';
import type { PairedDifference } from './paired-differences.ts';
import type { ObservedScreen, ObserverEffect } from './ui-observer.ts';
import { measureObserver, OBSERVED_RATE, OBSERVED_SCREENS } from './ui-observer.ts';
import { measurePageStart } from './ui-page-start.ts';
import type { PageStart, PageTimes } from './ui-page-start.ts';
import { kib, ms, notMeasured, percent, row, wallClock } from './ui-rows.ts';
import type { Row } from './ui-rows.ts';
import type { PartGroup } from './ui-parts.ts';

/** First script of the page, compressed as browsers ask for it. */
const SCRIPT_LIMIT = 200_000;
const START_ROUNDS = 7;
/** Of each second of the one event loop: two hundredths of what it can serve. */
const OBSERVER_LIMIT_MS = 20;
const OBSERVER_PAIRS = {
  fewest: 8,
  most: 24,
  isUneven: (engine: PairedDifference) => verdictOf(engine, OBSERVER_LIMIT_MS) === 'uneven',
};

/** On one server with the samples. */
export const liveParts: PartGroup = {
  serve: () => serveApp(),
  parts: {
    server: { title: 'Server start', rows: async () => serverRows() },
    script: { title: 'First script', rows: () => Promise.resolve([scriptRow()]) },
    start: {
      title: 'Page start',
      rows: async (place) => startRows(await measurePageStart(place, START_ROUNDS)),
    },
    charts: {
      title: 'Live charts',
      rows: async (place) => chartRows(await measures.measureChartFrames(place)),
    },
    processor: {
      title: 'Renderer processor share',
      rows: async (place) => cpuRows(await measures.measureRendererCpu(place)),
    },
    messages: {
      title: 'Messages',
      rows: async (place) => messageRows(await measures.measureMessages(place)),
    },
    observer: { title: 'Observer effect', rows: observerPart },
  },
};

async function serverRows(): Promise<readonly Row[]> {
  const startMs = performance.now();
  await using app = await serveApp();
  void app;
  const listeningMs = performance.now() - startMs;
  return [
    wallClock(
      'Server listening (from the start of the process)',
      '< 2 s',
      ms(listeningMs),
      listeningMs < 2000,
    ),
  ];
}

function scriptRow(): Row {
  const { files, gzipBytes, brotliBytes, screen } = firstScript();
  const measured = `${Math.round(gzipBytes / 1000)} kB gzip, ${Math.round(brotliBytes / 1000)} kB brotli, in ${files} files; beside it ${Math.round(screen.gzipBytes / 1000)} kB gzip for the first screen`;
  return row('First script of the page, compressed', '< 200 kB', measured, gzipBytes < SCRIPT_LIMIT);
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

async function observerPart(place: Place): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const screen of OBSERVED_SCREENS)
    rows.push(observerRow(screen, await measureObserver(place, screen, OBSERVER_PAIRS)));
  return rows;
}

const SCREENS: Readonly<Record<ObservedScreen, string>> = {
  list: 'list of models',
  overview: 'overview of a model',
  statistics: 'charts of a model',
};

function observerRow(screen: ObservedScreen, effect: ObserverEffect): Row {
  const item = `One page that watches, ${SCREENS[screen]}: share of the server's throughput`;
  const { pairs, engine, loop, engineAloneMs, pagesMs, browserRestMs } = effect;
  const told = ({ median, low, high }: PairedDifference): string =>
    `${median.toFixed(1)} ms (${low.toFixed(1)} to ${high.toFixed(1)})`;
  const measured = `${percent(engine.median / 1000)}: of each second the engine takes ${told(engine)} more, its event loop ${told(loop)}, beside ${Math.round(engineAloneMs)} ms for ${OBSERVED_RATE} requests (medians of ${pairs} pairs of rounds, 95 % intervals); the browser draws for ${Math.round(pagesMs)} ms in its pages and ${Math.round(browserRestMs)} ms around them`;
  const verdict = verdictOf(engine, OBSERVER_LIMIT_MS);
  return verdict === 'uneven'
    ? notMeasured(item, '< 2 %', `${measured}: uneven, no verdict`)
    : row(item, '< 2 %', measured, verdict === 'within');
}
