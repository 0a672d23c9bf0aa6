// Runs side by side, and as files to take away.

import { describe, expect, test } from 'vitest';

import { configValueText } from '../../../src-shared/config/config-diff.ts';
import type { PerfLevel } from '../../../src-shared/contract/perf-views.ts';
import { fakeLevel, fakeRun, fakeServerTimes } from '../../../src-shared/testing/fake-runs.ts';
import { compareRuns } from './compare-runs.ts';
import { exportName, exportRun } from './export-run.ts';

const p99 = (us: number) => ({ percentilesUs: { '99': us } });
const withWindows = (level: PerfLevel, rates: readonly number[]): PerfLevel => ({
  ...level,
  windows: rates.map((inferPerSecond) => ({ ...level.result, inferPerSecond })),
});

describe('a comparison', () => {
  test('differences are against the first run, at the loads both measured', () => {
    const base = fakeRun('a', [fakeLevel(1, p99(10_000)), fakeLevel(2, p99(10_000))]);
    const other = fakeRun('b', [
      fakeLevel(2, { inferPerSecond: 118, ...p99(7900) }),
      fakeLevel(4, { inferPerSecond: 400 }),
      fakeLevel(1, {}, { unit: 'request-rate' }),
    ]);
    const { differences } = compareRuns([base, other]);
    expect(differences).toEqual([
      {
        runId: 'b',
        levels: [
          {
            unit: 'concurrency',
            value: 2,
            throughputPercent: expect.closeTo(18),
            isThroughputClear: true,
            p99DifferenceUs: -2100,
            isP99Clear: true,
            sentence: '+18 % inf/s, p99 -2.1 ms, clear',
          },
        ],
      },
    ]);
  });

  test.each([
    ['both are noise', [70, 100, 130], 104, 10_050, 'within noise'],
    ['only the throughput is clear', [99, 100, 101], 150, 10_050, '+50 % inf/s, p99 +0.1 ms (within noise)'],
    ['only the latency is clear', [70, 100, 130], 90, 20_000, '-10 % inf/s (within noise), p99 +10.0 ms'],
  ])('when %s it says so', (_name, rates, rate, us, sentence) => {
    const base = withWindows(fakeLevel(1, p99(10_000)), rates);
    const other = withWindows(
      fakeLevel(1, { inferPerSecond: rate, ...p99(us) }),
      rates.map((one) => one + rate - 100),
    );
    const { differences } = compareRuns([fakeRun('a', [base]), fakeRun('b', [other])]);
    expect(differences[0]?.levels[0]?.sentence).toBe(sentence);
  });

  test('one window tells nothing about noise, and levels that measured nothing are not compared', () => {
    const single = withWindows(fakeLevel(1, { inferPerSecond: 300 }), [300]);
    const empty = fakeLevel(2, { requestCount: 0 });
    const { differences } = compareRuns([
      fakeRun('a', [fakeLevel(1), fakeLevel(2)]),
      fakeRun('b', [single, empty]),
    ]);
    expect(differences[0]?.levels.map(({ sentence }) => sentence)).toEqual(['within noise']);
  });

  test('fields of the configurations that differ have one value for each run', () => {
    const texts = ['max_batch_size: 8', 'max_batch_size: 16', 'max_batch_size: 8 backend: "python"'];
    const runs = texts.map((text, index) => fakeRun(`r${index}`, [], { configText: `name: "m" ${text}` }));
    const { configChanges } = compareRuns(runs);
    expect(configChanges).toContainEqual({ path: 'max_batch_size', values: ['8', '16', '8'] });
    expect(configChanges).toContainEqual({ path: 'backend', values: ['', '', 'python'] });
  });

  test('different machines, servers and models are named, unknown ones too', () => {
    const base = fakeRun('a', []);
    const other = fakeRun('b', [], {
      model: 'other',
      fingerprint: { ...base.fingerprint, cpuModel: 'Xeon', powerSource: '' },
    });
    expect(compareRuns([base, other]).warnings).toEqual([
      'Different processors: AMD Ryzen 7 7840U / Xeon.',
      'Different power sources: AC / unknown.',
      'The runs are of different models.',
    ]);
    expect(compareRuns([base, fakeRun('c', [])]).warnings).toEqual([]);
    const elsewhere = { ...base, plan: { ...base.plan, url: 'gpu-box:8000' } };
    expect(compareRuns([base, elsewhere]).warnings).toEqual([
      'Measured at different addresses: the server of this window / gpu-box:8000.',
    ]);
    expect(compareRuns([])).toEqual({ runs: [], differences: [], configChanges: [], warnings: [] });
  });

  test('values of any kind have a text', () => {
    expect([undefined, 'a', 3, 5n, { delay: 7n }].map(configValueText)).toEqual([
      '',
      'a',
      '3',
      '5',
      '{ delay: 7 }',
    ]);
  });
});

