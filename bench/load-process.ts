// The load generator, a process of its own so that it never shares an event loop with what it measures. Keeps a fixed
// number of requests in flight, one per connection, and records latencies in microseconds.

import { build } from 'hdr-histogram-js';

import { HttpConnection } from './http-connection.ts';
import type { LoadJob, LoadReply, LoadResult } from './load-protocol.ts';

const HIGHEST_US = 60_000_000;

async function run(job: LoadJob): Promise<LoadResult> {
  const message = Buffer.from(job.messageBase64, 'base64');
  const histogram = build({ lowestDiscernibleValue: 1, highestTrackableValue: HIGHEST_US });
  const connections = await Promise.all(
    Array.from({ length: job.connectionCount }, () => HttpConnection.open(job.port)),
  );
  const startMs = performance.now() + job.warmupMs;
  const endMs = startMs + job.durationMs;
  let lastMs = startMs;
  try {
    await Promise.all(
      connections.map((connection) =>
        loop(connection, message, endMs, (sentMs, doneMs) => {
          if (sentMs < startMs) return;
          histogram.recordValue(Math.min(HIGHEST_US, Math.max(1, Math.round((doneMs - sentMs) * 1000))));
          lastMs = doneMs;
        }),
      ),
    );
  } finally {
    for (const connection of connections) connection.close();
  }
  return {
    requestCount: histogram.totalCount,
    perSecond: histogram.totalCount / ((lastMs - startMs) / 1000),
    p50Us: histogram.getValueAtPercentile(50),
    p90Us: histogram.getValueAtPercentile(90),
    p99Us: histogram.getValueAtPercentile(99),
    maxUs: histogram.maxValue,
  };
}

function loop(
  connection: HttpConnection,
  message: Buffer,
  endMs: number,
  record: (sentMs: number, doneMs: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentMs = 0;
    const send = (): void => {
      sentMs = performance.now();
      connection.send(message, onResponse, reject);
    };
    const onResponse = (status: number): void => {
      const now = performance.now();
      if (status !== 200) {
        reject(new Error(`the server answered with status ${status}`));
        return;
      }
      record(sentMs, now);
      if (now < endMs) send();
      else resolve();
    };
    send();
  });
}

process.on('message', (job: LoadJob) => {
  run(job).then(
    (result) => reply({ result }),
    (thrown: unknown) => reply({ error: thrown instanceof Error ? thrown.message : String(thrown) }),
  );
});

function reply(message: LoadReply): void {
  process.send?.(message);
}
