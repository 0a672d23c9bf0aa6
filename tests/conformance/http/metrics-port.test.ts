// The metrics port over real sockets.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { internal } from '../../../src-shared/errors.ts';
import { MetricsServer } from '../../../src-main/protocol/http/metrics-server.ts';
import { wireCall, wireRaw } from '../../../src-main/testing/wire-http.ts';

let text: () => Promise<string> = () => Promise.resolve('a 1\n');
const server = new MetricsServer({ address: '127.0.0.1', port: 0, allowedOrigins: [] }, () => text());

beforeAll(() => server.listen());
afterAll(() => server.close());

test.each([
  ['GET', '/metrics', 200, 'a 1\n'],
  ['GET', '/metrics/', 200, 'a 1\n'],
  ['GET', '/metrics?x=1', 200, 'a 1\n'],
  ['GET', '/other', 200, ''],
  ['GET', '/metrics/x', 200, ''],
  ['POST', '/metrics', 405, '{"error":"Method Not Allowed"}'],
  ['DELETE', '/other', 405, '{"error":"Method Not Allowed"}'],
])('%s %s is %i', async (method, path, status, body) => {
  const reply = await wireCall(server.port, { method, path });
  expect([reply.status, reply.text]).toEqual([status, body]);
  if (body === 'a 1\n') expect(reply.headers['content-type']).toBe('text/plain; charset=utf-8');
});

test('refuses web pages, answers faults as JSON, and survives nonsense', async () => {
  const refused = await wireCall(server.port, {
    path: '/metrics',
    headers: { Origin: 'http://evil.example' },
  });
  expect(refused.status).toBe(403);
  expect(await wireRaw(server.port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
  text = () => Promise.reject(internal('broken'));
  const failed = await wireCall(server.port, { path: '/metrics' });
  expect([failed.status, failed.text]).toEqual([500, '{"error":"broken"}']);
});