describe('a file of a run', () => {
  const run = fakeRun(
    'r',
    [
      fakeLevel(1, { server: fakeServerTimes() }),
      fakeLevel(4, { inferPerSecond: 212.5, percentilesUs: { '50': 1, '90': 2, '95': 3, '99': 4.6 } }),
      fakeLevel(8, { requestCount: 0 }, { state: 'failed' }),
    ],
    { kneeIndex: 1, warnings: ['On battery.'], note: 'Mind the ```fence```.' },
  );

  test('its name says of what and when, in letters every system takes', () => {
    expect(exportName(run)).toBe('m-2026-05-04T12-30-05');
    expect(exportRun(run, 'csv').fileName).toBe('m-2026-05-04T12-30-05.csv');
    expect(exportRun(run, 'issue').fileName).toBe('m-2026-05-04T12-30-05-issue.md');
  });

  test('JSON is all of it', () => {
    expect(JSON.parse(exportRun(run, 'json').text)).toEqual(JSON.parse(JSON.stringify(run)));
  });

  test('CSV has the levels that measured something, the slowest first', () => {
    const lines = exportRun(run, 'csv').text.trim().split('\n');
    expect(lines[0]).toMatch(/^Concurrency,Inferences\/Second,Client Send,/);
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 2))).toEqual([
      ['1', '100'],
      ['4', '212.5'],
    ]);
  });

  test('a table for a report has each level, the knee, the machine and the warnings', () => {
    const { text } = exportRun(run, 'markdown');
    expect(text).toContain('## m\n');
    expect(text).toContain('`m` over HTTP (binary), batch size 1, 2026-05-04T12:30:05.000Z.');
    expect(text).toContain('| 1 | 100 | 10000 | 10000 | 10800 | 11000 | 11900 | 2000 | 7000 | stable |');
    expect(text).toContain('| 4 | 212.5 | 10000 | 1 | 2 | 3 | 5 |  |  | stable |');
    expect(text).toContain('Beyond 4 only the queue grows.');
    expect(text).toContain('Measured on AMD Ryzen 7 7840U, 8 cores, linux 6.8 x64, CPU; triton.');
    expect(text).toContain('- On battery.');
  });

  test('rows of the table have as many cells as its head, whatever is known', () => {
    const rows = exportRun(run, 'markdown')
      .text.split('\n')
      .filter((line) => line.startsWith('|'));
    expect(new Set(rows.map((row) => row.split('|').length)).size).toBe(1);
  });

  test('an issue has the command, the configuration and the machine, and fences that hold', () => {
    const configText = 'name: "m" # ```` four ticks\n';
    const { text } = exportRun({ ...run, configText, isOverride: true }, 'issue');
    expect(text).toContain('```sh\nperf_analyzer -m m --concurrency-range 1:1:1\n```');
    expect(text).toContain('`````protobuf\nname: "m" # ```` four ticks\n`````');
    expect(text).toContain('- Configuration: abc123, loaded for this run only');
    expect(text).toContain('32 GiB');
    expect(text).toContain('- Device: CPU; power: AC');
    expect(text).toContain(run.note);
  });

  test('a run by rate says so', () => {
    const rate = fakeRun('r', [fakeLevel(50.5, {}, { unit: 'request-rate' })], { name: 'nightly' });
    const { text } = exportRun(rate, 'markdown');
    expect(text).toContain('## nightly');
    expect(text).toContain('| Request rate |');
    expect(text).toContain('| 50.5 |');
  });
});
