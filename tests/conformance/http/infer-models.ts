// The fake models and request builders of the infer cases.

import type { HttpFixtureOptions } from '../../../src-main/testing/http-fixture.ts';
import { echoConfig } from '../../../src-main/testing/http-fixture.ts';

export const INFER_FIXTURE: HttpFixtureOptions = {
  maxInputByteSize: 4096,
  headerForwardPattern: 'my_header.*|sequence_id',
  models: [
    { config: echoConfig('ints', ['TYPE_INT32']) },
    { config: echoConfig('two', ['TYPE_INT32', 'TYPE_FP32']) },
    { config: echoConfig('text', ['TYPE_STRING']) },
    { config: echoConfig('floats', ['TYPE_FP32']) },
    { config: echoConfig('longs', ['TYPE_INT64']) },
    { config: echoConfig('halves', ['TYPE_FP16']) },
    { config: echoConfig('stream', ['TYPE_INT32'], 'model_transaction_policy { decoupled: true }') },
    { config: echoConfig('loading', ['TYPE_INT32']), isUnready: true },
    {
      config: echoConfig('silent', ['TYPE_INT32']),
      respond: (request) => void request.respond(undefined, true),
    },
    {
      config: echoConfig('chatty', ['TYPE_INT32']),
      respond: (request) => {
        void request.respondOutputs([], false);
        void request.respondOutputs([], true);
      },
    },
    {
      config: echoConfig('ragged', ['TYPE_INT32']),
      respond: (request) =>
        void request.respondOutputs(
          [{ name: 'OUTPUT0', datatype: 'INT32', shape: [3], bytes: new Uint8Array(8) }],
          true,
        ),
    },
  ],
};

export const tensor = (change: object = {}): object => ({
  name: 'INPUT0',
  datatype: 'INT32',
  shape: [2],
  data: [1, 2],
  ...change,
});
export const request = (change: object = {}): object => ({ inputs: [tensor(change)] });
export const without = (key: string): object => {
  const all: Record<string, unknown> = { ...tensor() };
  delete all[key];
  return { inputs: [all] };
};
