// A few thousand random requests. `npm run fuzz` sends many more.

import { expect, test, vi } from 'vitest';
import { HttpFixture, echoConfig } from '../../../src-main/testing/http-fixture.ts';
import { fuzz } from '../../../src-main/testing/http-fuzz.ts';

test('answers whatever is sent, keeps nothing, and stays up', async () => {
  const fixture = await HttpFixture.start({
    models: [{ config: echoConfig('m', ['TYPE_INT32', 'TYPE_STRING', 'TYPE_FP32']) }],
    headerForwardPattern: 'my_header',
    maxInputByteSize: 1_000_000,
  });
  const { port } = fixture.server;
  expect(await fuzz({ port, caseCount: 3000, seed: 20_260_101, width: 8 })).toBeUndefined();
  expect((await fixture.call({ path: '/v2/health/live' })).status).toBe(200);
  await fixture.server.close();
  // A connection that was cut lets go of its model on a later turn of the loop.
  await vi.waitFor(
    () =>
      expect([fixture.service.openUses, fixture.server.readingCount, fixture.server.connectionCount]).toEqual(
        [0, 0, 0],
      ),
    { timeout: 10_000 },
  );
  await fixture.close();
});
