// What a load test reads of a server: management calls over HTTP, statistics and their differences, GPU use, CPU time.

import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { systemClock } from '../../base/clock.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { GpuSampler } from './gpu-sampler.ts';
import type { ModelCounters } from './model-counters.ts';
import { countersBetween, countersOf, movedVersion, serverTimes } from './model-counters.ts';
import { listeningProcess, processCpuMs } from './process-cpu.ts';
import { HttpLink } from './server-link.ts';

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Answer = { readonly status?: number; readonly body: string };

/** A server that notes what it is asked and answers by path. */
async function scripted(answers: Readonly<Record<string, Answer>>) {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const token = request.headers['x-token'];
      asked.push(
        [
          request.method,
          request.url,
          ...(token === undefined ? [] : [token]),
          ...(body === '' ? [] : [body]),
        ].join(' '),
      );
      const { status = 200, body: text } = answers[request.url ?? ''] ?? {
        status: 404,
        body: '{"error":"unknown"}',
      };
      response.writeHead(status).end(text);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, port };
}

async function linked(answers: Readonly<Record<string, Answer>>) {
  const { asked, port } = await scripted(answers);
  const headers = [{ name: 'x-token', value: 't' }];
  const link = new HttpLink(`127.0.0.1:${port}`, { clock: systemClock, headers, tls: undefined });
  closing.push(() => link.close());
  return { link, asked };
}

describe('a link over HTTP', () => {
  test('facts, readiness and configuration are asked with the headers of the plan', async () => {
    const { link, asked } = await linked({
      '/v2': { body: '{"name":"triton","version":"2.60"}' },
      '/v2/models/a%2Fb/versions/3/ready': { body: '' },
      '/v2/models/a%2Fb/versions/3/config': { body: '{"name":"a/b","max_batch_size":4,"new_field":1}' },
    });
    expect(await link.facts()).toEqual({ name: 'triton', version: '2.60' });
    expect(await link.isModelReady('a/b', '3')).toBe(true);
    expect(await link.isModelReady('a/b', '')).toBe(false);
    expect(await link.modelConfig('a/b', '3')).toMatchObject({ name: 'a/b', maxBatchSize: 4 });
    expect(asked[0]).toBe('GET /v2 t');
  });

  test('statistics are asked of one model, or of all', async () => {
    const stats = (name: string) => ({ body: JSON.stringify({ model_stats: [{ name, version: '1' }] }) });
    const { link } = await linked({ '/v2/models/stats': stats('all'), '/v2/models/m/stats': stats('m') });
    expect((await link.counters('', '')).map(({ model }) => model)).toEqual(['all']);
    expect((await link.counters('m', '')).map(({ model }) => model)).toEqual(['m']);
  });

  test('what is refused comes with the words of the server, or with its status where it has none', async () => {
    const { link } = await linked({
      '/v2/models/m/config': { status: 400, body: '{"error":"no such model"}' },
      '/v2': { status: 500, body: '' },
    });
    await expect(link.modelConfig('m', '')).rejects.toMatchObject({
      code: 'INVALID_ARG',
      message: 'no such model',
    });
    await expect(link.modelConfig('other', '')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'unknown',
    });
    await expect(link.facts()).rejects.toThrow('HTTP status 500');
  });

  test('regions and traces are told as the protocol has them', async () => {
    const { link, asked } = await linked({
      '/v2/systemsharedmemory/region/in%20put/register': { body: '' },
      '/v2/systemsharedmemory/unregister': { body: '' },
      '/v2/trace/setting': { body: '' },
    });
    await link.registerRegion({ name: 'in put', key: '/k', byteSize: 8 });
    await link.unregisterRegions();
    await link.updateTrace({ trace_level: ['TIMESTAMPS', 'TENSORS'], trace_rate: ['1000'] });
    expect(asked).toEqual([
      'POST /v2/systemsharedmemory/region/in%20put/register t {"key":"/k","offset":0,"byte_size":8}',
      'POST /v2/systemsharedmemory/unregister t',
      'POST /v2/trace/setting t {"trace_level":["TIMESTAMPS","TENSORS"],"trace_rate":"1000"}',
    ]);
  });

  test('an answer that is no JSON object is told as such', async () => {
    const { link } = await linked({ '/v2': { body: 'null' } });
    await expect(link.facts()).rejects.toThrow('/v2 answered no JSON object');
  });
});

