// The shared memory routes over real sockets: registering, use in inference, and what is refused.

import { describe, expect, test } from 'vitest';
import { ServerError } from '../../../src-shared/errors.ts';
import { managementServer } from './management-server.ts';

const fixture = await managementServer();

describe('shared memory', () => {
  const register = (region: string, body: object): Promise<{ status: number; text: string }> =>
    fixture.call({ path: `/v2/systemsharedmemory/region/${region}/register`, body: JSON.stringify(body) });

  test('registers, lists, is used in inference, unregisters', async () => {
    expect((await register('in', { key: '/in', offset: 0, byte_size: 8 })).status).toBe(200);
    expect((await register('in', { key: '/in', byte_size: 8 })).text).toContain(
      "shared memory region 'in' already in manager",
    );
    const status = await fixture.call({ path: '/v2/systemsharedmemory/status' });
    expect(status.text).toBe('[{"name":"in","key":"/in","offset":0,"byte_size":8}]');
    fixture.service.systemSharedMemory.write('in', 0, 8, Uint8Array.of(5, 0, 0, 0, 6));
    const place = { shared_memory_region: 'in', shared_memory_byte_size: 8 };
    const input = { name: 'INPUT0', datatype: 'INT32', shape: [2], parameters: place };
    expect((await fixture.infer('m', { inputs: [input] })).text).toContain('"data":[5,6]');
    const shared = await fixture.infer('m', {
      inputs: [input],
      outputs: [{ name: 'OUTPUT0', parameters: place }],
    });
    expect(shared.text).toContain('"outputs":[{"name":"OUTPUT0","datatype":"INT32","shape":[2]}]');
    const small = await fixture.infer('m', {
      inputs: [input],
      outputs: [{ name: 'OUTPUT0', parameters: { ...place, shared_memory_byte_size: 7 } }],
    });
    expect([small.status, small.text]).toEqual([
      500,
      `{"error":"shared memory size specified with the request for output 'OUTPUT0' (7 bytes) should be at least 8 bytes to hold the results"}`,
    ]);
    const path = '/v2/systemsharedmemory/region/in/unregister';
    expect((await fixture.call({ path, method: 'POST' })).status).toBe(200);
    expect((await fixture.call({ path, method: 'POST' })).status).toBe(200);
    expect((await fixture.call({ path: '/v2/systemsharedmemory/region/in/status' })).status).toBe(404);
  });

  test.each([-1, 1.5, 'x', true])('refuses %j as offset of a region', async (offset) => {
    const { status, text } = await register('odd', { key: '/in', byte_size: 8, offset });
    expect([status, text]).toEqual([
      500,
      '{"error":"attempt to access JSON non-unsigned-integer as unsigned-integer"}',
    ]);
  });

  test('refuses a place for an output that its region lacks before anything runs', async () => {
    await register('room', { key: '/in', byte_size: 8 });
    const place = { shared_memory_region: 'room', shared_memory_offset: 8, shared_memory_byte_size: 4 };
    const input = { name: 'INPUT0', datatype: 'INT32', shape: [2], data: [1, 2] };
    const { text } = await fixture.infer('m', {
      inputs: [input],
      outputs: [{ name: 'OUTPUT0', parameters: place }],
    });
    expect(text).toBe(`{"error":"Invalid offset for shared memory region: 'room'"}`);
  });

  test('refuses places whose end overflows', async () => {
    await register('wide', { key: '/in', byte_size: 8 });
    const body = `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[2],"parameters":{"shared_memory_region":"wide","shared_memory_offset":1,"shared_memory_byte_size":18446744073709551615}}]}`;
    const reply = await fixture.infer('m', body);
    expect(reply.text).toBe(
      `{"error":"Integer overflow detected: byte_size (18446744073709551615) + offset (1) exceeds maximum value (18446744073709551615) for region 'wide'"}`,
    );
  });

  test.each([
    [
      '/v2/systemsharedmemory/register',
      '{}',
      400,
      "'region name' is necessary to register system shared memory region",
    ],
    [
      '/v2/cudasharedmemory/register',
      '{}',
      400,
      "'region name' is necessary to register cuda shared memory region",
    ],
    ['/v2/systemsharedmemory/region/r/register', '', 500, 'The document is empty.'],
    [
      '/v2/systemsharedmemory/region/r/register',
      '{"byte_size":4}',
      400,
      "Shared memory register request has no 'key' field",
    ],
    [
      '/v2/systemsharedmemory/region/r/register',
      '{"key":"/r"}',
      400,
      "Shared memory register request has no 'byte_size' field",
    ],
    ['/v2/systemsharedmemory/region/r/register', '{"key":1,"byte_size":4}', 500, 'non-string as string'],
    ['/v2/systemsharedmemory/region/r/register', '{"key":"/r","byte_size":-4}', 500, 'non-unsigned-integer'],
    [
      '/v2/cudasharedmemory/region/r/register',
      '{"byte_size":4}',
      400,
      "Shared memory register request has no 'raw_handle' field",
    ],
    [
      '/v2/cudasharedmemory/region/r/register',
      '{"raw_handle":{"b64":"AA=="},"device_id":0,"byte_size":4}',
      400,
      "'raw_handle' must be a valid base64 encoded cudaIpcMemHandle_t",
    ],
    [
      '/v2/cudasharedmemory/region/r/register',
      '{"raw_handle":{"b64":"AA=="},"device_id":0}',
      500,
      "non-existing object member 'byte_size'",
    ],
  ])('refuses %s with %s', async (path, body, status, message) => {
    const reply = await fixture.call({ path, body });
    expect([reply.status, (JSON.parse(reply.text) as { error: string }).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test('passes on that client shared memory is disabled', async () => {
    const text =
      "Client shared memory is disabled. Start the server with '--allow-client-shm=true' to enable.";
    fixture.service.systemSharedMemory.refusal = new ServerError('UNSUPPORTED', text);
    const reply = await register('r', { key: '/r', byte_size: 4 });
    expect([reply.status, reply.text]).toEqual([501, JSON.stringify({ error: text })]);
    fixture.service.systemSharedMemory.refusal = undefined;
  });
});
