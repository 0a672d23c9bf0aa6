// npm run bench -- [--peer [--awake]] [--quick] [--only=NAME,...] [--json=FILE]
//
// Measures the server against floors on this machine, prints a table, and writes the figures with machine and settings
// as JSON. Exit code 1 when a target is missed. With --peer the reference server is what ours is measured against
// (bench/peer); --awake keeps the processors from halting meanwhile (bench/peer/awake.ts).

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { LoadGenerator } from './load-generator.ts';
import { keepAwake } from './peer/awake.ts';
import { comparePeers } from './peer/run-peer.ts';
import { peerTable } from './peer/peer-table.ts';
import { writeBenchRepository } from './models.ts';
import { SCENARIOS } from './scenarios.ts';
import type { Pace, Verdict } from './scenarios.ts';
import { startConch } from './servers.ts';

const QUICK: Pace = { roundCount: 3, durationMs: 2000, warmupMs: 500 };
const FULL: Pace = { roundCount: 7, durationMs: 5000, warmupMs: 1500 };

const { values: options } = parseArgs({
  options: {
    peer: { type: 'boolean', default: false },
    awake: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    json: { type: 'string' },
  },
});

function chosenScenarios(): string[] {
  const names = options.only?.split(',') ?? Object.keys(SCENARIOS);
  for (const name of names) {
    if (SCENARIOS[name] === undefined) {
      throw new Error(`unknown scenario '${name}', there are: ${Object.keys(SCENARIOS).join(', ')}`);
    }
  }
  return names;
}

async function measure(names: readonly string[], pace: Pace): Promise<Verdict[]> {
  const repository = await mkdtemp(path.join(os.tmpdir(), 'conch-bench-'));
  const load = new LoadGenerator();
  try {
    const models = new Set(names.flatMap((name) => SCENARIOS[name]?.models ?? []));
    await writeBenchRepository(repository, models, os.availableParallelism());
    const server = await startConch(repository);
    const verdicts: Verdict[] = [];
    try {
      for (const name of names) {
        const scenario = SCENARIOS[name];
        if (scenario === undefined) continue;
        process.stderr.write(`measuring: ${scenario.name}\n`);
        verdicts.push(await scenario.run({ port: server.port, repository, load, pace }));
      }
    } finally {
      await server.close();
    }
    return verdicts;
  } finally {
    load.close();
    await rm(repository, { recursive: true, force: true });
  }
}

function printTable(verdicts: readonly Verdict[]): void {
  const rows = [
    ['scenario', 'ours', 'floor', 'result', 'target', ''],
    ...verdicts.map(({ scenario, ours, floor, value, unit, target, isMet }) => [
      scenario,
      ours,
      floor,
      `${value.toFixed(2)} ${unit}`,
      target,
      isMet ? 'met' : 'MISSED',
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  for (const row of rows) {
    console.log(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  }
}

/** Date, machine and figures, as JSON, to the file that was named or to standard output. */
async function keep(figures: object): Promise<void> {
  const record = {
    date: new Date().toISOString(),
    machine: {
      cpu: os.cpus()[0]?.model ?? 'unknown',
      coreCount: os.availableParallelism(),
      memoryByteSize: os.totalmem(),
      platform: `${os.platform()} ${os.release()}`,
      node: process.version,
    },
    ...figures,
  };
  if (options.json === undefined) console.log(JSON.stringify(record));
  else await writeFile(options.json, `${JSON.stringify(record, undefined, 2)}\n`);
}

if (options.peer) {
  const sleep = options.awake ? await keepAwake() : undefined;
  const record = await comparePeers(options.only, options.quick).finally(sleep);
  console.log(peerTable(record));
  await keep(record);
  for (const failure of record.failures) console.error(`not measured: ${failure}`);
  if (record.failures.length > 0) process.exitCode = 1;
} else {
  const pace = options.quick ? QUICK : FULL;
  const verdicts = await measure(chosenScenarios(), pace);
  printTable(verdicts);
  await keep({ pace, verdicts });
  if (verdicts.some((verdict) => !verdict.isMet)) process.exitCode = 1;
}
