// `npm run conformance:reference`: asks a real Triton server and ours the same things and compares the answers. Writes
// `.cache/test-reports/reference.json`; exit code 1 when they differ where tests/reference/known-differences.ts does not
// say so, or agree where it says they differ. A pattern as argument runs the cases whose name contains it.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { TempRepository } from '../src-main/testing/temp-repository.ts';
import type { ComparedRow } from '../tests/reference/compare.ts';
import { compareAnswers } from '../tests/reference/compare.ts';
import { GRPC_CASES } from '../tests/reference/grpc-cases.ts';
import { HTTP_SCRIPTS } from '../tests/reference/http-scripts.ts';
import { KNOWN_DIFFERENCES, levelled } from '../tests/reference/known-differences.ts';
import { OBSERVABILITY_CASES } from '../tests/reference/observability-cases.ts';
import type { ReferenceCase, Target } from '../tests/reference/reference-case.ts';
import { wireReferenceCase } from '../tests/reference/reference-case.ts';
import { STARTED, twinRepository } from '../tests/reference/reference-models.ts';
import { SCHEDULING_CASES } from '../tests/reference/scheduling-cases.ts';
import { TENSOR_CASES } from '../tests/reference/tensor-cases.ts';
import { WIRE_CASES } from '../tests/reference/wire-cases.ts';
import { startReferenceServer } from './reference-server.ts';
import type { ServedAddresses, ServedProcess } from './served-process.ts';
import { serveConch } from './served-process.ts';

const reports = path.resolve(import.meta.dirname, '../.cache/test-reports');

const CASES: readonly ReferenceCase[] = [
  ...WIRE_CASES.map(wireReferenceCase),
  ...TENSOR_CASES.map(wireReferenceCase),
  ...OBSERVABILITY_CASES,
  ...HTTP_SCRIPTS,
  ...GRPC_CASES,
  ...SCHEDULING_CASES,
];

async function main(pattern: string): Promise<number> {
  mkdirSync(reports, { recursive: true });
  await using theirs = await TempRepository.create(twinRepository('reference'));
  await using ours = await TempRepository.create(twinRepository('ours'));
  const args = (repository: string): string[] => [
    `--model-repository=${repository}`,
    '--model-control-mode=explicit',
    ...STARTED.map((name) => `--load-model=${name}`),
    '--cache-config=local,size=1048576',
  ];
  const reference = await startReferenceServer(args(theirs.path));
  if ('missing' in reference) {
    console.log(`the comparison with a running reference is skipped: ${reference.missing}`);
    return 0;
  }
  const servers: ServedProcess[] = [reference.server];
  try {
    const conch = await serveConch([...args(ours.path), '--allow-client-shm=true']);
    servers.push(conch);
    const rows = await compareAll(target(reference.server), target(conch), pattern);
    for (const server of servers)
      if (server.hasEnded()) console.log(`a server ended:\n${server.log().slice(-3000)}`);
    return report(rows, pattern === '');
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function target(addresses: ServedAddresses): Target {
  const port = (address: string): number => Number(address.split(':').at(-1));
  return {
    httpPort: port(addresses.http),
    grpcPort: port(addresses.grpc),
    metricsPort: port(addresses.metrics),
  };
}

async function compareAll(reference: Target, ours: Target, pattern: string): Promise<ComparedRow[]> {
  const rows: ComparedRow[] = [];
  for (const one of CASES.filter(({ name }) => name.includes(pattern))) {
    const answer = (side: Target): Promise<unknown> =>
      one.run(side).catch((error: unknown) => ({ thrown: String(error) }));
    const [theirs, mine] = await Promise.all([answer(reference), answer(ours)]);
    rows.push(...compareAnswers(one.name, theirs, mine));
  }
  return rows;
}

/** Different, but as known-differences.ts says. */
function isKnown({ name, reference, ours }: ComparedRow): boolean {
  if (levelled(name, reference) === levelled(name, ours)) return true;
  return KNOWN_DIFFERENCES.some(({ rows, level }) => level === undefined && rows.test(name));
}

function report(rows: readonly ComparedRow[], isComplete: boolean): number {
  const different = rows.filter(({ isSame }) => !isSame);
  const unexpected = different.filter((row) => !isKnown(row));
  for (const { name, reference, ours } of unexpected)
    console.log(`## ${name}\n  reference ${reference.slice(0, 1500)}\n  ours      ${ours.slice(0, 1500)}`);
  const unused = isComplete
    ? KNOWN_DIFFERENCES.filter((known) => !different.some(({ name }) => known.rows.test(name)))
    : [];
  for (const { rows: pattern, reason } of unused)
    console.log(`## no longer different: ${pattern.source} (${reason})`);
  const known = different.length - unexpected.length;
  console.log(
    `${rows.length} answers compared: ${rows.length - different.length} the same, ${known} known differences, ${unexpected.length} unexpected`,
  );
  const counts = { passed: rows.length - unexpected.length, failed: unexpected.length + unused.length };
  writeFileSync(
    path.join(reports, 'reference.json'),
    JSON.stringify({ ...counts, skipped: 0, rows }, null, 1),
  );
  return counts.failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv[2] ?? '');
