// Of two faults of a request the one is told that the reference comes to first.

import { Client, credentials } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemClock } from '../../base/clock.ts';
import { serviceMethods } from '../../grpc-wire/messages.ts';
import type { PlainMessage } from '../../grpc-wire/messages.ts';
import { EchoService } from '../../testing/echo-service.ts';
import { defaultGrpcServerOptions } from './grpc-options.ts';
import { GrpcServer } from './grpc-server.ts';

const infer = serviceMethods('inference.GRPCInferenceService').get('ModelInfer');
const server = new GrpcServer(
  { service: new EchoService(), clock: systemClock },
  { ...defaultGrpcServerOptions, port: 0 },
);
let client: Client;

beforeAll(async () => {
  client = new Client(`127.0.0.1:${await server.start()}`, credentials.createInsecure());
});
afterAll(async () => {
  client.close();
  await server.close();
});

const asIs = (bytes: Buffer): Buffer => bytes;

function faultOf(input: PlainMessage, outputs: readonly PlainMessage[]): Promise<string> {
  const message = {
    model_name: 'echo',
    inputs: [{ name: 'INPUT', datatype: 'INT32', shape: ['1'], ...input }],
    outputs,
  };
  const bytes = Buffer.from(infer?.request.encode(message) ?? []);
  return new Promise((resolve) => {
    client.makeUnaryRequest(infer?.path ?? '', asIs, asIs, bytes, (error) => resolve(error?.details ?? ''));
  });
}

const GOOD = { contents: { int_contents: [1] } };
const WRONG_FIELD = { contents: { fp32_contents: [1] } };
const wrongClasses = (name: string): PlainMessage => ({
  name,
  parameters: { classification: { string_param: 'x' } },
});

test('the data of inputs come before the parameters of outputs', async () => {
  expect(await faultOf(WRONG_FIELD, [wrongClasses('OUTPUT')])).toContain('unexpected explicit tensor data');
  expect(await faultOf(GOOD, [wrongClasses('OUTPUT')])).toContain("value type for 'classification'");
});

test('an output that is listed twice comes before both', async () => {
  const twice = [wrongClasses('OUTPUT'), wrongClasses('OUTPUT')];
  expect(await faultOf(WRONG_FIELD, twice)).toContain("output 'OUTPUT' already exists in request");
});
