// Claims on shared memory that no tensor of the model can have: refused before any of it is read.

import { openSync, closeSync, ftruncateSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { wireCall } from '../../src-main/testing/wire-http.ts';
import { echo } from '../conformance/checklist/checklist-models.ts';
import { GrpcCaller } from '../conformance/checklist/grpc-caller.ts';
import { Target } from './target.ts';

const BYTE_SIZE = 3 * 1024 ** 3;
const KEY = `conch-hostile-${process.pid}`;

describe.skipIf(process.platform !== 'linux')('three gigabytes of shared memory', () => {
  let target: Target;
  let grpc: GrpcCaller;

  beforeAll(async () => {
    const file = openSync(`/dev/shm/${KEY}`, 'w');
    ftruncateSync(file, BYTE_SIZE);
    closeSync(file);
    target = await Target.start(
      { ...echo('numbers', 'INT32', [-1]), ...echo('texts', 'BYTES', [-1]) },
      { sharedMemory: { allowClient: true } },
    );
    grpc = new GrpcCaller(`127.0.0.1:${target.ports.grpc}`);
    const path = '/v2/systemsharedmemory/region/large/register';
    const body = JSON.stringify({ key: KEY, offset: 0, byte_size: BYTE_SIZE });
    expect((await wireCall(target.ports.http, { path, body })).status).toBe(200);
  });
  afterAll(async () => {
    grpc.close();
    rmSync(`/dev/shm/${KEY}`);
    await target[Symbol.asyncDispose]();
  });

  test.each([
    ['numbers', 'INT32', `Expected 4, got ${BYTE_SIZE}`],
    ['texts', 'BYTES', 'unexpected number of string elements 2'],
  ])('claimed for one element of %s', async (model, datatype, fault) => {
    const before = await target.facts();
    const parameters = { shared_memory_region: 'large', shared_memory_byte_size: BYTE_SIZE };
    const body = JSON.stringify({ inputs: [{ name: 'INPUT0', datatype, shape: [1], parameters }] });
    const overHttp = await wireCall(target.ports.http, { path: `/v2/models/${model}/infer`, body });
    expect(overHttp.status).toBe(400);
    expect(overHttp.text).toContain(fault);
    const overGrpc = await grpc.call('ModelInfer', {
      model_name: model,
      inputs: [
        {
          name: 'INPUT0',
          datatype,
          shape: ['1'],
          parameters: {
            shared_memory_region: { string_param: 'large' },
            shared_memory_byte_size: { int64_param: String(BYTE_SIZE) },
          },
        },
      ],
    });
    expect(overGrpc.code).toBe(3);
    expect(overGrpc.details).toContain(fault);
    const after = await target.facts();
    expect(after.residentBytes - before.residentBytes).toBeLessThan(50_000_000);
  });
});
