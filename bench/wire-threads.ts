// Where the single event loop ends: the processor time of each thread for one request that comes over HTTP, with threads
// in front of the loop and without. Processor time is told apart from waiting, so that the figures of a machine that is
// busy, or has fewer processors than threads, can be used: 1 s divided by the loop's share is what one loop can schedule
// where every thread has a processor. Linux, needs wrk.
// Run: node bench/wire-threads.ts [THREADS,...] [ROW,...] [CONNECTIONS,...] [SECONDS]

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { setCollector } from '../src-main/shell/hosting/collector-settings.ts';
import { createEngine } from '../src-main/create-engine.ts';
import { testEngineOptions } from '../src-main/testing/start-test-engine.ts';
import { writePeerRepository } from './peer/peer-models.ts';
import { peerRows } from './peer/peer-rows.ts';
import { runTool } from './peer/peer-tools.ts';
import type { ThreadTime } from './thread-times.ts';
import { threadTimes } from './thread-times.ts';

const WARM_UP_S = 2;

/** Threads of one kind share a name, but for the loop, which is the process itself. */
function kindOf(id: string, name: string): string {
  if (id === String(process.pid)) return 'event loop';
  if (name.startsWith('http-wire')) return 'wire threads';
  if (name.startsWith('session-worker')) return "instances' threads";
  return 'others (collector, compiler)';
}

function busyByKind(before: Map<string, ThreadTime>, after: Map<string, ThreadTime>): Map<string, number> {
  const sums = new Map<string, number>();
  for (const [id, { name, busyNs }] of after) {
    const kind = kindOf(id, name);
    sums.set(kind, (sums.get(kind) ?? 0) + busyNs - (before.get(id)?.busyNs ?? 0));
  }
  return sums;
}

setCollector();
const [threads = '0,1,2', rows = 'http-16', connections = '16', seconds = '4'] = process.argv.slice(2);
const folder = await mkdtemp(path.join(os.tmpdir(), 'conch-wire-'));
try {
  await writePeerRepository(folder);
  for (const id of rows.split(',')) {
    const row = peerRows().find((one) => one.id === id);
    if (row === undefined)
      throw new Error(
        `no row '${id}': ${peerRows()
          .map((one) => one.id)
          .join(', ')}`,
      );
    const model = /models\/([^/]+)/.exec(row.request.path)?.[1] ?? '';
    for (const count of threads.split(',').map(Number)) {
      const options = testEngineOptions(folder, { repository: { startupModels: [model] } });
      const engine = createEngine({ ...options, http: { ...options.http, wireThreadCount: count } });
      await engine.start();
      for (const connectionCount of connections.split(',').map(Number)) {
        const load = { ...row, connections: connectionCount };
        const port = engine.ports.http ?? 0;
        await runTool(load, port, WARM_UP_S, folder);
        const before = threadTimes();
        const { perSecond, p50Us, p99Us } = await runTool(load, port, Number(seconds), folder);
        const requests = perSecond * Number(seconds);
        const times = [...busyByKind(before, threadTimes())].map(
          ([kind, ns]) => [kind, Number((ns / 1000 / requests).toFixed(1))] as const,
        );
        const loop = times.find(([kind]) => kind === 'event loop')?.[1] ?? Number.NaN;
        console.log(
          `${row.title}, ${connectionCount} connections, ${count} wire threads: ${Math.round(perSecond)} requests/s, ` +
            `p50 ${Math.round(p50Us)} us, p99 ${Math.round(p99Us ?? 0)} us; us per request: ` +
            `${times.map(([kind, us]) => `${kind} ${us}`).join(', ')}; ` +
            `one loop can schedule ${Math.round(1e6 / loop)} requests/s`,
        );
      }
      await engine.close();
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
