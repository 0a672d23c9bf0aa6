// An HTTP server with two models that echo, and a request for the first one.

import { afterAll, expect, vi } from 'vitest';

import { HttpFixture, echoConfig } from '../../../src-main/testing/http-fixture.ts';

export const MODELS = [
  { config: echoConfig('m', ['TYPE_INT32']) },
  { config: echoConfig('big', ['TYPE_FP32']) },
];
/** A request that `PATH` takes. */
export const BODY = JSON.stringify({
  inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [2], data: [1, 2] }],
});
/** Where the model `m` is asked. */
export const PATH = '/v2/models/m/infer';

/** Closed when the tests of the file are over, with proof that no model is in use any more. */
export async function echoServer(
  callers: { readonly allowedOrigins?: readonly string[]; readonly allowedHosts?: readonly string[] } = {},
): Promise<HttpFixture> {
  const fixture = await HttpFixture.start({ models: MODELS, ...callers });
  afterAll(async () => {
    await vi.waitFor(() => expect(fixture.service.openUses).toBe(0));
    await fixture.close();
  });
  return fixture;
}