describe('statistics', () => {
  const stats = (version: string, count: number, more: object = {}): ModelCounters => {
    const counter = (ns: number) => ({ count, ns: count * ns });
    const [only] = countersOf({
      model_stats: [
        {
          name: 'm',
          version,
          inference_count: count * 2,
          execution_count: count,
          inference_stats: {
            success: counter(10_000_000),
            queue: counter(2_000_000),
            compute_input: counter(100_000),
            compute_infer: counter(7_000_000),
            compute_output: counter(50_000),
            ...more,
          },
          batch_stats: [{ batch_size: 2, compute_infer: { count, ns: 1 } }],
        },
      ],
    });
    if (only === undefined) throw new Error('no statistics');
    return only;
  };

  test('64-bit numbers come as texts over gRPC; what is missing is zero', () => {
    const [read] = countersOf({
      model_stats: [
        { name: 'm', inference_count: '12', inference_stats: { success: { count: '3', ns: '9000' } } },
      ],
    });
    expect(read).toMatchObject({
      version: '',
      inferenceCount: 12,
      success: { count: 3, ns: 9000 },
      queue: { count: 0, ns: 0 },
    });
    expect(countersOf({})).toEqual([]);
    expect(countersOf({ model_stats: [null, 'x'] as unknown[] })).toHaveLength(2);
  });

  test('means per request are of what happened between two readings', () => {
    const between = countersBetween(stats('1', 10), stats('1', 30));
    expect(between).toMatchObject({ inferenceCount: 40, executionCount: 20, success: { count: 20 } });
    expect([...between.batches]).toEqual([[2, 20]]);
    expect(serverTimes(between, { isEnsemble: false, hasCache: false }, [])).toMatchObject({
      successCount: 20,
      requestUs: 10_000,
      queueUs: 2000,
      inputUs: 100,
      inferUs: 7000,
      outputUs: 50,
      overheadUs: 850,
      batches: [{ batchSize: 2, count: 20 }],
    });
  });

  test('a server that restarted meanwhile counts from zero, never below', () => {
    const between = countersBetween(stats('1', 100), stats('1', 5));
    expect(between.success.count).toBe(5);
    expect(
      serverTimes(countersBetween(stats('1', 5), stats('1', 5)), { isEnsemble: false, hasCache: false }, []),
    ).toMatchObject({ successCount: 0, requestUs: 0, overheadUs: 0, batches: [] });
  });

  test('with a cache the parts are shares of all requests, so that they add up', () => {
    const hits = {
      cache_hit: { count: 90, ns: 90 * 1_000_000 },
      cache_miss: { count: 10, ns: 10 * 2_000_000 },
    };
    const after = { ...stats('1', 100, hits), queue: { count: 100, ns: 0 } };
    const compute = { count: 10, ns: 10 * 7_000_000 };
    const none = { count: 10, ns: 0 };
    const times = serverTimes(
      { ...countersBetween(undefined, after), infer: compute, input: none, output: none },
      { isEnsemble: false, hasCache: true },
      [],
    );
    expect(times).toMatchObject({ cacheHitCount: 90, cacheHitUs: 1000, cacheMissUs: 2000, inferUs: 7000 });
    // 900 us of hits, 200 us of misses and 700 us of compute for each of 100 requests.
    expect(times.overheadUs).toBe(10_000 - 1800);
  });

  test('the version that was used is the one whose queue moved, the highest of several', () => {
    const before = [stats('1', 10), stats('2', 10), stats('10', 10)];
    const moved = (counts: readonly number[]) =>
      movedVersion(
        before,
        ['1', '2', '10'].map((version, at) => stats(version, counts[at] ?? 0)),
        'm',
      );
    expect(moved([20, 10, 10])).toMatchObject({ version: '1' });
    expect(moved([20, 20, 10])).toMatchObject({ version: '2' });
    expect(moved([10, 10, 10])).toMatchObject({ version: '10' });
    expect(movedVersion(before, before, 'other')).toBe(undefined);
  });
});

describe('the machine', () => {
  test('GPU use is averaged over a level, memory is the most of it', async () => {
    let page = 0;
    const gpu = (name: string, value: string) => `nv_gpu_${name}{gpu_uuid="GPU-1"} ${value}\n`;
    const pages = [
      `# HELP\n${gpu('utilization', '0.5')}${gpu('power_usage', '100')}${gpu('memory_used_bytes', '1e9')}${gpu('memory_total_bytes', '8e9')}`,
      `${gpu('utilization', '0.9')}${gpu('power_usage', 'NaN')}${gpu('memory_used_bytes', '3e9')}${gpu('energy_total', '7')}`,
    ];
    const server = http.createServer((_request, response) => {
      response.end(pages[page % pages.length]);
      page += 1;
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const clock = new FakeClock();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
    const sampler = new GpuSampler(url, { clock, periodMs: 100 });
    closing.push(() => sampler.close());
    sampler.startLevel();
    expect(sampler.endLevel()).toEqual([]);
    for (const wanted of [1, 2]) {
      await clock.advance(100);
      await vi.waitFor(() => expect(page).toBe(wanted));
    }
    await vi.waitFor(() =>
      expect(sampler.endLevel()).toEqual([
        {
          uuid: 'GPU-1',
          utilizationPercent: expect.closeTo(70),
          powerWatts: 100,
          usedByteSize: 3e9,
          totalByteSize: 8e9,
        },
      ]),
    );
    sampler.startLevel();
    expect(sampler.endLevel()).toEqual([]);
  });

  test('a metrics page that nobody answers is told before the test, and skipped during it', async () => {
    const server = http.createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    const clock = new FakeClock();
    const sampler = new GpuSampler(`http://127.0.0.1:${port}/metrics`, { clock, periodMs: 100 });
    closing.push(() => sampler.close());
    await expect(sampler.check()).rejects.toThrow();
    await clock.advance(500);
    expect(sampler.endLevel()).toEqual([]);
  });

  test.runIf(process.platform === 'linux')(
    'the process behind a port is found, with its CPU time',
    async () => {
      const { port } = await scripted({});
      const pid = await listeningProcess('127.0.0.1', port);
      expect(pid).toBe(process.pid);
      const before = (await processCpuMs(process.pid)) ?? NaN;
      expect(before).toBeGreaterThan(0);
      expect(await processCpuMs(process.pid)).toBeGreaterThanOrEqual(before);
    },
  );

  test('a process elsewhere, and one that is not there, are not known', async () => {
    expect(await listeningProcess('example.com', 8000)).toBeUndefined();
    expect(await listeningProcess('127.0.0.1', 1)).toBeUndefined();
    expect(await processCpuMs(2 ** 30)).toBeUndefined();
  });
});
