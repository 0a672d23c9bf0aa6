// A whole test over real sockets against a server of the protocol that answers from a script.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { runPerfCommand } from './perf-command.ts';

const CONFIG = {
  name: 'm',
  max_batch_size: 0,
  input: [{ name: 'X', data_type: 'TYPE_INT32', dims: [2] }],
  output: [{ name: 'Y', data_type: 'TYPE_INT32', dims: [1] }],
};
const ANSWER = JSON.stringify({
  model_name: 'm',
  model_version: '1',
  outputs: [{ name: 'Y', datatype: 'INT32', shape: [1], data: [7] }],
});

let server: http.Server;
let folder: string;
let url: string;
let inferStatus = 200;
let received: Buffer[] = [];

beforeEach(async () => {
  inferStatus = 200;
  received = [];
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-perf-'));
  server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const address = request.url ?? '';
      if (address.endsWith('/infer')) {
        received.push(Buffer.concat(chunks));
        response.statusCode = inferStatus;
        response.end(inferStatus === 200 ? ANSWER : '{"error":"no luck"}');
      } else if (address.endsWith('/config')) response.end(JSON.stringify(CONFIG));
      else if (address.endsWith('/stats'))
        // Late enough for a few requests to be answered meanwhile.
        setTimeout(() => response.writeHead(404).end('{"error":"no statistics"}'), 30);
      else response.end('{"name":"scripted","version":"1"}');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  url = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

async function perf(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = '';
  let err = '';
  const code = await runPerfCommand(['-m', 'm', '-u', url, ...args], {
    print: (text) => (out += text),
    printError: (text) => (err += text),
    status: () => undefined,
    version: '1.2.3',
    signal: new AbortController().signal,
  });
  return { code, out, err };
}

it('agrees with itself: concurrency is throughput times latency', async () => {
  const csv = path.join(folder, 'out.csv');
  const { code } = await perf(
    '--concurrency-range',
    '4',
    '-p',
    '150',
    '-s',
    '100000',
    '-f',
    csv,
    '--verbose-csv',
  );
  expect(code).toBe(0);
  const [head = '', row = ''] = (await readFile(csv, 'utf8')).split('\n');
  const column = (name: string): number => Number(row.split(',')[head.split(',').indexOf(name)]);
  const concurrency = (column('Inferences/Second') * column('Avg latency')) / 1e6;
  // Little's law. Below: this client's time between an answer and the next request. Above: what a request that began
  // before its window of 150 ms waited there, which a busy machine makes long.
  expect(concurrency).toBeLessThan(5);
  expect(concurrency).toBeGreaterThan(2.5);
});

it('sends exactly the requests it was asked for, and exports each of them', async () => {
  const file = path.join(folder, 'profile.json');
  const data = ['--input-data', 'zero', '--request-count', '5', '--profile-export-file', file];
  const { code, out } = await perf(...data);
  expect(code).toBe(0);
  expect(out).toContain('  Sending 5 benchmark request(s)');
  expect(out).toContain('    Request count: 5\n');
  expect(received).toHaveLength(5);
  const text = await readFile(file, 'utf8');
  expect(text).not.toContain('\n');
  const profile = JSON.parse(text) as {
    experiments: { experiment: unknown; requests: Record<string, unknown>[]; window_boundaries: unknown[] }[];
  };
  expect(profile).toMatchObject({ version: '1.2.3', service_kind: 'triton', endpoint: '' });
  expect(profile.experiments[0]?.experiment).toEqual({ mode: 'concurrency', value: 1 });
  expect(profile.experiments[0]?.requests).toHaveLength(5);
  expect(profile.experiments[0]?.requests[0]).toMatchObject({
    request_inputs: { X: [0, 0] },
    response_outputs: [{ Y: 7 }],
  });
  expect((await perf(...data)).err).toContain('already exists');
});

it('sends each entry of a schedule once, in its order, and counts all of them', async () => {
  const data = path.join(folder, 'data.json');
  const step = (value: number, timestamp: unknown) => ({ X: [value, value], timestamp });
  await writeFile(data, JSON.stringify({ data: [step(1, 0), step(2, [15]), step(3, 30)] }));
  const { code, out } = await perf('--fixed-schedule', '--input-data', data);
  expect(code).toBe(0);
  expect(out).toContain('    Request count: 3\n');
  expect(received.map((body) => body.readInt32LE(body.length - 4))).toEqual([1, 2, 3]);

  await writeFile(data, JSON.stringify({ data: [step(1, 0), { X: [1, 1] }] }));
  const { code: refused, err } = await perf('--fixed-schedule', '--input-data', data);
  expect(refused).toBe(99);
  expect(err).toContain('stream 0, step 1 has none');
});

it('sends with the gaps of a file, and reports their rate', async () => {
  const gaps = path.join(folder, 'gaps.txt');
  await writeFile(gaps, '1000\n3000\n');
  const { code, out } = await perf('--request-intervals', gaps, '--request-count', '6');
  expect(code).toBe(0);
  expect(received).toHaveLength(6);
  expect(out).toContain('Request Rate: 500 inference requests per second');
});

it('ends with the first error when every request fails', async () => {
  inferStatus = 400;
  const { code, err } = await perf('-p', '50');
  expect(code).toBe(99);
  expect(err).toContain('[400] no luck');
});

it('says so when no level became stable', async () => {
  const { code, err } = await perf('-p', '20', '-r', '2');
  expect(code).toBe(2);
  expect(err).toContain(
    'Failed to obtain stable measurement within 2 measurement windows for concurrency 1.',
  );
});

it('says what cannot be reached', async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  const { code, err } = await perf();
  expect(code).toBe(99);
  expect(err).toContain(`cannot reach the HTTP server at ${url}`);
});

it('prints usage and one line for a wrong option', async () => {
  const { code, err } = await perf('--nonsense');
  expect(code).toBe(99);
  expect(err.trimEnd().split('\n').at(-1)).toMatch(/^Error: Invalid long option '--nonsense'/);
  expect((await perf('--version')).err).toMatch(/^Perf Analyzer Version 1\.2\.3 /);
});
