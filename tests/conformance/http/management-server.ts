// An HTTP server for the tests of management routes.

import { afterAll, beforeEach } from 'vitest';

import { HttpFixture, echoConfig } from '../../../src-main/testing/http-fixture.ts';

/**
 * With models `m` (versions 1 and 3), `with blank` and `loading`, which is not ready. It is ready again before each
 * test, and closed when the tests of the file are over.
 */
export async function managementServer(): Promise<HttpFixture> {
  const fixture = await HttpFixture.start({
    maxInputByteSize: 1_000_000,
    models: [
      { config: echoConfig('m', ['TYPE_INT32']), versions: ['1', '3'] },
      { config: echoConfig('with blank', ['TYPE_INT32']) },
      { config: echoConfig('loading', ['TYPE_INT32']), isUnready: true },
    ],
  });
  beforeEach(() => {
    fixture.service.isStopping = false;
    fixture.service.isServerReady = true;
    fixture.service.loadError = undefined;
  });
  afterAll(() => fixture.close());
  return fixture;
}
