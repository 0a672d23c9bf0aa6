// The repository routes over real sockets: index, load and unload.

import { describe, expect, test } from 'vitest';
import { unavailable } from '../../../src-shared/errors.ts';
import { managementServer } from './management-server.ts';

const fixture = await managementServer();

describe('repository', () => {
  test('lists the index with empty and with JSON body', async () => {
    const all = await fixture.call({ path: '/v2/repository/index', method: 'POST' });
    expect(all.text).toContain('{"name":"m","version":"3","state":"READY"}');
    expect(all.text).toContain('{"name":"never_loaded"}');
    const ready = await fixture.call({ path: '/v2/repository/any/index', body: '{"ready":true}' });
    expect(ready.text).not.toContain('never_loaded');
  });

  test.each([
    [
      `{"ready":${'['.repeat(250_000)}${']'.repeat(250_000)}}`,
      400,
      "Invalid value for 'ready': expected a boolean",
    ],
    ['{"ready":1}', 400, "Invalid value for 'ready': expected a boolean"],
    ['{', 500, 'failed to parse the request JSON buffer: '],
    [
      'x'.repeat(1_000_001),
      400,
      'request JSON size of 1000001 bytes exceeds the maximum allowed input size of 1000000 bytes. Use --http-max-input-size to increase the limit.',
    ],
  ])('refuses an index body (%#)', async (body, status, message) => {
    const reply = await fixture.call({ path: '/v2/repository/index', body });
    expect(reply.status).toBe(status);
    expect(reply.text).toContain(message);
    expect((await fixture.call({ path: '/v2/health/live' })).status).toBe(200);
  });

  test('loads with configuration and files, small and large', async () => {
    for (const size of [3, 400_000]) {
      const content = Buffer.alloc(size, 'ab');
      const parameters = {
        config: '{"max_batch_size":"16"}',
        'file:1/model.onnx': content.toString('base64'),
      };
      const reply = await fixture.call({
        path: '/v2/repository/models/m/load',
        body: JSON.stringify({ parameters }),
      });
      expect([reply.status, reply.text]).toEqual([200, '']);
      const load = fixture.service.loads.at(-1);
      expect(load?.parameters.configJson).toBe(parameters.config);
      expect(Buffer.from(load?.parameters.files?.get('1/model.onnx') ?? []).equals(content)).toBe(true);
    }
  });

  test.each([
    [
      '/v2/repository/models/m/load',
      '{"parameters":{"other":"x"}}',
      500,
      'unexpected error on creating Triton parameter',
    ],
    [
      '/v2/repository/models/m/load',
      '{"parameters":{"other":true}}',
      500,
      'attempt to access JSON non-string as string',
    ],
    [
      '/v2/repository/models/m/load',
      '{"parameters":{"config":{}}}',
      500,
      'attempt to access JSON non-string as string',
    ],
    ['/v2/repository/models/m/load', 'no', 500, 'failed to parse the request JSON buffer'],
    ['/v2/repository/r/models/m/load', '', 501, "'repository_name' specification is not supported"],
    ['/v2/repository/r/models/m/unload', '', 501, "'repository_name' specification is not supported"],
    [
      '/v2/repository/models/m/unload',
      '{"parameters":{"unload_dependents":"x"}}',
      500,
      "Unable to parse 'unload_dependents': ",
    ],
  ])('refuses %s with %s', async (path, body, status, message) => {
    const reply = await fixture.call({ path, body });
    expect([reply.status, (JSON.parse(reply.text) as { error: string }).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test('passes on the fault of a load, and unloads with dependents', async () => {
    fixture.service.loadError = unavailable(
      'explicit model load / unload is not allowed if polling is enabled',
    );
    const refused = await fixture.call({ path: '/v2/repository/models/m/load', method: 'POST' });
    expect([refused.status, refused.text]).toEqual([
      503,
      '{"error":"explicit model load / unload is not allowed if polling is enabled"}',
    ]);
    const reply = await fixture.call({
      path: '/v2/repository/models/m/unload',
      body: '{"parameters":{"unload_dependents":true}}',
    });
    expect([reply.status, reply.text]).toEqual([200, '']);
    expect(fixture.service.unloads.at(-1)).toEqual({ name: 'm', unloadDependents: true });
  });
});
