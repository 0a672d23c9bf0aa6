// Who may call: origins and hosts of browsers, and APIs that ask for a header.

import { describe, expect, test } from 'vitest';
import { HttpFixture } from '../../../src-main/testing/http-fixture.ts';
import { BODY, MODELS, PATH, echoServer } from './echo-server.ts';

const fixture = await echoServer({
  allowedOrigins: ['https://good.example'],
  allowedHosts: ['Workbench.example'],
});

describe('callers', () => {
  test.each([
    ['http://evil.example', undefined, 403],
    ['null', undefined, 403],
    ['http://localhost:1', undefined, 403],
    ['https://good.example', undefined, 200],
    [undefined, 'evil.example', 403],
    [undefined, 'localhost.evil.example:8000', 403],
    [undefined, 'localhost:8000', 200],
    [undefined, 'x.localhost', 200],
    [undefined, 'workbench.example:8000', 200],
    [undefined, 'other.workbench.example', 403],
    [undefined, '127.9.9.9:1', 200],
    [undefined, '[::1]:8000', 200],
    [undefined, 'host.docker.internal:8000', 200],
    [undefined, '10.0.0.1', 403],
  ])('origin %s at host %s: %i', async (origin, host, status) => {
    const headers = {
      ...(origin === undefined ? {} : { Origin: origin }),
      ...(host === undefined ? {} : { Host: host }),
    };
    const reply = await fixture.call({ path: '/v2/health/live', headers });
    expect(reply.status).toBe(status);
    if (status === 403) expect((JSON.parse(reply.text) as { error: string }).error).not.toBe('');
  });

  test('lets an allowed page send what it needs and read the reply', async () => {
    const preflight = await fixture.call({
      path: PATH,
      method: 'OPTIONS',
      headers: {
        Origin: 'https://good.example',
        'Access-Control-Request-Headers': 'inference-header-content-length, x y, x-a',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toBe('inference-header-content-length, x-a');
    const reply = await fixture.call({ path: PATH, body: BODY, headers: { Origin: 'https://good.example' } });
    expect(reply.headers['access-control-allow-origin']).toBe('https://good.example');
    expect(reply.headers['vary']).toBe('Origin');
  });

  test('sends no CORS headers to programs', async () => {
    const reply = await fixture.call({ path: '/v2' });
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

describe('restricted APIs', () => {
  test('ask for the header before the method is looked at', async () => {
    await using guarded = await HttpFixture.start({
      models: MODELS,
      restricted: [
        { categories: ['inference', 'health'], header: 'X-Key', value: 'secret' },
        { categories: ['statistics'], header: 'Other', value: 'o' },
      ],
    });
    const refused = `{"error":"This API is restricted, expecting header 'X-Key'"}`;
    for (const headers of [{}, { 'X-Key': 'Secret' }]) {
      const reply = await guarded.call({ path: PATH, method: 'GET', headers });
      expect([reply.status, reply.text]).toEqual([403, refused]);
    }
    expect((await guarded.call({ path: PATH, body: BODY, headers: { 'x-key': 'secret' } })).status).toBe(200);
    expect((await guarded.call({ path: '/v2/models/stats', headers: { other: 'o' } })).status).toBe(200);
    expect((await guarded.call({ path: '/v2' })).status).toBe(200);
  });

  test.each([
    [[{ categories: ['nothing'], header: 'a', value: 'b' }], "unknown restricted api 'nothing'"],
    [
      [
        { categories: ['health'], header: 'a', value: 'b' },
        { categories: ['trace', 'health'], header: 'c', value: 'd' },
      ],
      'can not be specified in multiple config groups',
    ],
  ])('refuse to start with a faulty configuration (%#)', async (restricted, message) => {
    await expect(HttpFixture.start({ restricted })).rejects.toThrow(message);
  });
});
