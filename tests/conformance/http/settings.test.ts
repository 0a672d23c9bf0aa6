// The trace and log settings over real sockets: reading, changing, and what is refused.

import { describe, expect, test } from 'vitest';
import { managementServer } from './management-server.ts';

const fixture = await managementServer();

describe('settings', () => {
  const TRACE =
    '{"trace_level":["OFF"],"trace_rate":"1000","trace_count":"-1","log_frequency":"0","trace_file":"trace.json","trace_mode":"triton"}';

  test.each(['[]', '5', '{}'])('names no settings with %s', async (body) => {
    const reply = await fixture.call({ path: '/v2/trace/setting', body });
    expect([reply.status, reply.text]).toEqual([200, TRACE]);
    expect((await fixture.call({ path: '/v2/logging', body })).status).toBe(200);
  });

  test('reads and changes trace settings', async () => {
    expect((await fixture.call({ path: '/v2/trace/setting' })).text).toBe(TRACE);
    const body =
      '{"trace_level":["TIMESTAMPS"],"trace_rate":"5","trace_count":null,"unknown":1,"trace_mode":"x"}';
    expect((await fixture.call({ path: '/v2/models/m/trace/setting', body })).text).toBe(TRACE);
    const update = fixture.service.traceUpdates.at(-1);
    expect([update?.modelName, [...(update?.change ?? [])]]).toEqual([
      'm',
      [
        ['trace_level', ['TIMESTAMPS']],
        ['trace_rate', ['5']],
        ['trace_count', undefined],
      ],
    ]);
  });

  test.each([
    [
      '/v2/trace/setting',
      '{"trace_file":null}',
      501,
      'trace file location can not be updated through network protocol',
    ],
    ['/v2/trace/setting', '{"trace_rate":5}', 500, 'attempt to access JSON non-string as string'],
    ['/v2/trace/setting', '{"trace_level":"OFF"}', 500, 'non-array as array'],
    ['/v2/trace/setting', '{', 500, 'failed to parse the request JSON buffer'],
    ['/v2/models/missing/trace/setting', '{}', 400, 'Request for unknown model : missing'],
    ['/v2/logging', '{"log_info":1}', 500, 'attempt to access JSON non-boolean as boolean'],
    ['/v2/logging', '{"log_info":"false"}', 500, 'non-boolean'],
    ['/v2/logging', '{"log_info":False}', 500, 'Invalid value.'],
    ['/v2/logging', '{"log_verbose_level":-1}', 500, 'non-unsigned-integer'],
    ['/v2/logging', '{"log_verbose_level":"1"}', 500, 'non-unsigned-integer'],
    ['/v2/logging', '{"log_format":"other"}', 503, 'invalid argument for --log_format, got: other'],
    ['/v2/logging', '{"log_format":1}', 500, 'non-string'],
  ])('refuses %s with %s', async (path, body, status, message) => {
    const reply = await fixture.call({ path, body });
    expect([reply.status, (JSON.parse(reply.text) as { error: string }).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test('refuses a log file with exactly this body', async () => {
    const reply = await fixture.call({ path: '/v2/logging', body: '{"log_file":"x"}' });
    expect([reply.status, reply.text]).toEqual([
      501,
      '{"error":"log file location can not be updated through network protocol"}',
    ]);
  });

  test('applies log settings before the faulty one, ignores null and unknown keys', async () => {
    await fixture.call({
      path: '/v2/logging',
      body: '{"log_format":"bad","log_warning":false,"log_info":true,"log_file":null,"x":1}',
    });
    const reply = await fixture.call({ path: '/v2/logging' });
    expect(reply.text).toBe(
      '{"log_file":"","log_info":true,"log_warning":false,"log_error":true,"log_verbose_level":0,"log_format":"default"}',
    );
  });
});
