// A server of the protocol with a script instead of a model, in a process of its own: one request is served at a time,
// in order of arrival, each for exactly as long as told. Answers are due at times that do not depend on when this
// process gets to run, so a late one does not delay those behind it.

import http from 'node:http';
import type { AddressInfo } from 'node:net';

import { systemClock } from '../src-main/base/clock.ts';

/** Milliseconds per request; 0 = at once. */
const serviceMs = Number(process.argv[2] ?? '0');
/** The request with this number waits a second longer; 0 = none does. */
const stalledRequest = Number(process.argv[3] ?? '0');

const STALL_MS = 1000;
/** Timers are not finer than this; the rest is waited for in turns of the event loop. */
const TIMER_MS = 1.2;
const CONFIG = JSON.stringify({
  name: 'scripted',
  max_batch_size: 0,
  input: ['INPUT0', 'INPUT1'].map((name) => ({ name, data_type: 'TYPE_INT32', dims: [16] })),
  output: [{ name: 'OUTPUT0', data_type: 'TYPE_INT32', dims: [1] }],
});
const ANSWER = Buffer.from(
  JSON.stringify({
    model_name: 'scripted',
    model_version: '1',
    outputs: [{ name: 'OUTPUT0', datatype: 'INT32', shape: [1], data: [7] }],
  }),
);

const clock = systemClock;
let freeAtNs = 0;
let count = 0;

function infer(response: http.ServerResponse): void {
  const answer = (): void => void response.end(ANSWER);
  if (serviceMs === 0) {
    answer();
    return;
  }
  count += 1;
  const stallMs = count === stalledRequest ? STALL_MS : 0;
  const nowNs = clock.nowNs();
  freeAtNs = Math.max(nowNs, freeAtNs) + (serviceMs + stallMs) * 1e6;
  const dueNs = freeAtNs;
  const sleepMs = (dueNs - nowNs) / 1e6 - TIMER_MS;
  const spin = (): void => {
    if (clock.nowNs() >= dueNs) answer();
    else setImmediate(spin);
  };
  if (sleepMs > 0) setTimeout(spin, sleepMs);
  else spin();
}

const server = http.createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    const address = request.url ?? '';
    if (address.endsWith('/infer')) infer(response);
    else if (address.endsWith('/config')) response.end(CONFIG);
    else if (address.endsWith('/stats')) response.writeHead(404).end('{"error":"no statistics"}');
    else response.end('{"name":"scripted","version":"1"}');
  });
});
server.keepAliveTimeout = 75_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
